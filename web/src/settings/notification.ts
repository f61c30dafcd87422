// Notifications of the browser that it is this player's turn, while the page is open in the background.
import { settings } from "./settings.svelte";

/** Asks the browser for leave; false if it refuses, or has no notifications. */
export async function allowNotifications(): Promise<boolean> {
  if (typeof Notification === "undefined") return false;
  return Notification.permission === "granted" || (await Notification.requestPermission()) === "granted";
}

const isLookedAt = (): boolean => document.visibilityState === "visible" && document.hasFocus();

/** Shows a notification, unless the page is being looked at. `path` is where a click on it leads. */
export async function notify(title: string, body: string, path: string): Promise<void> {
  if (settings.notify === "off" || isLookedAt()) return;
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const options = { body, tag: path, icon: "/icon-192.png" };
  const worker = await registration();
  if (worker) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.addEventListener("click", () => {
    window.focus();
    shown.close();
  });
}

/** Takes the notification away again: the turn is over, or somebody looks. */
export async function withdrawNotification(path: string): Promise<void> {
  if (settings.notify === "off") return;
  for (const shown of (await (await registration())?.getNotifications({ tag: path })) ?? []) shown.close();
}

/** Phones show notifications of a service worker alone. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  const found = await navigator.serviceWorker.getRegistration();
  return found?.active ? found : undefined;
}
