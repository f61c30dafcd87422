// Requests for finished matches: mine, what I show of them, and what others show of theirs.
import type { MatchStatistics, MyMatches, MySharing, NewSharing, Replay, SharedMatch } from "./protocol";
import { request } from "./request";

/** Which of my matches are wanted; what is empty does not matter. */
export interface MatchFilter {
  edition: string;
  players: string;
  against: string;
  result: string;
}

export function queryOf(filter: MatchFilter, after = ""): string {
  const given = Object.entries({ ...filter, after }).filter(([, value]) => value !== "");
  return given.length ? `?${new URLSearchParams(given).toString()}` : "";
}

export const myMatches = (filter: MatchFilter, after = ""): Promise<MyMatches> =>
  request<MyMatches>("GET", `/api/matches${queryOf(filter, after)}`);
export const matchStatistics = (filter: MatchFilter): Promise<MatchStatistics> =>
  request<MatchStatistics>("GET", `/api/matches/statistics${queryOf(filter)}`);

const sharing = (record: string) => `/api/records/${encodeURIComponent(record)}/sharing`;
export const mySharing = (record: string): Promise<MySharing> => request<MySharing>("GET", sharing(record));
export const share = (record: string, said: NewSharing): Promise<MySharing> =>
  request<MySharing>("POST", sharing(record), said);

const shared = (address: string) => `/api/shared/${encodeURIComponent(address)}`;
export const sharedMatch = (address: string): Promise<SharedMatch> => request<SharedMatch>("GET", shared(address));
export const sharedReplay = (address: string, seat: number | null): Promise<Replay> =>
  request<Replay>("GET", `${shared(address)}/replay${seat === null ? "" : `?seat=${seat}`}`);
export const sharedFile = (address: string): string => `${shared(address)}/record`;
