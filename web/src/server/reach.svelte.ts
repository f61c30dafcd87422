// Where others open this page. A link to 127.0.0.1 leads every device to itself, so it is no invitation.
import type { Addresses } from "./protocol";
import { request } from "./request";

/** Whether a host in the address bar is the computer's own name for itself. */
export const isOwnName = (host: string): boolean =>
  ["localhost", "[::1]", "[::]", "0.0.0.0"].includes(host) ||
  host.endsWith(".localhost") ||
  /^127(\.\d+){3}$/.test(host);

export interface Reach {
  /** The origin that other devices open; empty if there is none. */
  origin: string;
  /** The server listens on its own machine alone, until it is started in another way. */
  isLocal: boolean;
}

let known = $state.raw<Reach | null>(null);
let isAsking = false;

export const reach = {
  /** Null until the server has answered; whoever reads it has asked with `findReach`. */
  get known(): Reach | null {
    return known;
  },
};

/** The origin of links that are sent to other devices, as far as it is known. */
export const originForOthers = (): string => known?.origin || location.origin;
/** Whether no other device can open a link to this page. */
export const isOnlyHere = (): boolean => known?.origin === "";

/**
 * Finds out where others open this page: at the public address if the server has one, else where it was opened, unless
 * that is the computer's own name for itself. A computer changes networks, so it is asked again.
 */
export async function findReach(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  const here = isOwnName(location.hostname) ? "" : location.origin;
  if (here) known ??= { origin: here, isLocal: false };
  try {
    const { origins, is_local } = await request<Addresses>("GET", "/api/addresses");
    known = { origin: origins[0] ?? here, isLocal: is_local && !here };
  } catch {
    known ??= { origin: here, isLocal: false };
  } finally {
    isAsking = false;
  }
}
