// Who this device is: a name, kept here; the server knows it by a cookie this page cannot read.
import { untrack } from "svelte";
import { t } from "../i18n/index.svelte";
import { storage } from "../storage";
import type { Profile } from "./protocol";
import { request } from "./request";

const KEY = "atout.name";
export const MAX_NAME = 30;
let name = $state(storage?.getItem(KEY) ?? "");

export const guest = {
  get name(): string {
    return name;
  },
  /** Whether the server has met this device. */
  get isKnown(): boolean {
    return name !== "";
  },
};

/** Tell the server who this is, under a new name or the old one; whoever never gave one is a guest. What calls it does not
 *  start again when the name changes. */
export async function registerGuest(wanted?: string): Promise<string> {
  const given = untrack(() => (wanted ?? name).trim().slice(0, MAX_NAME) || t("guest.name"));
  const profile = await request<Profile>("POST", "/api/guest", { name: given });
  name = profile.name;
  storage?.setItem(KEY, name);
  return name;
}
