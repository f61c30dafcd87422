// What a length means in rounds and minutes, in words.
import { editionOf, seatsOf } from "../editions";
import { number, t } from "../i18n/index.svelte";
import { shortTarget, type TablePreferences } from "./table_preferences";

/** An estimate: bots at a calm pace, and a person who thinks now and then. */
const MINUTES_PER_ROUND = 5;
/** Rounds of most matches to the target of a short match. */
const FEW_ROUNDS = 2;

/** "8 rounds, about 40 min"; of a match to a target of the player's own choice only the target is known. */
export function roundsText(preferences: TablePreferences): string {
  const edition = editionOf(preferences.edition);
  if (!edition || preferences.length === "target") return t("sheet.to", { n: number(preferences.target) });
  const seats = seatsOf(edition, preferences.players);
  const rounds = preferences.length === "full" ? seats.rounds : seats.short;
  return rounds === null
    ? t("home.length.few", { m: FEW_ROUNDS * MINUTES_PER_ROUND })
    : t("home.length.rounds", { n: rounds, m: rounds * MINUTES_PER_ROUND });
}

/** The same with the target that ends a short match. */
export function lengthText(preferences: TablePreferences): string {
  const target = preferences.length === "short" ? shortTarget(preferences) : null;
  const rounds = roundsText(preferences);
  return target === null ? rounds : t("home.length.to", { n: number(target), rounds });
}
