// Requests for reviews of finished matches: of one's own, or of public ones with open cards.
import type { MatchReview, OriginView } from "./protocol";
import { request } from "./request";

/** Which match: one of the guest's own by its record, or a public one by its address. */
export type ReviewedMatch = { record: string } | { address: string };

const pathOf = (match: ReviewedMatch): string =>
  "record" in match
    ? `/api/records/${encodeURIComponent(match.record)}/review`
    : `/api/shared/${encodeURIComponent(match.address)}/review`;
const queryOf = (seat: number | null, after: number): string =>
  `?after=${after}${seat === null ? "" : `&seat=${seat}`}`;

/** Begins a review, or goes on with it; answers how far it is. */
export const startReview = (match: ReviewedMatch, seat: number | null, after: number): Promise<MatchReview> =>
  request<MatchReview>("POST", pathOf(match) + queryOf(seat, after));
export const readReview = (match: ReviewedMatch, seat: number | null, after: number): Promise<MatchReview> =>
  request<MatchReview>("GET", pathOf(match) + queryOf(seat, after));

/** The page that a match was played on from: a review, or a puzzle. */
export function cameFrom({ source, seat }: OriginView): string {
  const [kind, id = ""] = source.split("/");
  if (kind === "puzzles") return `/today/puzzle/${encodeURIComponent(id)}`;
  const path = kind === "shared" ? `/review/m/${encodeURIComponent(id)}` : `/review/${encodeURIComponent(id)}`;
  return `${path}/${seat}`;
}
export const isPuzzle = ({ source }: OriginView): boolean => source.startsWith("puzzles/");
