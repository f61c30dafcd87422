// Requests for puzzles and own mistakes. A puzzle comes with its answer: the page grades at once, and offline.
import type { MistakeAttempt, Mistakes, MyPuzzles, PuzzleAttempt, PuzzlePosition, Puzzles } from "./protocol";
import { request } from "./request";

const puzzlePath = (id: string): string => `/api/puzzles/${encodeURIComponent(id)}`;
const mistakePath = (id: string): string => `/api/mistakes/${encodeURIComponent(id)}`;

export const listPuzzles = (): Promise<Puzzles> => request<Puzzles>("GET", "/api/puzzles");
export const readPuzzle = (id: string): Promise<PuzzlePosition> => request<PuzzlePosition>("GET", puzzlePath(id));
export const tryPuzzle = (id: string, action: string): Promise<PuzzleAttempt> =>
  request<PuzzleAttempt>("POST", `${puzzlePath(id)}/attempts`, { action });
/**
 * Fetches puzzles, so that the service worker keeps them. On a first visit it is not in charge of this page yet: what was
 * fetched before went past it.
 */
export async function keepPuzzles(ids: readonly string[]): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker: workers } = navigator;
  if (!workers.controller) {
    await new Promise((resolve) => workers.addEventListener("controllerchange", resolve, { once: true }));
    await listPuzzles();
  }
  await Promise.all(ids.map(readPuzzle));
}
export const myPuzzles = (): Promise<MyPuzzles> => request<MyPuzzles>("GET", "/api/puzzles/me");
export const myMistakes = (): Promise<Mistakes> => request<Mistakes>("GET", "/api/mistakes");
export const readMistake = (id: string): Promise<PuzzlePosition> => request<PuzzlePosition>("GET", mistakePath(id));
export const tryMistake = (id: string, action: string): Promise<MistakeAttempt> =>
  request<MistakeAttempt>("POST", `${mistakePath(id)}/attempts`, { action });
