// Nudges: this browser is registered again at each start, its old channel is dropped, and times are told in words.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

class Subscription {
  isGone = false;
  constructor(
    readonly endpoint: string,
    readonly options: { applicationServerKey: ArrayBuffer },
  ) {}
  unsubscribe(): Promise<boolean> {
    this.isGone = true;
    return Promise.resolve(true);
  }
  toJSON() {
    return { endpoint: this.endpoint, keys: { p256dh: "P", auth: "A" } };
  }
}

const KEY = btoa("server key 1");
const bytesOf = (text: string) => new TextEncoder().encode(text).buffer;
let kept: Map<string, string>;
let calls: { method: string; path: string; body: unknown }[];
let current: Subscription | null;
let made: number;
let permission: NotificationPermission;
let channelOf: (url: string) => string;

beforeEach(() => {
  kept = new Map([["atout.name", "Ann"]]);
  calls = [];
  made = 0;
  current = null;
  permission = "granted";
  channelOf = (url) => `channel of ${url}`;
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  };
  const pushManager = {
    getSubscription: () => Promise.resolve(current?.isGone ? null : current),
    subscribe: ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
      current = new Subscription(`https://push.example/${++made}`, {
        applicationServerKey: applicationServerKey.buffer,
      });
      return Promise.resolve(current);
    },
  };
  const worker = { pushManager };
  vi.stubGlobal("localStorage", localStorage);
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", {
    get permission() {
      return permission;
    },
    requestPermission: () => Promise.resolve(permission),
  });
  vi.stubGlobal("navigator", {
    languages: ["en"],
    serviceWorker: { ready: Promise.resolve(worker), getRegistration: () => Promise.resolve(worker) },
  });
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    calls.push({ method: init.method ?? "GET", path, body });
    if (init.method === "DELETE") return Promise.resolve(new Response(null, { status: 204 }));
    const answer =
      path === "/api/nudges"
        ? { key: KEY, channels: [], choices: {} }
        : { id: channelOf((body as { url: string }).url) };
    return Promise.resolve(Response.json(answer));
  });
  vi.resetModules();
});
afterEach(() => vi.unstubAllGlobals());

const push = () => import("../src/settings/push");
const posted = () => calls.filter((one) => one.method === "POST").map((one) => (one.body as { url: string }).url);
const dropped = () => calls.filter((one) => one.method === "DELETE").map((one) => decodeURIComponent(one.path));

describe("the subscription of this browser", () => {
  test("is made when somebody asks for it, and registered again at each start", async () => {
    const { startPush, renewPush } = await push();
    await renewPush();
    expect(calls).toEqual([]);
    expect(await startPush(KEY)).toBe(true);
    expect(kept.get("atout.push")).toBe("channel of https://push.example/1");
    await renewPush();
    expect(posted()).toEqual(["https://push.example/1", "https://push.example/1"]);
    expect(dropped()).toEqual([]);
  });
  test("that the browser dropped is replaced, and the old channel removed", async () => {
    const { startPush, renewPush } = await push();
    await startPush(KEY);
    current = null;
    await renewPush();
    expect(posted()).toEqual(["https://push.example/1", "https://push.example/2"]);
    expect(dropped()).toEqual(["/api/nudges/channels/channel of https://push.example/1"]);
    expect(kept.get("atout.push")).toBe("channel of https://push.example/2");
  });
  test("made with another key of the server is replaced", async () => {
    const { startPush, renewPush } = await push();
    await startPush(KEY);
    current = new Subscription("https://push.example/old", { applicationServerKey: bytesOf("server key 0") });
    const old = current;
    await renewPush();
    expect(old.isGone).toBe(true);
    expect(posted().at(-1)).toBe("https://push.example/2");
  });
  test("of a guest who became another is registered for them", async () => {
    const { startPush, renewPush } = await push();
    await startPush(KEY);
    channelOf = (url) => `account's channel of ${url}`;
    await renewPush();
    expect(kept.get("atout.push")).toBe("account's channel of https://push.example/1");
    expect(dropped()).toHaveLength(1);
  });
  test("ends when the browser takes the leave back, or somebody ends it", async () => {
    const { startPush, renewPush, stopPush } = await push();
    await startPush(KEY);
    permission = "denied";
    await renewPush();
    expect(kept.has("atout.push")).toBe(false);
    expect(dropped()).toHaveLength(1);
    expect(await startPush(KEY)).toBe(false);
    permission = "granted";
    await startPush(KEY);
    await stopPush();
    expect(kept.has("atout.push")).toBe(false);
    expect(current?.isGone).toBe(true);
  });
});

test("when something was delivered is said in words", async () => {
  const { asMinutes, asTime, moment } = await import("../src/settings/nudges");
  const now = new Date(2026, 10, 17, 9, 30).getTime();
  const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).getTime() / 1000;
  expect(moment(at(16, 20, 14), now)).toBe("yesterday 20:14");
  expect(moment(at(17, 9, 0), now)).toBe("today 09:00");
  expect(moment(at(2, 20, 14), now)).toBe("Nov 2, 2026, 20:14");
  expect([asTime(22 * 60 + 5), asMinutes("22:05"), asMinutes("")]).toEqual(["22:05", 1325, null]);
});
