// The check after a match: the secret fits the commitment, every deal follows from secret and random bytes, and nothing
// differs from what this browser saw while the match was played.
import { handKey, sortedHand, type Change, type Kept } from "./kept";
import type { NoProof, Proof } from "./proof";
import { availableHashing, commitmentOf, Shuffler, type Hashing } from "./shuffle";

export type Wrong = Change | "table" | "secret" | "dealer" | "deal" | "own-hand";

export type Finding =
  | {
      is: "right";
      /** Deals that were computed again. */
      deals: number;
      /** Rounds of the match. */
      rounds: number;
      /** The commitment was seen before this player sat down. */
      isBefore: boolean;
    }
  | { is: "wrong"; what: Wrong; round: number; seat: number }
  | { is: "unknown"; why: NoProof };

/** All tables of a deal of the day have one name in the shuffle, so that they have the same cards. */
const DAILY = "deal-";

const wrong = (what: Wrong, round = 0, seat = 0): Finding => ({ is: "wrong", what, round, seat });

/** Checks a proof; `table` is where the match was played, if that is known. */
export async function verify(
  proof: Proof | NoProof,
  kept: readonly Kept[] = [],
  table: string | null = null,
  hashing: Hashing = availableHashing(),
): Promise<Finding> {
  if (typeof proof === "string") return { is: "unknown", why: proof };
  if (table !== null && proof.table !== table && !proof.table.startsWith(DAILY)) return wrong("table");
  for (const one of kept) {
    if (one.change) return wrong(one.change);
    if (one.commitment !== proof.commitment) return wrong("commitment");
    if (one.entropy.length > 0 && one.entropy.join() !== proof.entropy.join()) return wrong("bytes");
  }
  if (proof.entropy.length !== proof.players) return wrong("bytes");
  if (proof.commitment !== (await commitmentOf(proof.table, proof.secret, hashing))) return wrong("secret");
  const shuffler = await Shuffler.of(proof.table, proof.secret, proof.entropy, hashing);
  if (proof.firstDealer !== null && proof.firstDealer !== (await shuffler.firstDealer(proof.players)))
    return wrong("dealer");
  for (const [round, hands] of proof.deals) {
    const dealt = await shuffler.hands(round, proof.deck, proof.players);
    const at = dealt.findIndex((cards, seat) => sortedHand(cards) !== sortedHand(hands[seat]?.split(" ") ?? []));
    if (at >= 0 || hands.length !== proof.players) return wrong("deal", round, Math.max(at, 0));
  }
  return (
    (await differingHand(proof, kept, shuffler)) ?? {
      is: "right",
      deals: proof.deals.size,
      rounds: proof.rounds,
      isBefore: kept.some((one) => one.isBefore),
    }
  );
}

/** The hands that this browser's players held must be the ones that the secret gives. */
async function differingHand(proof: Proof, kept: readonly Kept[], shuffler: Shuffler): Promise<Finding | null> {
  for (const hands of kept.map((one) => one.hands))
    for (const [key, held] of Object.entries(hands)) {
      const [round = 0, seat = 0] = key.split(" ").map(Number);
      const dealt = await shuffler.hands(round, proof.deck, proof.players);
      if (key !== handKey(round, seat) || sortedHand(dealt[seat] ?? []) !== held) return wrong("own-hand", round, seat);
    }
  return null;
}
