// The field of a deal of the day: its histogram, one's place in it, and the decisions in which it was divided.
import { number, signed, t } from "../i18n/index.svelte";
import type { DealDecision, DealResult, FieldAction, FieldResult } from "../server/protocol";

const STEPS = [1, 2, 5, 10, 20, 50, 100];
const MOST_BINS = 13;
const LEAST_BINS = 5;

export interface Bin {
  /** The middle of the bin. */
  at: number;
  count: number;
  isMine: boolean;
}

/** Results in bins of equal width around multiples of it, at most 13, without gaps. Mine is among them even if not counted. */
export function binsOf(field: readonly FieldResult[], mine: number): Bin[] {
  const gains = [...field.map((one) => one.gain), mine];
  const [low, high] = [Math.min(...gains), Math.max(...gains)];
  const placeOf = (gain: number, step: number) => Math.round(gain / step) + 0;
  const width = (step: number) => placeOf(high, step) - placeOf(low, step) + 1;
  const step = STEPS.find((one) => width(one) <= MOST_BINS) ?? Math.ceil((high - low) / (MOST_BINS - 1));
  const spare = Math.max(0, Math.ceil((LEAST_BINS - width(step)) / 2));
  const first = placeOf(low, step) - spare;
  return Array.from({ length: width(step) + 2 * spare }, (_, i) => {
    const place = first + i;
    const count = field.filter((one) => placeOf(one.gain, step) === place).reduce((sum, one) => sum + one.count, 0);
    return { at: place * step, count, isMine: placeOf(mine, step) === place };
  });
}

const sizeOf = (field: readonly FieldResult[]): number => field.reduce((sum, one) => sum + one.count, 0);

/** Of a hundred others, how many had less than I; null: there are no others. */
export function betterThan({ field, gain, counted }: Pick<DealResult, "field" | "gain" | "counted">): number | null {
  const others = sizeOf(field) - (counted ? 1 : 0);
  if (others <= 0) return null;
  return Math.round((100 * sizeOf(field.filter((one) => one.gain < gain))) / others);
}

/** My result in one line for others. It says nothing of cards or choices: they may still want to play. */
export function shareText(result: Pick<DealResult, "deal" | "field" | "gain" | "counted">, language: string): string {
  const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" }).format(
    Date.parse(result.deal.day),
  );
  const better = betterThan(result);
  const words = { date, gain: signed(result.gain) };
  return better === null ? t("deal.shared.first", words) : t("deal.shared", { ...words, n: number(better) });
}

/** The median of the field; 0 without one. */
export function middleOf(field: readonly FieldResult[]): number {
  const half = sizeOf(field) / 2;
  let seen = 0;
  for (const [i, one] of field.entries()) {
    seen += one.count;
    if (seen > half) return one.gain;
    if (seen === half) return (one.gain + (field[i + 1]?.gain ?? one.gain)) / 2;
  }
  return 0;
}

/** Decisions at which not everybody who came there chose the same, in order. */
export const dividedOf = (decisions: readonly DealDecision[]): DealDecision[] =>
  decisions.filter((one) => one.choices.length > 1);

export interface ChoiceRow extends FieldAction {
  /** 0 to 1, of those who came to the position. */
  share: number;
  isMine: boolean;
}

/** The most frequent choices, mine among them; an action "" stands for all others together. */
export function rowsOf({ action, choices }: Pick<DealDecision, "action" | "choices">, most = 4): ChoiceRow[] {
  const all = choices.reduce((sum, one) => sum + one.count, 0);
  const fits = choices.length <= most;
  const first = choices.slice(0, fits ? most : most - 1);
  const mine = choices.find((one) => one.action === action);
  if (!fits && mine && !first.includes(mine)) first.splice(-1, 1, mine);
  const rest = choices.filter((one) => !first.includes(one));
  const count = rest.reduce((sum, one) => sum + one.count, 0);
  const gain = rest.reduce((sum, one) => sum + one.count * one.gain, 0) / Math.max(count, 1);
  const rows = count > 0 ? [...first, { action: "", count, gain }] : first;
  return rows.map((one) => ({ ...one, share: one.count / all, isMine: one.action === action }));
}
