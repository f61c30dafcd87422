// Names of what the server has, in the chosen language where there are words for it.
import { editionOf } from "../editions";
import { has, language, t } from "../i18n/index.svelte";
import type { CardSeat } from "../server/protocol";

/** A bot's level; one that is newer than this page is called what the server calls it. */
export function levelName(level: string): string {
  const key = `level.${level}`;
  return has(key) ? t(key) : level.charAt(0).toUpperCase() + level.slice(1);
}

export function editionName(id: string): string {
  const known = editionOf(id);
  return known ? t(`edition.${known.id}`) : id || t("lobby.house");
}

/** Who sits there: bots are called as at the table. */
export function seatName(seat: CardSeat, i: number): string {
  return seat.kind === "bot" ? botName(i) : seat.name;
}

export const botName = (seat: number): string => t(`bot.name.${(seat % 6) as 0 | 1 | 2 | 3 | 4 | 5}`);

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "5 minutes ago" of a time in seconds since 1970. */
export function ago(time: number, now: number = Date.now() / 1000): string {
  const seconds = Math.max(0, now - time);
  const words = new Intl.RelativeTimeFormat(language.current, { numeric: "auto" });
  const found = UNITS.find(([, size]) => seconds >= size);
  return found ? words.format(-Math.floor(seconds / found[1]), found[0]) : words.format(0, "second");
}
