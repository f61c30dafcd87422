// Forgetting whoever uses this browser: on the server, and in what the page keeps here.
import { request, RequestError } from "../server/request";

/** What every key of this page in localStorage begins with. */
const OURS = "atout.";

/** Removes everything that the page keeps in a storage, and nothing else. */
export function clearOurs(kept: Pick<Storage, "length" | "key" | "removeItem">): void {
  const keys = Array.from({ length: kept.length }, (_, i) => kept.key(i));
  for (const key of keys) if (key?.startsWith(OURS)) kept.removeItem(key);
}

/** A browser that the server does not know has nothing there to be forgotten. */
async function forgetOnServer(): Promise<void> {
  try {
    await request<void>("DELETE", "/api/guest");
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 401)) throw error;
  }
}

/** Forgets the guest, then loads the page again: nothing in memory may be written again. */
export async function forgetMe(): Promise<void> {
  await forgetOnServer();
  clearOurs(localStorage);
  clearOurs(sessionStorage);
  location.replace("/");
}
