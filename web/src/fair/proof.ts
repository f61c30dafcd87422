// What a match says about its shuffles: from its record, or from the view of its table after the end.
import { COLOURS } from "../art/suits";
import { EDITIONS } from "../editions";
import type { Table } from "../server/reducer";
import { parseObject } from "../storage";
import { SCHEME, type Deck } from "./shuffle";

/** All that went into the deals of a match, and the deals. */
export interface Proof {
  table: string;
  secret: string;
  commitment: string;
  /** Random bytes by seat, in hexadecimal. */
  entropy: readonly string[];
  players: number;
  deck: Deck;
  /** Null where it is not told. */
  firstDealer: number | null;
  /** Hands by seat; the key is the number of the round. */
  deals: ReadonlyMap<number, readonly string[]>;
  /** The rounds of the match. A spectator is told the last deal only. */
  rounds: number;
}

/** Why there is none: the record has no proof, or one that this page cannot read. */
export type NoProof = "missing" | "unreadable";

type Data = Record<string, unknown>;
const isObject = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isInteger);
const isHex = (value: unknown, least: number, most: number): value is string =>
  typeof value === "string" && /^([0-9a-f]{2})*$/.test(value) && value.length >= 2 * least && value.length <= 2 * most;

/** The proof in a record: one line of JSON. */
export function proofOfRecord(text: string): Proof | NoProof {
  const record = parseObject(text);
  const fair = record["fair"];
  if (fair === undefined) return "missing";
  if (!isObject(fair) || fair["scheme"] !== SCHEME) return "unreadable";
  const { table, secret, commitment, entropy } = fair;
  const { players, rounds, first_dealer: firstDealer } = record;
  const deck = deckOf(record["edition"], record["rules"], players);
  if (
    typeof table !== "string" ||
    !isHex(secret, 32, 32) ||
    !isHex(commitment, 32, 32) ||
    !isTexts(entropy) ||
    !entropy.every((bytes) => isHex(bytes, 0, 64)) ||
    typeof players !== "number" ||
    typeof firstDealer !== "number" ||
    deck === null ||
    !Array.isArray(rounds)
  )
    return "unreadable";
  const deals = new Map<number, string[]>();
  for (const [i, round] of rounds.entries()) {
    const hands: unknown = isObject(round) ? round["hands"] : null;
    if (!isTexts(hands)) return "unreadable";
    deals.set(i + 1, hands);
  }
  return { table, secret, commitment, entropy, players, deck, firstDealer, deals, rounds: rounds.length };
}

/** The proof in the view of a table whose match is over: of its last deal. */
export function proofOfView(view: Table): Proof | NoProof {
  const { edition, players } = view.settings;
  const deck = deckOf(typeof edition === "string" ? edition : "", edition, players);
  if (!view.game || !view.secret) return "missing";
  if (deck === null) return "unreadable";
  return {
    table: view.daily ? `deal-${view.daily}` : view.table,
    secret: view.secret,
    commitment: view.commitment,
    entropy: view.entropy,
    players,
    deck,
    firstDealer: null,
    deals: new Map([[view.game.round, view.hands]]),
    rounds: view.game.round,
  };
}

/** The deck of a published edition, or of the house rules that a record or a table carries. */
function deckOf(id: unknown, rules: unknown, players: unknown): Deck | null {
  const published = EDITIONS.find((edition) => edition.id === id);
  if (published) {
    const seats = published.players.find((one) => one.players === players);
    return seats ? { ...published.deck, remove: seats.remove, hand: seats.hand } : null;
  }
  if (!isObject(rules) || !isObject(rules["deck"]) || !isObject(rules["players"])) return null;
  const { colours, values } = rules["deck"];
  const seats = rules["players"][String(players)];
  if (!isObject(seats)) return null;
  const { hand, remove = [] } = seats;
  const isDeck =
    isTexts(colours) && colours.every((one) => COLOURS.some((known) => known === one)) && isNumbers(values);
  return isDeck && isNumbers(remove) && typeof hand === "number" ? { colours, values, remove, hand } : null;
}
