// What a puzzle asks for, in words.
import { count, number, signed, t } from "../i18n/index.svelte";
import { tenths } from "../i18n/tenths";
import { actionText } from "../review/text";
import type { PuzzlePosition } from "../server/protocol";
import { verbOf } from "../table/state/model";
import type { Person } from "../table/state/types";

/** "Pick your side", "Discard card 1 of 2": as the prompt of a table says it, but for the one card that is to be chosen. */
export function taskText({ view, answer }: Pick<PuzzlePosition, "view" | "answer">): string {
  const verb = verbOf(Object.keys(answer.values)[0] ?? "");
  const before = view.chosen.length;
  const place = { n: number(before + 1), all: number(before + view.owed) };
  switch (verb) {
    case "team":
    case "double":
      return t(`prompt.${verb}`);
    case "discard":
    case "pass":
      return before + view.owed === 1 ? count(`prompt.${verb}`, 1) : t(`today.task.${verb}`, place);
    case "lay":
      return t("today.task.lay", place);
    case "veto":
      return t("today.task.veto");
    default:
      return t(view.trick.length === 0 ? "today.task.lead" : "today.task.play");
  }
}

/** Whether the task says all that the theme of the puzzle would. */
export const isThemeTold = (theme: string): boolean =>
  ["partner", "double", "discard", "pass", "lay-out"].includes(theme);

/** What an answer is worth, and by how much less than the best, both as the bars show them; empty without a difference. */
export function worthText(
  { values, best }: Pick<PuzzlePosition["answer"], "values" | "best">,
  action: string,
  people: readonly Person[],
  low: number,
): string {
  const [first = ""] = best;
  const [value, most] = [action, first].map((one) => tenths(values[one]?.known ?? 0)) as [number, number];
  const behind = tenths(most - value);
  if (behind <= 0) return "";
  const less = signed(behind).replace("+", "");
  return t("today.worth", { value: signed(value), n: less, best: actionText(first, people, low, true) });
}
