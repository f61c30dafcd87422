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

/** A sentence of the rules that says how records write an option: "In records: `{…}`." It is for programs. */
const FOR_PROGRAMS = /\s*[^.:`]*: `\{[^`]*\}`\./g;

/** The text without the sentences that are for programs. */
export const forReaders = (text: string): string => text.replace(FOR_PROGRAMS, "").trimStart();

function pageForReaders(page: RulesPage): RulesPage {
  const block = (one: Block): Block =>
    "table" in one ? one : "note" in one ? { note: forReaders(one.note) } : { text: forReaders(one.text) };
  return {
    ...page,
    sections: page.sections.map((section) => ({
      ...section,
      paragraphs: section.paragraphs.map((one) => ({
        ...one,
        text: forReaders(one.text),
        blocks: one.blocks.map(block).filter((each) => !("text" in each && each.text === "")),
      })),
    })),
  };
}

export async function loadRules(language: Language): Promise<Rules> {
  const all = (await LOAD[language]()).default as Rules;
  return Object.fromEntries(Object.entries(all).map(([edition, page]) => [edition, pageForReaders(page)])) as Rules;
}
