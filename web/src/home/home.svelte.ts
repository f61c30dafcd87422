// What the home page shows of the server, asked again while somebody looks at it.
import { finished, myTables, openTables, statistics, strike } from "../server/lobby";
import { me } from "../server/me.svelte";
import { askOffers } from "../server/offers.svelte";
import type { EditionStatistics, RecordEntry, TableCard } from "../server/protocol";

const OFTEN = 5_000;

export class Home {
  /** Null while the first answer is awaited. */
  isOpen = $state<boolean | null>(null);
  mine = $state.raw<TableCard[]>([]);
  open = $state.raw<TableCard[]>([]);
  records = $state.raw<RecordEntry[]>([]);
  more = $state("");
  sums = $state.raw<EditionStatistics[]>([]);
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Returns what ends it. */
  start(): () => void {
    const look = () => {
      if (document.visibilityState === "visible") void this.refresh();
    };
    look();
    this.#timer = setInterval(look, OFTEN);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(this.#timer);
      document.removeEventListener("visibilitychange", look);
    };
  }

  async refresh(): Promise<void> {
    try {
      const first = this.isOpen !== true;
      await askOffers();
      this.open = await openTables();
      if (me.isKnown) {
        this.mine = (await myTables()).filter((card) => card.state === "waiting" || card.state === "playing" || card.state === "paused");
        if (first) await this.#history();
      }
      this.isOpen = true;
    } catch {
      this.isOpen = false;
    }
  }

  async #history(): Promise<void> {
    const page = await finished();
    [this.records, this.more] = [page.records, page.next ?? ""];
    this.sums = await statistics();
  }

  async showMore(): Promise<void> {
    const page = await finished(this.more);
    this.records = [...this.records, ...page.records];
    this.more = page.next ?? "";
  }

  async strike(id: string): Promise<void> {
    await strike(id);
    this.records = this.records.filter((one) => one.id !== id);
    this.sums = await statistics();
  }
}
