// Types of the table's components, with the words of records and views.
import type { Character } from "../../art/suits";

export interface BoardCell {
  word: string;
  free: boolean;
  by: number | null;
}

export interface BoardRow {
  row: string;
  cells: BoardCell[];
}

export interface Conditions {
  start: number;
  discard: string;
  trump: string;
  super: string;
  points: number;
}

export type Absence = "left" | "stood-in" | "away";

export interface Person {
  name: string;
  character: Character;
  bot?: boolean;
  /** They do not play themselves now: `seat.left`, `seat.stood-in` or `seat.away` says so. */
  absence?: Absence | null;
  /** The reader of the page; their name is "You". */
  isYou?: boolean;
}

export type Side = "us" | "them" | null;

export interface PlayedCard {
  seat: number;
  card: string;
}
