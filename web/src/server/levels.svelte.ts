// The bot levels that the server offers, loaded once.
import { listEditions } from "./lobby";

let levels = $state.raw<string[]>([]);
let loading: Promise<void> | null = null;

/** Rejects when the server cannot be reached; the next call tries again. */
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
  /** Ids of the levels, weakest first; empty until the server has answered. */
  get all(): readonly string[] {
    return levels;
  },
};
