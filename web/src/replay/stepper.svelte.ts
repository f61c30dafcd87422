// Going through a replay: step by step, from trick to trick, or by itself.
import { animationFactor } from "../settings/settings.svelte";
import { jump, type Chapter } from "./playback";

const STEP_MS = 1100;
const FIRST_MS = 200;

/** Where a replay stands, and how to go elsewhere in it. */
export interface Course {
  readonly at: number;
  readonly last: number;
  readonly chapters: readonly Chapter[];
  show(to: number): void;
}

export class Stepper {
  #timer = $state<ReturnType<typeof setTimeout> | null>(null);

  constructor(readonly course: Course) {}

  get isPlaying(): boolean {
    return this.#timer !== null;
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  turn(to: number): void {
    this.stop();
    this.course.show(Math.min(Math.max(to, 0), this.course.last));
  }

  /** The beginning of the next trick or round, or of the one before. */
  jump(by: 1 | -1): number {
    return jump(this.course.chapters, this.course.at, by, this.course.last);
  }

  toggle(): void {
    if (this.isPlaying) return this.stop();
    const { course } = this;
    if (course.at >= course.last) course.show(0);
    const tick = () => {
      if (course.at >= course.last) return this.stop();
      course.show(course.at + 1);
      this.#timer = setTimeout(tick, STEP_MS * Math.max(animationFactor(), 0.2));
    };
    this.#timer = setTimeout(tick, FIRST_MS);
  }

  /** What a key does, if it does something. */
  key(key: string): (() => void) | undefined {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.turn(this.course.at - 1),
      ArrowRight: () => this.turn(this.course.at + 1),
      PageUp: () => this.turn(this.jump(-1)),
      PageDown: () => this.turn(this.jump(1)),
      Home: () => this.turn(0),
      End: () => this.turn(this.course.last),
      " ": () => this.toggle(),
    };
    return keys[key];
  }
}
