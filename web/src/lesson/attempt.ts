// One stop of a lesson: what was tried, and what the learner is told. It asks before it tells: the answer is named after
// the second wrong try, or on request.
import { actionFor, type Option, type Stop } from "./lessons";

export interface Attempt {
  /** Right choices so far; a stop may ask for several cards. */
  chosen: readonly string[];
  /** Legal choices that were not the answer. */
  wrong: number;
  /** Whether the answer was named. */
  told: boolean;
  done: boolean;
}
export const FIRST: Attempt = { chosen: [], wrong: 0, told: false, done: false };
export const TELL_AFTER = 2;

export type Feedback =
  | { kind: "refused"; refusal: NonNullable<Option["refused"]>; paragraph: string }
  | { kind: "why"; why: string }
  | { kind: "answer"; why: string | null }
  | { kind: "more"; missing: number }
  | { kind: "done" };

/** The attempt after a choice, and what to say; null for a choice that changes nothing. */
export function tryOut(stop: Stop, attempt: Attempt, choice: string): [Attempt, Feedback] | null {
  const option = actionFor(stop, choice);
  if (!option || attempt.done || attempt.chosen.includes(choice)) return null;
  if (option.refused) return [attempt, { kind: "refused", refusal: option.refused, paragraph: option.paragraph ?? "" }];
  if (option.why !== undefined) {
    const wrong = attempt.wrong + 1;
    const told = attempt.told || wrong >= TELL_AFTER;
    return [{ ...attempt, wrong, told }, told ? { kind: "answer", why: option.why } : { kind: "why", why: option.why }];
  }
  const chosen = [...attempt.chosen, choice];
  const missing = stop.best.length - chosen.length;
  return [{ ...attempt, chosen, done: missing === 0 }, missing > 0 ? { kind: "more", missing } : { kind: "done" }];
}

/** The attempt after "Show me". */
export const tell = (attempt: Attempt): [Attempt, Feedback] => [
  { ...attempt, told: true },
  { kind: "answer", why: null },
];
