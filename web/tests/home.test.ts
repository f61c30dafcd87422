// The home page's data: what it shows of a server that answers, does not know the guest, or does not answer.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Home } from "../src/home/home.svelte";
import { registerGuest } from "../src/server/guest.svelte";

let answers: Record<string, [status: number, body: object]> = {};

beforeEach(async () => {
  answers = {
    "/api/guest": [200, { name: "Ann" }],
    "/api/editions": [200, { editions: [], levels: ["novice"] }],
    "/api/tables": [200, { tables: [] }],
    "/api/tables/mine": [200, { tables: [{ table: "t1", state: "playing" }] }],
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
