// Whose turn it is, as the tab tells it; and for whom a bot may play, as the other players are asked.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Welcome } from "../src/server/protocol";
import { fromWelcome, type Seat, type Table } from "../src/server/reducer";
import { absentSeats, seatsToAskFor } from "../src/table/state/absent";
import { decisionsAsked, isMyTurn } from "../src/table/state/turn.svelte";

const sequences = JSON.parse(readFileSync(new URL("./generated/messages.json", import.meta.url), "utf-8")) as {
  players: number;
  welcome: Welcome;
}[];
const found = fromWelcome(sequences.find((one) => one.players === 4)!.welcome);
const here = (more: Partial<Seat> = {}): Seat => ({ ...found.seats[0]!, name: "N", kind: "person", bot: "", ...more });

function view(seats: Seat[], more: Partial<Table> = {}): Table {
  const settings = { ...found.settings, clock: { kind: "none", time: 0, increment: 0 } as const };
  return { ...found, settings, seats, seat: 0, is_yours: true, status: "playing", offer: null, asked: [1], ...more };
}

describe("for whom a bot may play", () => {
  const away = here({ is_here: false });
  const left = here({ is_here: false, has_left: true });
  test.each<[string, Table, number[], number[]]>([
    ["everybody is there", view([here(), here()]), [], []],
    ["the table waits for somebody", view([here(), away]), [1], [1]],
    ["it is not their turn yet", view([here(), away], { asked: [0] }), [1], []],
    ["somebody has left", view([here(), left], { asked: [0] }), [1], [1]],
    ["a bot plays already", view([here(), here({ is_here: false, is_stood_in: true })]), [], []],
    ["a bot is never away", view([here(), here({ kind: "bot", is_here: false })]), [], []],
    [
      "it is proposed",
      view([here(), away], { offer: { what: "stand-in", seat: 0, agreed: [0], ends: 1, whom: 1 } }),
      [1],
      [],
    ],
    ["the table is paused", view([here(), away], { status: "paused" }), [], []],
    ["a bot plays for me", view([here({ is_stood_in: true }), away]), [], []],
    ["I am a spectator", view([here(), away], { is_yours: false }), [], []],
    [
      "the clock decides",
      view([here(), away], { settings: { ...found.settings, clock: { kind: "decision", time: 60, increment: 0 } } }),
      [],
      [],
    ],
  ])("%s", (_, table, absent, ask) => {
    expect(absentSeats(table)).toEqual(absent);
    expect(seatsToAskFor(table)).toEqual(ask);
  });
});

describe("whose turn it is", () => {
  const mine = view([here(), here()], { asked: [0], decision: 7, choice: [] });
  test.each<[string, Table, boolean]>([
    ["mine", mine, true],
    ["somebody else's", { ...mine, decision: null }, false],
    ["a paused table asks nobody", { ...mine, status: "paused" }, false],
    ["a bot decides for me", { ...mine, seats: [here({ is_stood_in: true }), here()] }, false],
    ["I have left", { ...mine, seats: [here({ has_left: true }), here()] }, false],
    ["a spectator is never asked", { ...mine, is_yours: false }, false],
  ])("%s", (_, table, is) => expect(isMyTurn(table)).toBe(is));

  test("the further cards of a choice are no new turn", () => {
    expect(decisionsAsked([null, mine])).toEqual(["0 7"]);
    expect(decisionsAsked([{ ...mine, decision: 8, choice: ["0 lay R1"] }])).toEqual([]);
  });
});
