// A review as it comes in: begun on the server, then asked for until it is complete.
import type { Decision, Ledger, MatchReview } from "../server/protocol";
import { RequestError } from "../server/request";
import { isValued } from "./review";
import { readReview, startReview, type ReviewedMatch } from "../server/reviews";

const WAIT_MS = 800;
const BUSY_MS = 6000;
/** A review that waits longer than it takes to begin has another one in front of it. */
const BEHIND_AFTER = 3;

export class ReviewSource {
  decisions = $state.raw<Decision[]>([]);
  ledger = $state.raw<Ledger | null>(null);
  total = $state(0);
  notes = $state.raw<string[]>([]);
  seat = $state<number | null>(null);
  seats = $state.raw<number[]>([]);
  /** The reader's own seats. */
  mine = $state.raw<number[]>([]);
  state = $state<MatchReview["state"]>("none");
  /** Another review comes first. */
  isBehind = $state(false);
  #waits = 0;
  /** The code of what went wrong; "" if nothing did. */
  trouble = $state("");
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly match: ReviewedMatch,
    readonly wanted: number | null,
  ) {
    void this.#ask(true);
  }

  /** Rounds of the ledger that are valued; -1 before there is a ledger. */
  get #valued(): number {
    return this.ledger ? this.ledger.rounds.filter(isValued).length : -1;
  }
  get isDone(): boolean {
    return this.state === "done" && this.decisions.length >= this.total;
  }
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
  again(): void {
    this.trouble = "";
    void this.#ask(true);
  }

  async #ask(isStart: boolean): Promise<void> {
    let wait = WAIT_MS;
    let isNext = false;
    try {
      const found = await (isStart ? startReview : readReview)(
        this.match,
        this.wanted,
        this.decisions.length,
        this.#valued,
      );
      if (this.#isStopped) return;
      this.#take(found);
      if (found.state === "failed") {
        this.trouble = found.trouble || "failed";
        return;
      }
      // A server that was started again has forgotten that somebody waits.
      isNext = found.state === "none";
      if (this.isDone) return;
    } catch (error) {
      if (this.#isStopped) return;
      const code = error instanceof RequestError ? error.problem.code : "offline";
      if (!["too-many-reviews", "too-many", "try-again", "offline"].includes(code)) {
        this.trouble = code;
        return;
      }
      this.trouble = code;
      [isNext, wait] = [isStart, BUSY_MS];
    }
    this.#timer = setTimeout(() => void this.#ask(isNext), wait);
  }

  #take(found: MatchReview): void {
    [this.trouble, this.state, this.seat, this.seats] = ["", found.state, found.seat, found.seats];
    this.mine = found.mine;
    this.#waits = found.state === "waiting" ? this.#waits + 1 : 0;
    this.isBehind = this.#waits > BEHIND_AFTER;
    this.total = found.total ?? this.total;
    this.notes = found.notes ?? [];
    if (found.decisions.length > 0) this.decisions = [...this.decisions, ...found.decisions];
    if (found.ledger) this.ledger = found.ledger;
  }
}
