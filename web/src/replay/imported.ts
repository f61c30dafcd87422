// Records loaded from a file that the server keeps for this guest, so that they can be reviewed. It keeps no names, so
// this tab does.
import { registerGuest } from "../server/guest.svelte";
import type { ImportedRecord, RecordEntry, Records, Replay } from "../server/protocol";
import { request } from "../server/request";

const PREFIX = "import-";
const NAMES = "atout.imported-names.";

/** Whether an id is that of an imported record, not of a match that was played here. */
export const isImported = (id: string): boolean => id.startsWith(PREFIX);

/** Sends a record to the server; answers the id under which it is replayed and reviewed. */
export async function importRecord(record: string, names: readonly string[]): Promise<string> {
  await registerGuest();
  const answer = await request<ImportedRecord>("POST", "/api/records", { record });
  try {
    sessionStorage.setItem(NAMES + answer.record, JSON.stringify(names));
  } catch {
    // the tab's storage is full or switched off: seats are numbered instead
  }
  return answer.record;
}

/** The imported records that the server has, the latest first. */
export const myImports = async (): Promise<RecordEntry[]> => (await request<Records>("GET", "/api/imports")).records;

const namesOf = (id: string): string[] | null => {
  const kept = sessionStorage.getItem(NAMES + id);
  return kept === null ? null : (JSON.parse(kept) as string[]);
};

/** The names of an imported record that this tab knows; "" where it does not. */
export const nameAt = (id: string, seat: number): string => namesOf(id)?.[seat] ?? "";

/** The replay of a record with the names that this tab knows, if it was imported here. */
export function withNames(id: string, replay: Replay): Replay {
  const names = namesOf(id);
  return names === null ? replay : { ...replay, names };
}
