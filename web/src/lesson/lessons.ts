// The two lessons as exported by Python: positions, their options, and why some are refused.
import type { BoardRow, Conditions, PlayedCard } from "../table/state/types";
import type { EditionId } from "../editions";
import raw from "../generated/lessons.json";

export interface Option {
  action: string;
  refused?: Refusal;
  paragraph?: string;
}
export type Refusal = "covered" | "last-free" | "low-barred" | "must-follow";

export interface Position {
  phase: string;
  dealer: number;
  leader: number | null;
  board: BoardRow[] | null;
  conditions: Conditions | null;
  sides: number[][] | null;
  double: number | null;
  hand: string[];
  owed: number;
  trick: PlayedCard[];
  winning: number | null;
  last_trick: PlayedCard[];
  last_winner: number | null;
  tricks: number[];
  loot: number[] | null;
  piles: string[][][] | null;
}

export interface Stop {
  name: StopName;
  before: Position;
  options: Option[];
  best: string[];
  after: Position;
}

export interface Lesson {
  edition: EditionId;
  players: number;
  stops: Stop[];
  result: { scores: number[]; tricks: number[]; loot?: number[]; conditions?: Conditions; sides?: number[][] };
}

export type LessonName = "niet" | "nichtig";
export type StopName =
  | "niet.veto"
  | "niet.team"
  | "niet.discard"
  | "niet.lead"
  | "niet.follow"
  | "niet.ruff"
  | "niet.super"
  | "nichtig.lay"
  | "nichtig.win"
  | "nichtig.dump"
  | "nichtig.equal";

export const LESSONS: Record<LessonName, Lesson> = Object.fromEntries(
  Object.entries(raw).map(([lesson, data]) => [
    lesson,
    { ...data, stops: data.stops.map((stop) => ({ ...stop, name: `${lesson}.${stop.name}` })) },
  ]),
) as unknown as Record<LessonName, Lesson>;

/** The option for a choice at this stop: "R5" stands for "0 play R5". */
export function actionFor(stop: Stop, choice: string): Option | undefined {
  return stop.options.find((option) => option.action === `0 ${stop.before.phase} ${choice}`);
}
