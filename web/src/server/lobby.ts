// Requests for lists: editions, tables, finished matches.
import type { Editions, Records, Replay, TableCard, Tables } from "./protocol";
import { request, RequestError } from "./request";

export const listEditions = (): Promise<Editions> => request<Editions>("GET", "/api/editions");
export const openTables = async (): Promise<TableCard[]> => (await request<Tables>("GET", "/api/tables")).tables;
export const myTables = async (): Promise<TableCard[]> => (await request<Tables>("GET", "/api/tables/mine")).tables;

export function finishedMatches(after = ""): Promise<Records> {
  return request<Records>("GET", after ? `/api/records?after=${encodeURIComponent(after)}` : "/api/records");
}

export const recordFile = (id: string): string => `/api/records/${encodeURIComponent(id)}.jsonl`;
export const deleteRecord = (id: string): Promise<void> =>
  request<void>("DELETE", `/api/records/${encodeURIComponent(id)}`);
export const myReplay = (record: string): Promise<Replay> =>
  request<Replay>("GET", `/api/records/${encodeURIComponent(record)}/replay`);
export const replayOf = (record: string): Promise<Replay> => request<Replay>("POST", "/api/replays", { record });
/** A finished round of a table as this guest saw it. */
export const roundReplay = (table: string, round: number): Promise<Replay> =>
  request<Replay>("GET", `/api/tables/${encodeURIComponent(table)}/rounds/${round}`);

/** The record file of one of this guest's matches. */
export async function recordText(id: string): Promise<string> {
  const answer = await fetch(recordFile(id));
  if (!answer.ok) throw new RequestError(answer.status, { code: "no-record", message: answer.statusText });
  return answer.text();
}
