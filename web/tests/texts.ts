// All texts of each language: the catalogue and the lessons.
import deMain from "../src/i18n/de";
import enMain from "../src/i18n/en";
import frMain from "../src/i18n/fr";
import type { Catalogue } from "../src/i18n/index.svelte";
import deLessons from "../src/i18n/lessons/de";
import enLessons from "../src/i18n/lessons/en";
import frLessons from "../src/i18n/lessons/fr";

export const en = { ...enMain, ...enLessons };
export const fr: Catalogue = { ...frMain, ...frLessons };
export const de: Catalogue = { ...deMain, ...deLessons };
