// What a puzzle asks for, in words.
import { count, number, t } from "../i18n/index.svelte";
import type { PuzzlePosition } from "../server/protocol";
import { verbOf } from "../table/state/model";

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
