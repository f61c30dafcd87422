// The guest of this device: a name in localStorage. The server recognises the guest by a cookie that scripts cannot
// read.
import { untrack } from "svelte";
import { t } from "../i18n/index.svelte";
import { noteFriends } from "../people/friends.svelte";
import { noteNews } from "../people/news.svelte";
import { keepCode } from "../settings/new_code.svelte";
import { storage } from "../storage";
import type { Profile } from "./protocol";
import { request, RequestError } from "./request";

const KEY = "atout.name";
export const MAX_NAME = 30;
/** What somebody is called who typed no name, in each language. */
export const UNCHOSEN_NAMES: readonly string[] = ["Guest", "Invité", "Gast"];
let name = $state(storage?.getItem(KEY) ?? "");

export const guest = {
  get name(): string {
    return name;
  },
  /** Whether this device has registered with the server. */
  get isKnown(): boolean {
    return name !== "";
  },
  /** Whether somebody chose the name: "Guest" is what one is called without. */
  get hasName(): boolean {
    return name !== "" && !UNCHOSEN_NAMES.includes(name);
  },
};

/** The registrations so far. One follows the other: a device registers once, and what was typed last is the name. */
let registered: Promise<unknown> = Promise.resolve();

/**
 * Registers this device with the server, under a new name or the stored one; without a name it is called "Guest".
 * The name is read untracked: an effect that calls this does not run again when the name changes.
 */
export function registerGuest(wanted?: string): Promise<string> {
  const next = registered.then(() => register(wanted));
  registered = next.catch(() => undefined);
  return next;
}

/** The device has another guest from now on: somebody signed in or out. Without a name nobody is known here. */
export function takeName(given: string): void {
  noteFriends([]);
  noteNews();
  keepCode("");
  name = given;
  if (given) storage?.setItem(KEY, given);
  else storage?.removeItem(KEY);
}

/** A device whose guest was forgotten elsewhere is refused once; that answer takes its void cookie away. */
async function introduce(given: string): Promise<Profile> {
  const ask = () => request<Profile>("POST", "/api/guest", { name: given });
  return ask().catch((error: unknown) => {
    if (error instanceof RequestError && error.status === 401) return ask();
    throw error;
  });
}

async function register(wanted?: string): Promise<string> {
  const given = untrack(() => (wanted ?? name).trim().slice(0, MAX_NAME) || t("guest.name"));
  const profile = await introduce(given);
  name = profile.name;
  storage?.setItem(KEY, name);
  return name;
}
