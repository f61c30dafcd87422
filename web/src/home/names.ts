// Names of editions, levels and seats, in the chosen language where the catalogue has them.
import { editionOf } from "../editions";
import { has, language, t } from "../i18n/index.svelte";
import type { CardSeat, TableCard } from "../server/protocol";

/** Name of a level. A level that is newer than this page is called by its id. */
export function levelName(level: string): string {
  const key = `level.${level}`;
  return has(key) ? t(key) : level.charAt(0).toUpperCase() + level.slice(1);
}

export function editionName(id: string): string {
  const known = editionOf(id);
  return known ? t(`edition.${known.id}`) : id || t("lobby.house");
}

/** Name of a seat; bots have the same names as at the table. */
export function seatName(seat: CardSeat, i: number): string {
  return seat.kind === "bot" ? botName(i) : seat.name;
}

export const botName = (seat: number): string => t(`bot.name.${(seat % 6) as 0 | 1 | 2 | 3 | 4 | 5}`);

/** The round that a table of this guest plays, as "round 2 of 8"; empty where they have no seat. */
export function roundName({ mine }: TableCard): string {
  if (!mine) return "";
  return mine.rounds === null
    ? t("lobby.round", { n: mine.round })
    : t("lobby.round-of", { n: mine.round, all: mine.rounds });
}

/** A day, for example until which a table pauses: "24 November". */
export function dayOf(time: number): string {
  return new Intl.DateTimeFormat(language.current, { day: "numeric", month: "long" }).format(time * 1000);
}

/** A time to come, in seconds since 1970, as "in 2 days". */
export function until(time: number, now: number = Date.now() / 1000): string {
  const seconds = Math.max(0, time - now);
  const words = new Intl.RelativeTimeFormat(language.current, { numeric: "auto" });
  const found = UNITS.find(([, size]) => seconds >= size);
  return found ? words.format(Math.floor(seconds / found[1]), found[0]) : words.format(0, "minute");
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** A time in seconds since 1970 as "5 minutes ago". */
export function ago(time: number, now: number = Date.now() / 1000): string {
  const seconds = Math.max(0, now - time);
  const words = new Intl.RelativeTimeFormat(language.current, { numeric: "auto" });
  const found = UNITS.find(([, size]) => seconds >= size);
  return found ? words.format(-Math.floor(seconds / found[1]), found[0]) : words.format(0, "second");
}
