// Lists: what can be played, tables, finished games, sums.
import type { Editions, Records, Replay, StatisticsAnswer, TableCard, Tables, EditionStatistics } from "./protocol";
import { ask, Refused } from "./rest";

export const offered = (): Promise<Editions> => ask<Editions>("GET", "/api/editions");
export const openTables = async (): Promise<TableCard[]> => (await ask<Tables>("GET", "/api/tables")).tables;
export const myTables = async (): Promise<TableCard[]> => (await ask<Tables>("GET", "/api/tables/mine")).tables;
export const statistics = async (): Promise<EditionStatistics[]> => (await ask<StatisticsAnswer>("GET", "/api/statistics")).statistics;

export function finished(after = ""): Promise<Records> {
  return ask<Records>("GET", after ? `/api/records?after=${encodeURIComponent(after)}` : "/api/records");
}

export const recordFile = (id: string): string => `/api/records/${encodeURIComponent(id)}.jsonl`;
export const strike = (id: string): Promise<void> => ask<void>("DELETE", `/api/records/${encodeURIComponent(id)}`);
export const replayOf = (record: string): Promise<Replay> => ask<Replay>("POST", "/api/replays", { record });

/** A finished game of one's own, as it is written. */
export async function recordText(id: string): Promise<string> {
  const answer = await fetch(recordFile(id));
  if (!answer.ok) throw new Refused(answer.status, { code: "no-record", message: answer.statusText });
  return answer.text();
}
