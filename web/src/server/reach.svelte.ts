// Where others open this page. A link to 127.0.0.1 leads every device to itself, so it is no invitation.
import type { Addresses } from "./protocol";
import { request } from "./request";

/** Whether a host in the address bar is the computer's own name for itself. */
export const isOwnName = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host);

export interface Reach {
  /** The origin that other devices open; empty if there is none. */
  origin: string;
  /** The server listens on its own machine alone, until it is started in another way. */
  isLocal: boolean;
}

let known = $state.raw<Reach | null>(null);
let asked = false;

export const reach = {
  /** Null until the server has answered; whoever reads it has asked with `findReach`. */
  get known(): Reach | null {
    return known;
  },
};

/** Finds out where others open this page: where it was opened, unless that is the computer's own name for itself. */
export async function findReach(): Promise<void> {
  if (asked) return;
  asked = true;
  if (!isOwnName(location.hostname)) {
    known = { origin: location.origin, isLocal: false };
    return;
  }
  try {
    const { origins, is_local } = await request<Addresses>("GET", "/api/addresses");
    known = { origin: origins[0] ?? "", isLocal: is_local };
  } catch {
    known = { origin: "", isLocal: false };
    asked = false;
  }
}
