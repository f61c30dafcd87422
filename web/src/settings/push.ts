// Push messages in this browser. The subscription is looked at again at each start of the page: browsers drop and change
// them without a word, and the server may have another key by now.
import { guest } from "../server/guest.svelte";
import type { ChannelEntry, NudgesAnswer } from "../server/protocol";
import { request, RequestError } from "../server/request";
import { storage } from "../storage";

/** Kept while this browser is to be told: the id of its channel at the server. */
const KEY = "atout.push";

export const hasPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in globalThis && typeof Notification !== "undefined";

/** The channel of this browser; empty if it is not to be told. */
export const channelHere = (): string => storage?.getItem(KEY) ?? "";

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Whether a subscription was made with a key of the server. */
function isFor(subscription: PushSubscription, key: Uint8Array): boolean {
  const made = subscription.options.applicationServerKey;
  if (!made) return false;
  const theirs = new Uint8Array(made);
  return theirs.length === key.length && theirs.every((byte, i) => byte === key[i]);
}

/** The browser's subscription for a key of the server: the one it has, or a new one. */
async function subscription(manager: PushManager, key: string): Promise<PushSubscription> {
  const bytes = toBytes(key);
  const known = await manager.getSubscription();
  if (known && isFor(known, bytes)) return known;
  await known?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
}

/** Tells the server where this browser is reached, and to forget where it was reached before. */
async function register(manager: PushManager, key: string): Promise<ChannelEntry> {
  const { endpoint, keys } = (await subscription(manager, key)).toJSON();
  const body = { url: endpoint, keys: { p256dh: keys?.["p256dh"], auth: keys?.["auth"] } };
  const channel = await request<ChannelEntry>("POST", "/api/nudges/channels", body);
  const before = channelHere();
  storage?.setItem(KEY, channel.id);
  if (before && before !== channel.id) await dropChannel(before);
  return channel;
}

/** A channel that the server does not have any more is gone as well. */
async function dropChannel(id: string): Promise<void> {
  await request<void>("DELETE", `/api/nudges/channels/${encodeURIComponent(id)}`).catch((error: unknown) => {
    if (!(error instanceof RequestError && error.status === 404)) throw error;
  });
}

/** Asks for leave and registers this browser; false if the browser or its person refuses. */
export async function startPush(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const worker = await navigator.serviceWorker.ready;
  await register(worker.pushManager, key);
  return true;
}

export async function stopPush(): Promise<void> {
  const before = channelHere();
  storage?.removeItem(KEY);
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  if (before) await dropChannel(before);
}

/** At the start of the page: registers this browser again, if it is to be told. Without a connection, the next start does. */
export async function renewPush(): Promise<void> {
  if (!channelHere() || !guest.isKnown || !hasPush()) return;
  if (Notification.permission !== "granted") return stopPush();
  const worker = await navigator.serviceWorker.ready;
  const { key } = await request<NudgesAnswer>("GET", "/api/nudges");
  if (key) await register(worker.pushManager, key);
}
