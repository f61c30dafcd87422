// Difference scoring: the terms of the better side's points, and whose they are. All numbers are the server's.
import { list, number, sentence, t } from "../../i18n/index.svelte";
import type { MadeOf } from "../../server/protocol";
import type { TableModel } from "./model";

export interface Difference {
  higher: number;
  lower: number;
  score: number;
  /** The terms as they are written: "21", "− 4", "= 17"; "− (−28)" for a sum below zero. */
  terms: [string, string, string];
  /** "for us", "for Ines and Jonas", "for nobody". */
  whose: string;
}

/** None with any other scoring. `sides` and `scores` are those of the same round. */
export function differenceOf(
  madeOf: MadeOf | null | undefined,
  sides: readonly (readonly number[])[],
  scores: readonly number[],
  model: Pick<TableModel, "people" | "me" | "view">,
): Difference | null {
  if (madeOf?.scoring !== "difference" || madeOf.sums.length !== 2) return null;
  const [higher, lower] = [Math.max(...madeOf.sums), Math.min(...madeOf.sums)];
  const winners = sides[madeOf.sums.indexOf(higher)] ?? [];
  const isMine = model.view.seat !== null && winners.includes(model.me);
  const whose =
    higher === lower
      ? t("round-end.difference.tie")
      : isMine && winners.length > 1
        ? t("round-end.difference.us")
        : sentence("round-end.difference", {
            name: list(winners.map((seat) => model.people[seat]?.name ?? "")),
            isYou: isMine,
          });
  const score = scores[winners[0] ?? 0] ?? 0;
  const subtracted = lower < 0 ? `(${number(lower)})` : number(lower);
  return { higher, lower, score, terms: [number(higher), `− ${subtracted}`, `= ${number(score)}`], whose };
}
