// What a length means in rounds and minutes, in words.
import { editionOf, seatsOf } from "../editions";
import { number, t } from "../i18n/index.svelte";
import { shortTarget, type TablePreferences } from "./table_preferences";

/** An estimate: bots at a calm pace, and a person who thinks now and then. */
const MINUTES_PER_ROUND = 5;
/** Rounds of most matches to the target of a short match. */
const FEW_ROUNDS = 2;

/** "8 rounds, ~40 min", "to 20 points, ~10 min"; of a match to a target of the player's own choice only the target is known. */
export function roundsText(preferences: TablePreferences): string {
  const edition = editionOf(preferences.edition);
  if (!edition || preferences.length === "target") return t("sheet.to", { n: number(preferences.target) });
  const seats = seatsOf(edition, preferences.players);
  const rounds = preferences.length === "full" ? seats.rounds : seats.short;
  return rounds === null
    ? t("home.length.few", { n: number(shortTarget(preferences) ?? 0), m: FEW_ROUNDS * MINUTES_PER_ROUND })
    : t("home.length.rounds", { n: rounds, m: rounds * MINUTES_PER_ROUND });
}
