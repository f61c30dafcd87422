// Opens a table and navigates to it.
import { settingsLike, settingsWithBots, settingsWithFriends, type TablePreferences } from "../home/table_preferences";
import { go } from "../router.svelte";
import { registerGuest } from "./guest.svelte";
import type { OpenedTable, Replay, Settings } from "./protocol";
import { openTable, request } from "./request";
import { leaveFor, type ReviewedMatch } from "./reviews";

export const tablePath = (table: string): string => `/table/${encodeURIComponent(table)}`;

/** The table that this page is navigating to. The guest sits down there without being asked. */
let sitDownAt: string | null = null;
export function goAndSitDown(table: string): void {
  sitDownAt = table;
  go(tablePath(table));
}
export function shouldSitDown(table: string): boolean {
  const is = sitDownAt === table;
  sitDownAt = null;
  return is;
}

/** The table that this page returns to. The guest takes their own seat again without being asked. */
let takeSeatAt: string | null = null;
export function returnTo(table: string): void {
  takeSeatAt = table;
}
export function shouldTakeSeat(table: string): boolean {
  const is = takeSeatAt === table;
  takeSeatAt = null;
  return is;
}

async function openAndGo(settings: Settings): Promise<string> {
  await registerGuest();
  const table = await openTable(settings);
  goAndSitDown(table);
  return table;
}

/** The table that was opened for several people at this device; also after a reload of this tab. */
const ONE_DEVICE = "atout.one-device";
export const isForOneDevice = (table: string): boolean => sessionStorage.getItem(ONE_DEVICE) === table;

/** Opens a table with bots on all other seats. */
export const playWithBots = (preferences: TablePreferences): Promise<string> =>
  openAndGo(settingsWithBots(preferences));

/** Opens a table with the settings of a finished match, against bots. */
export const playLike = (match: Replay): Promise<string> => openAndGo(settingsLike(match));

/** Opens a table with free seats, and a link to it. */
export const inviteFriends = (preferences: TablePreferences): Promise<string> =>
  openAndGo(settingsWithFriends(preferences));

/** Opens a table for several people at this device. They are added in its waiting room. */
export async function passAndPlay(preferences: TablePreferences): Promise<string> {
  const table = await openAndGo(settingsWithFriends({ ...preferences, visibility: "private" }));
  sessionStorage.setItem(ONE_DEVICE, table);
  return table;
}

/**
 * Opens a table with bots that starts at a decision of a finished match; with `next`, at the first one of `seat` from there
 * on, or of the guest. `place` is the number of the decision in its review, from 1, for the way back.
 */
export async function playOn(
  match: ReviewedMatch,
  at: { round: number; index: number; next?: boolean; seat?: number | null },
  place?: number,
): Promise<void> {
  await registerGuest();
  const path =
    "record" in match ? `records/${encodeURIComponent(match.record)}` : `shared/${encodeURIComponent(match.address)}`;
  const body = { round: at.round, index: at.index, next: at.next ?? false, seat: at.seat ?? null };
  const { table } = await request<OpenedTable>("POST", `/api/${path}/play-on`, body);
  if (place !== undefined) leaveFor(table, place);
  goAndSitDown(table);
}

/** Opens a table with bots that starts at the decision of a puzzle. */
export async function playOnFromPuzzle(id: string): Promise<void> {
  await registerGuest();
  const path = `/api/puzzles/${encodeURIComponent(id)}/play-on`;
  goAndSitDown((await request<OpenedTable>("POST", path)).table);
}
