// The home page's data: what it shows of a server that answers, does not know the guest, or does not answer.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Home } from "../src/home/home.svelte";
import { inOrder, waitingForMe } from "../src/home/my_tables";
import { guest, registerGuest } from "../src/server/guest.svelte";
import type { TableCard } from "../src/server/protocol";

let answers: Record<string, [status: number, body: object]> = {};

beforeEach(async () => {
  answers = {
    "/api/guest": [200, { name: "Ann" }],
    "/api/editions": [200, { editions: [], levels: ["novice"] }],
    "/api/tables": [200, { tables: [] }],
    "/api/tables/mine": [200, { tables: [{ table: "t1", state: "playing" }] }],
    "/api/people/news": [200, { invitations: [], requests: 0 }],
    "/api/records": [200, { records: [] }],
    "/api/statistics": [200, { statistics: [] }],
  };
  vi.stubGlobal("fetch", (path: string) => {
    const [status, body] = answers[path] ?? [404, {}];
    return Promise.resolve(Response.json(body, { status }));
  });
  await registerGuest("Ann");
});
afterEach(() => vi.unstubAllGlobals());

test("a known guest sees their matches", async () => {
  const home = new Home();
  await home.refresh();
  expect([home.isServerUp, home.mine.length]).toEqual([true, 1]);
});

test("a guest whose cookie is gone can still play", async () => {
  answers["/api/tables/mine"] = [401, { code: "no-guest", message: "" }];
  const home = new Home();
  await home.refresh();
  expect([home.isServerUp, home.mine]).toEqual([true, []]);
});

test("a server that fails is not up", async () => {
  answers["/api/tables/mine"] = [500, { code: "failed", message: "" }];
  const home = new Home();
  await home.refresh();
  expect(home.isServerUp).toBe(false);
});

test("what was typed last is the name, however quickly a button follows", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    const { name } = JSON.parse(init.body as string) as { name: string };
    await new Promise((done) => setTimeout(done, sent.length === 0 ? 20 : 0));
    sent.push(name);
    return Response.json({ name });
  });
  const typing = registerGuest("Anna");
  const opening = registerGuest();
  expect(await Promise.all([typing, opening])).toEqual(["Anna", "Anna"]);
  expect([sent, guest.name]).toEqual([["Anna", "Anna"], "Anna"]);
});

test("a registration that fails does not stop the next one", async () => {
  answers["/api/guest"] = [500, { code: "failed", message: "" }];
  await expect(registerGuest("Bob")).rejects.toThrow();
  answers["/api/guest"] = [200, { name: "Bob" }];
  expect(await registerGuest("Bob")).toBe("Bob");
});

test("matches to go on with come first, those that wait for me before all", () => {
  const card = (table: string, state: string, active: number, asked: number[] = []) =>
    ({ table, state, active, mine: { seats: [0], asked } }) as unknown as TableCard;
  const cards = [
    card("waiting", "waiting", 9),
    card("old", "playing", 1, [1]),
    card("mine", "playing", 2, [0]),
    card("new", "paused", 3, [1]),
  ];
  expect(inOrder(cards).map((one) => one.table)).toEqual(["mine", "new", "old", "waiting"]);
});

test("tables wait for a guest where other people do; the earliest deadline comes first", () => {
  const waits = (table: string, people: number, due: number | null, active: number, asked = [0], state = "playing") =>
    ({
      table,
      state,
      active,
      detail: { seats: [0, 1].map((i) => ({ kind: i < people ? "person" : "bot" })) },
      mine: { seats: [0], asked, due },
    }) as unknown as TableCard;
  const cards = [
    waits("bots", 1, null, 9),
    waits("new", 2, null, 8),
    waits("old", 2, null, 2),
    waits("late", 2, 500, 3),
    waits("soon", 2, 100, 4),
    waits("theirs", 2, 50, 5, [1]),
    waits("paused", 2, 50, 5, [0], "paused"),
  ];
  expect(waitingForMe(cards).map((one) => one.table)).toEqual(["soon", "late", "old", "new"]);
});
