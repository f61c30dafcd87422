// Requests of spectators to see a seat's cards. The name of who asks can be any text.
import { t } from "../../i18n/index.svelte";
import type { Table } from "../../server/reducer";

/** So many letters of a stranger's name are shown. */
const MOST_LETTERS = 20;

/** Whether spectators may ask the players of a table, unless a player takes no requests. */
export function mayBeAsked(live: Table): boolean {
  return live.settings.spectators === "leave" && live.status !== "over" && live.status !== "closed";
}

export function shortName(name: string): string {
  const letters = [...name];
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join("").trimEnd()}…` : name;
}

/** A name within a sentence: shortened, quoted, and kept from turning the words around it (FSI and PDI). */
export function quotedName(name: string): string {
  return t("spectator.quoted", { name: `\u2068${shortName(name)}\u2069` });
}

/** The seats that do not show this spectator their cards. */
export function declinedBy(live: Table): number[] {
  return live.watchers.filter((one) => one.declined).map((one) => one.seat);
}

/** Whether this spectator may ask a seat to show its cards. */
export function mayAsk(live: Table, seat: number): boolean {
  const one = live.seats[seat];
  return one?.kind === "person" && one.takes_requests && !declinedBy(live).includes(seat);
}
