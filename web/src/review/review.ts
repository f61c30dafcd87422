// What the pages of a review show of the server's answers. All values come from the server; here they are put in order.
import { tenths } from "../i18n/tenths";
import type { Frame } from "../replay/playback";
import type { Decision, Ledger, RoundLedger } from "../server/protocol";
import { verbOf } from "../table/state/model";
import type { PlayedCard } from "../table/state/types";

export const PHASES = ["veto", "partners", "cards", "piles", "tricks"] as const;
export type Phase = (typeof PHASES)[number];
export const WRONG = ["blunder", "mistake", "inaccuracy"] as const;
/** The signs of a decision: its label, or what luck made of it. */
export const SIGNS = [...WRONG, "unlucky", "lucky-escape", "only-move", "cannot-tell"] as const;
export type Sign = (typeof SIGNS)[number];

/** The sign under which a decision is listed; null if there is nothing to tell. */
export function signOf(decision: Decision): Sign | null {
  if (decision.luck === "lucky-escape") return "lucky-escape";
  if (decision.label !== "fine") return decision.label;
  return decision.luck === "unlucky" ? "unlucky" : null;
}

/** All that is said of a decision: its label, and what luck made of it. */
export function signsOf({ label, luck }: Pick<Decision, "label" | "luck">): Sign[] {
  return SIGNS.filter((sign) => sign === label || sign === luck);
}

/** A decision with its number in the review. */
export interface Numbered {
  number: number;
  decision: Decision;
  /** None where there is nothing to tell. */
  sign: Sign | null;
}
export interface Listed extends Numbered {
  sign: Sign;
}

/**
 * The decisions worth a look: the dearest first, good ones last. Equal ones, and all while some are missing, in the order
 * of the match: then a new one comes last, and nothing moves.
 */
export function listed(decisions: readonly Decision[], phase: Phase | "all" = "all", isComplete = true): Listed[] {
  const found = decisions.flatMap((decision, number) => {
    const sign = signOf(decision);
    return sign && (phase === "all" || decision.phase === phase) ? [{ number, decision, sign }] : [];
  });
  if (!isComplete) return found;
  return found.sort(
    (a, b) =>
      shownLoss(b.decision) - shownLoss(a.decision) ||
      SIGNS.indexOf(a.sign) - SIGNS.indexOf(b.sign) ||
      a.number - b.number,
  );
}

/** All decisions, in the order of the match: a list for each round, `round` from 0. */
export function byRound(
  decisions: readonly Decision[],
  phase: Phase | "all" = "all",
): { round: number; all: Numbered[] }[] {
  const all = decisions
    .map((decision, number) => ({ number, decision, sign: signOf(decision) }))
    .filter(({ decision }) => phase === "all" || decision.phase === phase);
  const rounds = [...new Set(all.map(({ decision }) => decision.round))];
  return rounds.map((round) => ({ round, all: all.filter(({ decision }) => decision.round === round) }));
}

/** What a decision cost: its loss, if that is sure enough for a label. */
export const lossOf = (decision: Decision): number =>
  WRONG.some((label) => label === decision.label) ? decision.loss : 0;

const TENTH = 10;
/** What a decision cost, as the values beside it show it: their difference, rounded as they are. */
export function shownLoss(decision: Decision): number {
  return lossOf(decision) === 0 ? 0 : behindBest(decision, decision.action);
}

/**
 * Parts of a sum with one place each that add up to the sum as it is shown: all are rounded down, and those that lose
 * most by it are rounded up instead.
 */
export function shownParts(parts: readonly number[], sum: number): number[] {
  const units = parts.map((part) => Math.floor(TENTH * part));
  const missing = Math.round(TENTH * tenths(sum)) - units.reduce((all, one) => all + one, 0);
  const byRest = parts
    .map((part, i) => ({ i, rest: TENTH * part - Math.floor(TENTH * part) }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  for (const { i } of byRest.slice(0, Math.max(0, missing))) units[i] = (units[i] ?? 0) + 1;
  return units.map((unit) => unit / TENTH + 0);
}

/** Numbers with one place each whose sum is the sum as it is shown: each is what the shown sum up to it changed by. */
export function shownSteps(numbers: readonly number[]): number[] {
  let sum = 0;
  return numbers.map((n) => {
    const before = tenths(sum);
    sum += n;
    return tenths(tenths(sum) - before);
  });
}

/** How often each sign comes, labels and luck apart; those that do not come are left out. */
export function signCounts(decisions: readonly Decision[]): { sign: Sign; n: number }[] {
  return SIGNS.map((sign) => ({ sign, n: decisions.filter((one) => signsOf(one).includes(sign)).length })).filter(
    ({ n }) => n,
  );
}

/** The phases in which there were decisions. */
export const phasesIn = (decisions: readonly Decision[]): Phase[] =>
  PHASES.filter((phase) => decisions.some((one) => one.phase === phase));

export interface Part {
  part: "deal" | "lost" | "turned-out" | "partners" | "opponents";
  n: number;
  /** Not known before all decisions are judged or, apart from `lost` and `turned-out`, all rounds are valued. */
  isOpen: boolean;
}
/**
 * The parts of the result, in the order of the ledger. `lost` counts against, what knowledge could not see comes apart.
 * Without the decisions, before all are judged, only the sum of these two is known: it stands in the place of the second.
 * Before all rounds are valued nothing is known but the result.
 */
export function partsOf(ledger: Ledger, decisions: readonly Decision[] | null): Part[] {
  const hasPartners = ledger.partners !== 0 || ledger.rounds.some((round) => (round.partner_seats ?? []).length > 0);
  const isOpen = !ledger.rounds.every(isValued);
  const exact = isOpen ? [0, 0, 0, 0] : [ledger.deal, ledger.own, ledger.partners, ledger.opponents];
  const [deal = 0, own = 0, partners = 0, opponents = 0] = isOpen ? exact : shownParts(exact, ledger.result);
  const lost = isOpen || !decisions ? 0 : lostBy(decisions);
  const parts: Part[] = [
    { part: "deal", n: deal, isOpen },
    { part: "lost", n: -lost + 0, isOpen: isOpen || !decisions },
    { part: "turned-out", n: tenths(own + lost), isOpen: isOpen || !decisions },
    { part: "partners", n: partners, isOpen },
    { part: "opponents", n: opponents, isOpen },
  ];
  return parts.filter(({ part }) => part !== "partners" || hasPartners);
}

/** What decisions cost together, as each of them is shown. */
export const lostBy = (decisions: readonly Decision[]): number =>
  tenths(decisions.reduce((sum, one) => sum + shownLoss(one), 0));

/** Whether the result is known: that of an unfinished round is what it was worth in the end. */
export const isResultKnown = (ledger: Ledger): boolean =>
  ledger.rounds.every((round) => round.is_finished || isValued(round));

/** Whether it is known what a round was worth before each choice. */
export const isValued = (round: RoundLedger): boolean => (round.curve ?? []).length > 0;

export interface FallBar {
  from: number;
  to: number;
}
/** Each bar begins where the one before ended. */
export function fall(values: readonly number[]): FallBar[] {
  let sum = 0;
  return values.map((value) => {
    const from = sum;
    sum += value;
    return { from, to: sum };
  });
}

export interface CurvePoint {
  /** From 0 to the number of rounds. */
  x: number;
  /** The lead to expect: the rounds before, and what this one is worth. */
  y: number;
  round: number;
  index: number;
}
/** The lead before every choice of the match, and at the end of each round; a straight line through those not valued. */
export function curveOf(ledger: Ledger): CurvePoint[] {
  let before = 0;
  return ledger.rounds.flatMap((round, column) => {
    const steps = round.curve ?? [];
    const points = steps.map((step, i) => ({
      x: column + i / Math.max(1, steps.length),
      y: before + step.value,
      round: round.round,
      index: step.index,
    }));
    if (!isValued(round)) points.push({ x: column, y: before, round: round.round, index: -1 });
    before += round.result;
    return [...points, { x: column + 1, y: before, round: round.round, index: Infinity }];
  });
}

/** The frame before a decision, and its place. A round begins with its deal; then one frame follows each action. */
export function frameBefore(frames: readonly Frame[], decision: Decision): { frame: Frame; at: number } | null {
  const first = frames.findIndex(({ step }) => step.round === decision.round + 1);
  const at = first + decision.index;
  const frame = first < 0 ? undefined : frames[at];
  return frame?.step.round === decision.round + 1 ? { frame, at } : null;
}

/** The actions of a round up to a frame. */
export function actionsBefore(frames: readonly Frame[], at: number): string[] {
  const round = frames[at]?.step.round;
  return frames.slice(0, at + 1).flatMap(({ step }) => (step.round === round && step.action ? [step.action] : []));
}

/** How the trick of a decision went: all its cards, and who won it. Null where no trick was played to its end. */
export function trickAfter(
  frames: readonly Frame[],
  at: number,
  decision: Decision,
): { cards: PlayedCard[]; winner: number | null } | null {
  const before = frames[at];
  if (decision.phase !== "tricks" || !before) return null;
  const count = (frame: Frame) => frame.view.tricks.reduce((sum, n) => sum + n, 0);
  const after = frames
    .slice(at + 1)
    .find((frame) => frame.step.round !== before.step.round || count(frame) > count(before));
  if (after?.step.round !== before.step.round || after.view.last_trick.length === 0) return null;
  return { cards: after.view.last_trick, winner: after.view.last_winner };
}

/** Cards that were laid out as piles, one for each colour. */
export function laidOut(cards: readonly string[]): string[][] {
  const colours = [...new Set(cards.map((card) => card.charAt(0)))];
  return colours.map((colour) => cards.filter((card) => card.startsWith(colour)));
}

/** Which of the seat's decisions of this phase in the round it is, from 1. */
export const ordinal = (decisions: readonly Decision[], number: number): number => {
  const here = decisions[number];
  return decisions.filter((one, i) => i <= number && one.round === here?.round && one.phase === here.phase).length;
};

/** Whether actions are chosen by their names: partners are no cards or cells that could be tapped. */
export const isByName = (actions: readonly string[]): boolean => ["team", "double"].includes(verbOf(actions[0] ?? ""));

/** With whom a seat plays if it chooses this side, in the order of the seats. */
export function partnersOf(action: string): number[] {
  const [seat, , ...side] = action.split(" ").map(Number);
  return side.filter((other) => other !== seat).sort((a, b) => a - b);
}

/** The partners after one of them is pressed: one more or one less; that one alone where no side has all of them. */
export function withPartner(actions: readonly string[], partners: readonly number[], pressed: number): number[] {
  if (partners.includes(pressed)) return partners.filter((seat) => seat !== pressed);
  const more = [...partners, pressed].sort((a, b) => a - b);
  const isPart = actions.some((action) => more.every((seat) => partnersOf(action).includes(seat)));
  return isPart ? more : [pressed];
}

export interface Alternative {
  action: string;
  value: number;
  /** Two standard errors; 0 where the value is exact. */
  margin: number;
  share: number;
  isChosen: boolean;
  isBest: boolean;
  /** It counts as right beside the best. */
  isRight?: boolean;
}

/** The actions by what they were worth, the best first: given what the seat knew, or with open cards. */
export function alternativesOf(decision: Pick<Decision, "values" | "best" | "action">, isOpen: boolean): Alternative[] {
  const all = Object.entries(decision.values).map(([action, one]) => ({
    action,
    value: isOpen ? (one.open ?? one.known) : one.known,
    margin: isOpen ? 0 : 2 * one.se,
    share: one.found_by,
    isChosen: action === decision.action,
    isBest: false,
  }));
  const isTop = (one: Alternative) => Number(one.action === decision.best);
  all.sort((a, b) => b.value - a.value || isTop(b) - isTop(a));
  const top = isOpen ? all[0]?.action : decision.best;
  return all.map((one) => ({ ...one, isBest: one.action === top }));
}

/** The first ones; what was chosen, what is best, and what is spoken of in any case: a second try, reasons. */
export function shortened(all: readonly Alternative[], most: number, spokenOf: readonly string[] = []): Alternative[] {
  const named = all.slice(most).filter((one) => one.isChosen || one.isBest || spokenOf.includes(one.action));
  return [...all.slice(0, most - named.length), ...named];
}

/** The actions of a seat that reasons compare; their parameters name them without the seat. */
export function comparedIn(
  reasons: readonly { parameters?: Readonly<Record<string, unknown>> }[],
  seat: number,
): string[] {
  const names = reasons.flatMap(({ parameters = {} }) => [parameters["best"], parameters["other"]]);
  return names.filter((name) => typeof name === "string").map((name) => `${seat} ${name}`);
}

/** A scale for bars with margins, with zero somewhere on it: the place of a value in per cent. */
export function scaleOf(all: readonly Alternative[]): (value: number) => number {
  const low = Math.min(0, ...all.map((one) => one.value - one.margin));
  const high = Math.max(0, ...all.map((one) => one.value + one.margin));
  const span = Math.max(high - low, 0.5);
  return (value) => (100 * (value - low)) / span;
}

/** By how much an action is behind the best one, as their values are shown; with open cards the best is another one. */
export function behindBest(decision: Decision, action: string, isOpen = false): number {
  const all = alternativesOf(decision, isOpen);
  const best = all.find((one) => one.isBest)?.value ?? 0;
  const value = all.find((one) => one.action === action)?.value ?? best;
  return tenths(Math.max(0, tenths(best) - tenths(value)));
}

/** The tricks that are over, from the actions of a round: who played what, in order. */
export function tricksOf(actions: readonly string[], players: number): { seat: number; card: string }[][] {
  const plays = actions
    .map((action) => action.split(" "))
    .filter(([, verb]) => verb === "play")
    .map(([seat, , card]) => ({ seat: Number(seat), card: card ?? "" }));
  const over = Math.floor(plays.length / players);
  return Array.from({ length: over }, (_, n) => plays.slice(n * players, (n + 1) * players));
}
