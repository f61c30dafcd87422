// The deal of the day: what it is, my table of it, and the field once I have finished.
import { go } from "../router.svelte";
import { registerGuest } from "./guest.svelte";
import { tablePath } from "./open_table";
import type { DealOfDay, DealResult, OpenedTable } from "./protocol";
import { request } from "./request";

export const dealOfToday = (): Promise<DealOfDay> => request<DealOfDay>("GET", "/api/deal");
export const dealResult = (day: string): Promise<DealResult> =>
  request<DealResult>("GET", `/api/deal/${encodeURIComponent(day)}`);

/** Goes to my table of today. The server seats me there. */
export async function playDeal(): Promise<void> {
  await registerGuest();
  go(tablePath((await request<OpenedTable>("POST", "/api/deal", {})).table));
}
