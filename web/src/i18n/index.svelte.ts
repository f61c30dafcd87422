// Words: one catalogue a language, loaded when chosen. Shortcuts are typed by the English one; `{name}` is filled in.
import type en from "./en";

export const LANGUAGES = ["en", "fr", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Catalogue = Record<keyof typeof en, string>;
export type Key = keyof Catalogue;
/** Shortcuts that come as `key.one` and `key.other`. */
export type CountKey = { [K in Key]: K extends `${infer Stem}.other` ? Stem : never }[Key];
export type Values = Record<string, string | number>;

const LOAD: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./en"),
  fr: () => import("./fr"),
  de: () => import("./de"),
};
const KEY = "atout.language";

let catalogue = $state.raw<Catalogue | null>(null);
let current = $state<Language>("en");

export const language = {
  get current(): Language {
    return current;
  },
};

/** The first of the browser's languages that we speak; English otherwise. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((one) => one === tag.toLowerCase().split("-")[0]);
    if (found) return found;
  }
  return "en";
}

export async function setLanguage(next: Language): Promise<void> {
  catalogue = (await LOAD[next]()).default;
  current = next;
  document.documentElement.lang = next;
  localStorage.setItem(KEY, next);
}

export async function startLanguage(): Promise<void> {
  const kept = LANGUAGES.find((one) => one === localStorage.getItem(KEY));
  await setLanguage(kept ?? preferred(navigator.languages));
}

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The words for a key in the chosen language. */
export function t(key: Key, values: Values = {}): string {
  return fill(catalogue?.[key] ?? key, { ...values });
}

/** Whether there are words for what came from outside: a code of the server. */
export function has(key: string): key is Key {
  return catalogue !== null && key in catalogue;
}

/** The words for a number of things: one or other, as the language counts. */
export function count(key: CountKey, n: number, values: Values = {}): string {
  const form = new Intl.PluralRules(current).select(n) === "one" ? "one" : "other";
  return t(`${key}.${form}` as Key, { n: number(n), ...values });
}

/** A number as it is written: a real minus, the language's digits. */
export function number(n: number): string {
  return new Intl.NumberFormat(current).format(n).replace("-", "−");
}

/** "Ann, Bo and Cy" */
export function list(words: string[]): string {
  return new Intl.ListFormat(current, { type: "conjunction" }).format(words);
}
