// A connection to a table: its first message, how it reconnects, what it sends again.
import { beforeEach, describe, expect, test } from "vitest";
import {
  Connection,
  type Timers,
  type Command,
  type ConnectionState,
  type ConnectionListener,
  type SocketLike,
} from "../src/server/connection";
import type { Refusal, ServerMessage, Welcome } from "../src/server/protocol";

class FakeSocket implements SocketLike {
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
let sockets: FakeSocket[];
let states: ConnectionState[];
let refusals: Refusal[];
interface Wait {
  ms: number;
  at: number;
  callback: () => void;
}
/** Timers that still run, in the order in which they were started. */
let waits: Wait[];
let now: number;
let lastEvent: number | null;
let received: ServerMessage["type"][];

function makeConnection(): Connection {
  const listener: ConnectionListener = {
    welcome: () => received.push("welcome"),
    told: () => received.push("told"),
    refused: (message) => refusals.push(message),
    advised: () => received.push("advice"),
    stateChanged: (state) => states.push(state),
    lastEvent: () => lastEvent,
  };
  const timers: Timers = {
    after: (ms, callback) => {
      const wait = { ms, at: now + ms, callback };
      waits.push(wait);
      return wait;
    },
    cancel: (timer) => (waits = waits.filter((wait) => wait !== timer)),
    random: () => 0.5,
  };
  const connect = () => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket;
  };
  const connection = new Connection(connect, listener, 0, timers);
  connection.start();
  return connection;
}
const socket = (i: number): FakeSocket => sockets[i] ?? expect.fail(`there is no socket ${i}`);
/** Lets so much time pass; the timers that end call back in their order. */
function pass(ms: number): void {
  const end = now + ms;
  for (;;) {
    const [next] = waits.filter((wait) => wait.at <= end).sort((one, other) => one.at - other.at);
    if (!next) break;
    now = next.at;
    waits = waits.filter((wait) => wait !== next);
    next.callback();
  }
  now = end;
}
const done = (i: number): unknown[] => socket(i).sent.map((message) => message["do"]);
function greet(i: number): void {
  socket(i).onopen?.();
  socket(i).say(WELCOME);
}

beforeEach(() => {
  [sockets, states, refusals, waits, received, lastEvent, now] = [[], [], [], [], [], null, 0];
});

test("hello comes first, with the number of the last event", () => {
  makeConnection();
  greet(0);
  expect(socket(0).sent).toEqual([{ do: "hello", version: 1, seen: null, player: 0 }]);
  expect(states).toEqual(["open"]);
  lastEvent = 7;
  socket(0).onclose?.();
  pass(400);
  socket(1).onopen?.();
  expect(socket(1).sent).toEqual([{ do: "hello", version: 1, seen: 7, player: 0 }]);
});

test("a command given before the welcome is sent after it", () => {
  const connection = makeConnection();
  connection.do({ do: "start" });
  expect(socket(0).sent).toEqual([]);
  greet(0);
  expect(socket(0).sent.map((message) => message["do"])).toEqual(["hello", "start"]);
});

test("an unanswered command is sent again under its id, an answered one is not", () => {
  const connection = makeConnection();
  greet(0);
  const first = connection.do({ do: "say", text: "a" });
  const second = connection.do({ do: "say", text: "b" });
  expect(first).not.toBe(second);
  socket(0).say({ type: "told", done: first, view: {} });
  socket(0).onclose?.();
  pass(400);
  greet(1);
  expect(socket(1).sent.slice(1)).toEqual([{ do: "say", text: "b", id: second }]);
  expect(connection.pendingCount).toBe(1);
});

test("each wait is longer; after a success the first wait is short again", () => {
  makeConnection();
  const found: (number | undefined)[] = [];
  for (let i = 0; i < 7; i++) {
    socket(i).onclose?.();
    expect(waits.length).toBe(1);
    found.push(waits[0]?.ms);
    pass(waits[0]?.ms ?? 0);
  }
  expect(found).toEqual([400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  greet(7);
  socket(7).onclose?.();
  expect(waits.map((wait) => wait.ms)).toEqual([400]);
  expect(states).toEqual(["lost", "lost", "lost", "lost", "lost", "lost", "lost", "open", "lost"]);
});

test("reconnectNow does not wait", () => {
  const connection = makeConnection();
  connection.reconnectNow();
  expect(sockets.length).toBe(1);
  socket(0).onclose?.();
  connection.reconnectNow();
  expect(sockets.length).toBe(2);
  pass(400);
  expect(sockets.length).toBe(2);
  connection.reconnectNow();
  expect([sockets.length, socket(1).closed]).toEqual([3, true]);
});

describe("good-bye", () => {
  test("for ever: it does not reconnect, and says why", () => {
    makeConnection();
    greet(0);
    socket(0).say({ type: "bye", code: "no-table", message: "", again: false });
    socket(0).onclose?.();
    expect(states).toEqual(["open", "ended"]);
    expect(waits).toEqual([]);
  });
  test("for now: it reconnects", () => {
    makeConnection();
    greet(0);
    socket(0).say({ type: "bye", code: "restart", message: "" });
    socket(0).onclose?.();
    expect(states).toEqual(["open", "lost"]);
    expect(waits.length).toBe(1);
  });
  test("ours: it ends", () => {
    const connection = makeConnection();
    greet(0);
    connection.stop();
    expect(socket(0).closed).toBe(true);
    expect(waits).toEqual([]);
  });
});

test("a refusal ends its command; after too-many the command is sent again", () => {
  const connection = makeConnection();
  greet(0);
  const command: Command = { do: "act", action: "0 play R4", decision: 3 };
  const id = connection.do(command);
  socket(0).say({ type: "refusal", id, code: "too-many", message: "", parameters: { seconds: 2 } });
  expect(refusals).toEqual([]);
  pass(1999);
  expect(done(0)).toEqual(["hello", "act"]);
  pass(1);
  expect(socket(0).sent.at(-1)).toEqual({ ...command, id });
  socket(0).say({ type: "refusal", id, code: "must-follow", message: "" });
  expect(refusals.map((message) => message.code)).toEqual(["must-follow"]);
  expect(connection.pendingCount).toBe(0);
});

test("messages of a replaced socket are ignored", () => {
  makeConnection();
  greet(0);
  socket(0).onclose?.();
  pass(400);
  greet(1);
  received = [];
  socket(0).say({ type: "told", view: {} });
  socket(0).onclose?.();
  expect(received).toEqual([]);
  expect(states).toEqual(["open", "lost", "open"]);
});

describe("silence", () => {
  test("after 5 s the server is asked for a sign of life, after 10 s the connection is lost", () => {
    makeConnection();
    greet(0);
    pass(4999);
    expect(done(0)).toEqual(["hello"]);
    pass(1);
    expect(done(0)).toEqual(["hello", "ping"]);
    pass(4999);
    expect(states).toEqual(["open"]);
    pass(1);
    expect([states, socket(0).closed]).toEqual([["open", "lost"], true]);
    pass(400);
    greet(1);
    expect(states).toEqual(["open", "lost", "open"]);
  });
  test("any message is a sign of life", () => {
    makeConnection();
    greet(0);
    for (let i = 0; i < 5; i++) {
      pass(9999);
      socket(0).say({ type: "pong" });
    }
    expect(states).toEqual(["open"]);
    expect(done(0)).toEqual(["hello", ...Array<string>(5).fill("ping")]);
  });
  test("a connection that does not open within 10 s is tried again", () => {
    makeConnection();
    pass(10_400);
    expect(states).toEqual(["lost"]);
    expect([sockets.length, socket(0).closed]).toEqual([2, true]);
    socket(0).onopen?.();
    expect(socket(0).sent).toEqual([]);
  });
  test("a command without an answer for 5 s: the connection is lost, and the command is sent again under its id", () => {
    const connection = makeConnection();
    greet(0);
    pass(3000);
    const id = connection.do({ do: "start" });
    pass(4999);
    socket(0).say({ type: "pong" });
    expect(states).toEqual(["open"]);
    pass(1);
    expect(states).toEqual(["open", "lost"]);
    pass(400);
    greet(1);
    expect(socket(1).sent.slice(1)).toEqual([{ do: "start", id }]);
    socket(1).say({ type: "told", done: id, view: {} });
    pass(4000);
    expect(states).toEqual(["open", "lost", "open"]);
  });
  test("a hint may take longer, and so may what comes behind it, as long as the server shows that it lives", () => {
    const connection = makeConnection();
    greet(0);
    const hint = connection.do({ do: "hint" });
    connection.do({ do: "start" });
    for (let i = 0; i < 4; i++) {
      pass(4000);
      socket(0).say({ type: "pong" });
    }
    expect(states).toEqual(["open"]);
    socket(0).say({ type: "advice", id: hint, action: "" });
    pass(4999);
    socket(0).say({ type: "pong" });
    pass(1);
    expect(states).toEqual(["open", "lost"]);
  });
  test("a command that was refused for now has its time only when it is sent again", () => {
    const connection = makeConnection();
    greet(0);
    const id = connection.do({ do: "start" });
    socket(0).say({ type: "refusal", id, code: "too-many", message: "", parameters: { seconds: 9 } });
    pass(8000);
    socket(0).say({ type: "pong" });
    pass(1000);
    expect(done(0).filter((one) => one === "start")).toEqual(["start", "start"]);
    expect(states).toEqual(["open"]);
  });
});
