// A replay as frames. The server says what each step changed; this file adds the changes up and knows no rules.
import type { Replay, ReplayStep, View } from "../server/protocol";
import type { BoardRow } from "../table/state/types";

/** The fields of a view that a step of a replay has; hands and board are beside it. */
export type ReplayView = Omit<
  View,
  | "seat"
  | "hand"
  | "chosen"
  | "received"
  | "actions"
  | "legal"
  | "rules"
  | "cannot_hold"
  | "board"
  | "last_round"
  | "made_of"
  | "trick_winners"
>;

export interface Frame {
  step: ReplayStep;
  view: ReplayView;
  board: BoardRow[];
  hands: readonly string[][];
  /** The cards that each seat has discarded, passed or laid out in the round. */
  chosen: readonly string[][];
}

const words = (text: string): string[] => text.split(" ").filter(Boolean);
const replaced = (before: readonly string[][], changes: Record<string, string> = {}): readonly string[][] =>
  before.map((cards, seat) => (changes[seat] === undefined ? cards : words(changes[seat])));

function rowsAfter(before: BoardRow[], changed: readonly BoardRow[] = []): BoardRow[] {
  if (changed.length === 0) return before;
  const known = new Set(before.map((row) => row.row));
  const kept = before.map((row) => changed.find((one) => one.row === row.row) ?? row);
  return [...kept, ...changed.filter((row) => !known.has(row.row))];
}

export function framesOf(replay: Replay): Frame[] {
  const nobody = Array.from({ length: replay.players }, (): string[] => []);
  let last = {
    view: {} as ReplayView,
    board: [] as BoardRow[],
    hands: nobody as readonly string[][],
    chosen: nobody as readonly string[][],
  };
  return replay.steps.map((step) => {
    last = {
      view: { ...last.view, ...(step.view as Partial<ReplayView>) },
      board: rowsAfter(last.board, step.board as BoardRow[] | undefined),
      hands: replaced(last.hands, step.hands),
      chosen: replaced(last.chosen, step.chosen),
    };
    return { step, ...last };
  });
}

/** A round, with the frames where it and its tricks begin. */
export interface Chapter {
  round: number;
  at: number;
  tricks: number[];
}

export function chaptersOf(frames: readonly Frame[]): Chapter[] {
  const chapters: Chapter[] = [];
  frames.forEach(({ step }, at) => {
    const last = chapters.at(-1);
    if (!last || last.round !== step.round) chapters.push({ round: step.round, at, tricks: [] });
    const here = chapters.at(-1);
    if (here && step.trick && step.trick > here.tricks.length) here.tricks.push(at);
  });
  return chapters;
}

/** The next frame in a direction where a round or a trick begins. */
export function jump(chapters: readonly Chapter[], from: number, by: 1 | -1, last: number): number {
  const stops = chapters.flatMap((chapter) => [chapter.at, ...chapter.tricks]);
  return (by === 1 ? stops.find((at) => at > from) : stops.filter((at) => at < from).at(-1)) ?? (by === 1 ? last : 0);
}

/** The hash of a link to a frame: the number of its move, or the round that is dealt. */
export const hashOf = (frame: Frame): string =>
  frame.step.action ? String(frame.step.move) : `round-${frame.step.round}`;

/** The frame that a link's hash names; the first one if it names none. */
export function frameAt(frames: readonly Frame[], hash: string): number {
  return Math.max(
    0,
    frames.findIndex((frame) => hashOf(frame) === hash),
  );
}

/** The frame that the query of a link names: a round, and how many of its moves were made. */
export function frameOfQuery(frames: readonly Frame[], search: string): number {
  const query = new URLSearchParams(search);
  const round = Number(query.get("round") ?? 1);
  const first = frames.findIndex((frame) => frame.step.round === round);
  if (first < 0) return 0;
  const last = first + frames.filter((frame) => frame.step.round === round).length - 1;
  const move = Math.max(0, Math.floor(Number(query.get("move") ?? 0)) || 0);
  return Math.min(first + move, last);
}

/** The action of a step as one viewer saw it, which the server says; viewer null sees everything. */
export const actionFor = (step: ReplayStep, viewer: number | null): string =>
  (viewer === null ? undefined : step.seen?.[viewer]) ?? step.action ?? "";
