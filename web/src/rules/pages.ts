// The rules as exported by Python from docs/rules: one file per language, loaded when needed.
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
  /** Text before the first paragraph. */
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
