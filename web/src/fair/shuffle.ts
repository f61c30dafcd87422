// The scheme atout-fair-1 of docs/fair-shuffles.md: from the server's secret and the players' random bytes to the first
// dealer and every deal. It is implemented here a second time on purpose: a check of the server must not rely on the server.
// It contains no rule of a game; decks are the editions' data. Test vectors come from Python.
import { letterOf } from "../art/suits";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

export const SCHEME = "atout-fair-1";
type Bytes = Uint8Array<ArrayBuffer>;

/** What hashes: Web Crypto where the browser offers it, else a library. */
export interface Hashing {
  digest: (message: Bytes) => Promise<Bytes>;
  hmac: (key: Bytes, message: Bytes) => Promise<Bytes>;
}

export const LIBRARY_HASHING: Hashing = {
  digest: (message) => Promise.resolve(new Uint8Array(sha256(message))),
  hmac: (key, message) => Promise.resolve(new Uint8Array(hmac(sha256, key, message))),
};

function webCrypto(subtle: SubtleCrypto): Hashing {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return {
    digest: async (message) => new Uint8Array(await subtle.digest("SHA-256", message)),
    hmac: async (key, message) =>
      new Uint8Array(
        await subtle.sign("HMAC", await subtle.importKey("raw", key, algorithm, false, ["sign"]), message),
      ),
  };
}

/** `crypto.subtle` is missing on pages over plain http, except on localhost. */
export function availableHashing(): Hashing {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  return subtle ? webCrypto(subtle) : LIBRARY_HASHING;
}

/** The cards of a match: the deck of its edition, and what its number of players changes. */
export interface Deck {
  colours: readonly string[];
  values: readonly number[];
  /** Values removed from every colour. */
  remove: readonly number[];
  /** Cards of a hand. */
  hand: number;
}

/** The deck before it is shuffled: colours as listed, low to high, equal cards side by side. */
export function sortedDeck(deck: Deck): string[] {
  const values = [...deck.values].sort((a, b) => a - b);
  for (const value of deck.remove) {
    const at = values.indexOf(value);
    if (at >= 0) values.splice(at, 1);
  }
  return deck.colours.flatMap((colour) => values.map((value) => `${letterOf(colour)}${value}`));
}

export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function joined(...parts: (string | Uint8Array)[]): Bytes {
  const bytes = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  return Uint8Array.from(bytes.flatMap((part) => [...part]));
}

/** What the server publishes before anybody contributes random bytes. */
export async function commitmentOf(table: string, secret: string, hashing: Hashing): Promise<string> {
  return toHex(await hashing.digest(joined(`${SCHEME} commitment\n${table}\n`, fromHex(secret))));
}

/** The first dealer and the deals of one match. */
export class Shuffler {
  private constructor(
    private readonly key: Bytes,
    private readonly hashing: Hashing,
  ) {}

  static async of(table: string, secret: string, entropy: readonly string[], hashing: Hashing): Promise<Shuffler> {
    const contributed = entropy.map(fromHex).flatMap((bytes) => [Uint8Array.of(bytes.length), bytes]);
    const key = await hashing.hmac(fromHex(secret), joined(`${SCHEME} key\n${table}\n`, ...contributed));
    return new Shuffler(key, hashing);
  }

  firstDealer(players: number): Promise<number> {
    return this.#stream("dealer")(players);
  }

  /** The hands of a round (from 1), by seat, in the order of the deal. */
  async hands(round: number, deck: Deck, players: number): Promise<string[][]> {
    const cards = sortedDeck(deck);
    const draw = this.#stream(`deal ${round}`);
    for (let i = 0; i < cards.length - 1; i++) {
      const j = i + (await draw(cards.length - i));
      [cards[i], cards[j]] = [cards[j] ?? "", cards[i] ?? ""];
    }
    return Array.from({ length: players }, (_, seat) => cards.slice(seat * deck.hand, (seat + 1) * deck.hand));
  }

  /** Draws uniform numbers from the stream of a label: numbers of four bytes, those above the last whole multiple skipped. */
  #stream(label: string): (below: number) => Promise<number> {
    let counter = 0;
    let numbers: number[] = [];
    const next = async (): Promise<number> => {
      if (numbers.length === 0) {
        const place = new Uint8Array(4);
        new DataView(place.buffer).setUint32(0, counter++);
        const block = new DataView((await this.hashing.hmac(this.key, joined(`${label}\n`, place))).buffer);
        numbers = Array.from({ length: block.byteLength / 4 }, (_, i) => block.getUint32(4 * i));
      }
      return numbers.shift() ?? 0;
    };
    return async (below) => {
      const limit = 2 ** 32 - (2 ** 32 % below);
      for (;;) {
        const number = await next();
        if (number < limit) return number % below;
      }
    };
  }
}
