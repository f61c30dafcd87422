// Parsing cards, settings and rules; the order of a hand; the search in the rules; the lessons.
import { describe, expect, test, vi } from "vitest";
import { LANGUAGES, number, setLanguage, t } from "../src/i18n/index.svelte";
import { readCard } from "../src/art/suits";
import { actionFor, LESSONS } from "../src/lesson/lessons";
import { parseInline } from "../src/rules/inline";
import { highlight, search } from "../src/rules/search";
import type { Rules } from "../src/rules/pages";
import { DEFAULTS, readSettings } from "../src/settings/settings.svelte";
import { breakRows, keysOf, rowOfGroup, sortHand } from "../src/table/hand/hand";
import rules from "../src/generated/rules.en.json";

test("a card is a letter and a number", () => {
  expect(readCard("K10")).toEqual({ colour: "black", value: 10 });
  for (const wrong of ["", "R", "X3", "Rx", "7"]) expect(() => readCard(wrong)).toThrow("is no card");
});

test("a hand lies supertrump, trump, then colour by colour, high to low", () => {
  const sorted = sortHand(["G2", "R1", "B3", "R9", "B12", "G2"], { trump: "blue", super: "red", low: 1 }, [
    "red",
    "yellow",
    "blue",
    "green",
  ]);
  expect(sorted.map((card) => card.word)).toEqual(["R1", "B12", "B3", "R9", "G2", "G2"]);
  expect(sorted.map((card) => card.opensGroup)).toEqual([false, false, false, true, true, false]);
  expect(new Set(sorted.map((card) => card.key)).size).toBe(6);
});

describe("of equal cards", () => {
  const cards = sortHand(["R1", "G2", "R1", "R1"], { trump: null, super: null, low: 1 }, ["red", "green"]);
  const keys = (words: string[], pressed: [string, number][] = []) =>
    [...keysOf(cards, words, new Map(pressed))].sort();
  test("the first ones are meant when none was pressed", () => {
    expect(keys([])).toEqual([]);
    expect(keys(["R1"])).toEqual(["R1.0"]);
    expect(keys(["G2", "R1", "R1"])).toEqual(["G2.0", "R1.0", "R1.1"]);
  });
  test("the one pressed last is meant", () => {
    expect(keys(["R1"], [["R1.2", 1]])).toEqual(["R1.2"]);
    const pressed: [string, number][] = [
      ["R1.2", 1],
      ["R1.1", 2],
    ];
    expect(keys(["R1"], pressed)).toEqual(["R1.1"]);
    expect(keys(["R1", "R1"], pressed)).toEqual(["R1.1", "R1.2"]);
  });
  test("the one that was put back is not meant", () => expect(keys(["R1"], [["R1.0", -1]])).toEqual(["R1.1"]));
  test("no more are meant than there are", () => expect(keys(["G2", "G2", "B3"])).toEqual(["G2.0"]));
});

describe("a hand in rows", () => {
  const COLOURS = ["red", "yellow", "blue", "green"];
  const handOf = (words: string) => sortHand(words.split(" "), { trump: null, super: null, low: 1 }, COLOURS);
  const cards = handOf("R9 R8 R7 R6 R5 Y3 B8 B7 B5 B3 G9 G8 G4 G2 G1");
  const lengths = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.length);
  const upTo = (most: number) => (row: readonly unknown[]) => row.length <= most;
  test("is broken between colours, the longest row as short as can be", () => {
    expect(lengths(breakRows(cards, 2, upTo(10)))).toEqual([6, 9]);
    expect(lengths(breakRows(cards, 3, upTo(10)))).toEqual([5, 5, 5]);
  });
  test("is broken within a colour only where nothing else fits", () =>
    expect(lengths(breakRows(cards, 2, upTo(8)))).toEqual([8, 7]));
  test("keeps its rows while cards are played", () => {
    const before = rowOfGroup(breakRows(cards, 2, upTo(10)));
    const later = handOf("R9 Y3 B8 B7 B5 B3 G9 G8 G4");
    expect(lengths(breakRows(later, 2, upTo(10), before))).toEqual([2, 7]);
    expect(lengths(breakRows(later, 2, upTo(10)))).toEqual([6, 3]);
    expect(lengths(breakRows(handOf("B8 B7 G9 G8"), 2, upTo(10), before))).toEqual([2, 2]);
  });
  test("with a torn colour has no rows to keep", () => expect(rowOfGroup(breakRows(cards, 2, upTo(8))).size).toBe(0));
});

describe("settings", () => {
  test("are read back", () =>
    expect(readSettings('{"theme":"dark","speed":"off"}')).toEqual({ ...DEFAULTS, theme: "dark", speed: "off" }));
  test.each([null, "", "{", "[]", "7", '{"theme":"pink","cards":3}'])("%s gives the defaults", (text) =>
    expect(readSettings(text)).toEqual(DEFAULTS),
  );
});

describe("rules", () => {
  test("a line is split into its pieces", () => {
    expect(parseInline("See §6.4 or *not*: R7, `x`")).toEqual([
      { kind: "text", text: "See " },
      { kind: "link", edition: null, number: "6.4" },
      { kind: "text", text: " or " },
      { kind: "em", text: "not" },
      { kind: "text", text: ": " },
      { kind: "card", word: "R7" },
      { kind: "text", text: ", " },
      { kind: "code", text: "x" },
    ]);
    expect(parseInline("`niet-2015 §6.4`")).toEqual([{ kind: "code", text: "niet-2015 §6.4" }]);
  });
  test("are found by words, titles first", () => {
    const found = search(rules as unknown as Rules, ["njet-1997"], "must trump");
    expect(found.map((hit) => hit.paragraph.number)).toContain("6.4");
    expect(search(rules as unknown as Rules, ["nichtig"], "supertrump")).toEqual([]);
    expect(search(rules as unknown as Rules, ["nichtig"], "  ")).toEqual([]);
    expect(search(rules as unknown as Rules, ["njet-1997", "njet-2007"], "loot")[0]?.paragraph.title).toBe("Loot");
  });
  test("hits are marked, accents or not", () => {
    expect(highlight("Déjà vu", ["deja"])).toEqual([
      { text: "Déjà", hit: true },
      { text: " vu", hit: false },
    ]);
    expect(highlight("aaa", ["b"])).toEqual([{ text: "aaa", hit: false }]);
  });
});

describe("lessons", () => {
  test.each(Object.entries(LESSONS))("%s: what it waits for is allowed", (_, lesson) => {
    for (const stop of lesson.stops)
      for (const best of stop.best)
        expect(actionFor(stop, best.split(" ").slice(2).join(" ")), best).toEqual({ action: best });
  });
  test("a refusal names its paragraph", () => {
    const follow = LESSONS.niet.stops.find((stop) => stop.name === "niet.follow");
    expect(follow && actionFor(follow, "R1")).toEqual({
      action: "0 play R1",
      refused: "must-follow",
      paragraph: "niet-2015 §6.3",
    });
  });
});

test.each(LANGUAGES)("%s: what the ×2 card adds brings its own sign, also where points are lost", async (language) => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { setItem: () => undefined });
  await setLanguage(language);
  expect(t("round-score.double", { n: number(-4) })).toMatch(/^−4 /);
});
