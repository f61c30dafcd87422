// The guest's own tables: which of them to go on with first.
import { storage } from "../storage";
import type { TableCard } from "../server/protocol";

export const isBegun = (card: TableCard): boolean => card.state === "playing" || card.state === "paused";

/** Whether the table waits for players or plays: there is something to go on with. */
export const isOpen = (card: TableCard): boolean => card.state === "waiting" || isBegun(card);

export function isMyTurn(card: TableCard): boolean {
  return card.mine?.asked.some((seat) => card.mine?.seats.includes(seat)) ?? false;
}

/** Whether other people wait for a decision of this guest; a match with bots alone waits for nobody. */
export function waitsForMe(card: TableCard): boolean {
  if (card.state !== "playing" || !isMyTurn(card)) return false;
  return card.detail.seats.filter((seat) => seat.kind === "person").length > 1;
}

/** The tables where others wait for this guest: first those whose time is up first, then where they wait longest. */
export function waitingForMe(tables: readonly TableCard[]): TableCard[] {
  const due = (card: TableCard) => card.mine?.due ?? Infinity;
  const earlier = (a: number, b: number) => (a === b ? 0 : a - b);
  return tables.filter(waitsForMe).sort((a, b) => earlier(due(a), due(b)) || a.active - b.active);
}

/** Matches before tables that wait for players; those that wait for this guest first, then the latest. */
export function inOrder(tables: readonly TableCard[]): TableCard[] {
  const rank = (card: TableCard) => 2 * Number(isMyTurn(card)) + Number(isBegun(card));
  return [...tables].sort((a, b) => rank(b) - rank(a) || b.active - a.active);
}

const KEY = "atout.unfinished";

/** The table of the match that was played last on this device and is not over; empty if there is none. */
export function unfinishedMatch(): string {
  return storage?.getItem(KEY) ?? "";
}

/** Remembers the match for the home page, which shows it before the server has answered; or forgets that it goes on. */
export function rememberMatch(table: string, goesOn: boolean): void {
  if (goesOn) storage?.setItem(KEY, table);
  else if (unfinishedMatch() === table) storage?.removeItem(KEY);
}
