// A session at a table: the server's view, the scene that is shown, and the commands.
import { play as sound } from "../../settings/sound";
import { botPauseFactor } from "../../settings/settings.svelte";
import { FairMemory, type Change } from "../../fair/kept";
import { setClock } from "../../server/clock";
import {
  openSocket,
  Connection,
  type Command,
  type ConnectionState,
  type ConnectionListener,
} from "../../server/connection";
import type { Advice, Bye, Refusal, Told, Welcome } from "../../server/protocol";
import { applyDelta, fromWelcome, type Table } from "../../server/reducer";
import { Results } from "./results";
import {
  logOfRound,
  PAUSES,
  resultScene,
  scenes,
  stillScene,
  toldSince,
  withRound,
  withTricks,
  type LogEvent,
  type Scene,
} from "./scenes";

/** With more scenes waiting than this, the page was in the background: it skips to the latest one. */
const MAX_WAITING = 40;
export const LOG_LINES = 300;

export class Session {
  /** The table as the server has it. */
  live = $state.raw<Table | null>(null);
  /** The scene that is shown; behind `live` while bots are quick. */
  scene = $state.raw<Scene | null>(null);
  link = $state<ConnectionState>("connecting");
  bye = $state.raw<Bye | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  advice = $state.raw<Advice | null>(null);
  isAsking = $state(false);
  /** The server changed something about the shuffles that it had shown before. */
  fairChange = $state<Change | null>(null);
  /** Actions that are sent, or wait for the connection, and are not answered yet. */
  #sending = $state.raw<readonly { id: string; action: string }[]>([]);
  /** What was said and is not acknowledged yet. */
  unsaid = $state.raw<readonly { id: string; text: string }[]>([]);
  /** This player's time was up and a bot decided for them. Reset by their next decision. */
  isLate = $state(false);
  /** A scene is shown for a while before the next one. */
  isPausing = $state(false);
  /** Events shown since this page joined the table. */
  log = $state.raw<LogEvent[]>([]);
  /** The latest events, for the live region. */
  latest = $state.raw<{ events: LogEvent[]; scene: Scene } | null>(null);

  readonly #connection: Connection;
  readonly #fair: FairMemory;
  readonly #results: Results;
  #waiting: Scene[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: string,
    readonly player = 0,
  ) {
    this.#fair = new FairMemory(table, player);
    this.#results = new Results(table);
    const listener: ConnectionListener = {
      welcome: (message) => this.#welcome(message),
      told: (message) => this.#told(message),
      refused: (message) => {
        this.refusal = message;
        this.isAsking = false;
        this.#answered(message.id);
      },
      advised: (message) => {
        this.advice = message;
        this.isAsking = false;
      },
      stateChanged: (state, bye) => {
        this.link = state;
        this.bye = bye ?? (state === "open" ? null : this.bye);
      },
      lastEvent: () => this.live?.number ?? null,
    };
    this.#connection = new Connection(() => openSocket(table), listener, player);
  }

  start(): void {
    this.#connection.start();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#connection.stop();
  }

  do(command: Command): void {
    this.refusal = null;
    if (command.do === "hint") this.isAsking = true;
    if (command.do === "sit" && command.entropy) this.#fair.contribute(command.entropy);
    const id = this.#connection.do(command);
    if (command.do === "say") this.unsaid = [...this.unsaid, { id, text: command.text }];
  }

  /**
   * Sends a decision. Where several cards are chosen, each is an action of its own. Whoever decides has seen enough of what
   * is still shown, such as the last trick on its way to its winner.
   */
  act(actions: readonly string[], decision: number | null): void {
    if (this.#timer !== undefined) this.#catchUp();
    this.refusal = null;
    this.isLate = false;
    this.#sending = [
      ...this.#sending,
      ...actions.map((action) => ({ action, id: this.#connection.do({ do: "act", action, decision }) })),
    ];
  }

  reconnectNow(): void {
    this.#connection.reconnectNow();
  }

  /** Leaves the result of a round and continues. */
  leaveRoundEnd(): void {
    if (this.scene?.pause !== "end") return;
    this.#results.leave(this.scene.view.game?.past.length ?? 0);
    this.#next();
  }

  get isSending(): boolean {
    return this.#sending.length > 0;
  }

  /** The actions that the server has not answered yet. */
  get sent(): string[] {
    return this.#sending.map(({ action }) => action);
  }

  /** Whether everything that happened has been shown. */
  get isStill(): boolean {
    return !this.isPausing && this.scene?.ended === false;
  }

  /** Whether the scene shows the decision that the server waits for. */
  get isCurrent(): boolean {
    return (
      this.scene !== null && this.live !== null && this.scene.view.decision === this.live.decision && !this.scene.ended
    );
  }

  #welcome(message: Welcome): void {
    const table = fromWelcome(message);
    const before = this.live;
    setClock(message.time);
    this.live = table;
    this.#watchShuffles(before, table);
    this.advice = null;
    if (!before || !message.resumed) this.log = logOfRound(table);
    const missed = before && message.resumed ? toldSince(before, message.events ?? []) : [];
    this.#skipTo(table, withTricks(missed, table.game));
  }

  /** Shows the table as it is now; first the result of the last round if the player has not left it yet. */
  #skipTo(table: Table, events: LogEvent[]): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.isPausing = false;
    const now = stillScene(table, events);
    const result = this.#results.isOwed(table.game?.past.length ?? 0, table.origin?.round) ? resultScene(table) : null;
    this.#waiting = result ? [now] : [];
    this.#show(result ?? now);
  }

  #watchShuffles(before: Table | null, now: Table): void {
    this.#fair.see(before, now);
    this.fairChange = this.#fair.change;
  }

  #answered(id: string | undefined): void {
    if (id && this.#sending.some((one) => one.id === id)) this.#sending = this.#sending.filter((one) => one.id !== id);
    if (id && this.unsaid.some((one) => one.id === id)) this.unsaid = this.unsaid.filter((one) => one.id !== id);
  }

  #told(message: Told): void {
    this.#answered(message.done);
    if (!this.live) return;
    const before = this.live;
    this.live = applyDelta(before, message);
    this.#watchShuffles(before, this.live);
    const finished = this.live.game?.past.length ?? 0;
    if (finished < (before.game?.past.length ?? 0)) this.#results.leave(finished);
    if (this.live.decision !== before.decision) this.advice = null;
    if (before.is_yours && message.events?.some((event) => event.kind === "timed-out" && event.seat === before.seat))
      this.isLate = true;
    this.#waiting.push(...scenes(before, this.live, message.events ?? []));
    if (this.#waiting.length > MAX_WAITING) this.#catchUp();
    else if (this.#timer === undefined && this.scene?.pause !== "end") this.#next();
  }

  #catchUp(): void {
    const events = this.#waiting.flatMap((scene) => scene.events);
    if (this.live) this.#skipTo(this.live, events);
  }

  #next(): void {
    this.#timer = undefined;
    this.isPausing = false;
    const scene = this.#waiting.shift();
    if (scene) this.#show(scene);
  }

  #show(scene: Scene): void {
    const before = this.scene;
    this.scene = scene;
    if (scene.events.length > 0) {
      this.log = withRound(this.log, scene.events, scene.view.game).slice(-LOG_LINES);
      this.latest = { events: scene.events, scene };
    }
    this.#sound(before, scene);
    const pause = PAUSES[scene.pause] * (scene.pause === "end" ? 1 : botPauseFactor());
    if (pause === Infinity) this.#timer = undefined;
    else if (pause === 0) this.#next();
    else {
      this.isPausing = true;
      this.#timer = setTimeout(() => this.#next(), pause);
    }
  }

  #sound(before: Scene | null, scene: Scene): void {
    if (scene.taken) sound("riffle");
    else if (scene.pause === "veto") sound("thud");
    else if (scene.pause === "play") sound("slide");
    else if (scene.view.status === "over" && before?.view.status !== "over") sound("won");
    if (scene.view.decision !== null && scene.view.decision !== before?.view.decision && this.isCurrent) sound("knock");
  }
}
