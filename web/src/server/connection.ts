// A WebSocket connection to a table. It says hello, reconnects by itself and sends unanswered commands again.
import { VERSION } from "./protocol";
import type { Advice, Bye, ClientMessage, Refusal, ServerMessage, Told, Welcome } from "./protocol";

/** The part of a WebSocket that is used; tests replace it. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export type ConnectionState = "connecting" | "open" | "lost" | "ended";

export interface ConnectionListener {
  welcome(message: Welcome): void;
  told(message: Told): void;
  refused(message: Refusal): void;
  advised(message: Advice): void;
  /** The state has changed. `bye` is set when the server said why it closed the connection. */
  stateChanged(state: ConnectionState, bye: Bye | null): void;
  /** Number of the last event received, so that the server sends only later ones. */
  lastEvent(): number | null;
}

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Command = WithoutId<Exclude<ClientMessage, { do: "hello" }>>;

export interface Timers {
  after(ms: number, callback: () => void): unknown;
  cancel(timer: unknown): void;
  random(): number;
}
const REAL_TIMERS: Timers = {
  after: (ms, callback) => setTimeout(callback, ms),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  random: Math.random,
};
const FIRST_WAIT = 400;
const MAX_WAIT = 10_000;

export class Connection {
  #socket: SocketLike | null = null;
  #state: ConnectionState = "connecting";
  #attempts = 0;
  #timer: unknown = null;
  #bye: Bye | null = null;
  #ids = 0;
  readonly #name: string;
  /** Commands without an answer yet, in order: sent, or waiting for the connection. */
  readonly #pending = new Map<string, Command>();

  constructor(
    private readonly open: () => SocketLike,
    private readonly listener: ConnectionListener,
    /** Index of the player among those who share this device. */
    private readonly player = 0,
    private readonly timers: Timers = REAL_TIMERS,
  ) {
    this.#name = Math.floor(timers.random() * 2 ** 40).toString(36);
  }

  start(): void {
    this.#connect();
  }

  stop(): void {
    this.#set("ended");
    this.timers.cancel(this.#timer);
    this.#socket?.close();
  }

  /** Sends a command and returns its id. The command is carried out once, even if the connection breaks meanwhile. */
  do(command: Command): string {
    const id = `${this.#name}-${++this.#ids}`;
    this.#pending.set(id, command);
    if (this.#state === "open") this.#send(id, command);
    return id;
  }

  /** Reconnects now instead of after the wait: the network is back, or the user asked for it. */
  reconnectNow(): void {
    if (this.#state !== "lost") return;
    this.timers.cancel(this.#timer);
    this.#connect();
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  #connect(): void {
    const socket = this.open();
    this.#socket = socket;
    this.#bye = null;
    socket.onopen = () =>
      socket.send(
        JSON.stringify({ do: "hello", version: VERSION, seen: this.listener.lastEvent(), player: this.player }),
      );
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#closed();
    };
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.listener.welcome(message);
        if (this.#state !== "open") {
          this.#attempts = 0;
          this.#set("open");
          for (const [id, command] of this.#pending) this.#send(id, command);
        } else this.#forget("resync");
        return;
      case "told":
        if (message.done) this.#pending.delete(message.done);
        return this.listener.told(message);
      case "advice":
        this.#pending.delete(message.id ?? "");
        return this.listener.advised(message);
      case "refusal":
        return this.#refused(message);
      case "bye":
        this.#bye = message;
    }
  }

  #forget(what: Command["do"]): void {
    for (const [id, command] of this.#pending) if (command.do === what) this.#pending.delete(id);
  }

  #refused(message: Refusal): void {
    const id = message.id ?? "";
    const command = this.#pending.get(id) ?? null;
    if (command && (message.code === "try-again" || message.code === "too-many")) {
      const seconds = Number(message.parameters?.["seconds"] ?? 1);
      this.timers.after(1000 * seconds, () => {
        if (this.#state === "open" && this.#pending.has(id)) this.#send(id, command);
      });
      return;
    }
    this.#pending.delete(id);
    this.listener.refused(message);
  }

  #closed(): void {
    this.#socket = null;
    if (this.#state === "ended") return;
    if (this.#bye && this.#bye.again === false) return this.#set("ended", this.#bye);
    this.#set("lost", this.#bye);
    const wait = Math.min(FIRST_WAIT * 2 ** this.#attempts++, MAX_WAIT);
    this.#timer = this.timers.after(wait * (0.75 + this.timers.random() / 2), () => this.#connect());
  }

  #send(id: string, command: Command): void {
    this.#socket?.send(JSON.stringify({ ...command, id }));
  }

  #set(state: ConnectionState, bye: Bye | null = null): void {
    this.#state = state;
    this.listener.stateChanged(state, bye);
  }
}

/** Opens the WebSocket of a table. */
export function openSocket(table: string): SocketLike {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(table)}`) as unknown as SocketLike;
}
