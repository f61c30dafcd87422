// Search in the rules: every word of the query must occur; accents and case do not matter.
import type { EditionId } from "../editions";
import type { Paragraph, Rules } from "./pages";

export interface SearchHit {
  edition: EditionId;
  section: string;
  paragraph: Paragraph;
}

export function normalized(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe");
}

export function wordsOf(question: string): string[] {
  return normalized(question).split(/\s+/).filter(Boolean);
}

function body(paragraph: Paragraph): string {
  const blocks = paragraph.blocks.map((block) =>
    "table" in block ? block.table.flat().join(" ") : "note" in block ? block.note : block.text,
  );
  return normalized([`§${paragraph.number}`, paragraph.title, paragraph.text, ...blocks].join(" "));
}

/** Paragraphs with the words in their title first, then those with the words in their text. */
export function search(rules: Rules, editions: readonly EditionId[], question: string): SearchHit[] {
  const words = wordsOf(question);
  if (words.length === 0) return [];
  const found: (SearchHit & { rank: number })[] = [];
  for (const edition of editions) {
    for (const section of rules[edition].sections) {
      for (const paragraph of section.paragraphs) {
        const text = body(paragraph);
        if (!words.every((word) => text.includes(word))) continue;
        const rank = words.every((word) => normalized(paragraph.title).includes(word)) ? 0 : 1;
        found.push({ edition, section: section.title, paragraph, rank });
      }
    }
  }
  return found.sort((a, b) => a.rank - b.rank);
}

/** The text in pieces; `hit` marks those that match. */
export function highlight(text: string, words: readonly string[]): { text: string; hit: boolean }[] {
  const letters = [...text];
  const flat = letters.map((letter) => normalized(letter));
  const hit = letters.map(() => false);
  for (const word of words) {
    for (let from = 0; from < letters.length; from++) {
      let joined = "";
      let to = from;
      while (to < letters.length && joined.length < word.length) joined += flat[to++];
      if (joined === word) hit.fill(true, from, to);
    }
  }
  const out: { text: string; hit: boolean }[] = [];
  letters.forEach((letter, i) => {
    const last = out.at(-1);
    if (last && last.hit === hit[i]) last.text += letter;
    else out.push({ text: letter, hit: hit[i] ?? false });
  });
  return out;
}
