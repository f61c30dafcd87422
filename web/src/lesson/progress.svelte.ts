// How far the learner has come in each lesson, kept on this device.
import { integerIn, parseObject, storage } from "../storage";
import { LESSON_NAMES, LESSONS, stepsOf, type LessonName } from "./lessons";

const KEY = "atout.lessons";

export interface Progress {
  /** The furthest step that was reached; the first is 0. */
  step: number;
  /** The stops that were answered, alone or with help, by number from 0. A stop that was skipped is not among them. */
  answered: readonly number[];
  finished: boolean;
}

const stopsOf = (name: LessonName): number[] => LESSONS[name].stops.map((_, stop) => stop);

/**
 * Stored text as progress; what is missing or not allowed has not begun. An older page did not note what was answered:
 * what comes before the step counts as answered then.
 */
export function readProgress(text: string | null): Record<LessonName, Progress> {
  const found = parseObject(text);
  return Object.fromEntries(
    LESSON_NAMES.map((name) => {
      const one = parseObject(JSON.stringify(found[name] ?? null));
      const step = integerIn(one["step"], 0, stepsOf(name) - 1, 0);
      const noted = one["answered"];
      const answered = stopsOf(name).filter((stop) => (Array.isArray(noted) ? noted.includes(stop) : stop < step - 1));
      return [name, { step, answered, finished: one["finished"] === true }];
    }),
  ) as unknown as Record<LessonName, Progress>;
}

/** The stops of a lesson that are still to be answered. */
export const openStops = (name: LessonName, { answered }: Progress): number[] =>
  stopsOf(name).filter((stop) => !answered.includes(stop));

/** Where the lesson goes on: at the furthest step, or at the first stop that was skipped if that is the end. */
export function resumeAt(name: LessonName, far: Progress): number {
  if (far.finished) return 0;
  const [skipped] = openStops(name, far);
  return far.step === stepsOf(name) - 1 && skipped !== undefined ? skipped + 1 : far.step;
}

/** Progress after a step was reached. */
export function reached(name: LessonName, far: Progress, step: number): Progress {
  return settled(name, { ...far, step: Math.max(step, far.step) });
}

/** Progress after a stop was answered. */
export function answeredStop(name: LessonName, far: Progress, stop: number): Progress {
  return settled(name, { ...far, answered: [...new Set([...far.answered, stop])] });
}

/** Who has come to the end and has answered everything has finished. */
function settled(name: LessonName, far: Progress): Progress {
  const isDone = far.step === stepsOf(name) - 1 && openStops(name, far).length === 0;
  return { ...far, finished: far.finished || isDone };
}

let all = $state.raw(readProgress(storage?.getItem(KEY) ?? null));
function keep(name: LessonName, far: Progress): void {
  all = { ...all, [name]: far };
  storage?.setItem(KEY, JSON.stringify(all));
}

export const progress = {
  of: (name: LessonName): Progress => all[name],
  reach: (name: LessonName, step: number): void => keep(name, reached(name, all[name], step)),
  answer: (name: LessonName, stop: number): void => keep(name, answeredStop(name, all[name], stop)),
};
