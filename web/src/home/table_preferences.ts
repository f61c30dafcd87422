// The preferences of the form that opens a table: stored on this device, and turned into settings for the server.
import { EDITION_IDS, countsOf, editionOf, seatsOf, type EditionId, type Scoring } from "../editions";
import { parseObject, oneOf, integerIn } from "../storage";
import type { Clock, Replay, Settings } from "../server/protocol";

export const LENGTHS = ["short", "full", "target"] as const;
export const CLOCKS = ["none", "minute", "day", "days", "week"] as const;
export const PACES = ["calm", "at-once"] as const;
export const HINTS = ["on", "off"] as const;
export const VISIBILITIES = ["private", "public"] as const;

export interface TablePreferences {
  edition: EditionId;
  players: number;
  level: string;
  length: (typeof LENGTHS)[number];
  target: number;
  scoring: Scoring;
  teams: boolean;
  /** Number of friends to invite, as it was said last; bots take the other seats. Null: one for each seat. */
  friends: number | null;
  visibility: (typeof VISIBILITIES)[number];
  clock: (typeof CLOCKS)[number];
  /** Whether anybody at the table may ask for a hint. */
  hints: (typeof HINTS)[number];
  /** How soon bots' decisions are shown. */
  pace: (typeof PACES)[number];
}

export const DEFAULT_PREFERENCES: TablePreferences = {
  edition: "niet-2015",
  players: 4,
  level: "club",
  length: "full",
  target: 100,
  scoring: "total",
  teams: false,
  friends: null,
  visibility: "private",
  clock: "none",
  hints: "on",
  pace: "calm",
};
const CLOCK: Record<TablePreferences["clock"], Clock> = {
  none: {},
  minute: { kind: "decision", time: 60 },
  day: { kind: "days", time: 1 },
  days: { kind: "days", time: 3 },
  week: { kind: "days", time: 7 },
};

/** Target scores that most matches reach in one or two rounds: where sides add up their points, or only the lead. */
const SHORT_TARGET = { total: 20, difference: 10 } as const;
const SHORT_TARGET_NICHTIG = 30;

/** The target that ends a short match; null where the edition has a short match of its own, or no target. */
export function shortTarget(preferences: TablePreferences): number | null {
  const edition = editionOf(preferences.edition);
  if (!edition || edition.target === null || seatsOf(edition, preferences.players).short !== null) return null;
  return edition.scoring === null ? SHORT_TARGET_NICHTIG : SHORT_TARGET[preferences.scoring];
}

/** Lengths of a match that the edition offers for this number of players; a short match may be one to a low target. */
export function lengthsOf(preferences: TablePreferences): TablePreferences["length"][] {
  const edition = editionOf(preferences.edition);
  if (!edition) return ["full"];
  const hasTarget = edition.target !== null;
  const hasShort = hasTarget || seatsOf(edition, preferences.players).short !== null;
  return LENGTHS.filter((one) => one === "full" || (one === "short" ? hasShort : hasTarget));
}

/** The length in record notation; undefined for the edition's own. */
function lengthOption(preferences: TablePreferences): "short" | { target: number } | undefined {
  if (preferences.length === "full") return undefined;
  const target = preferences.length === "target" ? preferences.target : shortTarget(preferences);
  return target === null ? "short" : { target };
}

/** How many friends are invited: as many as was said, else one for each seat that is left. */
export function friendsOf({ friends, players }: TablePreferences): number {
  return Math.min(friends ?? players - 1, players - 1);
}

/** The nearest preferences that the edition allows. */
export function fitToEdition(preferences: TablePreferences): TablePreferences {
  const edition = editionOf(preferences.edition);
  if (!edition) return DEFAULT_PREFERENCES;
  const counts = countsOf(edition);
  const players = counts.includes(preferences.players)
    ? preferences.players
    : counts.includes(4)
      ? 4
      : (counts[0] ?? 4);
  const fitted = { ...preferences, players };
  if (!lengthsOf(fitted).includes(fitted.length)) fitted.length = "full";
  if (!seatsOf(edition, players).teams) fitted.teams = false;
  return fitted;
}

/** Stored text as preferences, with defaults for what is not allowed. `door` is the old name of `visibility`. */
export function readPreferences(text: string | null): TablePreferences {
  const found = parseObject(text);
  const edition = oneOf(found["edition"], EDITION_IDS, DEFAULT_PREFERENCES.edition);
  return fitToEdition({
    edition,
    players: integerIn(found["players"], 2, 6, DEFAULT_PREFERENCES.players),
    level: typeof found["level"] === "string" ? found["level"] : DEFAULT_PREFERENCES.level,
    length: oneOf(found["length"], LENGTHS, DEFAULT_PREFERENCES.length),
    target: integerIn(found["target"], 1, 100_000, DEFAULT_PREFERENCES.target),
    scoring: oneOf(
      found["scoring"],
      ["total", "difference"] as const,
      editionOf(edition)?.scoring ?? DEFAULT_PREFERENCES.scoring,
    ),
    teams: found["teams"] === true,
    friends: integerIn(found["friends"], 1, 5, null),
    visibility: oneOf(found["visibility"] ?? found["door"], VISIBILITIES, DEFAULT_PREFERENCES.visibility),
    clock: oneOf(found["clock"], CLOCKS, DEFAULT_PREFERENCES.clock),
    hints: oneOf(found["hints"], HINTS, DEFAULT_PREFERENCES.hints),
    pace: oneOf(found["pace"], PACES, DEFAULT_PREFERENCES.pace),
  });
}

/**
 * Levels that the home page does not offer: random moves and a yardstick for other bots. A waiting room still offers
 * them.
 */
const HIDDEN_LEVELS: readonly string[] = ["random", "mc", "ismcts"];

/** The server's levels that the home page offers, weakest first. */
export function offeredLevels(levels: readonly string[]): string[] {
  return levels.filter((level) => !HIDDEN_LEVELS.includes(level));
}

/** The preferred level if it is offered, else the default level, else one in the middle. */
export function availableLevel(preferences: TablePreferences, levels: readonly string[]): string {
  return (
    [preferences.level, DEFAULT_PREFERENCES.level].find((level) => levels.includes(level)) ??
    levels[Math.floor(levels.length / 2)] ??
    preferences.level
  );
}

/** Options in record notation: only those that differ from the edition's own. */
function optionsOf(preferences: TablePreferences): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  const own = editionOf(preferences.edition)?.scoring ?? null;
  const length = lengthOption(preferences);
  if (length !== undefined) options["length"] = length;
  if (own !== null && preferences.scoring !== own) options["scoring"] = preferences.scoring;
  if (preferences.teams) options["teams"] = true;
  return options;
}

/** Settings of a table for one person and bots. */
export function settingsWithBots(preferences: TablePreferences): Settings {
  const bots = Array.from({ length: preferences.players - 1 }, () => preferences.level);
  return {
    edition: preferences.edition,
    players: preferences.players,
    options: optionsOf(preferences),
    seats: ["open", ...bots],
    hints: preferences.hints === "on",
    pace: preferences.pace,
    spectators: "leave",
  };
}

/** Settings of a table like that of a match: its bots play again, and others take the seats of the people. */
export function settingsLike(match: Pick<Replay, "edition" | "players" | "options" | "bots">): Settings {
  const level = match.bots.find((one) => one !== "") ?? DEFAULT_PREFERENCES.level;
  return {
    edition: match.edition,
    players: match.players,
    options: match.options,
    seats: ["open", ...match.bots.slice(1).map((one) => one || level)],
    hints: true,
    spectators: "leave",
  };
}

/**
 * Settings of a table with open seats for friends, spread evenly, and bots on the others. At a table for anyone nobody
 * takes several seats.
 */
export function settingsWithFriends(preferences: TablePreferences): Settings {
  const { players } = preferences;
  const friends = friendsOf(preferences);
  const seats = Array.from({ length: players }, (_, seat) =>
    Math.floor(((seat + 1) * (friends + 1)) / players) > Math.floor((seat * (friends + 1)) / players)
      ? "open"
      : preferences.level,
  );
  return {
    edition: preferences.edition,
    players,
    options: optionsOf(preferences),
    seats,
    clock: CLOCK[preferences.clock],
    visibility: preferences.visibility,
    hints: preferences.hints === "on",
    pace: preferences.pace,
    spectators: "leave",
    shared: preferences.visibility === "private",
  };
}
