// Forgetting takes away what this page keeps in the browser, and nothing of others.
import { expect, test } from "vitest";
import { clearOurs } from "../src/settings/forget";

test("only our own keys go, all of them", () => {
  const kept = new Map([
    ["atout.name", "Ann"],
    ["other", "stays"],
    ["atout.fair", "[]"],
    ["atout.sheets", "[]"],
    ["atoutlike", "stays"],
  ]);
  clearOurs({
    length: kept.size,
    key: (i) => [...kept.keys()][i] ?? null,
    removeItem: (key) => void kept.delete(key),
  });
  expect([...kept.keys()]).toEqual(["other", "atoutlike"]);
});
