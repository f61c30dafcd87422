// What happens at a table, in the chosen language. Sentences avoid verbs that would have to agree with "you".
import { characterOf, readCard, type Colour } from "../../art/suits";
import { has, list, number, t, type Key } from "../../i18n/index.svelte";
import type { Advice, Refusal } from "../../server/protocol";
import type { Seat, Table, TableEvent } from "../../server/reducer";
import type { Person } from "./types";

/** The people at a table as they are called here: bots have names, the own seat is "you". */
export function peopleAt(view: Table): Person[] {
  return view.seats.map((seat, i) => ({
    name: nameOf(seat, i, view.is_yours && view.seat === i),
    character: characterOf(i),
    bot: seat.kind === "bot" || seat.is_stood_in,
  }));
}

function nameOf(seat: Seat, i: number, isMine: boolean): string {
  if (isMine) return t("seat.you");
  if (seat.name) return seat.name;
  return seat.kind === "bot" ? t(`bot.name.${(i % 6) as 0 | 1 | 2 | 3 | 4 | 5}`) : t("seat.open");
}

export function cardText(word: string): string {
  const { colour, value } = readCard(word);
  return t("card.plain", { colour: t(`colour.${colour}`), value });
}

/** A cell of the board by row and word. */
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

/** A decision as a button names it, and as the log tells it: "Play yellow 12" and "Ines: yellow 12". */
export function actionText(action: string, people: readonly Person[], low: number, form: "do" | "log"): string {
  const [seat = "0", verb = "", ...rest] = action.split(" ");
  const who = people[Number(seat)]?.name ?? "";
  const deed = verb === "team" && rest.length === 1 ? "alone" : verb;
  const key = form === "do" ? `do.${deed}` : `log.${deed}`;
  return t(key as Key, { who, what: objectText(Number(seat), verb, rest, people, low) });
}

function objectText(seat: number, verb: string, words: string[], people: readonly Person[], low: number): string {
  const name = (other: string) => people[Number(other)]?.name ?? "";
  switch (verb) {
    case "veto":
      return rowAndCell(words.join(" "), people, low);
    case "team":
      return list(words.filter((other) => Number(other) !== seat).map(name));
    case "double":
      return name(words[0] ?? "");
    default:
      return words[0] === undefined || words[0] === "?" ? t("card.back") : cardText(words[0]);
  }
}

/** An event as lines of the log; none for what is of no interest there. */
export function eventLines(event: TableEvent, people: readonly Person[], low: number): string[] {
  const who = "seat" in event ? (people[event.seat]?.name ?? "") : "";
  switch (event.kind) {
    case "acted":
      return [actionText(event.action, people, low, "log")];
    case "revealed":
      return revealed(event.actions ?? [], people, low);
    case "chosen":
      return event.complete ? [t("event.chosen", { who })] : [];
    case "said":
      return [t("event.said", { who, text: event.text })];
    case "stood-in":
      return [t(`event.stood-in`, { who })];
    case "offered":
      return [t("event.offered", { who, what: t(`offer.${event.what}`) })];
    case "answered":
      return [t(event.yes ? "event.agreed" : "event.declined", { who })];
    case "sat":
    case "left":
    case "went-away":
    case "came-back":
    case "reclaimed":
    case "taken-back":
    case "timed-out":
    case "started":
    case "paused":
    case "resumed":
    case "offer-ended":
    case "closed":
      return [t(`event.${event.kind}`, { who })];
    default:
      return [];
  }
}

/** What the choices made in secret turned out to be, as far as one may know. */
function revealed(actions: string[], people: readonly Person[], low: number): string[] {
  const known = actions.filter((action) => !action.endsWith("?"));
  return [t("event.revealed"), ...known.map((action) => actionText(action, people, low, "log"))];
}

/** Why something is not allowed: our words where we have them, the server's otherwise. */
export function refusalText(refusal: Refusal): string {
  const key = `refusal.${refusal.code}`;
  return has(key) ? t(key) : refusal.message;
}

/** Why a bot advises what it does. */
export function reasonLines(advice: Advice): string[] {
  return (advice.reasons ?? []).flatMap((reason) => {
    const values = reason.parameters ?? {};
    const gain = Number(values["gain"] ?? 0);
    const better = Number(values["better_by"] ?? 0);
    const phase = String(values["phase"] ?? "");
    const lines: string[] = [];
    const key = reason.code === "rule-of-thumb" ? `reason.thumb.${phase}` : `reason.${reason.code}`;
    const share = "chance" in values ? Math.round(100 * Number(values["chance"])) : 0;
    if (has(key)) lines.push(t(key, { n: number(Number(values["worlds"] ?? values["among"] ?? share)) }));
    if ("gain" in values)
      lines.push(
        t(Math.abs(gain) < NEARLY ? "reason.level" : gain > 0 ? "reason.ahead" : "reason.behind", {
          n: tenths(Math.abs(gain)),
        }),
      );
    if ("better_by" in values)
      lines.push(better > NEARLY ? t("reason.better", { n: tenths(better) }) : t("reason.as-good"));
    return lines;
  });
}
/** Points that make no difference. */
const NEARLY = 0.05;
const tenths = (n: number): string => number(Math.round(n * 10) / 10);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const two = (n: number): string => String(n).padStart(2, "0");

/** "0:45", "1:02:00", "3 days". */
export function timeText(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= 2 * DAY) return t("clock.days", { n: Math.floor(left / DAY) });
  const end = two(left % MINUTE);
  return left >= HOUR
    ? `${Math.floor(left / HOUR)}:${two(Math.floor((left % HOUR) / MINUTE))}:${end}`
    : `${Math.floor(left / MINUTE)}:${end}`;
}
