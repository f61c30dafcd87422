// The service worker: score sheet, rules and lessons work without a network.
// Names of built files contain a digest, so a cached copy is never stale; pages are fetched first.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const VERSION = "__VERSION__";
const FILES = ["__FILES__"];
const CACHE = `atout-${VERSION}`;
/** Puzzles that were fetched: the page asks for those of some days ahead. They outlive a new version. */
const PUZZLES = "atout-puzzles";
const PUZZLE = /^\/api\/puzzles(\/(?!me$|today$)[^/]+)?$/;
/** Some servers send `Vary: Origin`, which would hide a cached file from a module script; only the URL counts. */
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
    for (const name of await caches.keys()) if (name !== CACHE && name !== PUZZLES) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(drop());
});

// A click on "your turn" leads to the table, whose path is the notification's tag.
worker.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  const show = async () => {
    const windows = await worker.clients.matchAll({ type: "window" });
    const table = windows.find((one) => new URL(one.url).pathname === notification.tag);
    await (table ? table.focus() : worker.clients.openWindow(notification.tag));
  };
  event.waitUntil(show());
});

/** What the server pushes: whose table it is and what is asked. The channel is told that it arrived. */
worker.addEventListener("push", (event) => {
  /** @type {{ title?: string, body?: string, path?: string, channel?: string }} */
  let message = {};
  try {
    message = event.data?.json() ?? {};
  } catch {
    // something is shown in any case: browsers take the subscription away from a page that shows nothing
  }
  const { title = "Atout", body = "", path = "/", channel } = message;
  const show = worker.registration.showNotification(title, { body, tag: path, icon: "/icon-192.png" });
  const told = channel ? fetch(`/api/nudges/channels/${channel}/received`, { method: "POST" }).catch(() => null) : null;
  event.waitUntil(Promise.all([show, told]));
});

/** The browser replaced the subscription: the server is told where this browser is reached from now on. */
worker.addEventListener("pushsubscriptionchange", (event) => {
  const change =
    /** @type {ExtendableEvent & { oldSubscription?: PushSubscription, newSubscription?: PushSubscription }} */ (event);
  const renew = async () => {
    const old = change.oldSubscription;
    const next =
      change.newSubscription ?? (old ? await worker.registration.pushManager.subscribe(old.options) : undefined);
    if (!next) return; // the next start of the page does it
    const { endpoint, keys } = next.toJSON();
    const body = JSON.stringify({ url: endpoint, keys: { p256dh: keys?.["p256dh"], auth: keys?.["auth"] } });
    await fetch("/api/nudges/channels", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  };
  change.waitUntil(renew());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (FILES.includes(url.pathname)) event.respondWith(cached(request));
  else if (PUZZLE.test(url.pathname)) event.respondWith(puzzle(request));
});

/** The page from the server; offline the cached one, which handles every route. @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match("/", ANY)) ?? Response.error();
  }
}

/** @param {Request} request */
async function cached(request) {
  return (await caches.match(request.url, ANY)) ?? fetch(request);
}

/** A puzzle from the server, or the copy of an earlier visit. @param {Request} request */
async function puzzle(request) {
  const cache = await caches.open(PUZZLES);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request.url, answer.clone());
    return answer;
  } catch {
    return (await cache.match(request.url, ANY)) ?? Response.error();
  }
}
