// Contrast (WCAG 2.2) of every pair of colours that the page puts on each other, in all three schemes.
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CHARACTERS, COLOURS } from "../src/art/suits";

const css = readFileSync(new URL("../src/styles/tokens.css", import.meta.url), "utf-8");
const block = (selector: string) => css.slice(css.indexOf(selector)).split("}")[0] ?? "";
const tokens = (text: string) =>
  Object.fromEntries([...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));
const light = tokens(block(":root"));
const SCHEMES = {
  light,
  dark: { ...light, ...tokens(block('[data-theme="dark"]')) },
  contrast: { ...light, ...tokens(block('[data-theme="contrast"]')) },
};

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}
function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const TEXT: [string, string][] = [
  ...["page", "sheet", "inset"].flatMap((ground): [string, string][] => [
    ["ink", ground],
    ["muted", ground],
    ["danger", ground],
  ]),
  ["us-fg", "us"],
  ["us-muted", "us"],
  ["them-fg", "them"],
  ["them-muted", "them"],
  ["us-fg", "us-mat"],
  ["them-fg", "them-mat"],
  ["label-fg", "label"],
  ["card-ink", "card"],
  ["ink", "them-mat"],
  ...COLOURS.map((colour): [string, string] => [`on-${colour}`, colour]),
  ...COLOURS.map((colour): [string, string] => [`${colour}-text`, "card"]),
  ...COLOURS.map((colour): [string, string] => [`${colour}-glow`, "card-ink"]),
];
const SHAPES: [string, string][] = [
  ["line-strong", "page"],
  ["line-strong", "sheet"],
  ...CHARACTERS.map((who): [string, string] => [`${who}-edge`, "page"]),
  ...CHARACTERS.map((who): [string, string] => ["mark", who]),
];

describe.each(Object.entries(SCHEMES))("%s", (_, scheme) => {
  const ratio = (a: string, b: string) => contrast(scheme[a] ?? "", scheme[b] ?? "");
  test.each(TEXT)("text %s on %s", (a, b) => expect(ratio(a, b)).toBeGreaterThanOrEqual(4.5));
  test.each(SHAPES)("shape %s on %s", (a, b) => expect(ratio(a, b)).toBeGreaterThanOrEqual(3));
});

test("no component gives a colour's name to something else", () => {
  const root = new URL("../src/", import.meta.url);
  const set = readdirSync(root, { recursive: true, encoding: "utf-8" })
    .filter((path) => path.endsWith(".svelte"))
    .flatMap((path) =>
      [...readFileSync(new URL(path, root), "utf-8").matchAll(/--([\w-]+):\s*\{/g)].map(
        ([, name]) => `${path}: ${name}`,
      ),
    );
  expect(set.length).toBeGreaterThan(0);
  expect(set.filter((one) => (one.split(": ")[1] ?? "") in light)).toEqual([]);
});
