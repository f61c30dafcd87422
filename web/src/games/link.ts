// The public address of a match, as a link to send. A messenger shows its picture in the sender's language.
import type { Language } from "../i18n/index.svelte";
import { originForOthers } from "../server/reach.svelte";

export const pathOf = (address: string): string => `/m/${address}`;

export function linkOf(address: string, language: Language, origin: string = originForOthers()): string {
  return `${origin}${pathOf(address)}${language === "en" ? "" : `?lang=${language}`}`;
}
