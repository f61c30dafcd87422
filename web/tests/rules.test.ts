// The rules as readers see them.
import { expect, test } from "vitest";
import { forReaders, loadRules } from "../src/rules/pages";

test("what is for programs is left out", () => {
  expect(forReaders('Half as many rounds. In records: `{"length": "short"}`. No target.')).toBe(
    "Half as many rounds. No target.",
  );
});

test.each(["en", "fr", "de"] as const)("no notation of records in the rules: %s", async (language) => {
  const text = JSON.stringify(await loadRules(language));
  expect(text).not.toContain("`{");
  expect(text).not.toMatch(/\.\s?\.(?!\.)/);
  expect(text.length).toBeGreaterThan(10_000);
});
