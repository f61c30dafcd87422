// Words of a review: where a decision was, and what an action is about.
import { number, signed, t, type Key, type Named, type Values } from "../i18n/index.svelte";
import type { Frame } from "../replay/playback";
import type { Decision } from "../server/protocol";
import { verbOf } from "../table/state/model";
import { thingText } from "../table/state/text";
import type { Person } from "../table/state/types";
import { alternativesOf, behindBest, frameBefore, ordinal } from "./review";

/** Keys that come as `key`, said to the reader, and as `key.theirs` about somebody else, with `{who}`. */
type WhomKey = { [K in Key]: K extends `${infer Stem}.theirs` ? Extract<Stem, Key> : never }[Key];
/** A text of the review of a seat: "Your decisions", or "Ines’s decisions" where it is not the reader's. */
export function ofWhom(key: WhomKey, person: Named | undefined, values: Values = {}): string {
  return person?.isYou ? t(key, values) : t(`${key}.theirs`, { who: person?.name ?? "", ...values });
}

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "Yellow 12", "Trump: green", "Bruno"; inside a sentence "yellow 12". */
export function actionText(action: string, people: readonly Person[], low: number, isInside = false): string {
  const [seat, verb, ...words] = action.split(" ");
  if (verb === "team") {
    const partners = words.filter((word) => word !== seat);
    if (partners.length === 0) return t("button.alone");
    return thingText(`team ${partners.join(" ")}`, people, low);
  }
  const text = thingText([verb, ...words].join(" "), people, low, isInside ? "object" : "plain");
  return isInside ? text : withCapital(text);
}

/** How far an action is behind the best, and what that is. */
export function verdictText(
  decision: Decision,
  action: string,
  isOpen: boolean,
  people: readonly Person[],
  low: number,
): string {
  const behind = behindBest(decision, action, isOpen);
  if (behind === 0) return t(isOpen ? "review.again.found.open" : "review.again.found");
  const best = alternativesOf(decision, isOpen).find((one) => one.isBest)?.action ?? "";
  return t(isOpen ? "review.again.behind.open" : "review.again.behind", {
    n: signed(-behind),
    what: actionText(best, people, low, true),
  });
}

/** "Round 3, trick 5": where in a match an action was; `n` counts tricks, or decisions of the phase. */
export function placeText({ phase, action, round }: Pick<Decision, "phase" | "action" | "round">, n: number): string {
  const part = verbOf(action) === "pass" ? "pass" : phase;
  return t(`review.where.${part}`, { round: number(round + 1), n: number(n) });
}

/** Where a decision of the list was. */
export function whereText(decisions: readonly Decision[], place: number, frames: readonly Frame[]): string {
  const decision = decisions[place];
  if (!decision) return "";
  const before = frameBefore(frames, decision);
  const trick = before ? frames[before.at + 1]?.step.trick : undefined;
  const n = decision.phase === "tricks" && trick ? trick : ordinal(decisions, place);
  return placeText(decision, n);
}
