// A WebSocket connection to a table. It says hello, notices when the network is silent, reconnects by itself and sends
// unanswered commands again.
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
export type Command = WithoutId<Exclude<ClientMessage, { do: "hello" | "ping" }>>;

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
/**
 * After so many milliseconds without a message the server is asked for one; after as many again without an answer the
 * connection counts as lost. A browser does not tell a page about the pings of a WebSocket, so a message does it.
 */
const QUIET = 5_000;
/** A command is answered in so many milliseconds, or the connection counts as lost. A hint may take longer. */
const ANSWER = 5_000;
/** The server answers exactly this text at once, whatever else it is doing for this player. */
const PING = '{"do":"ping"}';

export class Connection {
  #socket: SocketLike | null = null;
  #state: ConnectionState = "connecting";
  #attempts = 0;
  /** The next attempt to connect. */
  #timer: unknown = null;
  /** The end of the time that the server has for a sign of life. */
  #silence: unknown = null;
  /** By command: the end of the time that the server has for its answer. */
  readonly #deadlines = new Map<string, unknown>();
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
    this.#leave();
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
    this.#leave();
    const socket = this.open();
    this.#socket = socket;
    this.#bye = null;
    this.#silence = this.timers.after(2 * QUIET, () => this.#lose());
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.timers.cancel(this.#silence);
      this.#silence = this.timers.after(2 * QUIET, () => this.#lose());
      socket.send(
        JSON.stringify({ do: "hello", version: VERSION, seen: this.listener.lastEvent(), player: this.player }),
      );
    };
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#hear();
      this.#receive(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#closed();
    };
  }

  /** The server has given a sign of life. */
  #hear(): void {
    this.timers.cancel(this.#silence);
    this.#silence = this.timers.after(QUIET, () => {
      this.#socket?.send(PING);
      this.#silence = this.timers.after(QUIET, () => this.#lose());
    });
  }

  /** Nothing comes any more from the server, although the browser has not noticed that the connection is broken. */
  #lose(): void {
    this.#leave();
    this.#closed();
  }

  /** Leaves the socket: what still comes from it does not count. */
  #leave(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#stopWaiting();
    socket?.close();
  }

  #stopWaiting(): void {
    this.timers.cancel(this.#silence);
    for (const timer of this.#deadlines.values()) this.timers.cancel(timer);
    this.#deadlines.clear();
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
        if (message.done) this.#answered(message.done);
        return this.listener.told(message);
      case "advice":
        this.#answered(message.id ?? "");
        return this.listener.advised(message);
      case "refusal":
        return this.#refused(message);
      case "bye":
        this.#bye = message;
    }
  }

  #answered(id: string): void {
    this.#pending.delete(id);
    this.#stopDeadline(id);
  }

  #stopDeadline(id: string): void {
    this.timers.cancel(this.#deadlines.get(id));
    this.#deadlines.delete(id);
  }

  #forget(what: Command["do"]): void {
    for (const [id, command] of this.#pending) if (command.do === what) this.#answered(id);
  }

  #refused(message: Refusal): void {
    const id = message.id ?? "";
    const command = this.#pending.get(id) ?? null;
    if (command && (message.code === "try-again" || message.code === "too-many")) {
      this.#stopDeadline(id);
      const seconds = Number(message.parameters?.["seconds"] ?? 1);
      this.timers.after(1000 * seconds, () => {
        if (this.#state === "open" && this.#pending.has(id)) this.#send(id, command);
      });
      return;
    }
    this.#answered(id);
    this.listener.refused(message);
  }

  #closed(): void {
    this.#socket = null;
    this.#stopWaiting();
    if (this.#state === "ended") return;
    if (this.#bye && this.#bye.again === false) return this.#set("ended", this.#bye);
    this.#set("lost", this.#bye);
    const wait = Math.min(FIRST_WAIT * 2 ** this.#attempts++, MAX_WAIT);
    this.#timer = this.timers.after(wait * (0.75 + this.timers.random() / 2), () => this.#connect());
  }

  #send(id: string, command: Command): void {
    this.#socket?.send(JSON.stringify({ ...command, id }));
    this.#expectAnswer(id);
  }

  /** What comes behind a hint waits until it has been found; whether the server lives is seen from its pongs then. */
  #expectAnswer(id: string): void {
    this.timers.cancel(this.#deadlines.get(id));
    const isAdvising = () => [...this.#pending.values()].some((command) => command.do === "hint");
    const late = () => (isAdvising() ? this.#expectAnswer(id) : this.#lose());
    this.#deadlines.set(id, this.timers.after(ANSWER, late));
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
