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

/** The table somebody has just opened on this page: they sit down there without being asked. */
let opened: string | null = null;
export function hasJustOpened(table: string): boolean {
  const has = opened === table;
  opened = null;
  return has;
}

async function openAndGo(wish: Wish, seats: string[]): Promise<void> {
  await introduced(t("guest.name"));
  opened = await openTable({ edition: wish.edition, players: wish.players, seats, hints: true, spectators: "leave" });
  go(tablePath(opened));
}

export const door: Door = {
  play: (wish) => openAndGo(wish, ["open", ...Array.from({ length: wish.players - 1 }, () => wish.level)]),
  invite: (wish) => openAndGo(wish, Array.from({ length: wish.players }, () => "open")),
};
