// What the slip of a hint shows of the server's advice: the best choices with what each is worth, and bars for them.
import type { Advice } from "../../server/protocol";
import { countedTogether, verbOf, type TableModel } from "./model";
import { buttonText, thingText } from "./text";
import type { Person } from "./types";

export interface Alternative {
  action: string;
  /** Expected points of the round less the mean of the opponents'; with teams, mean against mean. */
  gain: number;
  /** How many choices are left out between the one listed before it and this one. */
  skipped: number;
}

const SHOWN = 3;

/** The whole choice that is advised: one action, or one for each card that is chosen at once. */
export const advised = (advice: Advice): string[] => [advice.action, ...(advice.more ?? [])];

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

/**
 * The advised action first, then the best others; none where the advice has no values. Nor where several cards are
 * chosen at once: values are of single cards, and would contradict an advice that names two.
 */
export function alternatives(advice: Advice, model: TableModel): Alternative[] {
  if (advised(advice).length > 1) return [];
  // The server's order is that of the values. What the reason compares with is always listed.
  if (advice.alternatives && advice.alternatives.length > 0) {
    const all = advice.alternatives.map(({ action, known }) => ({ action, gain: known, skipped: 0 }));
    const others = new Set((advice.reasons ?? []).map((reason) => String(reason.parameters?.["other"])));
    const place = all.findIndex(({ action }, i) => i >= SHOWN && others.has(action.slice(action.indexOf(" ") + 1)));
    const compared = all[place];
    if (!compared) return all.slice(0, SHOWN);
    const best = all.slice(0, SHOWN - 1);
    return [...best, { ...compared, skipped: place - best.length }];
  }
  const own = countedTogether(model.game, model.me);
  const gainOf = (points: readonly number[]) =>
    mean(points.filter((_, seat) => own.includes(seat))) - mean(points.filter((_, seat) => !own.includes(seat)));
  return Object.entries(advice.estimates ?? {})
    .map(([action, points]) => ({ action, gain: gainOf(points), skipped: 0 }))
    .sort((a, b) => Number(b.action === advice.action) - Number(a.action === advice.action) || b.gain - a.gain)
    .slice(0, SHOWN);
}

/** What an alternative is about, as short as can be: "Trump: green", "Blue 6"; a side or a seat as its button. */
export function alternativeText(action: string, people: readonly Person[], low: number): string {
  if (["team", "double"].includes(verbOf(action))) return buttonText(action, people, low);
  const text = thingText(action.slice(action.indexOf(" ") + 1), people, low);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A bar from zero, which is in the middle, in per cent of the width; `reach` is what the longest bar stands for. */
export function barOf(gain: number, reach: number): { from: number; to: number } {
  const end = 50 + (50 * gain) / reach;
  return { from: Math.min(50, end), to: Math.max(50, end) };
}
