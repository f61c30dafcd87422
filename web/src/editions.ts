// Editions as exported by Python (atout.web_export): data for forms, rules and the score sheet.
import raw from "./generated/editions.json";
import { EDITION_IDS, TEAM_OF_SEAT } from "./generated/names";
import type { Colour } from "./art/suits";

export { EDITION_IDS };
export type EditionId = (typeof EDITION_IDS)[number];
export type Scoring = "total" | "difference";

export interface Split {
  /** Sizes of the two sides, smaller first. */
  sizes: [number, number];
  /** Size of the side whose member holds the ×2 card. */
  double: number | null;
}

export interface Seats {
  players: number;
  hand: number;
  /** Values removed from every colour of the deck. */
  remove: number[];
  rounds: number;
  short: number | null;
  teams: boolean;
  /** Number of low cards in the deck. */
  lows: number;
  /** How many of them each colour has. */
  low_copies: number;
  /** Tricks of a round; in Njet! by the cell of the discard row. */
  tricks: number | Record<string, number>;
  splits?: Split[];
}

export interface Board {
  first: string;
  discard: string[];
  trump: string[];
  super: string[];
  points: number[];
}

export interface Edition {
  id: EditionId;
  game: "njet" | "nichtig";
  name: string;
  author: string;
  /** `low`: value of the low cards; `high`: the highest value. */
  deck: { colours: Colour[]; values: number[]; low: number; high: number };
  board: Board | null;
  scoring: Scoring | null;
  target: "reached" | "exceeded" | null;
  players: Seats[];
}

export const EDITIONS = raw as unknown as readonly Edition[];

export function editionOf(id: string): Edition | undefined {
  return EDITIONS.find((edition) => edition.id === id);
}

/** A published edition. */
export function publishedEdition(id: string): Edition {
  const edition = editionOf(id);
  if (!edition) throw new Error(`${id} is no published edition`);
  return edition;
}

export function seatsOf(edition: Edition, players: number): Seats {
  const seats = edition.players.find((one) => one.players === players);
  if (!seats) throw new Error(`${edition.id} is not played by ${players}`);
  return seats;
}

export function countsOf(edition: Edition): number[] {
  return edition.players.map((one) => one.players);
}

/** Whether two seats of a match in teams belong to the same team (Null & nichtig §6.4). */
export function isSameTeam(seat: number, other: number): boolean {
  return TEAM_OF_SEAT[seat] === TEAM_OF_SEAT[other];
}
