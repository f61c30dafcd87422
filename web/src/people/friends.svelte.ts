// This guest's friends, as this device knew them last: a list that is there before the server answers.
import type { Friend } from "../server/protocol";
import { parseObject, storage } from "../storage";

const KEY = "atout.friends";

function stored(): Friend[] {
  const found = parseObject(storage?.getItem(KEY) ?? null)["friends"];
  return Array.isArray(found) ? (found as Friend[]).map((one) => ({ ...one, is_online: false })) : [];
}

let known = $state.raw<readonly Friend[]>(stored());

export const friends = {
  get known(): readonly Friend[] {
    return known;
  },
};

/** Takes in what the server says. */
export function noteFriends(found: readonly Friend[]): void {
  known = found;
  if (found.length > 0) storage?.setItem(KEY, JSON.stringify({ friends: found }));
  else storage?.removeItem(KEY);
}
