// Times as a clock shows them.
import { t } from "../i18n/index.svelte";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const two = (n: number): string => String(n).padStart(2, "0");

/** "0:45", "1:02:00", "3 days". */
export function timeWords(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= 2 * DAY) return t("clock.days", { n: Math.floor(left / DAY) });
  const end = two(left % MINUTE);
  return left >= HOUR ? `${Math.floor(left / HOUR)}:${two(Math.floor((left % HOUR) / MINUTE))}:${end}` : `${Math.floor(left / MINUTE)}:${end}`;
}
