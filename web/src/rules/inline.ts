// A text of the rules as pieces: emphasis, code, links to paragraphs, and cards in notation.
import { EDITION_IDS, type EditionId } from "../editions";

export type Piece =
  | { kind: "text" | "em" | "code"; text: string }
  | { kind: "card"; word: string }
  | { kind: "link"; edition: EditionId | null; number: string };

const MARK = new RegExp(
  [
    /`([^`]+)`/,
    /\*([^*]+)\*/,
    new RegExp(`(?:(${EDITION_IDS.join("|")}) )?§(\\d+(?:\\.\\d+)?)`),
    /\b([RYBGKP]\d{1,2})\b/,
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

export function parseInline(line: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of line.matchAll(MARK)) {
    if (found.index > from) pieces.push({ kind: "text", text: line.slice(from, found.index) });
    const [whole, code, em, edition, number, card] = found;
    if (code !== undefined) pieces.push({ kind: "code", text: code });
    else if (em !== undefined) pieces.push({ kind: "em", text: em });
    else if (number !== undefined)
      pieces.push({ kind: "link", edition: (edition as EditionId | undefined) ?? null, number });
    else if (card !== undefined) pieces.push({ kind: "card", word: card });
    from = found.index + whole.length;
  }
  if (from < line.length) pieces.push({ kind: "text", text: line.slice(from) });
  return pieces;
}
