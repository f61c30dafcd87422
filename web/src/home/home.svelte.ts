// The server data of the home page, polled while the page is visible.
import { finishedMatches, myTables, openTables } from "../server/lobby";
import { guest } from "../server/guest.svelte";
import { loadLevels } from "../server/levels.svelte";
import { RequestError } from "../server/request";
import { loadNews } from "../people/news.svelte";
import { isOpen } from "./my_tables";
import { noteTables } from "./waiting.svelte";
import type { RecordEntry, TableCard } from "../server/protocol";

const POLL_MS = 5_000;

/** A device whose cookie is gone still has a name. The server does not know it until the next registration. */
function ignoreUnknownGuest(error: unknown): void {
  if (!(error instanceof RequestError && error.status === 401)) throw error;
}

export class Home {
  /** Null until the first answer. */
  isServerUp = $state<boolean | null>(null);
  mine = $state.raw<TableCard[]>([]);
  /** Whether the server has told what is in `mine`. */
  knowsMine = $state(false);
  open = $state.raw<TableCard[]>([]);
  records = $state.raw<RecordEntry[]>([]);
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Starts polling. Returns a function that stops it. */
  start(): () => void {
    const poll = () => {
      if (document.visibilityState === "visible") void this.refresh();
    };
    poll();
    this.#timer = setInterval(poll, POLL_MS);
    document.addEventListener("visibilitychange", poll);
    return () => {
      clearInterval(this.#timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }

  async refresh(): Promise<void> {
    try {
      const first = this.isServerUp !== true;
      await loadLevels();
      this.open = await openTables();
      if (guest.isKnown) await this.#own(first).catch(ignoreUnknownGuest);
      this.knowsMine = true;
      this.isServerUp = true;
    } catch {
      this.isServerUp = false;
    }
  }

  /** What belongs to this guest: matches in progress, and at first the finished ones. */
  async #own(first: boolean): Promise<void> {
    this.mine = (await myTables()).filter(isOpen);
    noteTables(this.mine);
    await loadNews();
    if (first) await this.#history();
  }

  async #history(): Promise<void> {
    this.records = (await finishedMatches()).records;
  }
}
