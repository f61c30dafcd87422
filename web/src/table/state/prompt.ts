// The text of the prompt: a title and a note below it.
import { SYMBOLS, type Colour } from "../../art/suits";
import { count, list, t, type Key } from "../../i18n/index.svelte";
import type { TableModel } from "./model";
import { cardText, timeText } from "./text";

export interface PromptText {
  title: string;
  note: string;
  /** The colour that the note names. */
  colour?: Colour | null;
}

/** `missing`: number of cards still to choose. */
export function promptText(model: TableModel, isMine: boolean, missing: number): PromptText {
  const { view, game, scene } = model;
  const name = (seat: number | null | undefined) =>
    seat === null || seat === undefined ? "" : (model.people[seat]?.name ?? "");
  if (view.status === "paused") return { title: t("prompt.paused"), note: t("prompt.paused.note") };
  if (scene.taken) return { title: t("prompt.trick-won", { who: name(scene.winning) }), note: "" };
  if (!isMine) return waiting(model, name);
  switch (game.phase) {
    case "play":
      return { title: t("prompt.play"), ...playNote(model, name) };
    case "discard":
    case "pass":
      return { title: count(`prompt.${game.phase}`, game.owed), note: secretNote(missing, game.owed) };
    case "lay":
      return {
        title: t("prompt.lay"),
        note: missing === game.owed ? count("prompt.choose", missing) : secretNote(missing, game.owed),
      };
    default:
      return { title: t(`prompt.${game.phase}` as Key), note: t(`prompt.${game.phase}.note` as Key) };
  }
}

/** The title says how many cards; the note, how many are still to choose. */
function secretNote(missing: number, all: number): string {
  if (missing === 0) return t("prompt.ready");
  return missing < all ? count("prompt.left", missing) : count("prompt.secret", all);
}

function waiting(model: TableModel, name: (seat: number | null) => string): PromptText {
  const asked = model.asked.filter((seat) => !(model.view.is_yours && seat === model.me));
  if (asked.length === 0) return { title: t("prompt.moment"), note: "" };
  const title = list(asked.map(name));
  if (model.view.is_deserted) return { title, note: t("prompt.deserted") };
  return {
    title,
    note:
      asked.length === 1 && isAway(model, asked[0]) ? awayNote(model) : t(`prompt.waiting.${model.game.phase}` as Key),
  };
}

function isAway(model: TableModel, seat: number | undefined): boolean {
  const one = seat === undefined ? undefined : model.view.seats[seat];
  return one?.kind === "person" && !one.is_here && !one.is_stood_in;
}

/** How long the table waits for a player who is offline. */
function awayNote(model: TableModel): string {
  const { clock, grace } = model.view.settings;
  if (clock.kind === "none") return t("prompt.away");
  return clock.kind === "days" ? t("seat.away") : t("prompt.offline", { time: timeText(grace) });
}

const isColour = (word: string): word is Colour => word in SYMBOLS;

/** What the server says the card must do; else which card was led. */
function playNote(model: TableModel, name: (seat: number | null) => string): Omit<PromptText, "title"> {
  const [led] = model.scene.trick;
  if (!led) return { note: t("prompt.play.lead") };
  const [duty, suit = ""] = model.game.must?.split(" ") ?? [];
  const named = model.game.conditions?.trump ?? "";
  const trump = isColour(named) ? named : null;
  if (duty === "follow")
    return isColour(suit)
      ? { note: t("prompt.play.follow", { suit: t(`colour.${suit}`) }), colour: suit }
      : { note: t("prompt.play.follow-trump"), colour: trump };
  if (duty === "trump") return { note: t("prompt.play.must-trump"), colour: trump };
  return { note: `${t("prompt.play.led", { who: name(led.seat), card: cardText(led.card) })} ${t("prompt.play.any")}` };
}
