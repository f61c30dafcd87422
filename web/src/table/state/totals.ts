// Totals after each round and the ranking, from the server's scores.
import type { PastRound } from "../../server/protocol";

/** Totals after each round, starting with zeros. */
export function totalsByRound(past: readonly PastRound[], players: number): number[][] {
  const lines = [Array.from({ length: players }, () => 0)];
  for (const round of past) lines.push((lines.at(-1) ?? []).map((total, seat) => total + (round.scores?.[seat] ?? 0)));
  return lines;
}

/** Seats from first to last with their places; equal totals share a place. */
export function ranking(totals: readonly number[]): { seat: number; place: number }[] {
  return totals
    .map((total, seat) => ({ seat, total, place: 1 + totals.filter((other) => other > total).length }))
    .sort((a, b) => a.place - b.place || a.seat - b.seat)
    .map(({ seat, place }) => ({ seat, place }));
}
