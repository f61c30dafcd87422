// The lessons as exported by Python: positions, what may be tried, why some tries are refused or not the best.
import type { BoardRow, Conditions, PlayedCard } from "../table/state/types";
import type { EditionId } from "../editions";
import type { Key } from "../i18n/index.svelte";
import raw from "../generated/lessons.json";

export interface Option {
  action: string;
  refused?: Refusal;
  paragraph?: string;
  /** The reason why a legal choice is not the answer, as the catalogues name it. */
  why?: string;
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
  /** Lesson and stop: "loot.capture". */
  name: string;
  players: number;
  before: Position;
  options: Option[];
  best: string[];
  after: Position;
}

export interface Lesson {
  edition: EditionId;
  stops: Stop[];
  /** Of the lessons that are a whole round. */
  result?: { scores: number[]; tricks: number[]; loot?: number[]; conditions?: Conditions; sides?: number[][] };
}

export const LESSON_NAMES = ["niet", "veto", "partner", "loot", "minus", "nichtig", "piles"] as const;
export type LessonName = (typeof LESSON_NAMES)[number];
export const isLesson = (name: string | undefined): name is LessonName => LESSON_NAMES.some((one) => one === name);

export const LESSONS: Record<LessonName, Lesson> = Object.fromEntries(
  Object.entries(raw).map(([lesson, data]) => [
    lesson,
    { ...data, stops: data.stops.map((stop) => ({ ...stop, name: `${lesson}.${stop.name}` })) },
  ]),
) as unknown as Record<LessonName, Lesson>;

/** The strength of the bots in the match that the last button opens: a first match is against beginners. */
export const levelAfter = (name: LessonName): string => (name === "niet" || name === "nichtig" ? "novice" : "club");

/** The steps of a lesson: the introduction, its stops, and the end. */
export const stepsOf = (name: LessonName): number => LESSONS[name].stops.length + 2;

/** The option for a choice at this stop: "R5" stands for "0 play R5". */
export function actionFor(stop: Stop, choice: string): Option | undefined {
  return stop.options.find((option) => option.action === `0 ${stop.before.phase} ${choice}`);
}

/** What the learner would choose for the answer: "0 play R5" is chosen by "R5". */
export const answersOf = (stop: Stop): string[] => stop.best.map((action) => action.split(" ").slice(2).join(" "));

export const stopText = (stop: Stop, part: "title" | "text" | "answer" | "done"): Key =>
  `lesson.${stop.name}.${part}` as Key;
export const whyText = (stop: Stop, why: string): Key => `lesson.${stop.name}.why.${why}` as Key;
