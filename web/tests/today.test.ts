import { describe, expect, it } from "vitest";
import type { PuzzleEntry, Puzzles } from "../src/server/protocol";
import { dayText, lastDays, nextPuzzle, puzzleOfDay, puzzlesAhead, themesOf } from "../src/today/today";

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
