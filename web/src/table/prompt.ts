// What is asked, in words: a title and a line below it.
import { count, list, t, type Key } from "../i18n/index.svelte";
import type { Desk } from "./desk";
import { timeWords } from "./times";
import { cardWords } from "./words";

export interface Words {
  title: string;
  note: string;
}

/** `missing`: cards still to choose where several are chosen. */
export function promptWords(desk: Desk, isMine: boolean, missing: number): Words {
  const { view, game, scene } = desk;
  const name = (seat: number | null | undefined) => (seat === null || seat === undefined ? "" : (desk.people[seat]?.name ?? ""));
  if (view.status === "paused") return { title: t("ask.paused"), note: t("ask.paused.note") };
  if (scene.taken) return { title: t("ask.taken", { who: name(scene.winning) }), note: "" };
  if (!isMine) return waiting(desk, name);
  switch (game.phase) {
    case "play":
      return { title: t("ask.play"), note: playNote(desk, name) };
    case "discard": case "pass": case "lay":
      return { title: t(`ask.${game.phase}`), note: missing > 0 ? count("ask.choose", missing) : t("ask.ready") };
    default:
      return { title: t(`ask.${game.phase}` as Key), note: t(`ask.${game.phase}.note` as Key) };
  }
}

function waiting(desk: Desk, name: (seat: number | null) => string): Words {
  const asked = desk.asked.filter((seat) => !(desk.view.is_yours && seat === desk.me));
  if (asked.length === 0) return { title: t("ask.moment"), note: "" };
  const title = list(asked.map(name));
  return { title, note: asked.length === 1 && isAway(desk, asked[0]) ? awayNote(desk) : t(`ask.other.${desk.game.phase}` as Key) };
}

function isAway(desk: Desk, seat: number | undefined): boolean {
  const one = seat === undefined ? undefined : desk.view.seats[seat];
  return one?.kind === "person" && !one.is_here && !one.is_stood_in;
}

/** How long the table waits for who is away, as was agreed. */
function awayNote(desk: Desk): string {
  const { clock, grace } = desk.view.settings;
  return clock.kind === "days" ? t("seat.away") : t("ask.away", { time: timeWords(grace) });
}

/** What was led, and whether every card will do: the server says what is legal. */
function playNote(desk: Desk, name: (seat: number | null) => string): string {
  const [led] = desk.scene.trick;
  if (!led) return t("ask.play.lead");
  const held = new Set(desk.game.hand).size;
  const what = t("ask.play.led", { who: name(led.seat), card: cardWords(led.card) });
  return `${what} ${desk.game.legal.length < held ? t("ask.play.raised") : t("ask.play.any")}`;
}
