// Texts: one catalogue per language, loaded when it is chosen, and parts that only some pages load. The English ones type
// the keys; `{name}` is filled in.
import { LANGUAGES } from "../generated/names";
import type en from "./en";
import type study from "./study/en";

export { LANGUAGES };
export type Language = (typeof LANGUAGES)[number];
export type Catalogue = Record<keyof typeof en, string>;
export type StudyCatalogue = Record<keyof typeof study, string>;
type AnyKey = keyof Catalogue | keyof StudyCatalogue;
/** Keys that come as `key.one` and `key.other`. */
export type CountKey = { [K in AnyKey]: K extends `${infer Stem}.other` ? Stem : never }[AnyKey];
/** Keys that come as `key.you` and `key.name`. */
export type SentenceKey = {
  [K in AnyKey]: K extends `${infer Stem}.you` ? (`${Stem}.name` extends AnyKey ? Stem : never) : never;
}[AnyKey];
/** Keys of texts with one form, for `t`. The two forms of a sentence are for `sentence` only. */
export type Key = Exclude<AnyKey, `${SentenceKey}.${"you" | "name"}`>;
/** A person in a sentence. */
export interface Named {
  name: string;
  /** This is the reader. */
  isYou?: boolean;
}
export type Values = Record<string, string | number>;

const LOAD: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./en"),
  fr: () => import("./fr"),
  de: () => import("./de"),
};
/** The texts of reviews and puzzles. */
const LOAD_STUDY: Record<Language, () => Promise<{ default: StudyCatalogue }>> = {
  en: () => import("./study/en"),
  fr: () => import("./study/fr"),
  de: () => import("./study/de"),
};
const KEY = "atout.language";

let catalogue = $state.raw<Partial<Record<AnyKey, string>> | null>(null);
let hasStudy = false;
let current = $state<Language>("en");

export const language = {
  get current(): Language {
    return current;
  },
};

/** The first of the browser's languages that the page has; else English. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((one) => one === tag.toLowerCase().split("-")[0]);
    if (found) return found;
  }
  return "en";
}

export async function setLanguage(next: Language): Promise<void> {
  const [texts, more] = await Promise.all([LOAD[next](), hasStudy ? LOAD_STUDY[next]() : null]);
  catalogue = { ...texts.default, ...more?.default };
  current = next;
  document.documentElement.lang = next;
  localStorage.setItem(KEY, next);
}

/** Loads a page together with the texts of reviews and puzzles. */
export async function withStudyTexts<T>(page: Promise<T>): Promise<T> {
  hasStudy = true;
  const wanted = current;
  const more = await LOAD_STUDY[wanted]();
  if (wanted === current) catalogue = { ...catalogue, ...more.default };
  return page;
}

export async function startLanguage(): Promise<void> {
  const kept = LANGUAGES.find((one) => one === localStorage.getItem(KEY));
  await setLanguage(kept ?? preferred(navigator.languages));
}

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The text of a key in the chosen language. */
export function t(key: Key, values: Values = {}): string {
  return fill(catalogue?.[key] ?? key, { ...values });
}

/** Whether the catalogue has a text for a key built from a server's code. */
export function has(key: string): key is Key {
  return catalogue !== null && key in catalogue;
}

/** The text for a number of things, in the plural form of the language. */
export function count(key: CountKey, n: number, values: Values = {}): string {
  const form = new Intl.PluralRules(current).select(n) === "one" ? "one" : "other";
  return t(`${key}.${form}` as Key, { n: number(n), ...values });
}

/** A sentence about somebody: its `.you` form for the reader, its `.name` form with `{who}` for anybody else. */
export function sentence(key: SentenceKey, person: Named | undefined, values: Values = {}): string {
  const form = person?.isYou ? "you" : "name";
  return fill(catalogue?.[`${key}.${form}`] ?? key, { who: person?.name ?? "", ...values });
}

/** A name after a preposition: "by you", "von dir", "by Ines". */
export function whom(person: Named | undefined): string {
  return person?.isYou ? t("seat.whom") : (person?.name ?? "");
}

/** A number with the language's digits and a real minus sign. */
export function number(n: number): string {
  return new Intl.NumberFormat(current).format(n).replace("-", "−");
}

/** A difference to one decimal, always with its sign. */
export function signed(n: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" } as const;
  return new Intl.NumberFormat(current, digits).format(n).replace("-", "−");
}

/** A number with two digits after the point. */
export function hundredths(n: number): string {
  return new Intl.NumberFormat(current, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(n);
}

/** A list of names: "Ann, Bo and Cy". */
export function list(words: string[]): string {
  return new Intl.ListFormat(current, { type: "conjunction" }).format(words);
}
