// Writes the list of built files into the service worker; their digest is its version.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

const WORKER = new URL("../src/offline/worker.js", import.meta.url);
const PUBLIC = new URL("../public/", import.meta.url);

/** Font files for further scripts are loaded when needed; everything else is cached for offline use. @param {string} name */
const isCached = (name) => !name.includes("-ext-") && !name.endsWith(".map") && !name.startsWith(".vite/");

/** @returns {import("vite").Plugin} */
export function offline() {
  return {
    name: "atout-offline",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const built = Object.keys(bundle).filter((name) => isCached(name) && name !== "index.html");
        const files = [...built, ...readdirSync(PUBLIC)].sort();
        const digest = createHash("sha256");
        for (const name of files) digest.update(name);
        for (const name of readdirSync(PUBLIC)) digest.update(readFileSync(new URL(name, PUBLIC)));
        const source = readFileSync(WORKER, "utf-8")
          .replace('"__VERSION__"', JSON.stringify(digest.digest("hex").slice(0, 16)))
          .replace('["__FILES__"]', JSON.stringify(["/", ...files.map((name) => `/${name}`)]));
        this.emitFile({ type: "asset", fileName: "worker.js", source });
      },
    },
  };
}
