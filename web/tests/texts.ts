// All texts of a language, whichever page loads them.
import baseDe from "../src/i18n/de";
import baseEn from "../src/i18n/en";
import baseFr from "../src/i18n/fr";
import studyDe from "../src/i18n/study/de";
import studyEn from "../src/i18n/study/en";
import studyFr from "../src/i18n/study/fr";

export const en = { ...baseEn, ...studyEn };
export const fr = { ...baseFr, ...studyFr };
export const de = { ...baseDe, ...studyDe };
