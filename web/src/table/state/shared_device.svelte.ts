// The players at this device: one, or several who pass it on. Each has a session; one session is shown.
import { parseJson, storage } from "../../storage";
import type { Command } from "../../server/connection";
import { Session } from "./session.svelte";

const MAX_PEOPLE = 6;
const KEY = "atout.party";

const MAX_TABLES = 20;

/** Tables, each with the names of the additional players at this device. */
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
  /** Index of the player who holds the device, or held it last. */
  #holder = $state(0);
  /** It is passed on, and nobody has said yet that they hold it. */
  #isPassed = $state(false);

  constructor(readonly table: string) {
    this.#others = readSharedDevices(storage?.getItem(KEY) ?? null).find(([stored]) => stored === table)?.[1] ?? [];
    this.sessions = ["", ...this.#others].map((_, player) => new Session(table, player));
    this.#isPassed = this.isShared;
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

  /** Adds a player at this device, who sits down. From now on it is not known who looks at the screen. */
  add(name: string, sit: (name: string) => Command): void {
    const session = new Session(this.table, this.sessions.length);
    this.sessions = [...this.sessions, session];
    this.#others = [...this.#others, name];
    this.#isPassed = true;
    save(this.table, this.#others);
    session.do(sit(name));
    session.start();
  }

  /** All players of this device sit down. */
  sit(name: string, sit: (name: string) => Command): void {
    this.sessions.forEach((session, player) => session.do(sit(this.#others[player - 1] ?? name)));
  }

  /** Remembers the same players for another table: a rematch. */
  moveTo(table: string): void {
    if (this.isShared) save(table, this.#others);
  }

  get isShared(): boolean {
    return this.sessions.length > 1;
  }

  get mayAdd(): boolean {
    return this.sessions.length < MAX_PEOPLE;
  }

  /** The session that is shown. While `isPassed`, only what everybody at this device may see is shown of it. */
  get session(): Session {
    return this.sessions[this.#holder] ?? new Session(this.table);
  }

  /** Whether nobody has said yet that they hold the device: then no hand is shown. */
  get isPassed(): boolean {
    return this.#isPassed || this.next !== null;
  }

  /** The session of the player who should get the device; null while the holder may keep it. */
  get next(): Session | null {
    const status = this.sessions[0]?.live?.status;
    if (!this.isShared || (status !== "playing" && status !== "paused")) return null;
    const asked = this.sessions.find(isAsked) ?? null;
    const current = this.session;
    if (this.#isPassed) return asked ?? [current, ...this.sessions].find(({ live }) => live?.is_yours) ?? null;
    return !current.isStill || isAsked(current) ? null : asked;
  }

  /** The holder was told to pass the device on, and may have done so, whatever happens at the table meanwhile. */
  pass(): void {
    if (this.isShared) this.#isPassed = true;
  }

  /** This player has the device now. */
  handTo(session: Session): void {
    this.#holder = this.sessions.indexOf(session);
    this.#isPassed = false;
  }

  /** The end of a round is shown to all players of the device together. */
  leaveRoundEnd(): void {
    if (!this.session.scene?.ended) return;
    for (const session of this.sessions) session.leaveRoundEnd();
    this.pass();
  }

  /** Agrees for all players of this device to a proposal of one of them: they can talk to each other. */
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
