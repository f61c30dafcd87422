// The way to tables: opens one as wished and goes there.
import { aloneWith, forFriends, type Wish } from "../home/wish";
import { go } from "../router.svelte";
import { introduce } from "./me.svelte";
import type { Settings } from "./protocol";
import { openTable } from "./rest";

export const tablePath = (table: string): string => `/table/${encodeURIComponent(table)}`;

/** The table somebody has just opened on this page: they sit down there without being asked. */
let opened: string | null = null;
export function hasJustOpened(table: string): boolean {
  const has = opened === table;
  opened = null;
  return has;
}

async function openAndGo(settings: Settings): Promise<void> {
  await introduce();
  opened = await openTable(settings);
  go(tablePath(opened));
}

export const door = {
  /** A table with bots on all other seats. */
  play: (wish: Wish): Promise<void> => openAndGo(aloneWith(wish)),
  /** A table with free seats, and a link to it. */
  invite: (wish: Wish): Promise<void> => openAndGo(forFriends(wish)),
};
