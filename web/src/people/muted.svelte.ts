// The seats of the open table whose people this guest has muted or blocked: what they write is not shown.
import { peopleAt } from "./people";

let table = "";
let seats = $state.raw<readonly number[]>([]);

export const muted = {
  hides: (seat: number): boolean => seats.includes(seat),
};

export function noteMuted(people: readonly { seat: number; is_muted: boolean; is_blocked: boolean }[]): void {
  seats = people.filter((one) => one.is_muted || one.is_blocked).map((one) => one.seat);
}

/** Asks who is muted at a table where other people sit. */
export async function loadMuted(id: string, hasOthers: boolean): Promise<void> {
  if (table !== id) seats = [];
  table = id;
  if (!hasOthers) return;
  try {
    const { people } = await peopleAt(id);
    if (table === id) noteMuted(people);
  } catch {
    // without an answer everything is shown
  }
}
