// The service worker: score sheet, rules and lessons work without a network.
// Built files carry a digest in their names, so a kept copy is as good as a fetched one; pages are asked for first.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const VERSION = "__VERSION__";
const FILES = ["__FILES__"];
const CACHE = `atout-${VERSION}`;
/** Servers that vary by origin would hide a kept file from a module script; the name alone decides. */
const ANY = { ignoreVary: true };

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  const drop = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(drop());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (FILES.includes(url.pathname)) event.respondWith(kept(request));
});

/** The page from the server; without it, the kept one, which knows every address. @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("/", ANY)) ?? Response.error();
  }
}

/** @param {Request} request */
async function kept(request) {
  return (await caches.match(request.url, ANY)) ?? fetch(request);
}
