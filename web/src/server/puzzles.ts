// Requests for puzzles and own mistakes. A puzzle comes with its answer: the page grades at once, and offline.
import type { MistakeAttempt, Mistakes, MyPuzzles, PuzzleAttempt, PuzzlePosition, Puzzles } from "./protocol";
import { request } from "./request";

const puzzlePath = (id: string): string => `/api/puzzles/${encodeURIComponent(id)}`;
const mistakePath = (id: string): string => `/api/mistakes/${encodeURIComponent(id)}`;

export const listPuzzles = (): Promise<Puzzles> => request<Puzzles>("GET", "/api/puzzles");
export const readPuzzle = (id: string): Promise<PuzzlePosition> => request<PuzzlePosition>("GET", puzzlePath(id));
export const tryPuzzle = (id: string, action: string): Promise<PuzzleAttempt> =>
  request<PuzzleAttempt>("POST", `${puzzlePath(id)}/attempts`, { action });
export const myPuzzles = (): Promise<MyPuzzles> => request<MyPuzzles>("GET", "/api/puzzles/me");
export const myMistakes = (): Promise<Mistakes> => request<Mistakes>("GET", "/api/mistakes");
export const readMistake = (id: string): Promise<PuzzlePosition> => request<PuzzlePosition>("GET", mistakePath(id));
export const tryMistake = (id: string, action: string): Promise<MistakeAttempt> =>
  request<MistakeAttempt>("POST", `${mistakePath(id)}/attempts`, { action });
