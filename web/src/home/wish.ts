// What kind of table somebody wants, remembered on this device, and as the server takes it.
import { EDITION_IDS, countsOf, editionOf, seatsOf, type EditionId, type Scoring } from "../editions";
import { fieldsOf, oneOf, wholeOf } from "../kept";
import type { Clock, Settings } from "../server/protocol";

export const LENGTHS = ["full", "short", "target"] as const;
export const CLOCKS = ["none", "minute", "days"] as const;
export const DOORS = ["private", "public"] as const;

export interface Wish {
  edition: EditionId;
  players: number;
  level: string;
  length: (typeof LENGTHS)[number];
  target: number;
  scoring: Scoring;
  teams: boolean;
  /** Friends at a table one invites to; bots take the other seats. */
  friends: number;
  door: (typeof DOORS)[number];
  clock: (typeof CLOCKS)[number];
}

export const USUAL: Wish = { edition: "niet-2015", players: 4, level: "club", length: "full", target: 100, scoring: "total", teams: false, friends: 3, door: "private", clock: "none" };
const CLOCK: Record<Wish["clock"], Clock> = { none: {}, minute: { kind: "decision", time: 60 }, days: { kind: "days", time: 3 } };

/** How long a match may be: what the edition offers for so many players. */
export function lengthsOf(wish: Wish): Wish["length"][] {
  const edition = editionOf(wish.edition);
  if (!edition) return ["full"];
  return LENGTHS.filter((one) => one === "full" || (one === "short" ? seatsOf(edition, wish.players).short !== null : edition.target !== null));
}

/** The nearest wish that its edition can grant. */
export function fit(wish: Wish): Wish {
  const edition = editionOf(wish.edition);
  if (!edition) return USUAL;
  const counts = countsOf(edition);
  const players = counts.includes(wish.players) ? wish.players : counts.includes(4) ? 4 : (counts[0] ?? 4);
  const granted = { ...wish, players, friends: Math.min(Math.max(wish.friends, 1), players - 1) };
  if (!lengthsOf(granted).includes(granted.length)) granted.length = "full";
  if (!seatsOf(edition, players).teams) granted.teams = false;
  return granted;
}

/** Stored text as a wish; what is no longer allowed is as usual. */
export function readWish(text: string | null): Wish {
  const found = fieldsOf(text);
  const edition = oneOf(found["edition"], EDITION_IDS, USUAL.edition);
  return fit({
    edition,
    players: wholeOf(found["players"], 2, 6, USUAL.players),
    level: typeof found["level"] === "string" ? found["level"] : USUAL.level,
    length: oneOf(found["length"], LENGTHS, USUAL.length),
    target: wholeOf(found["target"], 1, 100_000, USUAL.target),
    scoring: oneOf(found["scoring"], ["total", "difference"] as const, editionOf(edition)?.scoring ?? USUAL.scoring),
    teams: found["teams"] === true,
    friends: wholeOf(found["friends"], 1, 5, USUAL.friends),
    door: oneOf(found["door"], DOORS, USUAL.door),
    clock: oneOf(found["clock"], CLOCKS, USUAL.clock),
  });
}

/** Levels one does not look for on the first page: a die and a yardstick. A waiting room still seats them. */
const ASIDE: readonly string[] = ["random", "ismcts"];

/** Of the levels the server has those that the first page offers, weakest first. */
export function offeredOf(levels: readonly string[]): string[] {
  return levels.filter((level) => !ASIDE.includes(level));
}

/** The level that is wished, if it is offered; else the usual one, else one in the middle. */
export function levelOf(wish: Wish, levels: readonly string[]): string {
  return [wish.level, USUAL.level].find((level) => levels.includes(level)) ?? levels[Math.floor(levels.length / 2)] ?? wish.level;
}

/** Options as a record writes them: only what differs from the edition's own. */
function optionsOf(wish: Wish): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  const own = editionOf(wish.edition)?.scoring ?? null;
  if (wish.length === "short") options["length"] = "short";
  if (wish.length === "target") options["length"] = { target: wish.target };
  if (own !== null && wish.scoring !== own) options["scoring"] = wish.scoring;
  if (wish.teams) options["teams"] = true;
  return options;
}

/** A table for oneself among bots. */
export function aloneWith(wish: Wish): Settings {
  const bots = Array.from({ length: wish.players - 1 }, () => wish.level);
  return { edition: wish.edition, players: wish.players, options: optionsOf(wish), seats: ["open", ...bots], hints: true, spectators: "leave" };
}

/** A table with seats for friends across from each other, and bots on what is left. */
export function forFriends(wish: Wish): Settings {
  const { players, friends } = wish;
  const seats = Array.from({ length: players }, (_, seat) => (Math.floor(((seat + 1) * (friends + 1)) / players) > Math.floor((seat * (friends + 1)) / players) ? "open" : wish.level));
  return { edition: wish.edition, players, options: optionsOf(wish), seats, clock: CLOCK[wish.clock], visibility: wish.door, hints: true, spectators: "leave", shared: true };
}
