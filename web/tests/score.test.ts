// The score sheet's calculation gives the scores of tests/generated/scores.json, which Python has computed.
import { describe, expect, test } from "vitest";
import { editionOf, type EditionId } from "../src/editions";
import type { Options, Round } from "../src/sheet/model";
import { isBegun, totalsByRound, isOver, problemsOf, roundsOf, scoreRound, winners } from "../src/sheet/score";
import vectors from "./generated/scores.json";

interface Vector {
  edition: EditionId;
  players: number;
  options: Partial<Options>;
  rounds: {
    discard: string;
    points: number;
    sides: number[][];
    double: number | null;
    tricks: number[];
    loot: number[];
    tops?: number[][];
    scores: number[];
  }[];
  totals: number[];
  winners: number[];
}
const matches = vectors as unknown as Vector[];

function editionFor(id: EditionId) {
  const edition = editionOf(id);
  if (!edition) throw new Error(`${id} is not exported`);
  return edition;
}
const optionsOf = (match: Vector): Options => ({
  length: "full",
  scoring: editionFor(match.edition).scoring ?? "total",
  teams: false,
  ...match.options,
});
const roundOf = (raw: Vector["rounds"][number]): Round =>
  raw.tops
    ? { kind: "tops", tops: raw.tops }
    : {
        kind: "njet",
        start: null,
        trump: null,
        super: null,
        discard: raw.discard,
        points: raw.points,
        side: raw.sides[0] ?? [],
        double: raw.double,
        tricks: raw.tricks,
        loot: raw.loot,
      };
const nameOf = (match: Vector) => `${match.edition}, ${match.players} players, ${JSON.stringify(match.options)}`;

test("the vectors cover what they are for", () => {
  const rounds = matches.flatMap((match) => match.rounds.map((round) => ({ ...round, match })));
  expect(rounds.length).toBeGreaterThan(300);
  const seen = new Set(
    matches.map((match) => `${match.edition} ${match.players} ${optionsOf(match).scoring} ${optionsOf(match).teams}`),
  );
  for (const edition of ["niet-2015", "njet-2007", "njet-1997"] as const)
    for (const seats of editionFor(edition).players)
      for (const scoring of ["total", "difference"])
        expect(seen).toContain(`${edition} ${seats.players} ${scoring} false`);
  expect(seen).toContain("nichtig 6 total true");
  for (const edition of ["niet-2015", "njet-2007"])
    expect(rounds.some((one) => one.match.edition === edition && one.points === -2 && one.double !== null)).toBe(true);
  expect(rounds.some((one) => one.scores.some((score) => score < 0))).toBe(true);
});

describe.each(matches.map((match) => [nameOf(match), match] as const))("%s", (_, match) => {
  const edition = editionFor(match.edition);
  const options = optionsOf(match);
  const rounds = match.rounds.map(roundOf);

  test("scores each round as Python does", () => {
    match.rounds.forEach((raw, i) =>
      expect(scoreRound(rounds[i] as Round, options.scoring), `round ${i + 1}`).toEqual(raw.scores),
    );
  });

  test("finds no mistake in a round that was played", () => {
    for (const round of rounds) expect(problemsOf(edition, round)).toEqual([]);
  });

  test("adds up, ends and names the winners as Python does", () => {
    const lines = totalsByRound({ names: match.totals.map(String), rounds, options });
    expect(lines.at(-1)).toEqual(match.totals);
    lines.forEach((totals, played) =>
      expect(isOver(edition, totals, played, options), `after ${played}`).toBe(played === rounds.length),
    );
    expect(winners(match.totals, options.teams)).toEqual(match.winners);
    if (typeof options.length !== "object") expect(roundsOf(edition, match.players, options)).toBe(rounds.length);
  });
});

describe("mistakes in a round", () => {
  const edition = editionFor("niet-2015");
  const five: Round = {
    kind: "njet",
    start: 0,
    discard: "none",
    trump: null,
    super: null,
    points: 2,
    side: [0, 1, 4],
    double: 3,
    tricks: [3, 2, 3, 2, 2],
    loot: [1, 1, 0, 1, 1],
  };

  test("the example of §10.2 stands", () => {
    expect(problemsOf(edition, five)).toEqual([]);
    expect(scoreRound(five, "total")).toEqual([20, 20, 18, 18, 20]);
    expect(scoreRound(five, "difference")).toEqual([2, 2, 0, 0, 2]);
  });
  test("tricks must add up", () =>
    expect(problemsOf(edition, { ...five, tricks: [3, 2, 3, 2, 1] })).toEqual([
      { code: "tricks-sum", expected: 12, found: 11 },
    ]));
  test("there are twelve low cards", () =>
    expect(problemsOf(edition, { ...five, loot: [9, 4, 0, 0, 0] })).toEqual([
      { code: "loot-many", most: 12, found: 13 },
    ]));
  test("three against two", () =>
    expect(problemsOf(edition, { ...five, side: [0] })).toEqual([{ code: "sides", sizes: "2 : 3" }]));
  test("the ×2 card is with the pair", () =>
    expect(problemsOf(edition, { ...five, double: 0 })).toEqual([{ code: "double" }]));
  test("an empty form shows no mistake, a begun one does", () => {
    const empty = { ...five, side: [], double: null, tricks: [0, 0, 0, 0, 0], loot: [0, 0, 0, 0, 0] };
    const shown = (round: typeof five) => problemsOf(edition, round).filter((one) => isBegun(one, round));
    expect(problemsOf(edition, empty).length).toBeGreaterThan(0);
    expect(shown(empty)).toEqual([]);
    expect(shown({ ...empty, tricks: [3, 0, 0, 0, 0] }).map((one) => one.code)).toEqual(["tricks-sum"]);
    expect(shown({ ...empty, side: [0] }).map((one) => one.code)).toEqual(["sides"]);
  });
});
