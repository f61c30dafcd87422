// Nudges: ways to be told that it is one's turn, quiet hours, and when to be told for a table.
import { language } from "../i18n/index.svelte";
import type { ChannelEntry, Delivered, NudgeChoices, NudgesAnswer, TableNudges } from "../server/protocol";
import { request } from "../server/request";

export const loadNudges = (): Promise<NudgesAnswer> => request<NudgesAnswer>("GET", "/api/nudges");
export const setChoices = (choices: NudgeChoices): Promise<void> => request<void>("POST", "/api/nudges", choices);
export const addHook = (url: string): Promise<ChannelEntry> =>
  request<ChannelEntry>("POST", "/api/nudges/channels", { url });
export const addMail = (address: string): Promise<void> => request<void>("POST", "/api/nudges/mail", { address });
const path = (id: string) => `/api/nudges/channels/${encodeURIComponent(id)}`;
export const removeChannel = (id: string): Promise<void> => request<void>("DELETE", path(id));
export const tryChannel = async (id: string): Promise<boolean> =>
  (await request<Delivered>("POST", `${path(id)}/test`)).delivered;

export type TableChoice = TableNudges["choice"];
export const TABLE_CHOICES = ["always", "away", "never"] as const satisfies readonly TableChoice[];
const tablePath = (table: string) => `/api/tables/${encodeURIComponent(table)}/nudges`;
export const tableChoice = async (table: string): Promise<TableChoice> =>
  (await request<TableNudges>("GET", tablePath(table))).choice;
export const chooseFor = (table: string, choice: TableChoice): Promise<void> =>
  request<void>("POST", tablePath(table), { choice });

/** The time zone of this device. */
export const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** Minutes after midnight as the text of a time field. */
export const asTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** The text of a time field as minutes after midnight; null if it is empty. */
export function asMinutes(text: string): number | null {
  const found = /^(\d\d):(\d\d)/.exec(text);
  return found ? Number(found[1]) * 60 + Number(found[2]) : null;
}

const DAY_MS = 86_400_000;
const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0);

/** A time of the past, in seconds since 1970: "yesterday 20:14", "12 Nov, 20:14". */
export function moment(time: number, now: number = Date.now()): string {
  const at = time * 1000;
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  const clock = asTime(new Date(at).getHours() * 60 + new Date(at).getMinutes());
  if (days <= 1)
    return `${new Intl.RelativeTimeFormat(language.current, { numeric: "auto" }).format(-days, "day")} ${clock}`;
  return `${new Intl.DateTimeFormat(language.current, { dateStyle: "medium" }).format(at)}, ${clock}`;
}
