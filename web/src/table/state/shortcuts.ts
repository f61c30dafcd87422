// Shortcuts that do something anywhere at the table; they can be switched off in the settings.
export const SHORTCUTS = [
  ["h", "hint"],
  ["u", "takeback"],
  ["n", "next"],
  ["l", "last"],
  ["s", "score"],
  ["g", "log"],
  ["c", "chat"],
  ["m", "menu"],
] as const;
export type ShortcutAction = (typeof SHORTCUTS)[number][1];

interface KeyPress {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** What a key means; null while somebody writes or chooses in a field. */
export function shortcutFor(event: KeyPress, field: string): ShortcutAction | null {
  if (event.altKey || event.ctrlKey || event.metaKey || ["INPUT", "TEXTAREA", "SELECT"].includes(field)) return null;
  return SHORTCUTS.find(([key]) => key === event.key.toLowerCase())?.[1] ?? null;
}
