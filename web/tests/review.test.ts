import { describe, expect, it } from "vitest";
import type { Frame } from "../src/replay/playback";
import {
  actionsBefore,
  alternativesOf,
  behindBest,
  byRound,
  comparedIn,
  curveOf,
  fall,
  frameBefore,
  isResultKnown,
  laidOut,
  listed,
  lossOf,
  lostBy,
  ordinal,
  partnersOf,
  partsOf,
  shownLoss,
  shownParts,
  shownSteps,
  scaleOf,
  shortened,
  signCounts,
  signOf,
  signsOf,
  tricksOf,
  withPartner,
} from "../src/review/review";
import type { Decision, Ledger } from "../src/server/protocol";

const value = (known: number, open: number, se = 0.2) => ({ known, se, found_by: 0.5, open, exact: false });
const decision = (changes: Partial<Decision> = {}): Decision => ({
  round: 0,
  index: 2,
  seat: 1,
  phase: "tricks",
  action: "1 play Y6",
  best: "1 play Y12",
  label: "fine",
  loss: 0,
  se: 0.1,
  values: { "1 play Y6": value(2.3, 3), "1 play Y12": value(5.4, 1), "1 play Y1": value(-0.9, 2) },
  ...changes,
});

const LEDGER: Ledger = {
  seat: 1,
  evaluator: "e",
  deal: 2,
  own: -3,
  partners: 1,
  opponents: 4,
  result: 4,
  lost: 5,
  turned_out: 2,
  luck_adjusted: 2,
  labels: {},
  errors: {},
  rounds: [
    {
      round: 0,
      deal: 1,
      own: 0,
      partners: 0,
      opponents: 0,
      result: 6,
      lost: 0,
      turned_out: 0,
      is_finished: true,
      curve: [
        { index: 0, actor: 1, value: 1 },
        { index: 3, actor: 2, value: 5 },
      ],
    },
    {
      round: 1,
      deal: 1,
      own: 0,
      partners: 0,
      opponents: 0,
      result: -2,
      lost: 0,
      turned_out: 0,
      is_finished: true,
      curve: [{ index: 0, actor: 1, value: 1 }],
    },
  ],
};

/** A decision that cost so much. */
const costing = (loss: number, changes: Partial<Decision>): Decision =>
  decision({ loss, values: { "1 play Y6": value(1, 3), "1 play Y12": value(1 + loss, 1) }, ...changes });

describe("the list", () => {
  const all = [
    costing(0.8, { label: "inaccuracy" }),
    decision(),
    costing(4.2, { label: "blunder", phase: "veto" }),
    decision({ luck: "unlucky" }),
    decision({ label: "only-move" }),
    decision({ label: "cannot-tell", loss: 3 }),
    costing(2, { label: "mistake", luck: "lucky-escape" }),
  ];
  it("stays in the order of the match while decisions are missing", () => {
    expect(listed(all, "all", false).map((one) => one.number)).toEqual([0, 2, 3, 4, 5, 6]);
  });
  it("adds up to what is called lost", () => {
    expect(lostBy(all)).toBe(7);
    const odd = [costing(1.26, { label: "mistake" }), costing(1.26, { label: "mistake" })];
    expect(lostBy(odd)).toBe(2.6); // 1.3 and 1.3, as they are shown
    expect(partsOf(LEDGER, odd).map(({ n }) => n)).toEqual([2, -2.6, -0.4, 1, 4]);
  });
  it("has the dearest first and leaves out what is fine", () => {
    expect(listed(all).map((one) => one.number)).toEqual([2, 6, 0, 3, 4, 5]);
    expect(listed(all, "veto").map((one) => one.number)).toEqual([2]);
    expect(listed(all).map((one) => one.sign)[1]).toBe("lucky-escape");
  });
  it("counts labels and luck, each for itself, and no loss that cannot be told", () => {
    const lost = decision({ label: "only-move", luck: "unlucky" });
    expect(signsOf(lost)).toEqual(["unlucky", "only-move"]);
    const counted = Object.fromEntries(signCounts([...all, lost]).map(({ sign, n }) => [sign, n]));
    expect(counted).toEqual({
      blunder: 1,
      mistake: 1,
      inaccuracy: 1,
      unlucky: 2,
      "lucky-escape": 1,
      "only-move": 2,
      "cannot-tell": 1,
    });
    expect(lossOf(all[5] ?? decision())).toBe(0);
  });
  it("has all of them round by round, with or without a sign", () => {
    const some = [...all, decision({ round: 1 }), decision({ round: 1, phase: "veto" })];
    expect(byRound(some).map(({ round, all: here }) => [round, here.map((one) => one.number)])).toEqual([
      [0, [0, 1, 2, 3, 4, 5, 6]],
      [1, [7, 8]],
    ]);
    expect(byRound(some, "veto").flatMap(({ all: here }) => here.map((one) => one.number))).toEqual([2, 8]);
    expect(byRound(some)[0]?.all.map((one) => one.sign)).toEqual(some.slice(0, 7).map(signOf));
  });
  it("numbers decisions of a phase within their round", () => {
    const some = [decision(), decision({ phase: "veto" }), decision(), decision({ round: 1 })];
    expect(some.map((_, i) => ordinal(some, i))).toEqual([1, 1, 2, 1]);
  });
});

describe("the ledger", () => {
  it("has bars that end at the result", () => {
    const bars = fall(partsOf(LEDGER, []).map(({ n }) => n));
    expect(bars.at(-1)?.to).toBeCloseTo(LEDGER.result);
    bars.slice(1).forEach((bar, i) => expect(bar.from).toBe(bars[i]?.to));
  });
  it("shows parts that add up to the result that is shown", () => {
    const exact = [-18.83, -33.43, 22.68, -6.56];
    const sum = exact.reduce((all, one) => all + one, 0);
    expect(exact.map((one) => one.toFixed(1))).toEqual(["-18.8", "-33.4", "22.7", "-6.6"]); // they make -36.0
    expect(shownParts([-18.84, -33.44, 22.65, -6.45], -36.08).reduce((all, one) => all + one, 0)).toBeCloseTo(-36.1);
    expect(shownParts(exact, sum).reduce((all, one) => all + one, 0)).toBeCloseTo(Math.round(10 * sum) / 10);
    shownParts(exact, sum).forEach((one, i) => expect(Math.abs(one - (exact[i] ?? 0))).toBeLessThan(0.1));
    expect(shownParts([0, 0], 0)).toEqual([0, 0]);
  });
  it("has rounds that add up to the result as it is shown", () => {
    expect(shownSteps([1 / 3, 1 / 3, 1 / 3])).toEqual([0.3, 0.4, 0.3]);
    expect(shownSteps([1.25, -0.45, -2 / 3]).reduce((all, one) => all + one, 0)).toBeCloseTo(0.1);
    expect(shownSteps([])).toEqual([]);
  });
  it("does not tell what decisions cost before all are judged", () => {
    const parts = partsOf(LEDGER, null);
    expect(parts.map(({ part }) => part)).toEqual(partsOf(LEDGER, []).map(({ part }) => part));
    expect(parts.filter(({ isOpen }) => isOpen).map(({ part }) => part)).toEqual(["lost", "turned-out"]);
    expect(fall(parts.map(({ n }) => n)).at(-1)?.to).toBeCloseTo(LEDGER.result);
    expect(partsOf(LEDGER, []).some(({ isOpen }) => isOpen)).toBe(false);
  });
  it("has a curve that adds the rounds up", () => {
    const points = curveOf(LEDGER);
    expect(points.map((point) => point.y)).toEqual([1, 5, 6, 7, 4]);
    expect(points.map((point) => point.x)).toEqual([0, 0.5, 1, 1, 2]);
  });
  it("tells its result alone before all rounds are valued", () => {
    const [first, second] = LEDGER.rounds;
    if (!first || !second) throw new Error("two rounds");
    const early = { ...LEDGER, partners: 0, rounds: [{ ...first, curve: [], partner_seats: [2] }, second] };
    const parts = partsOf(early, null);
    expect(parts.map(({ part }) => part)).toEqual(partsOf(LEDGER, []).map(({ part }) => part));
    expect(parts.every(({ n, isOpen }) => n === 0 && isOpen)).toBe(true);
    expect(isResultKnown(early)).toBe(true);
    expect(isResultKnown({ ...early, rounds: [{ ...first, curve: [], is_finished: false }, second] })).toBe(false);
    expect(curveOf(early).map((point) => [point.x, point.y])).toEqual([
      [0, 0],
      [1, 6],
      [1, 7],
      [2, 4],
    ]);
  });
});

describe("a decision", () => {
  it("finds the frame before its action", () => {
    const frames = [1, 1, 1, 2, 2].map((round) => ({ step: { round } })) as Frame[];
    expect(frameBefore(frames, decision({ index: 2 }))?.at).toBe(2);
    expect(frameBefore(frames, decision({ round: 1, index: 1 }))?.at).toBe(4);
    expect(frameBefore(frames, decision({ index: 3 }))).toBeNull();
    expect(frameBefore(frames, decision({ round: 7 }))).toBeNull();
  });
  it("knows the tricks that are over, of this round alone", () => {
    const actions = [["0 play R1"], ["0 veto start 1", "0 play R2", "1 play R3", "1 play B1"]];
    const frames = actions.flatMap((some, round) => ["", ...some].map((action) => ({ step: { round, action } })));
    const past = actionsBefore(frames as Frame[], frames.length - 1);
    expect(past).toEqual(actions[1]);
    expect(tricksOf(past, 2)).toEqual([
      [
        { seat: 0, card: "R2" },
        { seat: 1, card: "R3" },
      ],
    ]);
  });
  it("orders actions by what they were worth, with open cards too", () => {
    expect(alternativesOf(decision(), false).map((one) => one.value)).toEqual([5.4, 2.3, -0.9]);
    const open = alternativesOf(decision(), true);
    expect(open.map((one) => one.action)).toEqual(["1 play Y6", "1 play Y1", "1 play Y12"]);
    expect(open.find((one) => one.isBest)?.action).toBe("1 play Y6");
    expect(open.every((one) => one.margin === 0)).toBe(true);
    expect(alternativesOf(decision(), false).find((one) => one.isBest)?.action).toBe("1 play Y12");
  });
  it("keeps what was chosen in a short list, and every bar on the scale", () => {
    const all = alternativesOf(decision({ action: "1 play Y1" }), false);
    expect(shortened(all, 2).map((one) => one.isChosen)).toEqual([false, true]);
    const spokenOf = comparedIn([{ parameters: { best: "play Y12", other: "play Y1", best_share: 4 } }], 1);
    expect(spokenOf).toEqual(["1 play Y12", "1 play Y1"]);
    const mine = alternativesOf(decision(), false);
    expect(shortened(mine, 1).map((one) => one.action)).toEqual(["1 play Y6"]);
    expect(shortened(mine, 2, spokenOf).map((one) => one.action)).toEqual(["1 play Y12", "1 play Y1"]);
    const place = scaleOf(all);
    for (const one of all) {
      expect(place(one.value - one.margin)).toBeGreaterThanOrEqual(-1e-9);
      expect(place(one.value + one.margin)).toBeLessThanOrEqual(100 + 1e-9);
    }
  });
  it("tells how far a second try is behind", () => {
    expect(behindBest(decision(), "1 play Y1")).toBeCloseTo(6.3);
    expect(behindBest(decision(), "1 play Y12")).toBe(0);
  });
  it("compares with the best of the view that is shown", () => {
    expect(behindBest(decision(), "1 play Y6", true)).toBe(0);
    expect(behindBest(decision(), "1 play Y12", true)).toBeGreaterThan(0);
  });
  it("costs the difference of the values beside it", () => {
    const value = (known: number) => ({ known, se: 0.1, found_by: 0.5 });
    const values = { "1 play Y1": value(-1.04), "1 play Y2": value(-7.56) };
    const one = decision({ action: "1 play Y2", best: "1 play Y1", label: "blunder", loss: 6.52, values });
    expect(shownLoss(one)).toBe(6.6); // -1.0 less -7.6
    expect(shownLoss({ ...one, label: "cannot-tell" })).toBe(0);
  });
});

describe("partners that are chosen one by one", () => {
  const sides = ["1 team 0 1", "1 team 1 2", "1 team 1 3", "1 team 0 1 2", "1 team 1 2 3"];
  it("are those of the side without oneself", () => expect(partnersOf("1 team 0 1 2")).toEqual([0, 2]));
  it("come and go, and begin again where no side has all of them", () => {
    expect(withPartner(sides, [], 2)).toEqual([2]);
    expect(withPartner(sides, [2], 0)).toEqual([0, 2]);
    expect(withPartner(sides, [0, 2], 2)).toEqual([0]);
    expect(withPartner(sides, [0, 2], 3)).toEqual([3]);
  });
});

describe("cards that were laid out", () => {
  it("are piles by colour", () => {
    expect(laidOut(["R4", "B2", "R0"])).toEqual([["R4", "R0"], ["B2"]]);
    expect(laidOut([])).toEqual([]);
  });
});
