// How far the learner has come in each lesson, kept on this device.
import { integerIn, parseObject, storage } from "../storage";
import { LESSON_NAMES, stepsOf, type LessonName } from "./lessons";

const KEY = "atout.lessons";

export interface Progress {
  /** The furthest step that was reached; the first is 0. */
  step: number;
  finished: boolean;
}

/** Stored text as progress; what is missing or not allowed has not begun. */
export function readProgress(text: string | null): Record<LessonName, Progress> {
  const found = parseObject(text);
  return Object.fromEntries(
    LESSON_NAMES.map((name) => {
      const one = parseObject(JSON.stringify(found[name] ?? null));
      return [name, { step: integerIn(one["step"], 0, stepsOf(name) - 1, 0), finished: one["finished"] === true }];
    }),
  ) as Record<LessonName, Progress>;
}

let all = $state.raw(readProgress(storage?.getItem(KEY) ?? null));

export const progress = {
  of: (name: LessonName): Progress => all[name],
  /** Notes that a step was reached. The last one finishes the lesson. */
  reach(name: LessonName, step: number): void {
    const finished = all[name].finished || step === stepsOf(name) - 1;
    all = { ...all, [name]: { step: Math.max(step, all[name].step), finished } };
    storage?.setItem(KEY, JSON.stringify(all));
  },
};
