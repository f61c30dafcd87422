import { beforeEach, expect, test, vi } from "vitest";
import { leadText } from "../src/games/games";
import { setLanguage } from "../src/i18n/index.svelte";
import { missingParts, type Draft } from "../src/sheet/draft";
import { buttonText, choiceText } from "../src/table/state/text";

const kept = vi.hoisted(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal("document", { documentElement: {} });
  return kept;
});

beforeEach(async () => {
  kept.clear();
  await setLanguage("en");
});

test("what was read of a chat is remembered for each table, and for the latest twenty only", async () => {
  const { readLines, rememberRead } = await import("../src/table/state/chat");
  rememberRead("one", 3);
  rememberRead("two", 5);
  expect([readLines("one"), readLines("two"), readLines("three")]).toEqual([3, 5, 0]);
  for (let i = 0; i < 20; i++) rememberRead(`other ${i}`, 1);
  expect([readLines("one"), readLines("other 19")]).toEqual([0, 1]);
});

test("all cards of an advice are named, in one sentence", () => {
  expect(choiceText(["0 discard R4", "0 discard B13"], [], 1)).toBe("Discard red 4 and blue 13");
  expect(choiceText(["0 discard R4"], [], 1)).toBe("Discard red 4");
});

test("a lead is said in words, without a sign", () => {
  expect([leadText(-8), leadText(3.46), leadText(0.04)]).toEqual(["8 behind", "3.5 ahead", "equal points"]);
});

test("a veto is named between quotation marks", async () => {
  const named: string[] = [];
  for (const one of ["en", "fr", "de"] as const) {
    await setLanguage(one);
    named.push(buttonText("0 veto trump red", [], 1));
  }
  expect(named).toEqual(["Veto “Trump: red”", "Veto à «\u00a0Atout\u00a0: rouge\u00a0»", "Veto gegen „Trumpf: Rot“"]);
});

test("what a round lacks is named in the order of the form", () => {
  const draft: Draft = {
    ...{ kind: "njet", start: null, discard: null, trump: null, super: null, points: null },
    ...{ side: [], double: null, tricks: [0, 0], loot: [0, 0] },
  };
  expect(missingParts(draft, [])).toEqual(["points", "discard"]);
  const open = [{ code: "tricks-sum", expected: 9, found: 0 }] as const;
  expect(missingParts({ ...draft, points: 2, discard: "none" }, open)).toEqual(["tricks"]);
  expect(missingParts([1, null], [])).toEqual(["scores"]);
});
