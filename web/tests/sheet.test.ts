// Sheets are read from storage and files unchanged; anything else is refused with the place of the mistake.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSheet, readSheets, SheetError, type Sheet } from "../src/sheet/model";

const sheet: Sheet = {
  atoutSheet: 1,
  id: "m4x-1",
  edition: "niet-2015",
  names: ["Ann", "Bo", "Cy"],
  options: { length: { target: 100 }, scoring: "total", teams: false },
  rounds: [
    {
      kind: "njet",
      start: 1,
      discard: "none",
      trump: "red",
      super: null,
      points: -2,
      side: [0, 2],
      double: 1,
      tricks: [7, 4, 5],
      loot: [2, 1, 0],
    },
    { kind: "plain", scores: [-28, 10, 0] },
  ],
  created: 1,
  changed: 2,
};
const placeOf = (value: unknown): string => {
  try {
    readSheet(value);
  } catch (error) {
    if (error instanceof SheetError) return error.place;
    throw error;
  }
  return "";
};

test("written and read is the same", () => {
  expect(readSheets(JSON.stringify(sheet))).toEqual([sheet]);
  expect(readSheets(JSON.stringify([sheet, sheet]))).toHaveLength(2);
});

describe("refused, with the place that is wrong", () => {
  test.each([
    ["sheet", null],
    ["atoutSheet", { ...sheet, atoutSheet: 2 }],
    ["edition", { ...sheet, edition: "njet-1234" }],
    ["names", { ...sheet, names: ["Ann"] }],
    ["options.length", { ...sheet, options: { ...sheet.options, length: "short" } }],
    ["options.teams", { ...sheet, options: { ...sheet.options, teams: true } }],
    ["rounds[0].kind", { ...sheet, rounds: [{ kind: "tops", tops: [] }] }],
    ["rounds[0].points", { ...sheet, rounds: [{ ...sheet.rounds[0], points: 5 }] }],
    ["rounds[0].tricks", { ...sheet, rounds: [{ ...sheet.rounds[0], tricks: [1, 2] }] }],
    ["rounds[0].scores[2]", { ...sheet, rounds: [{ kind: "plain", scores: [1, 2, 0.5] }] }],
    ["id", { ...sheet, id: "../x" }],
    ["created", { ...sheet, created: -1 }],
  ])("%s", (place, value) => expect(placeOf(value)).toBe(place));
  test("text that is no JSON", () => expect(() => readSheets("x")).toThrow(SheetError));
});

test("a sheet that the terminal kept is read, and written again unchanged", () => {
  const text = readFileSync(new URL("./generated/sheet.json", import.meta.url), "utf-8");
  const [kept] = readSheets(text);
  expect(JSON.stringify(kept, null, 1) + "\n").toBe(text);
});
