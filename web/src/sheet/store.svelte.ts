// The score sheets on this device. A text that cannot be read is kept under another storage key.
import { readSheet, type Options, type Sheet } from "./model";
import type { EditionId } from "../editions";

const KEY = "atout.sheets";
const UNREADABLE_KEY = "atout.sheets.unreadable";

function load(): Sheet[] {
  const text = localStorage.getItem(KEY);
  if (text === null) return [];
  try {
    const data: unknown = JSON.parse(text);
    return (Array.isArray(data) ? data : []).map(readSheet);
  } catch {
    localStorage.setItem(UNREADABLE_KEY, text);
    return [];
  }
}

export const sheets: { all: Sheet[] } = $state({ all: load() });

export function save(): void {
  localStorage.setItem(KEY, JSON.stringify(sheets.all));
}

// Another tab may write sheets too: load them again.
addEventListener("storage", (event) => {
  if (event.key === KEY) sheets.all = load();
});

export function sheetOf(id: string): Sheet | undefined {
  return sheets.all.find((sheet) => sheet.id === id);
}

export function addSheet(edition: EditionId, names: string[], options: Options): Sheet {
  const now = Date.now();
  const id = `${now.toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
  const sheet: Sheet = { atoutSheet: 1, id, edition, names, options, rounds: [], created: now, changed: now };
  sheets.all.unshift(sheet);
  save();
  return sheet;
}

export function change(sheet: Sheet, edit: (sheet: Sheet) => void): void {
  edit(sheet);
  sheet.changed = Date.now();
  save();
}

export function removeSheet(id: string): void {
  sheets.all = sheets.all.filter((sheet) => sheet.id !== id);
  save();
}

/**
 * Adds sheets from a file. A sheet that exists here is replaced if the file's is newer. Returns the number of sheets
 * added.
 */
export function importSheets(found: Sheet[]): number {
  let taken = 0;
  for (const sheet of found) {
    const here = sheets.all.findIndex((one) => one.id === sheet.id);
    if (here < 0) sheets.all.unshift(sheet);
    else if ((sheets.all[here]?.changed ?? 0) < sheet.changed) sheets.all[here] = sheet;
    else continue;
    taken++;
  }
  save();
  return taken;
}

export function download(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
