// Totals after each round and the ranking, from the server's scores.
import type { PastRound } from "../../server/protocol";
import { namedTeams, type TableModel } from "./model";

/** Totals after each round, starting with zeros. */
export function totalsByRound(past: readonly PastRound[], players: number): number[][] {
  const lines = [Array.from({ length: players }, () => 0)];
  for (const round of past) lines.push((lines.at(-1) ?? []).map((total, seat) => total + (round.scores?.[seat] ?? 0)));
  return lines;
}

/** The course of a match as lines of a chart: one for each player, or for each team. */
export function courseLines(model: TableModel) {
  const { game, people, me } = model;
  const teams = namedTeams(game.teams, model.view.seat);
  if (!teams)
    return {
      names: people.map((person) => person.name),
      characters: people.map((person) => person.character),
      lines: totalsByRound(game.past, people.length),
    };
  const scores = game.past.map((round) => ({ scores: teams.map(({ index }) => round.team_scores?.[index] ?? 0) }));
  return {
    names: teams.map(({ name }) => name),
    characters: teams.map(({ seats }) => people[seats.includes(me) ? me : (seats[0] ?? 0)]?.character ?? "bear"),
    lines: totalsByRound(scores, teams.length),
  };
}

/** Seats from first to last with their places; equal totals share a place. */
export function ranking(totals: readonly number[]): { seat: number; place: number }[] {
  return totals
    .map((total, seat) => ({ seat, total, place: 1 + totals.filter((other) => other > total).length }))
    .sort((a, b) => a.place - b.place || a.seat - b.seat)
    .map(({ seat, place }) => ({ seat, place }));
}
