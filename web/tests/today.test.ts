import { describe, expect, it, vi } from "vitest";
import { loadTexts, setLanguage } from "../src/i18n/index.svelte";
import type { PuzzleEntry, PuzzlePosition, Puzzles } from "../src/server/protocol";
import type { Table } from "../src/server/reducer";
import { peopleAt } from "../src/table/state/text";
import { peopleOf } from "../src/today/people";
import { taskText, worthText } from "../src/today/task";
import { dayText, lastDays, nextPuzzle, puzzleOfDay, puzzlesAhead, themesOf, type Known } from "../src/today/today";

const entry = (id: string, theme: PuzzleEntry["theme"]): PuzzleEntry => ({
  id,
  edition: "nichtig",
  players: 3,
  phase: "tricks",
  theme,
  rating: 1200,
});
const DAY = 86_400_000;
const list: Puzzles = {
  puzzles: [entry("a", "loot"), entry("b", "keep"), entry("c", "loot")],
  date: "1970-01-05",
  today: "b",
};

describe("the puzzle of a day", () => {
  it("is the server's today, and counted on from the list without a connection", () => {
    expect(dayText(4 * DAY)).toBe("1970-01-05");
    expect(puzzleOfDay(list, 4 * DAY + 1)).toBe("b");
    expect(puzzleOfDay(list, 5 * DAY)).toBe("c");
    expect(puzzleOfDay({ ...list, puzzles: [] }, 5 * DAY)).toBeNull();
    expect(puzzlesAhead(list, 4 * DAY)).toEqual(["b", "c", "a", "b", "c", "a", "b"]);
  });
  it("is followed by one that was not tried, of the same theme if there is one", () => {
    expect(nextPuzzle(list.puzzles, {}, "a", null)).toBe("b");
    expect(nextPuzzle(list.puzzles, { b: false }, "a", null)).toBe("c");
    expect(nextPuzzle(list.puzzles, {}, "a", "loot")).toBe("c");
    expect(nextPuzzle(list.puzzles, { a: true, b: true, c: true }, "a", null)).toBe("b");
    expect(nextPuzzle([entry("a", "loot")], {}, "a", null)).toBeNull();
  });
});

it("counts what was solved in each theme", () => {
  expect(themesOf(list.puzzles, { a: true, c: false })).toEqual([
    { theme: "loot", all: 2, solved: 1 },
    { theme: "keep", all: 1, solved: 0 },
  ]);
});

it("marks the days of the streak, today once it is solved", () => {
  const marks = (streak: number, today: "" | "solved") => lastDays({ streak, today }, 0).map((one) => one.isSolved);
  expect(marks(2, "")).toEqual([false, false, false, false, true, true, false]);
  expect(marks(2, "solved")).toEqual([false, false, false, false, false, true, true]);
});

describe("who sits at a puzzle", () => {
  const position = { players: 4, seat: 2 } as unknown as PuzzlePosition;
  const told = (people: readonly { character: string; isYou?: boolean }[]) =>
    people.map(({ character, isYou }) => (isYou ? `you, ${character}` : character));
  it("is the reader as the bear, and the others in the order of play", () => {
    expect(told(peopleOf(position))).toEqual(["crane", "tiger", "you, bear", "wolf"]);
  });
  it("is the same when it is played on", () => {
    const seats = [0, 1, 2, 3].map((seat) => ({ kind: seat === 2 ? "person" : "bot", name: "", is_here: true }));
    const table = { seats, seat: 2, is_yours: true, origin: { source: "puzzles/a", seat: 2, round: 0 } };
    expect(peopleAt(table as unknown as Table).map(({ name, character }) => [name, character])).toEqual(
      peopleOf(position).map(({ name, character }) => [name, character]),
    );
  });
  it("is who sat there, in a position of an own match", () => {
    const own = { ...position, mistake: { record: "a", round: 0, index: 3 } } as unknown as PuzzlePosition;
    expect(told(peopleOf(own))).toEqual(["bear", "wolf", "you, crane", "tiger"]);
  });
});

describe("without a connection", () => {
  it("shows what was last known of the guest, and attempts that wait", async () => {
    const kept = new Map([["atout.name", "Ada"]]);
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => kept.set(key, text),
    });
    vi.resetModules();
    const today = await import("../src/today/today");
    const mine = { rating: 1240, tried: 2, solved: 1, today: "solved", attempts: { a: true, b: false } };
    const known = { mine, mistakes: { due: [], count: 0, next: 0 } } as unknown as Known;
    expect(today.lastKnown(0)).toBeNull();
    today.keepKnown(known, 0);
    expect(today.lastKnown(DAY - 1)).toEqual(known);
    expect(today.lastKnown(DAY)?.mine).toEqual({ ...mine, today: "" });
    today.keepAttempt("c", "0 play R5", true);
    today.keepAttempt("c", "0 play R6", false);
    expect(today.waitingAttempts()).toEqual({ c: true });
    kept.set("atout.puzzles", JSON.stringify({ ...known, day: "1970-01-01", name: "Ben" }));
    expect(today.lastKnown(0)).toBeNull();
    kept.set("atout.puzzles", "{");
    expect(today.lastKnown(0)).toBeNull();
    vi.unstubAllGlobals();
  });
});

it("says what a puzzle asks for", async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { setItem: () => undefined });
  await loadTexts("study");
  await setLanguage("en");
  const task = (action: string, more: object) =>
    taskText({
      view: { chosen: [], owed: 1, trick: [], ...more },
      answer: { values: { [action]: {} } },
    } as unknown as PuzzlePosition);
  expect(task("0 team 0 1", {})).toBe("Pick your side");
  expect(task("0 discard R5", {})).toBe("Discard 1 card");
  expect(task("0 discard R5", { chosen: ["R1"] })).toBe("Discard card 2 of 2");
  expect(task("0 lay R5", { chosen: ["R1", "B2"] })).toBe("Lay out card 3 of 3");
  expect(task("0 play R5", {})).toBe("Lead a card");
  expect(task("0 play R5", { trick: [{ seat: 1, card: "R2" }] })).toBe("Play a card");
  vi.unstubAllGlobals();
});

describe("a wrong answer", () => {
  const one = (known: number) => ({ known, se: 0.1, found_by: 0.5, open: null, exact: false });
  const answer = {
    values: { "2 play R5": one(1.26), "2 play R7": one(-1.04), "2 play R8": one(1.27) },
    best: ["2 play R5"],
  };
  it.each([
    ["en", "Your choice is worth −1.0, 2.3 less than the best: red 5."],
    ["fr", "Votre choix vaut −1,0, soit 2,3 de moins que le meilleur\u00a0: le 5 rouge."],
    ["de", "Deine Wahl ist −1,0 wert, 2,3 weniger als die beste: Rot 5."],
  ] as const)("is compared with the best as the bars show them: %s", async (language, text) => {
    vi.stubGlobal("document", { documentElement: {} });
    vi.stubGlobal("localStorage", { setItem: () => undefined });
    await loadTexts("study");
    await setLanguage(language);
    expect(worthText(answer, "2 play R7", [], 1)).toBe(text);
    expect(worthText(answer, "2 play R8", [], 1)).toBe("");
    vi.unstubAllGlobals();
  });
});
