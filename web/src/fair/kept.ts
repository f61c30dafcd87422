// What this browser saw of a table's shuffles while it happened, kept to compare it with what is revealed after the match.
import type { Table } from "../server/reducer";
import { parseJson, storage } from "../storage";

/** What differs from what was shown before. */
export type Change = "commitment" | "bytes" | "own-bytes";

/** What one player of this browser saw at one table. */
export interface Kept {
  commitment: string;
  /** The commitment came before the player sat down, so before the server had the player's random bytes. */
  isBefore: boolean;
  /** Random bytes that this browser contributed for the player. Only one of them counts: a seat may be refused, or left. */
  contributed: readonly string[];
  /** Random bytes by seat, as published when the match began; empty before. */
  entropy: readonly string[];
  /** The player's hands as they were dealt; the key is round and seat. */
  hands: Readonly<Record<string, string>>;
  change: Change | null;
}

const KEY = "atout.fair";
const MOST_KEPT = 60;
type Stored = [table: string, player: number, kept: Kept][];

export const handKey = (round: number, seat: number): string => `${round} ${seat}`;
export const sortedHand = (cards: readonly string[]): string => [...cards].sort().join(" ");

/** Phases in which a hand may still be as it was dealt. */
const BEFORE_PLAY = ["veto", "team", "double", "discard", "pass", "lay"];

/** The kept data after a view. `before` is the view that the player had before this one. */
export function keep(kept: Kept | null, before: Table | null, now: Table): Kept {
  const next: Kept = kept ?? {
    commitment: now.commitment,
    isBefore: now.status === "waiting" && !now.is_yours,
    contributed: [],
    entropy: [],
    hands: {},
    change: null,
  };
  const hasLeft = before?.is_yours === true && !now.is_yours && now.status === "waiting";
  const contributed = hasLeft ? [] : next.contributed;
  return {
    ...next,
    contributed,
    entropy: next.entropy.length > 0 ? next.entropy : now.entropy,
    hands: withHand(next.hands, now),
    change: next.change ?? changeIn(next, contributed, now),
  };
}

function changeIn(kept: Kept, contributed: readonly string[], now: Table): Change | null {
  if (now.commitment !== kept.commitment) return "commitment";
  if (now.entropy.length === 0) return null;
  if (kept.entropy.length > 0 && kept.entropy.join() !== now.entropy.join()) return "bytes";
  const own = now.is_yours && now.seat !== null && contributed.length > 0 ? now.entropy[now.seat] : undefined;
  return own !== undefined && !contributed.includes(own) ? "own-bytes" : null;
}

function withHand(hands: Kept["hands"], now: Table): Kept["hands"] {
  const { game, seat } = now;
  if (!game || seat === null || !now.is_yours || !BEFORE_PLAY.includes(game.phase)) return hands;
  const key = handKey(game.round, seat);
  const isAsDealt = now.choice.length === 0 && game.chosen.length === 0 && game.received.length === 0;
  return key in hands || !isAsDealt ? hands : { ...hands, [key]: sortedHand(game.hand) };
}

function isKept(value: unknown): value is Kept {
  const kept = value as Partial<Kept> | null;
  return (
    typeof kept === "object" &&
    kept !== null &&
    typeof kept.commitment === "string" &&
    typeof kept.isBefore === "boolean" &&
    Array.isArray(kept.contributed) &&
    Array.isArray(kept.entropy) &&
    typeof kept.hands === "object"
  );
}

export function readKept(text: string | null): Stored {
  const stored = parseJson(text);
  const isEntry = (one: unknown): one is Stored[number] =>
    Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "number" && isKept(one[2]);
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

/** What the players of this browser saw at a table. */
export function keptOf(table: string): Kept[] {
  return readKept(storage?.getItem(KEY) ?? null).flatMap(([one, , kept]) => (one === table ? [kept] : []));
}

/** Keeps what one player sees at one table, over reloads. */
export class FairMemory {
  #kept: Kept | null;

  constructor(
    readonly table: string,
    readonly player: number,
  ) {
    const stored = readKept(storage?.getItem(KEY) ?? null);
    this.#kept = stored.find(([one, who]) => one === table && who === player)?.[2] ?? null;
  }

  get change(): Change | null {
    return this.#kept?.change ?? null;
  }

  /** A view came; `before` is the one before it. */
  see(before: Table | null, now: Table): void {
    this.#save(keep(this.#kept, before, now));
  }

  /** The player is about to sit down with these random bytes. They are sent after the commitment has come. */
  contribute(bytes: string): void {
    this.#waiting = [...this.#waiting, bytes];
    if (this.#kept) this.#save(this.#kept);
  }
  #waiting: string[] = [];

  #save(next: Kept): void {
    const kept = { ...next, contributed: [...next.contributed, ...this.#waiting] };
    this.#waiting = [];
    const isSame = JSON.stringify(kept) === JSON.stringify(this.#kept);
    this.#kept = kept;
    if (isSame) return;
    const others = readKept(storage?.getItem(KEY) ?? null).filter(
      ([one, who]) => one !== this.table || who !== this.player,
    );
    try {
      storage?.setItem(KEY, JSON.stringify([...others, [this.table, this.player, kept]].slice(-MOST_KEPT)));
    } catch {
      // The storage is full: the check goes on with what this page remembers until it is closed.
    }
  }
}
