import { describe, expect, test } from "vitest";
import { betterThan, binsOf, dividedOf, middleOf, rowsOf } from "../src/today/deal";
import type { DealDecision } from "../src/server/protocol";

const FIELD = [
  { gain: -12, count: 1 },
  { gain: -1.33, count: 2 },
  { gain: 4, count: 1 },
  { gain: 30, count: 1 },
];

describe("the field of a deal of the day", () => {
  test("bins have no gaps, count everybody, and mark mine", () => {
    const bins = binsOf(FIELD, 4);
    expect(bins.length).toBeLessThanOrEqual(13);
    expect(bins.map((one) => one.at)).toEqual([-10, -5, 0, 5, 10, 15, 20, 25, 30]);
    expect(bins.map((one) => one.count)).toEqual([1, 0, 2, 1, 0, 0, 0, 0, 1]);
    expect(bins.filter((one) => one.isMine).map((one) => one.at)).toEqual([5]);
  });
  test("one result alone has room beside it", () => {
    const bins = binsOf([{ gain: 2, count: 1 }], 2);
    expect(bins.map((one) => one.at)).toEqual([0, 1, 2, 3, 4]);
  });
  test("my place is among the others", () => {
    expect(betterThan({ field: FIELD, gain: 4, counted: true })).toBe(75);
    expect(betterThan({ field: FIELD, gain: 4, counted: false })).toBe(60);
    expect(betterThan({ field: [{ gain: 4, count: 1 }], gain: 4, counted: true })).toBeNull();
  });
  test("the middle is the median", () => {
    expect(middleOf(FIELD)).toBe(-1.33);
    expect(
      middleOf([
        { gain: 1, count: 1 },
        { gain: 4, count: 1 },
      ]),
    ).toBe(2.5);
    expect(middleOf([])).toBe(0);
  });
  test("choices: the most frequent, mine always, the others together", () => {
    const choices = ["a", "b", "c", "d", "e"].map((action, i) => ({ action, count: 5 - i, gain: i }));
    const rows = rowsOf({ action: "e", choices });
    expect(rows.map((one) => [one.action, one.count, one.isMine])).toEqual([
      ["a", 5, false],
      ["b", 4, false],
      ["e", 1, true],
      ["", 5, false],
    ]);
    expect(rows.reduce((sum, one) => sum + one.share, 0)).toBeCloseTo(1);
    expect(rows[3]?.gain).toBeCloseTo(2.4);
    const same = { choices: choices.slice(0, 1) } as DealDecision;
    expect(dividedOf([same, { choices } as DealDecision])).toHaveLength(1);
  });
});
