import { describe, expect, it, vi } from "vitest";
import { setLanguage } from "../src/i18n/index.svelte";
import type { Advice } from "../src/server/protocol";
import { advised, alternatives, alternativeText, barOf } from "../src/table/state/advice";
import type { TableModel } from "../src/table/state/model";
import { reasonLines } from "../src/table/state/text";

const TEAMS = [
  { seats: [0, 2], total: 0, round_points: 0 },
  { seats: [1, 3], total: 0, round_points: 0 },
];
const model = (inTeams: boolean): TableModel =>
  ({ me: 0, game: { totals: [0, 0, 0, 0], teams: inTeams ? TEAMS : null } }) as unknown as TableModel;
const advice = (estimates: Record<string, number[]>): Advice =>
  ({ type: "advice", action: "0 play R4", estimates }) as unknown as Advice;

describe("the alternatives of a hint", () => {
  const told = advice({
    "0 play B1": [4, 4, 4, 4],
    "0 play R4": [10, 4, 6, 2],
    "0 play G9": [1, 4, 4, 4],
    "0 play Y2": [6, 4, 6, 2],
  });

  it("begin with the advised action, then the best, three at most", () => {
    expect(alternatives(told, model(false))).toEqual([
      { action: "0 play R4", gain: 6, skipped: 0 },
      { action: "0 play Y2", gain: 2, skipped: 0 },
      { action: "0 play B1", gain: 0, skipped: 0 },
    ]);
  });

  it("are worth the mean of a team against the other's", () => {
    expect(alternatives(told, model(true))[0]).toMatchObject({ action: "0 play R4", gain: 5 });
  });

  it("are none where the advice has no estimates", () => {
    expect(alternatives(advice({}), model(false))).toEqual([]);
  });
});

describe("the advice for several cards", () => {
  it("has an action for each", () => {
    const two: Advice = { type: "advice", action: "0 discard R4", more: ["0 discard B13"] };
    expect(advised(two)).toEqual(["0 discard R4", "0 discard B13"]);
  });

  it("is not compared with single cards, in bars or in words", () => {
    const two: Advice = {
      type: "advice",
      action: "0 discard R4",
      more: ["0 discard B13"],
      estimates: { "0 discard R4": [2, 0, 0, 0], "0 discard B13": [1, 0, 0, 0], "0 discard G2": [0, 0, 0, 0] },
      reasons: [{ code: "best-over-worlds", parameters: { worlds: 20, gain: 2, better_by: 1 } }],
    };
    expect(alternatives(two, model(false))).toEqual([]);
    expect(reasonLines(two).join(" ")).not.toContain("reason.better");
    const { more, ...one } = two;
    expect(more).toHaveLength(1);
    expect(alternatives(one, model(false))).toHaveLength(3);
    expect(reasonLines(one).join(" ")).toContain("reason.better");
  });
});

describe("a bar", () => {
  it("grows from zero in the middle to either side", () => {
    expect(barOf(2, 4)).toEqual({ from: 50, to: 75 });
    expect(barOf(-4, 4)).toEqual({ from: 0, to: 50 });
  });
});

describe("advice with values of its own", () => {
  it("keeps the server's order, which is that of the values", () => {
    const one = (action: string, known: number) => ({ action, known, se: 0.1, found_by: 0.2 });
    const told = [one("0 play Y12", 2.6), one("0 play Y6", 0.8), one("0 play Y1", -1), one("0 play Y3", -2)];
    const advice = { kind: "advice", action: "0 play Y12", alternatives: told } as unknown as Advice;
    expect(alternatives(advice, {} as TableModel).map((row) => row.gain)).toEqual([2.6, 0.8, -1]);
  });

  it.each([
    [2, [4, 3, 2], [0, 0, 0]],
    [3, [4, 3, 1], [0, 0, 1]],
    [4, [4, 3, 0], [0, 0, 2]],
  ])("lists what the reason compares with, place %i, and how many are left out before it", (place, gains, skipped) => {
    const cells = ["trump red", "trump blue", "trump green", "trump yellow", "points 1", "points 2"];
    const told = cells.map((cell, i) => ({ action: `0 veto ${cell}`, known: 4 - i, se: 0.1, found_by: 0.2 }));
    const reasons = [{ code: "cell-removed", parameters: { best: "veto trump red", other: `veto ${cells[place]}` } }];
    const advice = { type: "advice", action: "0 veto trump red", alternatives: told, reasons } as unknown as Advice;
    const rows = alternatives(advice, {} as TableModel);
    expect(rows.map((row) => row.gain)).toEqual(gains);
    expect(rows.map((row) => row.skipped)).toEqual(skipped);
  });
});

describe("the name of an alternative", () => {
  it("is short enough for one line of a phone", async () => {
    vi.stubGlobal("document", { documentElement: {} });
    vi.stubGlobal("localStorage", { setItem: () => undefined });
    await setLanguage("en");
    const people = ["You", "Ines"].map((name) => ({ name, character: "bear" as const, isYou: name === "You" }));
    const names = ["0 veto trump red", "0 play B6", "0 team 0 1"].map((one) => alternativeText(one, people, 1));
    expect(names).toEqual(["Trump: red", "Blue 6", "Play with Ines"]);
  });
});
