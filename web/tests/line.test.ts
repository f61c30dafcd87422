// A line to a table: what it says first, how it comes back, what it repeats.
import { beforeEach, describe, expect, test } from "vitest";
import { Line, type Clocks, type Command, type LineState, type Listener, type Wire } from "../src/server/line";
import type { Refusal, ServerMessage, Welcome } from "../src/server/protocol";

class FakeWire implements Wire {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
    this.onclose?.();
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const WELCOME = { type: "welcome", time: 1, view: {} } as unknown as Welcome;
let wires: FakeWire[];
let states: LineState[];
let refusals: [Refusal, Command | null][];
let waits: { ms: number; what: () => void }[];
let seen: number | null;
let heard: ServerMessage["type"][];

function makeLine(): Line {
  const listener: Listener = {
    welcome: () => heard.push("welcome"),
    told: () => heard.push("told"),
    refused: (message, command) => refusals.push([message, command]),
    advised: () => heard.push("advice"),
    changed: (state) => states.push(state),
    seen: () => seen,
  };
  const clocks: Clocks = { later: (ms, what) => waits.push({ ms, what }), never: () => (waits = []), chance: () => 0.5 };
  const connect = () => {
    const wire = new FakeWire();
    wires.push(wire);
    return wire;
  };
  const line = new Line(connect, listener, 0, clocks);
  line.start();
  return line;
}
const wire = (i: number): FakeWire => wires[i] ?? expect.fail(`there is no line ${i}`);
function greet(i: number): void {
  wire(i).onopen?.();
  wire(i).say(WELCOME);
}

beforeEach(() => {
  [wires, states, refusals, waits, heard, seen] = [[], [], [], [], [], null];
});

test("hello first, with the last number seen", () => {
  makeLine();
  greet(0);
  expect(wire(0).sent).toEqual([{ do: "hello", version: 1, seen: null, player: 0 }]);
  expect(states).toEqual(["open"]);
  seen = 7;
  wire(0).onclose?.();
  waits[0]?.what();
  wire(1).onopen?.();
  expect(wire(1).sent).toEqual([{ do: "hello", version: 1, seen: 7, player: 0 }]);
});

test("what is asked before the welcome is sent after it", () => {
  const line = makeLine();
  line.do({ do: "start" });
  expect(wire(0).sent).toEqual([]);
  greet(0);
  expect(wire(0).sent.map((message) => message["do"])).toEqual(["hello", "start"]);
});

test("what was not answered is sent again under its id, and what was answered is not", () => {
  const line = makeLine();
  greet(0);
  const first = line.do({ do: "say", text: "a" });
  const second = line.do({ do: "say", text: "b" });
  expect(first).not.toBe(second);
  wire(0).say({ type: "told", done: first, view: {} });
  wire(0).onclose?.();
  waits[0]?.what();
  greet(1);
  expect(wire(1).sent.slice(1)).toEqual([{ do: "say", text: "b", id: second }]);
  expect(line.waiting).toBe(1);
});

test("it waits longer each time, and starts anew once it is back", () => {
  makeLine();
  for (let i = 0; i < 7; i++) {
    wire(i).onclose?.();
    waits.at(-1)?.what();
  }
  expect(waits.map((wait) => wait.ms)).toEqual([400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  greet(7);
  wire(7).onclose?.();
  expect(waits.at(-1)?.ms).toBe(400);
  expect(states).toEqual(["lost", "lost", "lost", "lost", "lost", "lost", "lost", "open", "lost"]);
});

test("somebody in a hurry does not wait", () => {
  const line = makeLine();
  line.hurry();
  expect(wires.length).toBe(1);
  wire(0).onclose?.();
  line.hurry();
  expect(wires.length).toBe(2);
  expect(waits).toEqual([]);
});

describe("good-bye", () => {
  test("for ever: it does not come back, and says why", () => {
    makeLine();
    greet(0);
    wire(0).say({ type: "bye", code: "no-table", message: "", again: false });
    wire(0).onclose?.();
    expect(states).toEqual(["open", "ended"]);
    expect(waits).toEqual([]);
  });
  test("for now: it comes back", () => {
    makeLine();
    greet(0);
    wire(0).say({ type: "bye", code: "restart", message: "" });
    wire(0).onclose?.();
    expect(states).toEqual(["open", "lost"]);
    expect(waits.length).toBe(1);
  });
  test("ours: the end", () => {
    const line = makeLine();
    greet(0);
    line.stop();
    expect(wire(0).closed).toBe(true);
    expect(waits).toEqual([]);
  });
});

test("a refusal is handed on with its command; one that asks for patience is sent again", () => {
  const line = makeLine();
  greet(0);
  const command: Command = { do: "act", action: "0 play R4", decision: 3 };
  const id = line.do(command);
  wire(0).say({ type: "refusal", id, code: "too-many", message: "", parameters: { seconds: 2 } });
  expect(refusals).toEqual([]);
  expect(waits.map((wait) => wait.ms)).toEqual([2000]);
  waits[0]?.what();
  expect(wire(0).sent.at(-1)).toEqual({ ...command, id });
  wire(0).say({ type: "refusal", id, code: "must-follow", message: "" });
  expect(refusals.map(([message, about]) => [message.code, about])).toEqual([["must-follow", command]]);
  expect(line.waiting).toBe(0);
});

test("a line that was replaced is not listened to", () => {
  makeLine();
  greet(0);
  wire(0).onclose?.();
  waits[0]?.what();
  greet(1);
  heard = [];
  wire(0).say({ type: "told", view: {} });
  wire(0).onclose?.();
  expect(heard).toEqual([]);
  expect(states).toEqual(["open", "lost", "open"]);
});
