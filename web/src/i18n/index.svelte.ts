// Texts: one catalogue per language, loaded when it is chosen; the texts of lessons, of nudges, of friends, and of reviews and
// puzzles are files of their own, loaded with the pages that show them. The English files type the keys; `{name}` is filled in.
import { LANGUAGES } from "../generated/names";
import type en from "./en";
import type lessonsEn from "./lessons/en";
import type nudgesEn from "./nudges/en";
import type peopleEn from "./people/en";
import type studyEn from "./study/en";
import { tenths } from "./tenths";

export { LANGUAGES };
export type Language = (typeof LANGUAGES)[number];
export type MainTexts = Record<keyof typeof en, string>;
export type LessonTexts = Record<keyof typeof lessonsEn, string>;
export type NudgeTexts = Record<keyof typeof nudgesEn, string>;
export type PeopleTexts = Record<keyof typeof peopleEn, string>;
export type StudyTexts = Record<keyof typeof studyEn, string>;
export type Catalogue = MainTexts & LessonTexts & NudgeTexts & PeopleTexts & StudyTexts;
type AnyKey = keyof Catalogue;
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

type Load = Record<Language, () => Promise<{ default: Partial<Catalogue> }>>;
const MAIN: Load = { en: () => import("./en"), fr: () => import("./fr"), de: () => import("./de") };
const PARTS = {
  lessons: {
    en: () => import("./lessons/en"),
    fr: () => import("./lessons/fr"),
    de: () => import("./lessons/de"),
  },
  people: { en: () => import("./people/en"), fr: () => import("./people/fr"), de: () => import("./people/de") },
  nudges: { en: () => import("./nudges/en"), fr: () => import("./nudges/fr"), de: () => import("./nudges/de") },
  study: { en: () => import("./study/en"), fr: () => import("./study/fr"), de: () => import("./study/de") },
} satisfies Record<string, Load>;
const KEY = "atout.language";

let catalogue = $state.raw<Partial<Catalogue> | null>(null);
let current = $state<Language>("en");
/** The parts whose texts were loaded: a language that is chosen later brings its own. */
const parts = new Set<keyof typeof PARTS>();

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
  const [main, ...more] = await Promise.all([MAIN[next](), ...[...parts].map((part) => PARTS[part][next]())]);
  catalogue = Object.assign({}, main.default, ...more.map((one) => one.default)) as Partial<Catalogue>;
  current = next;
  document.documentElement.lang = next;
  localStorage.setItem(KEY, next);
}

export async function startLanguage(): Promise<void> {
  const kept = LANGUAGES.find((one) => one === localStorage.getItem(KEY));
  await setLanguage(kept ?? preferred(navigator.languages));
}

/** Adds the texts of a part, in this language and in every one that is chosen later. */
export async function loadTexts(part: keyof typeof PARTS): Promise<void> {
  if (parts.has(part)) return;
  const wanted = current;
  const more = await PARTS[part][wanted]();
  parts.add(part);
  if (wanted === current) catalogue = { ...catalogue, ...more.default };
  else await setLanguage(current);
}

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Names before which French drops a vowel: those that begin with one, or with an h that is not heard. */
const IS_ELIDED = /^(?:[aeiouœæ]|h[eiouœy]|y[^aeiouy])/;
const BEFORE_A_NAME = /(\bd|qu)e \{(who|name|author)\}/gi;
/** French: "de {who}" becomes "d’{who}" and "que {who}" becomes "qu’{who}" where the name wants it. */
export function elided(text: string, values: Values): string {
  return text.replace(BEFORE_A_NAME, (whole, word: string, hole: string) => {
    const name = String(values[hole] ?? "")
      .normalize("NFD")
      .replace(/\p{M}/gu, "");
    return IS_ELIDED.test(name.toLowerCase()) ? `${word}’{${hole}}` : whole;
  });
}
const filled = (text: string, values: Values): string => fill(current === "fr" ? elided(text, values) : text, values);

/** The text of a key in the chosen language. */
export function t(key: Key, values: Values = {}): string {
  return filled(catalogue?.[key] ?? key, { ...values });
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
  return filled(catalogue?.[`${key}.${form}`] ?? key, { who: person?.name ?? "", ...values });
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
  return new Intl.NumberFormat(current, digits).format(tenths(n)).replace("-", "−");
}

/** A number with two digits after the point. */
export function hundredths(n: number): string {
  return new Intl.NumberFormat(current, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(n);
}

/** A list of names: "Ann, Bo and Cy". */
export function list(words: string[]): string {
  return new Intl.ListFormat(current, { type: "conjunction" }).format(words);
}
