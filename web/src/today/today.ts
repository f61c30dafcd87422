// Which puzzle comes when, what was last known of mine, and attempts that wait for a connection.
import { parseJson, parseObject, storage } from "../storage";
import type { Mistakes, MyPuzzles, PuzzleEntry, Puzzles } from "../server/protocol";
import { guest, registerGuest } from "../server/guest.svelte";
import { tryPuzzle } from "../server/puzzles";
import { RequestError } from "../server/request";

const DAY_MS = 86_400_000;
/** Positions of so many days are fetched ahead, so that they are there without a connection. */
export const DAYS_AHEAD = 7;

/** The day in UTC, as the server writes it: `2026-11-17`. */
export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The puzzle of a day; from a list of an earlier day, too. Null without puzzles. */
export function puzzleOfDay(list: Puzzles, at: number): string | null {
  if (list.date === dayText(at)) return list.today;
  return list.puzzles[Math.floor(at / DAY_MS) % list.puzzles.length]?.id ?? null;
}

/** Those of the days to come, today first. */
export const puzzlesAhead = (list: Puzzles, at: number): string[] =>
  Array.from({ length: DAYS_AHEAD }, (_, i) => puzzleOfDay(list, at + i * DAY_MS)).filter((id) => id !== null);

/** The next puzzle of a theme, or of all: the first that was not tried yet, after `now`; from the start again at the end. */
export function nextPuzzle(
  list: readonly PuzzleEntry[],
  tried: Readonly<Record<string, boolean>>,
  now: string,
  theme: string | null,
): string | null {
  const fits = list.filter((one) => theme === null || one.theme === theme);
  const from = fits.findIndex((one) => one.id === now) + 1;
  const order = [...fits.slice(from), ...fits.slice(0, from)].filter((one) => one.id !== now);
  return (order.find((one) => !(one.id in tried)) ?? order[0])?.id ?? null;
}

export interface ThemeRow {
  theme: PuzzleEntry["theme"];
  all: number;
  solved: number;
}
/** The themes of the list, each with how many there are and how many were solved. */
export function themesOf(list: readonly PuzzleEntry[], tried: Readonly<Record<string, boolean>>): ThemeRow[] {
  const rows = new Map<string, ThemeRow>();
  for (const one of list) {
    const row = rows.get(one.theme) ?? { theme: one.theme, all: 0, solved: 0 };
    row.all += 1;
    row.solved += tried[one.id] === true ? 1 : 0;
    rows.set(one.theme, row);
  }
  return [...rows.values()];
}

/** The last seven days up to today: whether the day's puzzle is known to be solved. */
export function lastDays(mine: Pick<MyPuzzles, "streak" | "today">, at: number): { day: number; isSolved: boolean }[] {
  const from = mine.today === "solved" ? 0 : 1;
  return Array.from({ length: 7 }, (_, i) => {
    const back = 6 - i;
    return { day: at - back * DAY_MS, isSolved: back >= from && back < from + mine.streak };
  });
}

/** What the server said of me: it is shown without a connection, too. */
export interface Known {
  mine: MyPuzzles;
  mistakes: Mistakes;
}
const KNOWN = "atout.puzzles";
export function keepKnown(known: Known, at: number): void {
  storage?.setItem(KNOWN, JSON.stringify({ ...known, day: dayText(at), name: guest.name }));
}
/** What was last known of the guest of this device; on a later day the puzzle of the day is not tried yet. */
export function lastKnown(at: number): Known | null {
  const kept = parseObject(storage?.getItem(KNOWN) ?? null);
  const { mine, mistakes } = kept as Partial<Known>;
  if (kept["name"] !== guest.name || !isMine(mine) || !Array.isArray(mistakes?.due)) return null;
  return { mine: kept["day"] === dayText(at) ? mine : { ...mine, today: "" }, mistakes };
}
const isMine = (mine: MyPuzzles | undefined): mine is MyPuzzles =>
  typeof mine?.rating === "number" && typeof mine.attempts === "object";

const KEY = "atout.attempts";
interface Waiting {
  id: string;
  action: string;
  isSolved?: boolean;
}
const isWaiting = (one: unknown): one is Waiting =>
  typeof one === "object" && one !== null && "id" in one && "action" in one;
function waiting(): Waiting[] {
  const kept = parseJson(storage?.getItem(KEY) ?? null);
  return Array.isArray(kept) ? kept.filter(isWaiting) : [];
}
/** An attempt that could not be sent; it is sent with the next visit. */
export function keepAttempt(id: string, action: string, isSolved: boolean): void {
  const kept = waiting();
  if (!kept.some((one) => one.id === id)) storage?.setItem(KEY, JSON.stringify([...kept, { id, action, isSolved }]));
}
/** By id of each attempt that waits: whether it was right. */
export const waitingAttempts = (): Record<string, boolean> =>
  Object.fromEntries(waiting().map(({ id, isSolved }) => [id, isSolved === true]));
/**
 * Sends what was kept, by the guest of this device; the first attempt may have been made before there was one. What the
 * server refuses is dropped: it would refuse it again.
 */
export async function sendKept(): Promise<void> {
  if (waiting().length === 0) return;
  await registerGuest();
  for (const { id, action } of waiting()) {
    try {
      await tryPuzzle(id, action);
    } catch (error) {
      if (!(error instanceof RequestError) || error.status >= 500 || error.status === 429) return;
    }
    storage?.setItem(KEY, JSON.stringify(waiting().filter((one) => one.id !== id)));
  }
}
