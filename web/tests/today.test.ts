import { describe, expect, it } from "vitest";
import type { PuzzleEntry, PuzzlePosition, Puzzles } from "../src/server/protocol";
import type { Table } from "../src/server/reducer";
import { peopleAt } from "../src/table/state/text";
import { peopleOf } from "../src/today/people";
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
