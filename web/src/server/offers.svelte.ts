// What the server has to offer, asked for once.
import { offered } from "./lobby";

let levels = $state.raw<string[]>([]);
let asking: Promise<void> | null = null;

/** Throws when there is no server; the next call asks again. */
export function askOffers(): Promise<void> {
  asking ??= offered()
    .then((told) => {
      levels = told.levels;
    })
    .catch((error: unknown) => {
      asking = null;
      throw error;
    });
  return asking;
}

export const offers = {
  /** Bots, weakest first; empty until the server has answered. */
  get levels(): readonly string[] {
    return levels;
  },
};
