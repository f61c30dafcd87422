// One line to a table: says hello, comes back by itself, sends again what was not answered. Knows nothing of games.
import type { Advice, Bye, ClientMessage, Refusal, ServerMessage, Told, Welcome } from "./protocol";

/** What of a WebSocket is used. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export type LineState = "connecting" | "open" | "lost" | "ended";

export interface Listener {
  welcome(message: Welcome): void;
  told(message: Told): void;
  refused(message: Refusal, command: Command | null): void;
  advised(message: Advice): void;
  /** The line has changed; `bye` when the server said why it closed. */
  changed(state: LineState, bye: Bye | null): void;
  /** Number of the last event seen, to be told what came since. */
  seen(): number | null;
}

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Command = WithoutId<Exclude<ClientMessage, { do: "hello" }>>;

export interface Clocks {
  later(ms: number, what: () => void): unknown;
  never(timer: unknown): void;
  chance(): number;
}
const REAL: Clocks = {
  later: (ms, what) => setTimeout(what, ms),
  never: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  chance: Math.random,
};
const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;

export class Line {
  #wire: Wire | null = null;
  #state: LineState = "connecting";
  #tries = 0;
  #timer: unknown = null;
  #bye: Bye | null = null;
  #ids = 0;
  readonly #name: string;
  /** Sent or waiting to be sent, and not answered yet; in order. */
  readonly #open = new Map<string, Command>();

  constructor(
    private readonly connect: () => Wire,
    private readonly listener: Listener,
    /** Who of those that share this device. */
    private readonly player = 0,
    private readonly clocks: Clocks = REAL,
  ) {
    this.#name = Math.floor(clocks.chance() * 2 ** 40).toString(36);
  }

  start(): void {
    this.#dial();
  }

  stop(): void {
    this.#set("ended");
    this.clocks.never(this.#timer);
    this.#wire?.close();
  }

  /** Ask for something; it is answered once, however often the line breaks meanwhile. */
  do(command: Command): string {
    const id = `${this.#name}-${++this.#ids}`;
    this.#open.set(id, command);
    if (this.#state === "open") this.#send(id, command);
    return id;
  }

  /** Try now instead of later: the network is back, or somebody asked. */
  hurry(): void {
    if (this.#state !== "lost") return;
    this.clocks.never(this.#timer);
    this.#dial();
  }

  get waiting(): number {
    return this.#open.size;
  }

  #dial(): void {
    const wire = this.connect();
    this.#wire = wire;
    this.#bye = null;
    wire.onopen = () => wire.send(JSON.stringify({ do: "hello", version: 1, seen: this.listener.seen(), player: this.player }));
    wire.onmessage = (event) => {
      if (wire === this.#wire) this.#hear(JSON.parse(String(event.data)) as ServerMessage);
    };
    wire.onclose = () => {
      if (wire === this.#wire) this.#broken();
    };
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.listener.welcome(message);
        if (this.#state !== "open") {
          this.#tries = 0;
          this.#set("open");
          for (const [id, command] of this.#open) this.#send(id, command);
        } else this.#answered("resync");
        return;
      case "told":
        if (message.done) this.#open.delete(message.done);
        return this.listener.told(message);
      case "advice":
        this.#open.delete(message.id ?? "");
        return this.listener.advised(message);
      case "refusal":
        return this.#refused(message);
      case "bye":
        this.#bye = message;
    }
  }

  #answered(what: Command["do"]): void {
    for (const [id, command] of this.#open) if (command.do === what) this.#open.delete(id);
  }

  #refused(message: Refusal): void {
    const id = message.id ?? "";
    const command = this.#open.get(id) ?? null;
    if (command && (message.code === "try-again" || message.code === "too-many")) {
      const seconds = Number(message.parameters?.["seconds"] ?? 1);
      this.clocks.later(1000 * seconds, () => {
        if (this.#state === "open" && this.#open.has(id)) this.#send(id, command);
      });
      return;
    }
    this.#open.delete(id);
    this.listener.refused(message, command);
  }

  #broken(): void {
    this.#wire = null;
    if (this.#state === "ended") return;
    if (this.#bye && this.#bye.again === false) return this.#set("ended", this.#bye);
    this.#set("lost", this.#bye);
    const wait = Math.min(FIRST_WAIT * 2 ** this.#tries++, LONGEST_WAIT);
    this.#timer = this.clocks.later(wait * (0.75 + this.clocks.chance() / 2), () => this.#dial());
  }

  #send(id: string, command: Command): void {
    this.#wire?.send(JSON.stringify({ ...command, id }));
  }

  #set(state: LineState, bye: Bye | null = null): void {
    this.#state = state;
    this.listener.changed(state, bye);
  }
}

/** The real thing. */
export function dial(table: string): Wire {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(table)}`) as unknown as Wire;
}
