// The way to tables. A page that talks to a game server opens it; until then the rest of the page works without.
import type { EditionId } from "../editions";

export interface Wish {
  edition: EditionId;
  players: number;
  level: Level;
}

export const LEVELS = ["novice", "club", "expert"] as const;
export type Level = (typeof LEVELS)[number];

export interface Door {
  /** A table with bots on all other seats. */
  play(wish: Wish): Promise<void>;
  /** A table with free seats, and a link to it. */
  invite(wish: Wish): Promise<void>;
}

/** Null: no server is connected. */
export const door: Door | null = null;
