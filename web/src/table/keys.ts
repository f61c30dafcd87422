// Keys that do something anywhere at the table; they can be switched off in the settings.
export const KEYS = [
  ["h", "hint"],
  ["u", "takeback"],
  ["n", "next"],
  ["l", "last"],
  ["s", "score"],
  ["g", "log"],
  ["c", "chat"],
  ["m", "menu"],
] as const;
export type Deed = (typeof KEYS)[number][1];

interface Pressed {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** What a key means; null while somebody writes or chooses in a field. */
export function deedOf(event: Pressed, field: string): Deed | null {
  if (event.altKey || event.ctrlKey || event.metaKey || ["INPUT", "TEXTAREA", "SELECT"].includes(field)) return null;
  return KEYS.find(([key]) => key === event.key.toLowerCase())?.[1] ?? null;
}
