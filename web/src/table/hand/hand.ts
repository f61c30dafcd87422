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
  /** The colour, or "trump". */
  group: string;
  opensGroup: boolean;
}

type Plain = Omit<HandCard, "key" | "copy" | "group" | "opensGroup">;

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
  const isTrump = (card: Plain) => card.isSupertrump || card.isTrump;
  const group = (card: Plain) => (isTrump(card) ? -1 : colours.indexOf(card.colour));
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
      group: isTrump(card) ? "trump" : card.colour,
      opensGroup: before !== undefined && group(before) !== group(card),
    };
  });
}

/**
 * The keys of the cards that words mean. Of equal cards these are the ones pressed last, else the first ones: `pressed` has
 * the number of the last press of a card, or less than 0 if that press put it back.
 */
export function keysOf(
  cards: readonly HandCard[],
  words: readonly string[],
  pressed: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const rank = (card: HandCard) => pressed.get(card.key) ?? 0;
  const keys = new Set<string>();
  for (const word of new Set(words)) {
    const equal = cards.filter((card) => card.word === word).sort((a, b) => rank(b) - rank(a) || a.copy - b.copy);
    for (const card of equal.slice(0, words.filter((one) => one === word).length)) keys.add(card.key);
  }
  return keys;
}

/** Which row of the hand each group of cards is in. */
export type RowOfGroup = ReadonlyMap<string, number>;

/**
 * A sorted hand in rows. A row ends between two colours if the rows then fit, and the longest is as short as can be; else
 * all rows are equally long. While the rows of `before` fit, they stay, so that no card changes rows as the hand gets shorter.
 */
export function breakRows(
  cards: readonly HandCard[],
  rows: number,
  fits: (row: readonly HandCard[]) => boolean,
  before: RowOfGroup = new Map(),
): HandCard[][] {
  const kept = Array.from({ length: rows }, (_, row) => cards.filter((card) => before.get(card.group) === row));
  if (kept.flat().length === cards.length && kept.every((row) => row.length > 0 && fits(row))) return kept;
  const longest = (one: HandCard[][]) => Math.max(...one.map((row) => row.length));
  const whole = wholeGroups(cards, rows)
    .filter((one) => one.every(fits))
    .sort((a, b) => longest(a) - longest(b));
  const each = Math.ceil(cards.length / rows);
  return whole[0] ?? Array.from({ length: rows }, (_, row) => cards.slice(row * each, (row + 1) * each));
}

/** All ways to break a hand into rows between its groups. */
function wholeGroups(cards: readonly HandCard[], rows: number): HandCard[][][] {
  if (rows === 1) return [[[...cards]]];
  return cards.flatMap((card, i) =>
    card.opensGroup ? wholeGroups(cards.slice(i), rows - 1).map((rest) => [cards.slice(0, i), ...rest]) : [],
  );
}

/** The rows of the groups, to keep them; none if a group is in two rows. */
export function rowOfGroup(rows: readonly (readonly HandCard[])[]): RowOfGroup {
  const found = new Map<string, number>();
  for (const [i, row] of rows.entries())
    for (const { group } of row) {
      if ((found.get(group) ?? i) !== i) return new Map();
      found.set(group, i);
    }
  return found;
}
