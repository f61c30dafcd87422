// Requests about other people: friends, mutes and blocks, invitations, reports.
import { has, t, type Key } from "../i18n/index.svelte";
import type { Asked, AskFriend, FriendLink, LinkOwner, NewReport, People, TablePeople } from "../server/protocol";
import { request, RequestError } from "../server/request";

export const loadPeople = (): Promise<People> => request<People>("GET", "/api/people");
export const showOnline = (on: boolean): Promise<void> => request<void>("POST", "/api/people/online", { on });
export const makeLink = (): Promise<FriendLink> => request<FriendLink>("POST", "/api/people/link");
export const ownerOf = (link: string): Promise<LinkOwner> =>
  request<LinkOwner>("GET", `/api/people/link/${encodeURIComponent(link)}`);
export const askFriend = (whom: AskFriend): Promise<Asked> => request<Asked>("POST", "/api/people/ask", whom);
export const acceptFriend = (person: string): Promise<Asked> =>
  request<Asked>("POST", "/api/people/accept", { person });
/** Ends a friendship, refuses a request or withdraws one. */
export const removePerson = (person: string): Promise<void> => request<void>("POST", "/api/people/remove", { person });

export type Whom = { person: string } | { table: string; seat: number };
export const mark = (what: "mute" | "block", whom: Whom, on: boolean): Promise<void> =>
  request<void>("POST", `/api/people/${what}`, { ...whom, on });
export const reportPerson = (report: NewReport): Promise<void> => request<void>("POST", "/api/people/report", report);

export const peopleAt = (table: string): Promise<TablePeople> =>
  request<TablePeople>("GET", `/api/tables/${encodeURIComponent(table)}/people`);
export const invite = (table: string, person: string): Promise<void> =>
  request<void>("POST", `/api/tables/${encodeURIComponent(table)}/invitations`, { person });
export const declineInvitation = (table: string): Promise<void> =>
  request<void>("DELETE", `/api/invitations/${encodeURIComponent(table)}`);

/** What went wrong, in words. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof RequestError)) return t("app.failed");
  const key = `people.refused.${error.problem.code}`;
  return has(key) ? t(key as Key) : error.message;
}
