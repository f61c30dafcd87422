// The text of the prompt: a title and a note below it.
import { count, list, t, type Key } from "../../i18n/index.svelte";
import type { TableModel } from "./model";
import { cardText, timeText } from "./text";

export interface PromptText {
  title: string;
  note: string;
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
      return { title: t("prompt.play"), note: playNote(model, name) };
    case "discard":
    case "pass":
    case "lay":
      return {
        title: t(`prompt.${game.phase}`),
        note: missing > 0 ? count("prompt.choose", missing) : t("prompt.ready"),
      };
    default:
      return { title: t(`prompt.${game.phase}` as Key), note: t(`prompt.${game.phase}.note` as Key) };
  }
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

/** The card that was led, and whether every card is legal. */
function playNote(model: TableModel, name: (seat: number | null) => string): string {
  const [led] = model.scene.trick;
  if (!led) return t("prompt.play.lead");
  const held = new Set(model.game.hand).size;
  const what = t("prompt.play.led", { who: name(led.seat), card: cardText(led.card) });
  return `${what} ${model.game.legal.length < held ? t("prompt.play.raised") : t("prompt.play.any")}`;
}
