import { describe, expect, test } from "vitest";
import { actionFor, chaptersOf, frameAt, framesOf, hashOf, jump } from "../src/replay/playback";
import type { Replay, ReplayStep } from "../src/server/protocol";

const cell = (word: string, by: number | null) => ({ word, free: by === null, by });
const steps: ReplayStep[] = [
  {
    move: 0,
    round: 1,
    view: { phase: "veto", turn: 1, trick: [] },
    board: [
      { row: "trump", cells: [cell("red", null)] },
      { row: "points", cells: [cell("1", null)] },
    ],
    hands: { 0: "R1 R2", 1: "B1 B2" },
  },
  {
    move: 1,
    round: 1,
    action: "1 veto trump red",
    view: { turn: 0 },
    board: [{ row: "trump", cells: [cell("red", 1)] }],
  },
  { move: 2, round: 1, action: "0 discard R2", view: { phase: "play" }, hands: { 0: "R1" }, chosen: { 0: "R2" } },
  { move: 3, round: 1, action: "0 play R1", trick: 1, view: { trick: [{ seat: 0, card: "R1" }] }, hands: { 0: "" } },
  { move: 4, round: 1, action: "1 play B1", trick: 1, view: { trick: [] }, hands: { 1: "B2" } },
  { move: 5, round: 1, action: "1 play B2", trick: 2, view: {}, hands: { 1: "" } },
  { move: 5, round: 2, view: { phase: "veto" }, hands: { 0: "R3", 1: "B3" } },
];
const replay: Replay = {
  edition: "x",
  name: "X",
  game: "njet",
  players: 2,
  colours: ["red", "blue"],
  low: 1,
  low_copies: 3,
  high: 9,
  names: ["", ""],
  bots: ["", ""],
  options: {},
  winners: [],
  steps,
};
const frames = framesOf(replay);

test("changes add up", () => {
  expect(frames).toHaveLength(steps.length);
  expect(frames[3]?.view).toMatchObject({ phase: "play", turn: 0, trick: [{ seat: 0, card: "R1" }] });
  expect(frames[3]?.hands).toEqual([[], ["B1", "B2"]]);
  expect(frames[5]?.chosen).toEqual([["R2"], []]);
  expect(frames[1]?.board.map((row) => [row.row, row.cells[0]?.by])).toEqual([
    ["trump", 1],
    ["points", null],
  ]);
  expect(frames[0]?.board[0]?.cells[0]?.free, "an earlier frame is unchanged").toBe(true);
});

test("rounds and tricks are chapters", () => {
  expect(chaptersOf(frames)).toEqual([
    { round: 1, at: 0, tricks: [3, 5] },
    { round: 2, at: 6, tricks: [] },
  ]);
});

test.each([
  [0, 1, 3],
  [3, 1, 5],
  [5, 1, 6],
  [6, 1, 6],
  [6, -1, 5],
  [4, -1, 3],
  [2, -1, 0],
  [0, -1, 0],
] as const)("from %i by %i to %i", (from, by, to) => {
  expect(jump(chaptersOf(frames), from, by, frames.length - 1)).toBe(to);
});

describe("a link to a move", () => {
  test("leads back to it", () => frames.forEach((frame, i) => expect(frameAt(frames, hashOf(frame))).toBe(i)));
  test.each(["", "99", "round-7", "x"])("to none leads to the beginning: %s", (hash) =>
    expect(frameAt(frames, hash)).toBe(0),
  );
});

test("a seat sees an action as the server says", () => {
  const passed: ReplayStep = { move: 1, round: 1, action: "0 pass R2", seen: { 2: "0 pass ?" } };
  expect(actionFor(passed, null)).toBe("0 pass R2");
  expect(actionFor(passed, 1)).toBe("0 pass R2");
  expect(actionFor(passed, 2)).toBe("0 pass ?");
  expect(actionFor({ move: 0, round: 1 }, 1)).toBe("");
});
