// What the page of my games shows of the server's answers: days, levels, scales, weeks. All sums come from the server.
import { language, number, t } from "../i18n/index.svelte";
import type { ErrorWeek, MatchGroup, MyMatch, Sums, Week } from "../server/protocol";
import type { MatchFilter } from "../server/matches";

export const NO_FILTER: MatchFilter = { edition: "", players: "", against: "", result: "" };
export const RESULTS = ["won", "lost", "uncounted"] as const;
const DAY_MS = 86_400_000;
export const WEEK_SECONDS = 604_800;

/** The day of a time in seconds since 1970: today, yesterday, or a date. */
export function dayOf(seconds: number, now: number = Date.now()): string {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(now) - midnight(seconds * 1000)) / DAY_MS);
  if (days <= 1) return new Intl.RelativeTimeFormat(language.current, { numeric: "auto" }).format(-days, "day");
  const isThisYear = new Date(now).getFullYear() === new Date(seconds * 1000).getFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(language.current, { day: "numeric", month: "long", ...year }).format(seconds * 1000);
}

/** The levels of the bots of a match, each once. */
export function levelsOf(match: MyMatch): string[] {
  return [...new Set((match.summary.bots ?? []).filter((bot): bot is string => bot !== null))];
}

/** The largest gain or loss of a round in a list of matches. */
export const largestGain = (matches: readonly MyMatch[]): number =>
  Math.max(1, ...matches.flatMap((match) => (match.gains ?? []).map(Math.abs)));

export const perRound = (sums: Sums): number => ((sums.rounds ?? 0) === 0 ? 0 : (sums.gain ?? 0) / (sums.rounds ?? 1));

/** A line of the chart over time: its label, and the mean gain of a round in each week with matches. */
export interface Line {
  label: string;
  points: { week: number; value: number }[];
}

/** The latest weeks, by number from the earliest of them. */
export function linesOf(groups: readonly { label: string; weeks: readonly Week[] }[], weeks: number): Line[] {
  const starts = groups.flatMap((group) => group.weeks.map((week) => week.start ?? 0));
  const last = Math.max(...starts, 0);
  return groups.map(({ label, weeks: all }) => ({
    label,
    points: all
      .map((week) => ({
        week: weeks - 1 - Math.round((last - (week.start ?? 0)) / WEEK_SECONDS),
        value: perRound(week),
      }))
      .filter(({ week }) => week >= 0),
  }));
}

/** The error rate of each phase week by week, as lines of the chart; all decisions first. */
export function errorLines(weeks: readonly ErrorWeek[], shown: number): Line[] {
  const last = Math.max(...weeks.map((week) => week.start), 0);
  return (["all", "veto", "partners", "cards", "piles", "tricks"] as const)
    .map((phase) => ({
      label: phase === "all" ? t("games.errors.all") : t(`review.phase.${phase}`),
      points: weeks.flatMap((week) => {
        const sums = week.errors[phase];
        const at = shown - 1 - Math.round((last - week.start) / WEEK_SECONDS);
        return sums && at >= 0 ? [{ week: at, value: sums.lost / sums.decisions }] : [];
      }),
    }))
    .filter((line) => line.points.length > 0);
}

/** The groups of one kind, the most played first. */
export const groupsBy = (groups: readonly MatchGroup[], by: MatchGroup["by"], most = 6): MatchGroup[] =>
  groups.filter((group) => group.by === by).slice(0, most);

/** A number with its sign and one digit after the point. */
export function signed(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  const digits = new Intl.NumberFormat(language.current, { minimumFractionDigits: 1 }).format(Math.abs(rounded));
  return rounded === 0 ? digits : `${rounded > 0 ? "+" : "−"}${digits}`;
}

/** A lead in words: "3.5 ahead", "8 behind". */
export function leadText(lead: number): string {
  const rounded = Math.round(Math.abs(lead) * 10) / 10;
  if (rounded === 0) return t("games.even");
  return t(lead > 0 ? "games.ahead" : "games.short", { n: number(rounded) });
}

/** What an opponent of the filter is called: `bot:club`, `name:Ann`. */
export function opponentName(word: string, levelName: (level: string) => string): string {
  if (word.startsWith("bot:")) return t("games.against.bot", { level: levelName(word.slice(4)) });
  return word.startsWith("name:") ? word.slice(5) : word;
}
