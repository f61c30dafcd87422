// What the server has to offer, asked for once.
import { listEditions } from "./lobby";

let levels = $state.raw<string[]>([]);
let loading: Promise<void> | null = null;

/** Throws when there is no server; the next call asks again. */
export function loadLevels(): Promise<void> {
  loading ??= listEditions()
    .then((answer) => {
      levels = answer.levels;
    })
    .catch((error: unknown) => {
      loading = null;
      throw error;
    });
  return loading;
}

export const botLevels = {
  /** Bots, weakest first; empty until the server has answered. */
  get all(): readonly string[] {
    return levels;
  },
};
