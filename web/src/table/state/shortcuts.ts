// Keyboard shortcuts of the table. They can be switched off in the settings.
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

/** The action of a key; null in a text field or with a modifier key. */
export function shortcutFor(event: KeyPress, field: string): ShortcutAction | null {
  if (event.altKey || event.ctrlKey || event.metaKey || ["INPUT", "TEXTAREA", "SELECT"].includes(field)) return null;
  return SHORTCUTS.find(([key]) => key === event.key.toLowerCase())?.[1] ?? null;
}
