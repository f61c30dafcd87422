// What is new in the chat of a table.
import { muted } from "../../people/muted.svelte";
import type { Table } from "../../server/reducer";
import { parseObject, storage } from "../../storage";

const KEY = "atout.read";
const TABLES = 20;

/** How many lines of a table's chat were read in this browser. */
export const readLines = (table: string): number => Number(parseObject(storage?.getItem(KEY) ?? null)[table]) || 0;

/** Remembers them, for the tables that were read last. */
export function rememberRead(table: string, lines: number): void {
  const others = Object.entries(parseObject(storage?.getItem(KEY) ?? null)).filter(([one]) => one !== table);
  storage?.setItem(KEY, JSON.stringify(Object.fromEntries([...others.slice(1 - TABLES), [table, lines]])));
}

/** Lines of others after the first `read`: what one wrote oneself is no news, nor what somebody writes who is muted. */
export const unreadLines = (view: Table, read: number): number =>
  view.chat.slice(read).filter((line) => !(view.is_yours && line.seat === view.seat) && !muted.hides(line.seat)).length;
