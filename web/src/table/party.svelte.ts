// The people who play from this device: one, or several who hand it on. Each has a session; one of them looks.
import { parsed, store } from "../kept";
import type { Command } from "../server/line";
import { Session } from "./session.svelte";

const MOST = 6;
const KEY = "atout.party";

const LATEST = 20;

/** Tables with the names of those who share this device there, beside its guest. */
type Kept = [table: string, names: string[]][];

export function readParties(text: string | null): Kept {
  const kept = parsed(text);
  const isEntry = (one: unknown): one is Kept[number] =>
    Array.isArray(one) && typeof one[0] === "string" && Array.isArray(one[1]) && one[1].length < MOST && one[1].every((name) => typeof name === "string");
  return Array.isArray(kept) ? kept.filter(isEntry) : [];
}

function keep(table: string, names: string[]): void {
  const others = readParties(store?.getItem(KEY) ?? null).filter(([other]) => other !== table);
  store?.setItem(KEY, JSON.stringify([...others, [table, names]].slice(-LATEST)));
}

export class Party {
  sessions = $state.raw<Session[]>([]);
  #others: string[] = [];
  /** Who holds the device; null while it is handed on. */
  #facing = $state<number | null>(0);

  constructor(readonly table: string) {
    this.#others = readParties(store?.getItem(KEY) ?? null).find(([kept]) => kept === table)?.[1] ?? [];
    this.sessions = ["", ...this.#others].map((_, player) => new Session(table, player));
    if (this.isShared) this.#facing = null;
  }

  start(): void {
    for (const session of this.sessions) session.start();
  }

  stop(): void {
    for (const session of this.sessions) session.stop();
  }

  hurry(): void {
    for (const session of this.sessions) session.hurry();
  }

  /** One more person at this device, who sits down. */
  add(name: string, sit: (name: string) => Command): void {
    const session = new Session(this.table, this.sessions.length);
    this.sessions = [...this.sessions, session];
    this.#others = [...this.#others, name];
    keep(this.table, this.#others);
    session.do(sit(name));
    session.start();
  }

  /** Everybody of this device sits down. */
  sit(name: string, sit: (name: string) => Command): void {
    this.sessions.forEach((session, player) => session.do(sit(this.#others[player - 1] ?? name)));
  }

  /** The same people will be at another table. */
  follow(table: string): void {
    if (this.isShared) keep(table, this.#others);
  }

  get isShared(): boolean {
    return this.sessions.length > 1;
  }

  get mayAdd(): boolean {
    return this.sessions.length < MOST;
  }

  /** Whose view is drawn. */
  get session(): Session {
    return this.sessions[this.#facing ?? 0] ?? this.sessions[0] ?? new Session(this.table);
  }

  /** The person the device should go to; null while whoever has it may keep it. */
  get next(): Session | null {
    const status = this.sessions[0]?.live?.status;
    if (!this.isShared || (status !== "playing" && status !== "paused")) return null;
    const asked = this.sessions.find(isAsked) ?? null;
    const holder = this.#facing === null ? undefined : this.sessions[this.#facing];
    if (!holder) return asked ?? this.sessions.find((session) => session.live?.is_yours) ?? null;
    return !holder.isStill || isAsked(holder) ? null : asked;
  }

  /** The device is in this person's hands. */
  handTo(session: Session): void {
    this.#facing = this.sessions.indexOf(session);
  }

  /** A round's end, or an answer to an offer, is for all who sit here together. */
  goOn(): void {
    for (const session of this.sessions) session.goOn();
    if (this.isShared) this.#facing = null;
  }

  /** Who sits at one device agrees aloud: one proposal is everybody's here. */
  agree(): void {
    if (!this.isShared) return;
    for (const session of this.sessions) {
      const table = session.live;
      if (!table?.offer || table.seat === null || !table.is_yours || table.offer.agreed.includes(table.seat)) continue;
      if (this.sessions.some((other) => other.live?.is_yours && other.live.seat === table.offer?.seat)) session.do({ do: "answer", yes: true });
    }
  }
}

function isAsked(session: Session): boolean {
  return session.live?.is_yours === true && session.live.decision !== null;
}
