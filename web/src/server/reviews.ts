// Requests for reviews of finished matches: of one's own, or of public ones with open cards.
import type { MatchReview, OriginView } from "./protocol";
import { request } from "./request";

/** Which match: one of the guest's own by its record, or a public one by its address. */
export type ReviewedMatch = { record: string } | { address: string };

const pathOf = (match: ReviewedMatch): string =>
  "record" in match
    ? `/api/records/${encodeURIComponent(match.record)}/review`
    : `/api/shared/${encodeURIComponent(match.address)}/review`;
const queryOf = (seat: number | null, after: number, valued: number): string =>
  `?after=${after}${valued < 0 ? "" : `&valued=${valued}`}${seat === null ? "" : `&seat=${seat}`}`;

type Ask = (match: ReviewedMatch, seat: number | null, after: number, valued: number) => Promise<MatchReview>;
/** Begins a review, or goes on with it; answers how far it is. */
export const startReview: Ask = (match, ...known) => request<MatchReview>("POST", pathOf(match) + queryOf(...known));
export const readReview: Ask = (match, ...known) => request<MatchReview>("GET", pathOf(match) + queryOf(...known));

/** The decisions of reviews that this tab left for a table, by table. */
const LEFT_FOR = "atout.left-review-for.";
/** Remembers the decision, counted from 1, from which a table was opened. */
export const leaveFor = (table: string, decision: number): void =>
  sessionStorage.setItem(LEFT_FOR + table, String(decision));

/** The page that a match was played on from: a review, at the decision where this tab left it, or a puzzle. */
export function cameFrom({ source, seat }: OriginView, table: string): string {
  const [kind, id = ""] = source.split("/");
  if (kind === "puzzles") return `/today/puzzle/${encodeURIComponent(id)}`;
  const path = kind === "shared" ? `/review/m/${encodeURIComponent(id)}` : `/review/${encodeURIComponent(id)}`;
  const decision = sessionStorage.getItem(LEFT_FOR + table);
  return decision === null ? `${path}/${seat}` : `${path}/${seat}#${decision}`;
}
export const isPuzzle = ({ source }: OriginView): boolean => source.startsWith("puzzles/");
