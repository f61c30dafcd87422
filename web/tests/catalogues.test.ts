// All texts are in the catalogues: no key is missing or unused, and no component contains a text of its own.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "svelte/compiler";
import { describe, expect, test } from "vitest";
import de from "../src/i18n/de";
import en from "../src/i18n/en";
import fr from "../src/i18n/fr";
import { fill, preferred } from "../src/i18n/index.svelte";

const SRC = new URL("../src/", import.meta.url).pathname;
const files = readdirSync(SRC, { recursive: true, encoding: "utf-8" }).filter(
  (name) => /\.(svelte|ts)$/.test(name) && !/^i18n\/(en|fr|de)\.ts$/.test(name),
);
const sources = new Map(files.map((name) => [name, readFileSync(join(SRC, name), "utf-8")]));
const keys = Object.keys(en);

describe.each([
  ["French", fr],
  ["German", de],
] as const)("%s", (_, catalogue) => {
  test("has the keys of English, in their order", () => expect(Object.keys(catalogue)).toEqual(keys));
  test.each(keys)("%s has words, and the same places to fill", (key) => {
    const words = catalogue[key as keyof typeof en];
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    expect(words.trim()).toBe(words);
    expect(words).not.toBe("");
    expect(places(words)).toEqual(places(en[key as keyof typeof en]));
  });
});

/** A string or template in the source as a pattern for keys: `${…}` stands for anything without a dot at its end. */
function patterns(): RegExp[] {
  const found: RegExp[] = [];
  const pattern = (text: string) =>
    new RegExp(
      `^${text
        .split(/\$\{[^}]*\}/)
        .map((part) => part.replace(/[.*+?^$()[\]\\|]/g, "\\$&"))
        .join(".+")}(\\.(one|other|you|name))?$`,
    );
  for (const text of sources.values()) {
    for (const [, quoted] of text.matchAll(/"([a-z0-9]+(?:[.-][a-z0-9-]+)+)"/g))
      if (quoted) found.push(pattern(quoted));
    for (const [, template] of text.matchAll(/`([a-z]+\.(?:[a-z.-]|\$\{[^}]*\})+)`/g))
      if (template) found.push(pattern(template));
  }
  return found;
}

test("every key is used somewhere", () => {
  const used = patterns();
  expect(keys.filter((key) => !used.some((one) => one.test(key)))).toEqual([]);
});

test("every key asked for exists", () => {
  for (const [name, text] of sources)
    for (const [, key] of text.matchAll(/\bt\(\s*"([^"]+)"/g)) expect(keys, `${name} asks for ${key}`).toContain(key);
});

interface Node {
  type: string;
  [field: string]: unknown;
}
const SPOKEN = new Set(["aria-label", "title", "alt", "placeholder", "label", "aria-description", "note"]);
/** Shown as they are in every language. */
const SIGNS = /^[\s\d§·←×+−–—•:,.()=&%{}…-]*$/;

function literals(node: unknown, found: string[], attribute: string | null = null): string[] {
  if (Array.isArray(node)) for (const one of node) literals(one, found, attribute);
  else if (node !== null && typeof node === "object" && "type" in node) {
    const one = node as Node;
    if (
      one.type === "Text" &&
      (attribute === null || SPOKEN.has(attribute)) &&
      !SIGNS.test(String(one["data"]).replace(/&nbsp;/g, " "))
    )
      found.push(String(one["data"]).trim());
    const inside = one.type === "Attribute" ? String(one["name"]) : attribute;
    for (const [field, value] of Object.entries(one))
      if (field !== "metadata" && field !== "type") literals(value, found, inside);
  }
  return found;
}

describe("no component contains words of its own", () => {
  test.each(files.filter((name) => name.endsWith(".svelte")))("%s", (name) => {
    expect(literals(parse(sources.get(name) ?? "", { modern: true }).fragment, [])).toEqual([]);
  });
  test("and the check can fail", () => {
    expect(literals(parse('<p title="Hello">{1} words</p>', { modern: true }).fragment, [])).toEqual([
      "Hello",
      "words",
    ]);
  });
});

test("the browser's languages are asked in order", () => {
  expect(preferred(["it-IT", "de-CH", "fr"])).toBe("de");
  expect(preferred(["fr-CA"])).toBe("fr");
  expect(preferred(["pt"])).toBe("en");
});
test("places are filled, unknown ones stay", () => expect(fill("{a} and {b}", { a: 1 })).toBe("1 and {b}"));
