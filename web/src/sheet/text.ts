// Texts of the score sheet about rounds, options and mistakes, in the chosen language.
import type { Colour } from "../art/suits";
import type { Edition } from "../editions";
import { number, t, type Key } from "../i18n/index.svelte";
import type { Options } from "./model";
import { roundsOf, type Problem } from "./score";

export function problemText(problem: Problem): string {
  switch (problem.code) {
    case "tricks-sum":
      return t("sheet.problem.tricks-sum", { expected: problem.expected, found: problem.found });
    case "loot-many":
      return t("sheet.problem.loot-many", { most: problem.most, found: problem.found });
    case "sides":
      return t("sheet.problem.sides", { sizes: problem.sizes });
    case "double":
      return t("sheet.problem.double");
  }
}

export function cellText(row: "discard" | "trump" | "super", word: string, low: number): string {
  if (row === "discard") return t(`cell.discard.${word}` as Key);
  if (word === "none") return t("cell.none");
  const colour = t(`colour.${word as Colour}`);
  return row === "super" ? t("cell.lows", { colour, low }) : colour;
}

export function optionText(edition: Edition, players: number, options: Options): string {
  const words = [t("sheet.players", { n: players })];
  words.push(
    typeof options.length === "object"
      ? t("sheet.to", { n: number(options.length.target) })
      : t("sheet.rounds", { n: roundsOf(edition, players, options) ?? 0 }),
  );
  if (edition.scoring !== null && options.scoring !== edition.scoring)
    words.push(t(`sheet.scoring.${options.scoring}`));
  if (options.teams) words.push(t("sheet.teams"));
  return words.join(", ");
}
