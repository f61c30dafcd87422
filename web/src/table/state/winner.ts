// Who won a match, and by how much, as a heading says it.
import { count, list, sentence, t } from "../../i18n/index.svelte";
import { countedTogether, sumOf, type Scored } from "./model";
import { ranking } from "./totals";
import type { Person } from "./types";

/** What decides the match: each seat's total, or its team's. */
export const standingsOf = (game: Scored): number[] =>
  game.totals.map((_, seat) => sumOf(game.totals, countedTogether(game, seat)));

/** The ranking of a match with the total and the last round's gain of each seat, or of its team. */
export function rankedRows(game: Scored, gains: readonly number[]) {
  const totals = standingsOf(game);
  return ranking(totals).map(({ seat, place }) => ({
    seat,
    place,
    total: totals[seat] ?? 0,
    gain: sumOf(gains, countedTogether(game, seat)),
  }));
}

/** `me` is the reader's own seat; null for anybody else. Empty if nobody won: the match was given up. */
export function winnerText(
  game: Scored,
  won: readonly number[],
  people: readonly Person[],
  me: number | null = null,
): string {
  const [first] = won;
  if (first === undefined) return "";
  const standings = standingsOf(game);
  const isMine = me !== null && won.includes(me);
  const who = list(won.map((seat) => people[seat]?.name ?? ""));
  // Everybody who won counts together: one player, or one team.
  if (won.length !== countedTogether(game, first).length)
    return isMine ? t("match-end.you-share-win") : t("match-end.shared-win", { who });
  const ahead = Math.max(...standings) - Math.max(...standings.filter((_, seat) => !won.includes(seat)));
  const n = count("count.points", ahead);
  if (won.length === 1) return sentence("match-end.win-by", people[first], { n });
  return isMine ? t("match-end.team-wins-by", { n }) : t("match-end.winners-by", { who, n });
}
