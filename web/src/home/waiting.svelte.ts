// The tables where other people wait for this guest: for the first page, the title of the tab, and "next table".
import { myTables } from "../server/lobby";
import type { TableCard } from "../server/protocol";
import { parseObject, storage } from "../storage";
import { waitingForMe } from "./my_tables";

const KEY = "atout.waiting";

function stored(): TableCard[] {
  const found = parseObject(storage?.getItem(KEY) ?? null)["tables"];
  return Array.isArray(found) ? (found as TableCard[]) : [];
}

let tables = $state.raw<readonly TableCard[]>(stored());

export const waiting = {
  /** As the server said last; before its first answer, as this device knew it last, so that nothing moves then. */
  get tables(): readonly TableCard[] {
    return tables;
  },
};

/** Takes in what the server says of this guest's tables. */
export function noteTables(mine: readonly TableCard[]): void {
  tables = waitingForMe(mine);
  if (tables.length > 0) storage?.setItem(KEY, JSON.stringify({ tables }));
  else storage?.removeItem(KEY);
}

export async function refreshWaiting(): Promise<void> {
  noteTables(await myTables());
}
