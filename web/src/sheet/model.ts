// A score sheet: players, options and rounds, and how it is read from storage or a file.
import { EDITION_IDS, countsOf, editionOf, seatsOf, type EditionId, type Scoring } from "../editions";

export interface NjetRound {
  kind: "njet";
  start: number | null;
  discard: string;
  trump: string | null;
  super: string | null;
  points: number;
  /** Seats of one of the two sides; with two players, seat 0. */
  side: number[];
  double: number | null;
  tricks: number[];
  loot: number[];
}
export interface TopsRound {
  kind: "tops";
  /** Values of the top cards of each player's piles. A colour without a pile is left out. */
  tops: number[][];
}
export interface PlainRound {
  kind: "plain";
  scores: number[];
}
export type Round = NjetRound | TopsRound | PlainRound;

export type Length = "full" | "short" | { target: number };
export interface Options {
  length: Length;
  scoring: Scoring;
  teams: boolean;
}

export interface Sheet {
  atoutSheet: 1;
  id: string;
  edition: EditionId;
  names: string[];
  options: Options;
  rounds: Round[];
  /** Milliseconds since 1970. */
  created: number;
  changed: number;
}

/** A text that is no sheet: the place of the mistake, and what is allowed there. */
export class SheetError extends Error {
  constructor(
    readonly place: string,
    readonly allowed: string,
  ) {
    super(`${place}: allowed: ${allowed}`);
  }
}

const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) <= 100_000;

function need<T>(ok: boolean, place: string, allowed: string, value: T): T {
  if (!ok) throw new SheetError(place, allowed);
  return value;
}

function objectAt(value: unknown, place: string): Record<string, unknown> {
  return need(typeof value === "object" && value !== null && !Array.isArray(value), place, "{…}", value) as Record<
    string,
    unknown
  >;
}

function listAt(value: unknown, place: string, length?: number): unknown[] {
  const fits = Array.isArray(value) && (length === undefined || value.length === length);
  return need(fits, place, length === undefined ? "[…]" : `[${length}]`, value) as unknown[];
}

function numbersAt(value: unknown, place: string, length?: number, least = -100_000): number[] {
  return listAt(value, place, length).map(
    (one, i) => need(isNumber(one) && one >= least, `${place}[${i}]`, `≥ ${least}`, one) as number,
  );
}

function oneOf<T>(value: unknown, place: string, allowed: readonly T[]): T {
  return need(allowed.includes(value as T), place, allowed.map(String).join(", "), value) as T;
}

/** A sheet from plain data, checked field by field. */
export function readSheet(value: unknown): Sheet {
  const raw = objectAt(value, "sheet");
  oneOf(raw["atoutSheet"], "atoutSheet", [1]);
  const edition = oneOf(raw["edition"], "edition", EDITION_IDS);
  const found = editionOf(edition);
  const counts = found ? countsOf(found) : [];
  const names = listAt(raw["names"], "names").map(
    (name, i) => need(typeof name === "string" && name.length <= 40, `names[${i}]`, "“…”, ≤ 40", name) as string,
  );
  oneOf(names.length, "names", counts);
  const options = readOptions(objectAt(raw["options"], "options"), edition, names.length);
  const rounds = listAt(raw["rounds"], "rounds").map((round, i) =>
    readRound(objectAt(round, `rounds[${i}]`), `rounds[${i}]`, edition, names.length),
  );
  const time = (key: string) => need(isTime(raw[key]), key, "ms", raw[key]) as number;
  const id = need(
    typeof raw["id"] === "string" && /^[\w-]{1,40}$/.test(raw["id"]),
    "id",
    "a–z, 0–9, -",
    raw["id"],
  ) as string;
  return { atoutSheet: 1, id, edition, names, options, rounds, created: time("created"), changed: time("changed") };
}

const isTime = (value: unknown) => typeof value === "number" && Number.isFinite(value) && value >= 0;

function readOptions(raw: Record<string, unknown>, id: EditionId, players: number): Options {
  const edition = editionOf(id);
  const seats = edition ? seatsOf(edition, players) : undefined;
  let length: Length;
  if (typeof raw["length"] === "object" && raw["length"] !== null) {
    const target = (raw["length"] as Record<string, unknown>)["target"];
    need(edition?.target !== null, "options.length", "full, short", target);
    length = { target: need(isNumber(target) && target > 0, "options.length.target", "1–100000", target) as number };
  } else {
    length = oneOf(raw["length"], "options.length", seats?.short ? (["full", "short"] as const) : (["full"] as const));
  }
  const scoring = oneOf(raw["scoring"], "options.scoring", ["total", "difference"] as const);
  const teams = oneOf(raw["teams"], "options.teams", seats?.teams ? [true, false] : [false]);
  return { length, scoring, teams };
}

function readRound(raw: Record<string, unknown>, place: string, id: EditionId, players: number): Round {
  const edition = editionOf(id);
  const board = edition?.board;
  const kind = oneOf(raw["kind"], `${place}.kind`, board ? (["njet", "plain"] as const) : (["tops", "plain"] as const));
  if (kind === "plain") return { kind, scores: numbersAt(raw["scores"], `${place}.scores`, players) };
  if (kind === "tops") {
    const tops = listAt(raw["tops"], `${place}.tops`, players).map((one, i) =>
      numbersAt(one, `${place}.tops[${i}]`, undefined, 0),
    );
    return { kind, tops };
  }
  const seats = [null, ...Array.from({ length: players }, (_, seat) => seat)];
  const side = numbersAt(raw["side"], `${place}.side`, undefined, 0);
  side.forEach((seat, i) => oneOf(seat, `${place}.side[${i}]`, seats.slice(1)));
  return {
    kind,
    start: oneOf(raw["start"], `${place}.start`, seats),
    discard: oneOf(raw["discard"], `${place}.discard`, board?.discard ?? []),
    trump: oneOf(raw["trump"], `${place}.trump`, [null, ...(board?.trump ?? [])]),
    super: oneOf(raw["super"], `${place}.super`, [null, ...(board?.super ?? [])]),
    points: oneOf(raw["points"], `${place}.points`, board?.points ?? []),
    side,
    double: oneOf(raw["double"], `${place}.double`, seats),
    tricks: numbersAt(raw["tricks"], `${place}.tricks`, players, 0),
    loot: numbersAt(raw["loot"], `${place}.loot`, players, 0),
  };
}

/** The sheets of a text: one sheet, or a list. */
export function readSheets(text: string): Sheet[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new SheetError("file", "JSON");
  }
  return (Array.isArray(data) ? data : [data]).map(readSheet);
}
