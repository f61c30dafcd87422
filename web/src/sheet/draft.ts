// A round of the score sheet while it is written down: what is not chosen yet is null.
import type { NjetRound } from "./model";
import type { Problem } from "./score";

export type Draft = Omit<NjetRound, "points" | "discard"> & { points: number | null; discard: string | null };
export type Part = "points" | "discard" | "sides" | "double" | "tricks" | "scores";
const PART_OF: Partial<Record<Problem["code"], Part>> = { "tricks-sum": "tricks", sides: "sides", double: "double" };

/** What is still missing, in the order of the form: of the conditions, of all points, or of what was not begun. */
export function missingParts(draft: Draft | readonly (number | null)[] | null, open: readonly Problem[]): Part[] {
  if (draft === null) return [];
  if (!("kind" in draft)) return draft.includes(null) ? ["scores"] : [];
  const conditions: Part[] = [];
  if (draft.points === null) conditions.push("points");
  if (draft.discard === null) conditions.push("discard");
  return [...conditions, ...open.flatMap((problem) => PART_OF[problem.code] ?? [])];
}
