// What is new in the chat of a table.
import type { Table } from "../../server/reducer";

/** Lines of others after the first `read`: what one wrote oneself is no news. */
export const unreadLines = (view: Table, read: number): number =>
  view.chat.slice(read).filter((line) => !(view.is_yours && line.seat === view.seat)).length;
