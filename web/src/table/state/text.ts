// What happens at a table, as text in the chosen language. A sentence with a verb has a form for the reader and a form
// with a name (`sentence`); a label before a colon takes any name.
import { characterOf, placeFrom, readCard, type Colour } from "../../art/suits";
import {
  count,
  has,
  list,
  number,
  sentence,
  signed,
  t,
  whom,
  type Key,
  type SentenceKey,
  type Values,
} from "../../i18n/index.svelte";
import { muted } from "../../people/muted.svelte";
import type { Advice, Offer, Refusal } from "../../server/protocol";
import type { Seat, Table } from "../../server/reducer";
import { isPuzzle } from "../../server/reviews";
import type { LogEvent } from "./scenes";
import type { Absence, Person } from "./types";

type OfferKind = Offer["what"];

/**
 * The people at a table. Bots have names; the reader's own seat is called "You". Where a puzzle is played on, they are
 * those of the puzzle (`today/people.ts`).
 */
export function peopleAt(view: Table): Person[] {
  const first = view.origin && isPuzzle(view.origin) ? view.origin.seat : 0;
  return view.seats.map((seat, i) => {
    const isYou = view.is_yours && view.seat === i;
    const bot = seat.kind === "bot" || seat.is_stood_in;
    const place = placeFrom(first, i, view.seats.length);
    return {
      name: nameOf(seat, place, isYou),
      character: characterOf(place),
      bot,
      isYou,
      absence: isYou ? null : absenceOf(seat),
    };
  });
}

function absenceOf(seat: Seat): Absence | null {
  if (seat.kind !== "person") return null;
  return seat.has_left ? "left" : seat.is_stood_in ? "stood-in" : seat.is_here ? null : "away";
}

/** "Ines has left. A bot now plays for Ines." */
export function goneText(seat: Seat | undefined, person: Person | undefined): string {
  const left = seat?.has_left ? [t("absent.left", { who: person?.name ?? "" })] : [];
  const bot = seat?.is_stood_in ? [sentence("event.stood-in", person)] : [];
  return [...left, ...bot].map((words) => `${words}.`).join(" ");
}

function nameOf(seat: Seat, i: number, isYou: boolean): string {
  if (isYou) return t("seat.you");
  if (seat.name) return seat.name;
  return seat.kind === "bot" ? t(`bot.name.${(i % 6) as 0 | 1 | 2 | 3 | 4 | 5}`) : t("seat.open");
}

/** A card by itself ("12 jaune"), or as the object of a verb ("le 12 jaune"). */
export function cardText(word: string, form: "plain" | "object" = "plain"): string {
  const { colour, value } = readCard(word);
  return t(`card.${form}`, { colour: t(`colour.${colour}`), value });
}

/** A cell of the board by its row and word. */
export function cellText(row: string, word: string, people: readonly Person[], low: number): string {
  if (row === "start") return people[Number(word)]?.name ?? "";
  if (row === "points") return number(Number(word));
  if (row === "discard") return t(`cell.discard.${word}` as Key);
  if (word === "none") return t("cell.none");
  const colour = t(`colour.${word as Colour}`);
  return row === "super" ? t("cell.lows", { colour, low }) : colour;
}

/** "trump red" as "Trump: red" */
export function rowAndCell(cell: string, people: readonly Person[], low: number): string {
  const [row = "", word = ""] = cell.split(" ");
  return t("cell.in-row", { row: t(`row.${row}` as Key), cell: cellText(row, word, people, low) });
}

interface Action {
  seat: number;
  verb: string;
  words: string[];
}

function parseAction(action: string): Action {
  const [seat = "0", verb = "", ...words] = action.split(" ");
  return { seat: Number(seat), verb, words };
}

/** An action as a button names it: "Play yellow 12". */
export function buttonText(action: string, people: readonly Person[], low: number): string {
  const { seat, verb, words } = parseAction(action);
  if (verb === "double") return sentence("button.double", people[Number(words[0])]);
  if (verb !== "team") return t(`button.${verb}` as Key, { what: whatText(verb, words, people, low, "object") });
  const partners = words.map(Number).filter((other) => other !== seat);
  return partners.length === 0 ? t("button.alone") : t("button.team", { what: namesOf(partners, people) });
}

/** The actions of one choice as a button names them: "Discard red 5 and blue 3". */
export function choiceText(actions: readonly string[], people: readonly Person[], low: number): string {
  const [first = "", ...more] = actions;
  if (more.length === 0) return buttonText(first, people, low);
  const cards = actions.map((action) => parseAction(action).words[0] ?? "?").map((word) => cardText(word, "object"));
  return t(`button.${parseAction(first).verb}` as Key, { what: list(cards) });
}

/** An action as the log tells it: "Ines: yellow 12", "You discard red 5". */
export function logText(action: string, people: readonly Person[], low: number): string {
  const { seat, verb, words } = parseAction(action);
  const what = whatText(verb, words, people, low, verb === "play" ? "plain" : "object");
  switch (verb) {
    case "team":
      return words.length === 1
        ? t("log.alone", { who: namesOf([seat], people) })
        : t("log.team", { names: namesOf(words.map(Number), people) });
    case "double":
      return t("log.double", { who: namesOf([Number(words[0])], people) });
    case "veto":
    case "discard":
    case "pass":
    case "lay":
      return sentence(`log.${verb}`, people[seat], { what });
    default:
      return t("log.play", { who: namesOf([seat], people), what });
  }
}

function namesOf(seats: readonly number[], people: readonly Person[]): string {
  return list(seats.map((seat) => people[seat]?.name ?? ""));
}

/** The cell or the card of an action. A card that the viewer may not know is "?". */
function whatText(
  verb: string,
  words: string[],
  people: readonly Person[],
  low: number,
  form: "plain" | "object",
): string {
  if (verb === "team" || verb === "double") return "";
  if (verb === "veto") return rowAndCell(words.join(" "), people, low);
  return words[0] === undefined || words[0] === "?" ? t("card.back") : cardText(words[0], form);
}

/** An event as lines of the log. Events that are not shown there have none. */
export function eventLines(event: LogEvent, people: readonly Person[], low: number): string[] {
  const person = "seat" in event ? people[event.seat] : undefined;
  switch (event.kind) {
    case "acted":
      return [logText(event.action, people, low)];
    case "trick-won":
      return [sentence("log.trick", person, { n: event.trick, what: cardText(event.card) })];
    case "revealed":
      return revealedLines(event.actions ?? [], people, low);
    case "chosen":
      return event.complete ? [sentence("event.chosen", person)] : [];
    case "said":
      return muted.hides(event.seat) ? [] : [t("event.said", { who: person?.name ?? "", text: event.text })];
    case "offered":
      return [sentence("event.offered", person, { what: offerText(event, people) })];
    case "answered":
      return [sentence(event.yes ? "event.agreed" : "event.declined", person)];
    case "sat":
    case "left":
    case "went-away":
    case "came-back":
    case "online-again":
    case "stood-in":
    case "reclaimed":
    case "taken-back":
    case "timed-out":
      return [sentence(`event.${event.kind}`, person)];
    case "started":
    case "paused":
    case "resumed":
    case "offer-ended":
    case "closed":
      return [t(`event.${event.kind}`)];
    default:
      return [];
  }
}

/** What is proposed, after a colon. */
export function offerText(
  offer: { what: OfferKind; whom?: number | null; days?: number | null },
  people: readonly Person[],
): string {
  if (typeof offer.days === "number") return t("offer.vacation", { n: offer.days });
  return offer.what === "stand-in" ? sentence("offer.stand-in", people[offer.whom ?? -1]) : t(`offer.${offer.what}`);
}

/** The secret choices that this viewer may know, once all have chosen. */
function revealedLines(actions: string[], people: readonly Person[], low: number): string[] {
  const known = actions.filter((action) => !action.endsWith("?"));
  return [t("event.revealed"), ...known.map((action) => logText(action, people, low))];
}

/** Why a command was refused: the catalogue's text if it has one, else the server's. */
export function refusalText(refusal: Refusal): string {
  const key = `refusal.${refusal.code}`;
  return has(key) ? t(key, refusal.parameters as Values | undefined) : refusal.message;
}

type Reason = NonNullable<Advice["reasons"]>[number];

/** The code of a reason; reviews that are still kept have told vetoes in other words. */
function codeToday({ code, parameters: told = {} }: Reason): string {
  if (code === "cell" || code === "cell-in-row" || code === "cell-elsewhere")
    return Number(told["best_share"]) > Number(told["other_share"]) ? "cell-wanted" : "cell-unwanted";
  const isVeto = String(told["best"]).startsWith("veto ");
  return isVeto && (code === "found-by" || code === "better-by") ? `${code}-veto` : code;
}

/** What a cell is worth: the difference of the gains with it and without it. */
function worthOf(told: Readonly<Record<string, unknown>>): string {
  return signed(Math.abs(Number(told["gain_if"]) - Number(told["gain_else"]))).replace("+", "");
}

/** Why one action is better than another, as reviews and hints tell it: cards, cells and numbers of a play-out. */
export function contrastText(reason: Reason, people: readonly Person[], low: number): string {
  const values: Values = {};
  const told = reason.parameters ?? {};
  for (const [name, value] of Object.entries(told)) {
    if (name === "best" || name === "other") values[name] = thingText(String(value), people, low, "object");
    else if (name === "kept" || name === "spent" || name === "card") values[name] = cardText(String(value), "object");
    else if (name.endsWith("_seat")) values[name] = whom(people[Number(value)]);
    else if (name.includes("gain")) values[name] = signed(Number(value));
    else if (name.endsWith("_n")) values[name] = signed(Number(value)).replace("+", "");
    else if (!["row", "cell", "whose", "explains"].includes(name)) values[name] = number(Number(value));
  }
  if ("gain_if" in told) values["worth_n"] = worthOf(told); // as reviews told it that are still kept
  if ("cell" in told) values["cell"] = rowAndCell(`${String(told["row"])} ${String(told["cell"])}`, people, low);
  if (reason.code === "all-same" && Math.abs(Number(told["apart_n"])) < NEARLY) return t("reason.same-worth");
  const code = codeToday(reason);
  const whose = has(`reason.${code}.side`) ? `.${String(told["whose"] ?? "side")}` : "";
  const key = `reason.${code}${whose}`;
  const who = told["winner_seat"] ?? told["opponent_seat"];
  if (!has(who === undefined ? key : `${key}.you`)) return ""; // of a server that is newer than this page
  const text = who === undefined ? t(key as Key, values) : sentence(key as SentenceKey, people[Number(who)], values);
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return told["explains"] === "part" ? `${whole} ${t("reason.part")}` : whole;
}

/** What an action without its seat is about: a card, a cell, a side, a seat. */
export function thingText(
  action: string,
  people: readonly Person[],
  low: number,
  form: "plain" | "object" = "plain",
): string {
  const [verb = "", ...words] = action.split(" ");
  if (verb === "team" || verb === "double") return namesOf(words.map(Number), people);
  return whatText(verb, words, people, low, form);
}

/** The reasons of a hint. */
export function reasonLines(advice: Advice, people: readonly Person[] = [], low = 1): string[] {
  // Which bot answered comes after its reasons.
  const isAside = (code: string) => code === "preparing" || code === "no-weights";
  const reasons = [...(advice.reasons ?? [])].sort((a, b) => Number(isAside(a.code)) - Number(isAside(b.code)));
  return reasons.flatMap((reason) => {
    const values = reason.parameters ?? {};
    if ("best" in values) return [contrastText(reason, people, low)].filter((line) => line !== "");
    const gain = Number(values["gain"] ?? 0);
    const better = Number(values["better_by"] ?? 0);
    const phase = String(values["phase"] ?? "");
    const why: string[] = [];
    const lines: string[] = [];
    const key = reason.code === "rule-of-thumb" ? `reason.thumb.${phase}` : `reason.${reason.code}`;
    const percent = (name: string) => Math.round(100 * Number(values[name] ?? 0));
    const n = "chance" in values ? percent("chance") : Number(values["worlds"] ?? values["among"] ?? 0);
    if (has(key)) why.push(t(key, { n: number(n), next: number(percent("next")) }));
    if ("gain" in values)
      lines.push(
        t(Math.abs(gain) < NEARLY ? "reason.level" : gain > 0 ? "reason.ahead" : "reason.behind", {
          n: expectedPoints(Math.abs(gain)),
        }),
      );
    // Of several cards the next best is one of those advised with it, or only a part of a choice.
    if ("better_by" in values && !advice.more?.length)
      lines.push(better > NEARLY ? t("reason.better", { n: expectedPoints(better) }) : t("reason.as-good"));
    return [...lines, ...why]; // what it is worth first: a narrow screen shows only the beginning
  });
}
/** Difference in points that does not matter. */
const NEARLY = 0.05;
const expectedPoints = (n: number): string => count("count.points", Math.round(n * 10) / 10);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const two = (n: number): string => String(n).padStart(2, "0");

/** A time span: "0:45", "1:02:00", "3 days". */
export function timeText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= 2 * DAY) return t("clock.days", { n: Math.floor(left / DAY) });
  const end = two(left % MINUTE);
  return left >= HOUR
    ? `${Math.floor(left / HOUR)}:${two(Math.floor((left % HOUR) / MINUTE))}:${end}`
    : `${Math.floor(left / MINUTE)}:${end}`;
}
