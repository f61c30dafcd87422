// A round of the score sheet while it is written down: what is not chosen yet is null.
import type { Edition } from "../editions";
import type { NjetRound } from "./model";
import { doubleHolders, type Problem } from "./score";

export type Draft = Omit<NjetRound, "points" | "discard"> & { points: number | null; discard: string | null };
export type Part = "points" | "discard" | "sides" | "double" | "tricks" | "scores";
const PART_OF: Partial<Record<Problem["code"], Part>> = { "tricks-sum": "tricks", sides: "sides", double: "double" };

/** Nothing is chosen until somebody chooses it; of two players, each is a side. */
export function blankDraft(players: number): Draft {
  const nothing = Array.from({ length: players }, () => 0);
  return {
    kind: "njet",
    start: null,
    discard: null,
    trump: null,
    super: null,
    points: null,
    side: players === 2 ? [0] : [],
    double: null,
    tricks: [...nothing],
    loot: nothing,
  };
}

/** Moves a player to the other side. The ×2 card goes to the only player who can hold it, if there is only one. */
export function switchSide(draft: Draft, seat: number, edition: Edition): void {
  draft.side = draft.side.includes(seat)
    ? draft.side.filter((one) => one !== seat)
    : [...draft.side, seat].sort((a, b) => a - b);
  const able = doubleHolders(edition, draft.tricks.length, draft.side);
  if (able.length === 1) draft.double = able[0] ?? null;
  else if (!able.includes(draft.double)) draft.double = null;
}

/** Makes a player the one who begins, on the side that is marked. */
export function chooseStart(draft: Draft, seat: number, edition: Edition): void {
  draft.start = seat;
  if (draft.tricks.length > 2 && !draft.side.includes(seat)) switchSide(draft, seat, edition);
}

/** What is still missing, in the order of the form: of the conditions, of all points, or of what was not begun. */
export function missingParts(draft: Draft | readonly (number | null)[] | null, open: readonly Problem[]): Part[] {
  if (draft === null) return [];
  if (!("kind" in draft)) return draft.includes(null) ? ["scores"] : [];
  const conditions: Part[] = [];
  if (draft.points === null) conditions.push("points");
  if (draft.discard === null) conditions.push("discard");
  return [...conditions, ...open.flatMap((problem) => PART_OF[problem.code] ?? [])];
}
