// The order of a hand on the screen: supertrumps, trumps, then colour by colour, high to low. It is no rule.
import { readCard, type CardFace } from "../../art/suits";

export interface Marks {
  trump: string | null;
  super: string | null;
  low: number | null;
}
export const NO_MARKS: Marks = { trump: null, super: null, low: null };

export interface HandCard extends CardFace {
  word: string;
  key: string;
  /** 0 for the first of equal cards, 1 for the next. */
  copy: number;
  isTrump: boolean;
  isSupertrump: boolean;
  isLow: boolean;
  opensGroup: boolean;
}

type Plain = Omit<HandCard, "key" | "copy" | "opensGroup">;

export function describe(word: string, marks: Marks): Plain {
  const face = readCard(word);
  const isLow = face.value === marks.low;
  return {
    ...face,
    word,
    isLow,
    isSupertrump: isLow && face.colour === marks.super,
    isTrump: face.colour === marks.trump,
  };
}

export function sortHand(words: readonly string[], marks: Marks, colours: readonly string[]): HandCard[] {
  const group = (card: Plain) => (card.isSupertrump || card.isTrump ? -1 : colours.indexOf(card.colour));
  const cards = words.map((word) => describe(word, marks));
  cards.sort((a, b) => group(a) - group(b) || Number(b.isSupertrump) - Number(a.isSupertrump) || b.value - a.value);
  const seen = new Map<string, number>();
  return cards.map((card, i) => {
    const copy = seen.get(card.word) ?? 0;
    seen.set(card.word, copy + 1);
    const before = cards[i - 1];
    return {
      ...card,
      copy,
      key: `${card.word}.${copy}`,
      opensGroup: before !== undefined && group(before) !== group(card),
    };
  });
}
