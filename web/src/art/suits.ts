// Colours, their symbols, and cards in notation: a letter and a value ("R7").

export const COLOURS = ["red", "yellow", "blue", "green", "black", "purple"] as const;
export type Colour = (typeof COLOURS)[number];

export const SYMBOLS = {
  red: "flame",
  yellow: "sun",
  blue: "wave",
  green: "leaf",
  black: "stone",
  purple: "moon",
} as const;
export type SymbolName = (typeof SYMBOLS)[Colour];

const LETTERS: Record<string, Colour> = { R: "red", Y: "yellow", B: "blue", G: "green", K: "black", P: "purple" };

/** The letter of a colour in notation. Another colour is an error of the program. */
export function letterOf(colour: string): string {
  const found = Object.entries(LETTERS).find(([, one]) => one === colour);
  if (!found) throw new Error(`${colour} is no colour; colours are ${COLOURS.join(", ")}`);
  return found[0];
}

export interface CardFace {
  colour: Colour;
  value: number;
}

/** Parses a card in notation. Anything else is an error of the program. */
export function readCard(word: string): CardFace {
  const colour = LETTERS[word.charAt(0)];
  const value = Number(word.slice(1));
  if (colour === undefined || word.length < 2 || !Number.isInteger(value)) {
    throw new Error(`${word} is no card; a card is a letter of ${Object.keys(LETTERS).join("")} and a number`);
  }
  return { colour, value };
}

/** The characters by seat; six, because Null & nichtig has up to six players. */
export const CHARACTERS = ["bear", "wolf", "crane", "tiger", "eagle", "owl"] as const;
export type Character = (typeof CHARACTERS)[number];

/** The place of a seat counted from another one: at a puzzle everybody is counted from the reader. */
export const placeFrom = (first: number, seat: number, players: number): number => (seat - first + players) % players;

export function characterOf(seat: number): Character {
  return CHARACTERS[seat % CHARACTERS.length] ?? "bear";
}
