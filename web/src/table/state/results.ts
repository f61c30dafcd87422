// The results of rounds that were left by "Next round", per table, so that a reload or a closed tab skips none.
import { parseJson, storage } from "../../storage";

const KEY = "atout.results";
const MAX_TABLES = 50;

/** Tables, each with the number of rounds whose results were left. The one used last is at the end. */
export type LeftResults = [table: string, rounds: number][];

export function readLeftResults(text: string | null): LeftResults {
  const stored = parseJson(text);
  const isEntry = (one: unknown): one is LeftResults[number] =>
    Array.isArray(one) && typeof one[0] === "string" && Number.isSafeInteger(one[1]) && (one[1] as number) >= 0;
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

/** The rounds of one table whose results this device has left behind. */
export class Results {
  /** For a browser that keeps nothing, and between two reads. */
  #left: number | null = null;

  constructor(
    readonly table: string,
    readonly store: Pick<Storage, "getItem" | "setItem"> | null = storage,
  ) {}

  /**
   * Whether the result of the last finished round is still to be shown. At a table that this device sees for the first
   * time nothing is owed; after a takeback into an earlier round, the results from there on are. Of a match that is played
   * on, those of the `begun` rounds before it are not.
   */
  isOwed(finished: number, begun = 0): boolean {
    const left = this.#read();
    if (left === null || left > finished) this.leave(finished);
    return left !== null && Math.max(left, begun) < finished;
  }

  /** The results up to this round have been seen. */
  leave(finished: number): void {
    this.#left = finished;
    const others = readLeftResults(this.store?.getItem(KEY) ?? null).filter(([table]) => table !== this.table);
    try {
      this.store?.setItem(KEY, JSON.stringify([...others, [this.table, finished]].slice(-MAX_TABLES)));
    } catch {
      // Storage is full or closed; this tab remembers it.
    }
  }

  #read(): number | null {
    const stored = readLeftResults(this.store?.getItem(KEY) ?? null).find(([table]) => table === this.table);
    return stored?.[1] ?? this.#left;
  }
}
