// The people who play from this device: one, or several who hand it on. Each has a session; one of them looks.
import { parseJson, storage } from "../../storage";
import type { Command } from "../../server/connection";
import { Session } from "./session.svelte";

const MAX_PEOPLE = 6;
const KEY = "atout.party";

const MAX_TABLES = 20;

/** Tables with the names of those who share this device there, beside its guest. */
type Stored = [table: string, names: string[]][];

export function readSharedDevices(text: string | null): Stored {
  const stored = parseJson(text);
  const isEntry = (one: unknown): one is Stored[number] =>
    Array.isArray(one) &&
    typeof one[0] === "string" &&
    Array.isArray(one[1]) &&
    one[1].length < MAX_PEOPLE &&
    one[1].every((name) => typeof name === "string");
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

function save(table: string, names: string[]): void {
  const others = readSharedDevices(storage?.getItem(KEY) ?? null).filter(([other]) => other !== table);
  storage?.setItem(KEY, JSON.stringify([...others, [table, names]].slice(-MAX_TABLES)));
}

export class SharedDevice {
  sessions = $state.raw<Session[]>([]);
  #others: string[] = [];
  /** Who holds the device; null while it is handed on. */
  #holder = $state<number | null>(0);

  constructor(readonly table: string) {
    this.#others = readSharedDevices(storage?.getItem(KEY) ?? null).find(([stored]) => stored === table)?.[1] ?? [];
    this.sessions = ["", ...this.#others].map((_, player) => new Session(table, player));
    if (this.isShared) this.#holder = null;
  }

  start(): void {
    for (const session of this.sessions) session.start();
  }

  stop(): void {
    for (const session of this.sessions) session.stop();
  }

  reconnectNow(): void {
    for (const session of this.sessions) session.reconnectNow();
  }

  /** One more person at this device, who sits down. */
  add(name: string, sit: (name: string) => Command): void {
    const session = new Session(this.table, this.sessions.length);
    this.sessions = [...this.sessions, session];
    this.#others = [...this.#others, name];
    save(this.table, this.#others);
    session.do(sit(name));
    session.start();
  }

  /** Everybody of this device sits down. */
  sit(name: string, sit: (name: string) => Command): void {
    this.sessions.forEach((session, player) => session.do(sit(this.#others[player - 1] ?? name)));
  }

  /** The same people will be at another table. */
  moveTo(table: string): void {
    if (this.isShared) save(table, this.#others);
  }

  get isShared(): boolean {
    return this.sessions.length > 1;
  }

  get mayAdd(): boolean {
    return this.sessions.length < MAX_PEOPLE;
  }

  /** Whose view is drawn. */
  get session(): Session {
    return this.sessions[this.#holder ?? 0] ?? this.sessions[0] ?? new Session(this.table);
  }

  /** The person the device should go to; null while whoever has it may save it. */
  get next(): Session | null {
    const status = this.sessions[0]?.live?.status;
    if (!this.isShared || (status !== "playing" && status !== "paused")) return null;
    const asked = this.sessions.find(isAsked) ?? null;
    const current = this.#holder === null ? undefined : this.sessions[this.#holder];
    if (!current) return asked ?? this.sessions.find((session) => session.live?.is_yours) ?? null;
    return !current.isStill || isAsked(current) ? null : asked;
  }

  /** The device is in this person's hands. */
  handTo(session: Session): void {
    this.#holder = this.sessions.indexOf(session);
  }

  /** A round's end, or an answer to an offer, is for all who sit here together. */
  leaveRoundEnd(): void {
    for (const session of this.sessions) session.leaveRoundEnd();
    if (this.isShared) this.#holder = null;
  }

  /** Who sits at one device agrees aloud: one proposal is everybody's here. */
  agreeTogether(): void {
    if (!this.isShared) return;
    for (const session of this.sessions) {
      const table = session.live;
      if (!table?.offer || table.seat === null || !table.is_yours || table.offer.agreed.includes(table.seat)) continue;
      if (this.sessions.some((other) => other.live?.is_yours && other.live.seat === table.offer?.seat))
        session.do({ do: "answer", yes: true });
    }
  }
}

function isAsked(session: Session): boolean {
  return session.live?.is_yours === true && session.live.decision !== null;
}
