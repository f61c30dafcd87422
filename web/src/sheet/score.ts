// The score sheet's calculation, the only one that the page does itself. It reads the exported editions;
// tests/score.test.ts compares it with rounds that Python has scored.
import { isSameTeam, seatsOf, type Edition, type Scoring } from "../editions";
import type { Options, Round, Sheet } from "./model";

/** Scores of all players in a round (Njet! §7, Null & nichtig §5). */
export function scoreRound(round: Round, scoring: Scoring): number[] {
  switch (round.kind) {
    case "plain":
      return [...round.scores];
    case "tops":
      return round.tops.map(sum);
    case "njet": {
      const own = round.tricks.map((tricks, seat) => {
        const points = (tricks + (round.loot[seat] ?? 0)) * round.points;
        return seat === round.double ? points * 2 : points;
      });
      const isOurs = (seat: number) => round.side.includes(seat);
      let ours = sum(own.filter((_, seat) => isOurs(seat)));
      let theirs = sum(own.filter((_, seat) => !isOurs(seat)));
      if (scoring === "difference") {
        const ahead = ours - theirs;
        [ours, theirs] = [Math.max(ahead, 0), Math.max(-ahead, 0)];
      }
      return own.map((_, seat) => (isOurs(seat) ? ours : theirs));
    }
  }
}

/** Totals after each round, starting with zeros. */
export function totalsByRound(sheet: Pick<Sheet, "names" | "rounds" | "options">): number[][] {
  const lines = [sheet.names.map(() => 0)];
  for (const round of sheet.rounds) {
    const last = lines.at(-1) ?? [];
    lines.push(scoreRound(round, sheet.options.scoring).map((score, seat) => score + (last[seat] ?? 0)));
  }
  return lines;
}

/** The figure that decides the match for each seat: its total, or its team's (Null & nichtig §6.4). */
export function standings(totals: readonly number[], teams: boolean): number[] {
  if (!teams) return [...totals];
  return totals.map((_, seat) => sum(totals.filter((_, other) => isSameTeam(seat, other))));
}

/** Seats that win with these totals; a tie is a shared win (§8.3). */
export function winners(totals: readonly number[], teams: boolean): number[] {
  const standing = standings(totals, teams);
  const best = Math.max(...standing);
  return standing.flatMap((value, seat) => (value === best ? [seat] : []));
}

/** Number of rounds of the match; null when a target score ends it. */
export function roundsOf(edition: Edition, players: number, options: Options): number | null {
  const seats = seatsOf(edition, players);
  if (options.length === "full") return seats.rounds;
  return options.length === "short" ? seats.short : null;
}

/** Whether the match is over after the rounds played (§8; Null & nichtig §6). */
export function isOver(edition: Edition, totals: readonly number[], played: number, options: Options): boolean {
  if (typeof options.length === "object") {
    const best = Math.max(...totals);
    return played > 0 && (edition.target === "exceeded" ? best > options.length.target : best >= options.length.target);
  }
  const rounds = roundsOf(edition, totals.length, options);
  return rounds !== null && played >= rounds;
}

export type Problem =
  | { code: "tricks-sum"; expected: number; found: number }
  | { code: "loot-many"; most: number; found: number }
  | { code: "sides"; sizes: string }
  | { code: "double" };

/** Mistakes in a round; empty when it can be saved. */
export function problemsOf(edition: Edition, round: Round): Problem[] {
  if (round.kind !== "njet") return [];
  const players = round.tricks.length;
  const seats = seatsOf(edition, players);
  const problems: Problem[] = [];
  const expected = typeof seats.tricks === "number" ? seats.tricks : (seats.tricks[round.discard] ?? 0);
  const found = sum(round.tricks);
  if (found !== expected) problems.push({ code: "tricks-sum", expected, found });
  if (sum(round.loot) > seats.lows) problems.push({ code: "loot-many", most: seats.lows, found: sum(round.loot) });
  const splits = seats.splits ?? [];
  const sizes = [round.side.length, players - round.side.length].sort((a, b) => a - b);
  const split = splits.find((one) => one.sizes.join() === sizes.join());
  if (splits.length > 0 && !split)
    problems.push({ code: "sides", sizes: splits.map((one) => one.sizes.join(" : ")).join(", ") });
  if (split && !doubleHolders(edition, players, round.side).includes(round.double)) problems.push({ code: "double" });
  return problems;
}

/**
 * Whether something was entered of what a problem is about. A form that was just opened has no mistakes yet, it is only
 * empty.
 */
export function isBegun(problem: Problem, round: Round): boolean {
  if (round.kind !== "njet") return true;
  if (problem.code === "tricks-sum") return problem.found > 0;
  if (problem.code === "sides" || problem.code === "double") return round.side.length > 0;
  return true;
}

/** Seats that may hold the ×2 card with these sides; `[null]` when nobody may. */
export function doubleHolders(edition: Edition, players: number, side: readonly number[]): (number | null)[] {
  const others = Array.from({ length: players }, (_, seat) => seat).filter((seat) => !side.includes(seat));
  const sizes = [side.length, others.length].sort((a, b) => a - b);
  const split = seatsOf(edition, players).splits?.find((one) => one.sizes.join() === sizes.join());
  if (!split || split.double === null) return [null];
  return [...(side.length === split.double ? side : others)];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
