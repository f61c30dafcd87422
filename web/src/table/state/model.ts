// What the components of a table need of a scene: counts and names, computed once. It knows no rules and scores nothing.
import type { Colour } from "../../art/suits";
import { list, number, t, type Key } from "../../i18n/index.svelte";
import type { Team, View } from "../../server/protocol";
import type { Table } from "../../server/reducer";
import type { Marks } from "../hand/hand";
import type { Scene } from "./scenes";
import type { Person, Side } from "./types";
import { peopleAt } from "./text";

export interface TableModel {
  scene: Scene;
  view: Table;
  game: View;
  people: Person[];
  /** The seat at the bottom: your own one; seat 0 for spectators. */
  me: number;
  sides: Side[];
  /** What each seat's side is called where it is not "Us" or "Them": partners in teams; for spectators every side. */
  labels: string[];
  /** Two play against each other: a side is a person, and needs no name of its own. */
  isDuel: boolean;
  marks: Marks;
  colours: readonly Colour[];
  /** Value of the low cards. */
  low: number;
  max: number;
  /** How many low cards a colour has. */
  lowCopies: number;
  /** Number of the current trick, and of tricks in the round. */
  trick: number;
  tricks: number;
  /** The seats that have to decide. */
  asked: number[];
}

export function tableModel(scene: Scene): TableModel | null {
  const { view } = scene;
  const { game } = view;
  if (!game) return null;
  const { deck } = view;
  const people = peopleAt(view);
  const me = view.seat ?? 0;
  const done = game.tricks.reduce((sum, n) => sum + n, 0);
  const held =
    Math.max(...game.hand_sizes, 0) +
    (game.trick.length > 0 && game.hand_sizes.every((n) => n === game.hand_sizes[0]) ? 1 : 0);
  return {
    scene,
    view,
    game,
    people,
    me,
    low: deck.low,
    sides: people.map((_, seat) => sideIn(game, view.seat ?? game.sides?.[0]?.[0] ?? 0, seat)),
    isDuel: people.length === 2,
    labels: people.map((_, seat) => labelIn(game, view.seat, seat)),
    marks: { trump: game.conditions?.trump ?? null, super: game.conditions?.super ?? null, low: deck.low },
    colours: deck.colours as Colour[],
    max: deck.high,
    lowCopies: deck.low_copies,
    trick: Math.max(1, Math.min(scene.taken ? done : done + 1, done + held)),
    tricks: done + held,
    asked: view.asked,
  };
}

/** The side of a seat, as `me` sees it: of the round, or of the match where teams play. */
export function sideIn(game: Pick<View, "teams" | "sides">, me: number, seat: number): Side {
  return sideOf(game.teams?.map(({ seats }) => seats) ?? game.sides, me, seat);
}

/** What a plate calls the side of a seat; empty: "Us" or "Them". The viewer is null for spectators. */
export function labelIn(game: Pick<View, "teams" | "sides">, viewer: number | null, seat: number): string {
  if (viewer !== null)
    return game.teams && seat !== viewer && sideIn(game, viewer, seat) === "us" ? t("side.partner") : "";
  if (game.teams) return t("side.team", { n: number(1 + game.teams.findIndex(({ seats }) => seats.includes(seat))) });
  return game.sides ? t(game.sides[0]?.includes(seat) ? "side.start" : "side.others") : "";
}

export function sideOf(sides: View["sides"], me: number, seat: number): Side {
  if (sides === null) return null;
  return sides.some((side) => side.includes(me) && side.includes(seat)) ? "us" : "them";
}

/** What a side is called: "Us" or "Them", for spectators by its place; a side of one person by their name. */
export function sideName(
  model: Pick<TableModel, "people" | "view">,
  seats: readonly number[],
  isFirst: boolean,
): string {
  const [only, ...partners] = seats;
  if (only !== undefined && partners.length === 0) return model.people[only]?.name ?? "";
  if (model.view.seat === null && model.view.game?.teams) return t("side.team", { n: number(isFirst ? 1 : 2) });
  if (model.view.seat === null) return t(isFirst ? "side.start" : "side.others");
  return t(isFirst ? "side.us" : "side.them");
}

/** What a match is judged by: the totals, and those of the teams where teams play. */
export type Scored = Pick<View, "totals" | "teams">;

/** Those who win or lose the match together: a team, or a seat alone. */
export interface Party {
  seats: readonly number[];
  total: number;
}
export const partiesOf = ({ totals, teams }: Scored): readonly Party[] =>
  teams ?? totals.map((total, seat) => ({ seats: [seat], total }));

/** The seats whose totals are added up at the end of the match: the seat alone, or its team. */
export const countedTogether = (game: Scored, seat: number): readonly number[] =>
  partiesOf(game).find(({ seats }) => seats.includes(seat))?.seats ?? [seat];

/** The names of seats as a list; the reader comes first. */
export function namesIn(people: readonly Person[], seats: readonly number[]): string {
  const isYou = (seat: number) => people[seat]?.isYou === true;
  const order = [...seats].sort((a, b) => Number(isYou(b)) - Number(isYou(a)));
  return list(order.map((seat) => people[seat]?.name ?? ""));
}

/** A team of the match as a table shows it. */
export interface NamedTeam extends Team {
  name: string;
  side: Side;
  /** Its place in the lists of the view. */
  index: number;
}
/** The teams of the match, the viewer's own first; null where everybody plays alone. The viewer is null for spectators. */
export function namedTeams(teams: View["teams"], viewer: number | null): NamedTeam[] | null {
  if (!teams) return null;
  const named = teams.map((team, index): NamedTeam => {
    const side = (viewer === null ? index === 0 : team.seats.includes(viewer)) ? "us" : "them";
    const name = viewer === null ? t("side.team", { n: number(index + 1) }) : t(`side.${side}`);
    return { ...team, index, name, side };
  });
  return named.sort((a, b) => Number(b.side === "us") - Number(a.side === "us"));
}

/** Whether points of the round in play lie on the table, and are not in the totals yet (Null & nichtig). */
export const hasPointsOnTable = ({ game, view, scene }: Pick<TableModel, "game" | "view" | "scene">): boolean =>
  game.game === "nichtig" && view.status !== "over" && !scene.ended;

/** How far the round is: "trick 3 of 12"; before the first trick the name of the phase. */
export function progressText({ game, trick, tricks }: Pick<TableModel, "game" | "trick" | "tricks">): string {
  const hasTricks = ["play", "deal", "over"].includes(game.phase); // also while the last one is shown
  return hasTricks ? t("trick.of", { n: trick, all: tricks }) : t(`phase.${game.phase}` as Key);
}

/** Sum over the seats of a side. */
export function sumOf(of: readonly number[] | null | undefined, seats: readonly number[]): number {
  return seats.reduce((sum, seat) => sum + (of?.[seat] ?? 0), 0);
}

/** Values of the top cards. */
export function topsOf(piles: readonly (readonly string[])[]): number[] {
  return piles.flatMap((pile) => (pile.length > 0 ? [Number(pile.at(-1)?.slice(1))] : []));
}

/** The choice in an action: "0 play R4" → "R4", "0 veto trump red" → "trump red". */
export const choiceOf = (action: string): string => action.split(" ").slice(2).join(" ");
export const verbOf = (action: string): string => action.split(" ")[1] ?? "";

/** The other seats in the order of play; all of them for spectators. */
export const othersOf = ({ view, people, me }: TableModel): number[] =>
  people.map((_, i) => (me + 1 + i) % people.length).filter((seat) => seat !== me || view.seat === null);

/** Whether partners or the holder of the ×2 card are chosen. */
export const isChoosingSides = ({ game }: TableModel): boolean => game.phase === "team" || game.phase === "double";

/** Whether so many sides can be chosen that the board has no room beside them. */
export const isCrowded = ({ view, game }: TableModel): boolean => view.is_yours && game.legal.length > 6;
