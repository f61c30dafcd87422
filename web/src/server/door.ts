// The way to tables: opens one as wished and goes there.
import type { EditionId } from "../editions";
import { t } from "../i18n/index.svelte";
import { go } from "../router.svelte";
import { introduced, openTable } from "./rest";

export interface Wish {
  edition: EditionId;
  players: number;
  level: Level;
}

export const LEVELS = ["novice", "club", "expert"] as const;
export type Level = (typeof LEVELS)[number];

export interface Door {
  /** A table with bots on all other seats. */
  play(wish: Wish): Promise<void>;
  /** A table with free seats, and a link to it. */
  invite(wish: Wish): Promise<void>;
}

export const tablePath = (table: string): string => `/table/${encodeURIComponent(table)}`;

/** The table somebody on this page is on the way to: they sit down there without being asked. */
let expected: string | null = null;
export function goAndSit(table: string): void {
  expected = table;
  go(tablePath(table));
}
export function isExpected(table: string): boolean {
  const is = expected === table;
  expected = null;
  return is;
}

async function openAndGo(wish: Wish, seats: string[]): Promise<void> {
  await introduced(t("guest.name"));
  goAndSit(await openTable({ edition: wish.edition, players: wish.players, seats, hints: true, spectators: "leave" }));
}

export const door: Door = {
  play: (wish) => openAndGo(wish, ["open", ...Array.from({ length: wish.players - 1 }, () => wish.level)]),
  invite: (wish) => openAndGo(wish, Array.from({ length: wish.players }, () => "open")),
};
