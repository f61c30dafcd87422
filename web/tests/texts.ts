// All texts of each language, whichever page loads them.
import deMain from "../src/i18n/de";
import enMain from "../src/i18n/en";
import frMain from "../src/i18n/fr";
import type { Catalogue } from "../src/i18n/index.svelte";
import deLessons from "../src/i18n/lessons/de";
import enLessons from "../src/i18n/lessons/en";
import frLessons from "../src/i18n/lessons/fr";
import dePeople from "../src/i18n/people/de";
import enPeople from "../src/i18n/people/en";
import frPeople from "../src/i18n/people/fr";
import deNudges from "../src/i18n/nudges/de";
import enNudges from "../src/i18n/nudges/en";
import frNudges from "../src/i18n/nudges/fr";
import deStudy from "../src/i18n/study/de";
import enStudy from "../src/i18n/study/en";
import frStudy from "../src/i18n/study/fr";

export const en = { ...enMain, ...enLessons, ...enNudges, ...enPeople, ...enStudy };
export const fr: Catalogue = { ...frMain, ...frLessons, ...frNudges, ...frPeople, ...frStudy };
export const de: Catalogue = { ...deMain, ...deLessons, ...deNudges, ...dePeople, ...deStudy };
