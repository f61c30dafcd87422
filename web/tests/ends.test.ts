// What is said of those who have left, of the winner, and of the points that count; and a table like that of a match.
import { beforeEach, describe, expect, test, vi } from "vitest";
import { settingsLike } from "../src/home/table_preferences";
import { setLanguage } from "../src/i18n/index.svelte";
import type { MadeOf } from "../src/server/protocol";
import type { Table } from "../src/server/reducer";
import { goneSeats } from "../src/table/state/absent";
import { differenceOf } from "../src/table/state/difference";
import type { TableModel } from "../src/table/state/model";
import { goneText, peopleAt } from "../src/table/state/text";
import type { Person } from "../src/table/state/types";
import { rankedRows, winnerText } from "../src/table/state/winner";

const PEOPLE: Person[] = [
  { name: "You", character: "bear", isYou: true },
  { name: "Ines", character: "wolf" },
  { name: "Jonas", character: "crane" },
  { name: "Bruno", character: "tiger" },
];

beforeEach(() => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { setItem: () => undefined });
  return setLanguage("en");
});

describe("players who have left", () => {
  const person = { kind: "person", name: "", is_here: true, has_left: false, is_stood_in: false };
  const table = (clock: string) =>
    ({
      status: "playing",
      is_yours: true,
      seat: 0,
      settings: { clock: { kind: clock } },
      seats: [
        person,
        { ...person, name: "Ines", is_here: false, has_left: true },
        { ...person, name: "Jonas", is_here: false, has_left: true, is_stood_in: true },
        { ...person, name: "Bruno", is_here: false },
      ],
    }) as unknown as Table;

  test("are named in the lists of players", () =>
    expect(peopleAt(table("none")).map((one) => one.absence)).toEqual([null, "left", "left", "away"]));
  test("and in a notice, unless the others are asked what to do", () => {
    expect(goneSeats(table("none")).map(({ seat }) => seat)).toEqual([2]);
    expect(goneSeats(table("decision")).map(({ seat }) => seat)).toEqual([1, 2]);
  });
  test("in words", () => {
    const { seats } = table("none");
    expect(goneText(seats[1], PEOPLE[1])).toBe("Ines has left.");
    expect(goneText(seats[2], PEOPLE[2])).toBe("Jonas has left. A bot now plays for Jonas.");
  });
});

/** The teams of four players as the server tells them. */
const teamsOf = (totals: number[]) =>
  [0, 1].map((first) => ({
    seats: [first, first + 2],
    total: (totals[first] ?? 0) + (totals[first + 2] ?? 0),
    round_points: 0,
  }));

describe("who won", () => {
  test.each([
    [[9, 4, 2, 1], [0], 0, false, "You win by 5 points"],
    [[4, 9, 2, 1], [1], null, false, "Ines wins by 5 points"],
    [[4, 9, 9, 1], [1, 2], null, false, "Shared win: Ines and Jonas"],
    [[9, 4, 3, 1], [0, 2], 0, true, "Your team wins by 7 points"],
    [[1, 9, 2, 4], [1, 3], null, true, "Won by 10 points: Ines and Bruno"],
    [[4, 9, 7, 2], [0, 1, 2, 3], 0, true, "You share the win"],
    [[1, 2, 3, 4], [], null, false, ""],
  ])("%o: %o", (totals, won, me, inTeams, words) =>
    expect(winnerText({ totals, teams: inTeams ? teamsOf(totals) : null }, won, PEOPLE, me)).toBe(words),
  );
});

test("the ranking after a round is that of the teams, where teams play", () => {
  const totals = [1, 9, 8, 4];
  const rows = (teams: ReturnType<typeof teamsOf> | null) =>
    rankedRows({ totals, teams }, [1, 2, 3, 4]).map((row) => Object.values(row));
  expect(rows(null)).toEqual([
    [[1], 1, 9, 2],
    [[2], 2, 8, 3],
    [[3], 3, 4, 4],
    [[0], 4, 1, 1],
  ]);
  expect(rows(teamsOf(totals))).toEqual([
    [[1, 3], 1, 13, 6],
    [[0, 2], 2, 9, 4],
  ]);
});

describe("with difference scoring", () => {
  const model = { people: PEOPLE, me: 0, view: { seat: 0 } } as unknown as TableModel;
  const of = (sums: number[], scoring = "difference"): MadeOf => ({ single: [], own: [], sums, scoring });
  const sides = [
    [0, 2],
    [1, 3],
  ];
  test("the terms are told, and whose the points are", () =>
    expect(differenceOf(of([9, 7]), sides, [2, 0, 2, 0], model)).toEqual({
      higher: 9,
      lower: 7,
      score: 2,
      terms: ["9", "− 7", "= 2"],
      whose: "for your side",
    }));
  test("a sum below zero is taken away in brackets", () =>
    expect(differenceOf(of([-28, -10]), sides, [0, 18, 0, 18], model)?.terms).toEqual(["−10", "− (−28)", "= 18"]));
  test("for the others, too", () =>
    expect(differenceOf(of([3, 7]), sides, [0, 4, 0, 4], model)?.whose).toBe("for Ines and Bruno"));
  test("there are none with another scoring", () =>
    expect(differenceOf(of([9, 7], "total"), sides, [9, 7, 9, 7], model)).toBeNull());
});

test("a table like that of a match has its settings and its bots", () =>
  expect(
    settingsLike({ edition: "nichtig", players: 4, options: { teams: true }, bots: ["", "novice", "", "expert"] }),
  ).toMatchObject({
    edition: "nichtig",
    players: 4,
    options: { teams: true },
    seats: ["open", "novice", "novice", "expert"],
  }));
