import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { offline } from "./scripts/offline-plugin.mjs";

export default defineConfig({
  plugins: [svelte(), offline()],
  build: {
    outDir: fileURLToPath(new URL("../src/atout/server/static", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { bundlerTimings: false } }, // how long the bundler took is no news
  },
  server: { fs: { allow: [".."] } }, // docs/protocol
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
    // when a test counts as hanging; no test measures time, and a busy machine may need long for an import
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
