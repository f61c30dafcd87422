// Measures the first load of the home page: compressed, without fonts. Fails above the budget.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BUDGET = 120 * 1024;
const out = fileURLToPath(new URL("../../src/atout/server/static/", import.meta.url));
/** @type {Record<string, { file: string, css?: string[], imports?: string[], isEntry?: boolean }>} */
const manifest = JSON.parse(readFileSync(`${out}.vite/manifest.json`, "utf-8"));

/** The entry, the home page and all languages, with everything they import. */
const catalogues = readdirSync(new URL("../src/i18n/", import.meta.url)).filter((name) => /^[a-z]+\.ts$/.test(name));
const roots = ["index.html", "src/pages/Home.svelte", ...catalogues.map((name) => `src/i18n/${name}`)];
const files = new Set(["index.html"]);
const seen = new Set();
/** @param {string} key */
function walk(key) {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return;
  seen.add(key);
  files.add(chunk.file);
  for (const css of chunk.css ?? []) files.add(css);
  for (const other of chunk.imports ?? []) walk(other);
}
roots.forEach(walk);

const sizes = [...files].map((name) => ({ name, size: gzipSync(readFileSync(out + name)).length }));
const total = sizes.reduce((sum, { size }) => sum + size, 0);
console.log(
  `the page is built: first load ${(total / 1024).toFixed(1)} KB (gzip, without fonts, all languages counted)`,
);
if (total > BUDGET) {
  for (const { name, size } of sizes) console.error(`${(size / 1024).toFixed(1).padStart(7)} KB  ${name}`);
  console.error(`first load: ${total} bytes are more than the budget of ${BUDGET}`);
  process.exit(1);
}
