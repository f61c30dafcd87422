// The rules as Python exports them from docs/rules, a file a language, loaded when read.
import type { EditionId } from "../editions";
import type { Language } from "../i18n/index.svelte";

export type Block = { table: string[][] } | { note: string } | { text: string };
export interface Paragraph {
  number: string;
  title: string;
  text: string;
  blocks: Block[];
}
export interface Section {
  number: string;
  title: string;
  /** A line before the first paragraph. */
  text: string;
  paragraphs: Paragraph[];
}
export interface RulesPage {
  title: string;
  sections: Section[];
}
export type Rules = Record<EditionId, RulesPage>;

const LOAD: Record<Language, () => Promise<{ default: unknown }>> = {
  en: () => import("../generated/rules.en.json"),
  fr: () => import("../generated/rules.fr.json"),
  de: () => import("../generated/rules.de.json"),
};

export async function loadRules(language: Language): Promise<Rules> {
  return (await LOAD[language]()).default as Rules;
}
