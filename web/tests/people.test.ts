// Other people: who is muted is not read, news and friends are remembered by the device, refusals have words.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadMuted, muted, noteMuted } from "../src/people/muted.svelte";
import { loadNews, news, noteNews } from "../src/people/news.svelte";
import { wordsFor } from "../src/people/people";
import { RequestError } from "../src/server/request";
import type { Table } from "../src/server/reducer";
import { unreadLines } from "../src/table/state/chat";
import { loadTexts, setLanguage } from "../src/i18n/index.svelte";

const person = { name: "Bo", is_friend: false, is_asked: false, is_muted: false, is_blocked: false };
let answer: [status: number, body: object] = [200, {}];

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(answer[1], { status: answer[0] })));
});
afterEach(() => vi.unstubAllGlobals());

describe("what somebody writes who is muted or blocked", () => {
  const chat = [0, 1, 2, 1].map((seat) => ({ seat, name: "", text: "hello", at: 1 }));
  const view = { chat, seat: 0, is_yours: true } as unknown as Table;
  test("is no news", () => {
    expect(unreadLines(view, 0)).toBe(3);
    noteMuted([{ ...person, seat: 1, is_muted: true }]);
    expect(unreadLines(view, 0)).toBe(1);
    noteMuted([{ ...person, seat: 2, is_blocked: true }]);
    expect([0, 1, 2].map((seat) => muted.hides(seat))).toEqual([false, false, true]);
  });
  test("is asked for at every table with other people", async () => {
    answer = [200, { people: [{ ...person, seat: 1, is_muted: true }] }];
    await loadMuted("t1", true);
    expect(muted.hides(1)).toBe(true);
    await loadMuted("t2", false);
    expect(muted.hides(1)).toBe(false);
    answer = [500, { code: "failed", message: "" }];
    await loadMuted("t1", true);
    expect(muted.hides(1)).toBe(false);
  });
});

test("news wait for an answer, until the server does not know the guest any more", async () => {
  expect(news.isWaiting).toBe(false);
  answer = [200, { invitations: [], requests: 1 }];
  await loadNews();
  expect(news.isWaiting).toBe(true);
  answer = [401, { code: "no-guest", message: "" }];
  await loadNews();
  expect(news.isWaiting).toBe(false);
  noteNews({ invitations: [], requests: 2 });
  noteNews();
  expect(news.isWaiting).toBe(false);
});

test("a refusal has words; without, the server's are shown", async () => {
  vi.stubGlobal("localStorage", { setItem: () => undefined });
  vi.stubGlobal("document", { documentElement: {} });
  await setLanguage("en");
  await loadTexts("people");
  expect(wordsFor(new RequestError(422, { code: "yourself", message: "that is you" }))).toBe("That is you.");
  expect(wordsFor(new RequestError(409, { code: "odd", message: "something odd" }))).toBe("something odd");
});
