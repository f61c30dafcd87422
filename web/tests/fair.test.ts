// Fair shuffles: the page computes the deals that Python computes, and every way to tamper with a match is reported.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { handKey, keep, readKept, sortedHand, type Kept } from "../src/fair/kept";
import { proofOfRecord, proofOfView, type Proof } from "../src/fair/proof";
import { availableHashing, commitmentOf, fromHex, LIBRARY_HASHING, Shuffler, toHex } from "../src/fair/shuffle";
import { verify } from "../src/fair/verify";
import type { Told, Welcome } from "../src/server/protocol";
import { applyDelta, fromWelcome, type Table } from "../src/server/reducer";

interface Fair {
  scheme: string;
  table: string;
  secret: string;
  commitment: string;
  entropy: string[];
}
interface Recorded {
  edition: string;
  players: number;
  first_dealer: number;
  rounds: { hands: string[] }[];
  fair: Fair;
}
const generated = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./generated/${name}.json`, import.meta.url), "utf-8"));
const records = generated("shuffles") as Recorded[];
const some = records.find((one) => one.edition === "njet-1997" && one.players === 3) as Recorded;

const proofOf = (record: unknown): Proof => {
  const proof = proofOfRecord(JSON.stringify(record));
  if (typeof proof === "string") throw new Error(proof);
  return proof;
};
/** A copy of a record, changed. */
function tampered(change: (record: Recorded) => void): Recorded {
  const copy = structuredClone(some);
  change(copy);
  return copy;
}
const WEB = availableHashing();
const HASHINGS = [
  ["Web Crypto", WEB],
  ["the library", LIBRARY_HASHING],
] as const;

describe("hashing", () => {
  test("Web Crypto is used where it is", () => expect(WEB).not.toBe(LIBRARY_HASHING));
  test("bytes and hexadecimal digits", () => {
    expect([...fromHex("00ff10")]).toEqual([0, 255, 16]);
    expect(toHex(fromHex("00ff10"))).toBe("00ff10");
  });
});

describe.each(HASHINGS)("with %s", (_, hashing) => {
  test("the worked example of docs/fair-shuffles.md", async () => {
    const secret = "00".repeat(32);
    expect(await commitmentOf("demo", secret, hashing)).toBe(
      "c467560ad03b0ab165b9ac9d53b3537cef7cbd2f9ffe35f14233ee742c6f75f5",
    );
    const shuffler = await Shuffler.of("demo", secret, ["", "ff", "0102"], hashing);
    expect(await shuffler.firstDealer(3)).toBe(2);
    const { deck } = proofOf(records.find((one) => one.edition === "nichtig" && one.players === 3));
    const hands = await shuffler.hands(1, deck, 3);
    expect(hands[0]?.join(" ")).toBe("P2 B2 R11 G7 P7 Y0 Y3 Y7 P10 B7 B4 R3 R9");
  });
  test.each(records.map((record) => [`${record.edition}, ${record.players} players`, record] as const))(
    "%s: Python's deals, card by card",
    async (__, record) => {
      const { table, secret, entropy } = record.fair;
      const { deck, players } = proofOf(record);
      const shuffler = await Shuffler.of(table, secret, entropy, hashing);
      expect(await shuffler.firstDealer(players)).toBe(record.first_dealer);
      for (const [i, round] of record.rounds.entries())
        expect((await shuffler.hands(i + 1, deck, players)).map((hand) => hand.join(" "))).toEqual(round.hands);
      expect(await verify(proofOf(record), [], table, hashing)).toEqual({
        is: "right",
        deals: 3,
        rounds: 3,
        isBefore: false,
      });
    },
  );
});

test("the order of the cards in a recorded hand does not matter", async () => {
  const sorted = tampered((record) => {
    for (const round of record.rounds) round.hands = round.hands.map((hand) => sortedHand(hand.split(" ")));
  });
  expect(await verify(proofOf(sorted))).toMatchObject({ is: "right" });
});

const swap = (hands: string[], card: number) => {
  const [one = [], two = []] = hands.map((hand) => hand.split(" "));
  const at = two.findIndex((other) => other !== one[card]);
  [one[card], two[at]] = [two[at] ?? "", one[card] ?? ""];
  [hands[0], hands[1]] = [one.join(" "), two.join(" ")];
};
test.each<[string, (record: Recorded) => void, object]>([
  ["another secret", (r) => (r.fair.secret = "00".repeat(32)), { what: "secret" }],
  ["another commitment", (r) => (r.fair.commitment = "00".repeat(32)), { what: "secret" }],
  ["other random bytes", (r) => (r.fair.entropy[2] = "00"), { is: "wrong" }],
  ["a seat without random bytes", (r) => r.fair.entropy.pop(), { what: "bytes" }],
  ["two cards exchanged", (r) => swap(r.rounds[1]?.hands ?? [], 4), { what: "deal", round: 2, seat: 0 }],
  ["two hands exchanged", (r) => r.rounds[2]?.hands.reverse(), { what: "deal", round: 3, seat: 0 }],
  ["a hand missing", (r) => r.rounds[0]?.hands.pop(), { what: "deal", round: 1, seat: 2 }],
  ["a hand too many", (r) => r.rounds[0]?.hands.push("R1"), { what: "deal", round: 1 }],
  ["another first dealer", (r) => (r.first_dealer = (r.first_dealer + 1) % 3), { what: "dealer" }],
])("%s is reported", async (_, change, expected) => {
  expect(await verify(proofOf(tampered(change)))).toMatchObject({ is: "wrong", ...expected });
});

test("the record of another table is reported", async () => {
  expect(await verify(proofOf(some), [], "t2")).toMatchObject({ is: "wrong", what: "table" });
});

test.each<[string, unknown, string]>([
  ["no proof", { ...some, fair: undefined }, "missing"],
  ["another scheme", tampered((r) => (r.fair.scheme = "mine")), "unreadable"],
  ["a secret too short", tampered((r) => (r.fair.secret = "00")), "unreadable"],
  ["an unknown edition without rules", { ...some, edition: "mine" }, "unreadable"],
  ["hands of another form", { ...some, rounds: [{ hands: 3 }] }, "unreadable"],
  [
    "house rules with an unknown colour",
    { ...some, edition: "x", rules: { deck: { colours: ["pink"], values: [1] }, players: { 3: { hand: 1 } } } },
    "unreadable",
  ],
])("%s is told as such", async (_, record, why) => {
  const proof = proofOfRecord(JSON.stringify(record));
  expect(proof).toBe(why);
  expect(await verify(proof)).toEqual({ is: "unknown", why });
});

describe("what the browser saw", () => {
  const seen = (part: Partial<Kept> = {}): Kept => ({
    commitment: some.fair.commitment,
    isBefore: true,
    contributed: [],
    entropy: some.fair.entropy,
    hands: { [handKey(2, 1)]: sortedHand(some.rounds[1]?.hands[1]?.split(" ") ?? []) },
    change: null,
    ...part,
  });
  test("is part of the result", async () => {
    expect(await verify(proofOf(some), [seen()])).toEqual({ is: "right", deals: 3, rounds: 3, isBefore: true });
    expect(await verify(proofOf(some), [seen({ isBefore: false })])).toMatchObject({ is: "right", isBefore: false });
  });
  test.each<[Partial<Kept>, object]>([
    [{ commitment: "00".repeat(32) }, { what: "commitment" }],
    [{ entropy: ["", "", ""] }, { what: "bytes" }],
    [{ hands: { [handKey(1, 0)]: "R1 R2" } }, { what: "own-hand", round: 1, seat: 0 }],
    [{ hands: { "7 9": "R1" } }, { what: "own-hand", round: 7 }],
    [{ change: "own-bytes" }, { what: "own-bytes" }],
  ])("and %o is reported, however right the record is by itself", async (part, expected) => {
    expect(await verify(proofOf(some), [seen(part)])).toMatchObject({ is: "wrong", ...expected });
  });
  test("is read from the storage without trust", () => {
    const stored = JSON.stringify([["t1", 0, seen()], ["t2"], ["t3", 0, { commitment: 3 }], null]);
    expect(readKept(stored).map(([table]) => table)).toEqual(["t1"]);
    expect(readKept("{")).toEqual([]);
  });
});

interface MessageSequence {
  edition: string;
  welcome: Welcome;
  messages: Told[];
}

describe("keeping, from the server's own messages", () => {
  const sequences = generated("messages") as MessageSequence[];
  const views = (sequence: MessageSequence): Table[] => {
    const all = [fromWelcome(sequence.welcome)];
    for (const message of sequence.messages) all.push(applyDelta(all.at(-1) as Table, message));
    return all;
  };
  const watch = (all: Table[], kept: Kept | null = null): Kept =>
    all.reduce<Kept | null>((last, view, i) => keep(last, all[i - 1] ?? null, view), kept) as Kept;

  test("a player's hands are kept as dealt, a spectator's none", () => {
    for (const sequence of sequences) {
      const all = views(sequence);
      const kept = watch(all);
      expect(kept.change).toBeNull();
      const rounds = new Set(all.flatMap((view) => (view.is_yours && view.game ? [view.game.round] : [])));
      expect(Object.keys(kept.hands).length).toBe(rounds.size);
      const sizes = new Set(Object.values(kept.hands).map((hand) => hand.split(" ").length));
      expect(sizes.size).toBeLessThanOrEqual(1);
    }
    expect(sequences.some((sequence) => sequence.welcome.view.is_yours !== true)).toBe(true);
  });

  test("a whole match is right for everybody who was there, and a changed secret is not", async () => {
    const whole = views(sequences.at(-1) as MessageSequence);
    const last = whole.at(-1) as Table;
    expect(last.status).toBe("over");
    const kept = watch(whole);
    expect(await verify(proofOfView(last), [kept], last.table)).toMatchObject({ is: "right", deals: 1 });
    const other = { ...last, secret: "00".repeat(32) };
    expect(await verify(proofOfView(other), [kept])).toMatchObject({ is: "wrong", what: "secret" });
    const forged = { ...other, commitment: await commitmentOf(last.table, other.secret, WEB) };
    expect(await verify(proofOfView(forged), [kept])).toMatchObject({ is: "wrong", what: "commitment" });
  });

  const playing = views(sequences[0] as MessageSequence)[0] as Table;
  const waiting: Table = { ...playing, status: "waiting", is_yours: false, seat: null, game: null, entropy: [] };
  const began: Table = { ...playing, is_yours: true, seat: 0, entropy: ["aa", "bb", "cc", "dd"] };
  const sat = (kept: Kept, bytes: string): Kept => ({ ...kept, contributed: [...kept.contributed, bytes] });

  test("the commitment came before the seat, or not", () => {
    expect(keep(null, null, waiting).isBefore).toBe(true);
    expect(keep(null, null, { ...waiting, is_yours: true }).isBefore).toBe(false);
    expect(keep(null, null, began).isBefore).toBe(false);
  });
  test("a changed commitment is noticed at once", () => {
    expect(keep(keep(null, null, waiting), waiting, { ...waiting, commitment: "00" }).change).toBe("commitment");
  });
  test("own random bytes must be at the own seat", () => {
    const first = keep(null, null, waiting);
    expect(keep(sat(first, "aa"), waiting, began).change).toBeNull();
    expect(keep(sat(sat(first, "aa"), "ff"), waiting, began).change).toBeNull();
    expect(keep(sat(first, "ff"), waiting, began).change).toBe("own-bytes");
    expect(keep(first, waiting, began).change, "a seat from another device").toBeNull();
  });
  test("who stands up has contributed nothing", () => {
    const seated = { ...waiting, is_yours: true, seat: 0 };
    const kept = keep(sat(keep(null, null, waiting), "ff"), waiting, seated);
    expect(kept.contributed).toEqual(["ff"]);
    expect(keep(kept, seated, waiting).contributed).toEqual([]);
  });
  test("random bytes do not change after the start", () => {
    const kept = keep(null, null, began);
    expect(keep(kept, began, { ...began, entropy: ["aa", "bb", "cc", "00"] }).change).toBe("bytes");
  });
});
