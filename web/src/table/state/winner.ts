// Who won a match, and by how much, as a heading says it; and how it stands.
import { count, sentence, t } from "../../i18n/index.svelte";
import { namesIn, partiesOf, sumOf, type Scored } from "./model";
import { ranking } from "./totals";
import type { Person } from "./types";

/** The ranking of a match: each seat, or each team, with its total and what it gained in the last round. */
export function rankedRows(game: Scored, gains: readonly number[]) {
  const parties = partiesOf(game);
  return ranking(parties.map(({ total }) => total)).flatMap(({ seat: index, place }) => {
    const party = parties[index];
    return party ? [{ seats: party.seats, place, total: party.total, gain: sumOf(gains, party.seats) }] : [];
  });
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
  const parties = partiesOf(game);
  const isMine = me !== null && won.includes(me);
  const who = namesIn(people, won);
  const winner = parties.find(({ seats }) => seats.includes(first));
  // Everybody who won counts together: one player, or one team.
  if (won.length !== winner?.seats.length)
    return isMine ? t("match-end.you-share-win") : t("match-end.shared-win", { who });
  const ahead = winner.total - Math.max(...parties.filter((one) => one !== winner).map(({ total }) => total));
  const n = count("count.points", ahead);
  if (won.length === 1) return sentence("match-end.win-by", people[first], { n });
  return isMine ? t("match-end.team-wins-by", { n }) : t("match-end.winners-by", { who, n });
}
