// Who this device is: a name, kept here; the server knows it by a cookie this page cannot read.
import { untrack } from "svelte";
import { t } from "../i18n/index.svelte";
import type { Profile } from "./protocol";
import { ask } from "./rest";

const KEY = "atout.name";
export const MAX_NAME = 30;
const store = typeof localStorage === "undefined" ? null : localStorage;
let name = $state(store?.getItem(KEY) ?? "");

export const me = {
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
export async function introduce(wanted?: string): Promise<string> {
  const told = untrack(() => (wanted ?? name).trim().slice(0, MAX_NAME) || t("guest.name"));
  const profile = await ask<Profile>("POST", "/api/guest", { name: told });
  name = profile.name;
  store?.setItem(KEY, name);
  return name;
}
