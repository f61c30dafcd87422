import { describe, expect, test, vi } from "vitest";
import { LANGUAGES, loadTexts, setLanguage } from "../src/i18n/index.svelte";
import { betterThan, binsOf, dividedOf, middleOf, rowsOf, shareText } from "../src/today/deal";
import type { DealDecision, DealOfDay } from "../src/server/protocol";

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
  test("a shared result is one line without cards or choices", async () => {
    const deal = { day: "2026-11-17" } as DealOfDay;
    const lines: string[] = [];
    vi.stubGlobal("document", { documentElement: {} });
    vi.stubGlobal("localStorage", { setItem: () => undefined });
    await loadTexts("study");
    for (const one of LANGUAGES) {
      await setLanguage(one);
      lines.push(shareText({ deal, field: FIELD, gain: 4, counted: true }, one));
    }
    expect(lines).toEqual([
      "Atout deal of the day, Nov 17: +4.0, better than 75%",
      "La donne du jour d’Atout, 17 nov.\u00a0: +4,0, mieux que 75\u202f%",
      "Atout, Austeilung des Tages, 17. Nov.: +4,0, besser als 75\u00a0%",
    ]);
    await setLanguage("en");
    expect(shareText({ deal, field: [{ gain: -2, count: 1 }], gain: -2, counted: true }, "en")).toBe(
      "Atout deal of the day, Nov 17: −2.0",
    );
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
