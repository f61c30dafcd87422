// The way to tables: opens one as wished and goes there.
import { aloneWith, forFriends, type Wish } from "../home/wish";
import { go } from "../router.svelte";
import { introduce } from "./me.svelte";
import type { Settings } from "./protocol";
import { openTable } from "./rest";

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

async function openAndGo(settings: Settings): Promise<void> {
  await introduce();
  goAndSit(await openTable(settings));
}

export const door = {
  /** A table with bots on all other seats. */
  play: (wish: Wish): Promise<void> => openAndGo(aloneWith(wish)),
  /** A table with free seats, and a link to it. */
  invite: (wish: Wish): Promise<void> => openAndGo(forFriends(wish)),
  /** A table for friends beside me: they are added on this device, in its waiting room. */
  share: (wish: Wish): Promise<void> => openAndGo({ ...forFriends(wish), visibility: "private" }),
};
