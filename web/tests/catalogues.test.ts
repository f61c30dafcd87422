// All texts are in the catalogues: no key is missing or unused, and no component contains a text of its own.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "svelte/compiler";
import { describe, expect, test } from "vitest";
import { fill, preferred, type Catalogue, type Language } from "../src/i18n/index.svelte";
import study from "../src/i18n/study/en";
import { de, en, fr } from "./texts";

const SRC = new URL("../src/", import.meta.url).pathname;
const files = readdirSync(SRC, { recursive: true, encoding: "utf-8" }).filter(
  (name) => /\.(svelte|ts)$/.test(name) && !/^i18n\/((lessons|nudges|people|study)\/)?[a-z]+\.ts$/.test(name),
);
const sources = new Map(files.map((name) => [name, readFileSync(join(SRC, name), "utf-8")]));
const keys = Object.keys(en);

const TRANSLATIONS: Record<Exclude<Language, "en">, Catalogue> = { fr, de };
describe.each(Object.entries(TRANSLATIONS))("%s", (_, catalogue) => {
  test("has the keys of English, in their order", () => expect(Object.keys(catalogue)).toEqual(keys));
  test.each(keys)("%s has words, and the same places to fill", (key) => {
    const words = catalogue[key as keyof typeof en];
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    expect(words.trim()).toBe(words);
    expect(words).not.toBe("");
    expect(places(words)).toEqual(places(en[key as keyof typeof en]));
  });
});

/** A string or template in the source as a pattern for keys: `${…}` stands for anything without a dot at its end. */
function patterns(): RegExp[] {
  const found: RegExp[] = [];
  const pattern = (text: string) =>
    new RegExp(
      `^${text
        .split(/\$\{[^}]*\}/)
        .map((part) => part.replace(/[.*+?^$()[\]\\|]/g, "\\$&"))
        .join(".+")}(\\.(one|other|you|name|theirs))?$`,
    );
  for (const text of sources.values()) {
    for (const [, quoted] of text.matchAll(/"([a-z0-9]+(?:[.-][a-z0-9-]+)+)"/g))
      if (quoted) found.push(pattern(quoted));
    for (const [, template] of text.matchAll(/`([a-z]+\.(?:[a-z.-]|\$\{[^}]*\})+)`/g))
      if (template) found.push(pattern(template));
  }
  return found;
}

test("every key is used somewhere", () => {
  const used = patterns();
  const isServers = (key: string) => key.startsWith("nudge."); // what the server says in push messages
  expect(keys.filter((key) => !isServers(key) && !used.some((one) => one.test(key)))).toEqual([]);
});

test("every key asked for exists", () => {
  for (const [name, text] of sources)
    for (const [, key] of text.matchAll(/\bt\(\s*"([^"]+)"/g)) expect(keys, `${name} asks for ${key}`).toContain(key);
});

interface Node {
  type: string;
  [field: string]: unknown;
}
const SPOKEN = new Set(["aria-label", "title", "alt", "placeholder", "label", "aria-description", "note"]);
/** Shown as they are in every language. */
const SIGNS = /^[\s\d§·←×+−–—•:,.()=&%{}…-]*$/;

function literals(node: unknown, found: string[], attribute: string | null = null): string[] {
  if (Array.isArray(node)) for (const one of node) literals(one, found, attribute);
  else if (node !== null && typeof node === "object" && "type" in node) {
    const one = node as Node;
    if (
      one.type === "Text" &&
      (attribute === null || SPOKEN.has(attribute)) &&
      !SIGNS.test(String(one["data"]).replace(/&nbsp;/g, " "))
    )
      found.push(String(one["data"]).trim());
    const inside = one.type === "Attribute" ? String(one["name"]) : attribute;
    for (const [field, value] of Object.entries(one))
      if (field !== "metadata" && field !== "type") literals(value, found, inside);
  }
  return found;
}

describe("no component contains words of its own", () => {
  test.each(files.filter((name) => name.endsWith(".svelte")))("%s", (name) => {
    expect(literals(parse(sources.get(name) ?? "", { modern: true }).fragment, [])).toEqual([]);
  });
  test("and the check can fail", () => {
    expect(literals(parse('<p title="Hello">{1} words</p>', { modern: true }).fragment, [])).toEqual([
      "Hello",
      "words",
    ]);
  });
});

/** Texts with a plain space where French needs one that does not break, or with a space before an ellipsis. */
function breakable(catalogue: Readonly<Record<string, string>>): string[] {
  return Object.entries(catalogue).flatMap(([key, text]) =>
    / [:;!?»…]|« |[\u00a0\u202f]…|\u202f[:»]|«\u202f|\u00a0[;!?]/.test(text) ? [`${key}: ${text}`] : [],
  );
}

describe("French spaces", () => {
  test("U+00A0 before : and » and after «, U+202F before ; ! ?, none before …", () => {
    expect(breakable(fr)).toEqual([]);
  });
  test("and the check can fail", () => {
    const wrong = {
      colon: "un : deux",
      mark: "vraiment ?",
      quote: "« oui\u00a0»",
      dots: "un instant …",
      wide: "oui\u00a0;",
    };
    expect(breakable(wrong)).toHaveLength(Object.keys(wrong).length);
    expect(breakable({ right: "un\u00a0: «\u00a0oui\u00a0»\u202f; trois\u202f? Niet! Un instant…" })).toEqual([]);
  });
});

interface Avoided {
  /** Matched as a whole word, in any case; `{places}` are left out first. */
  word: string;
  /** Keys where the word means something else. */
  except?: RegExp;
}
/** The words that docs/glossary.md says to avoid, where a pattern can tell them. */
const AVOID: Record<"en" | "fr" | "de", Avoided[]> = {
  en: [
    {
      word: "games?",
      except: /^(app\.unofficial|home\.(game|edition\.note|pitch|no-server)|nav\.games|games\.title|finished\.all)$/,
    },
    {
      word: "prey|ally|allies|enem(y|ies)|chairs?|tops|all square|level|advice|actions?|put(s|ting)? away|pieces? of loot",
    },
    {
      word: "njet|niet",
      except: /^(edition|game|home\.edition)\.|^app\.unofficial$|^learn\.group\.njet$|\.niet\.title$/,
    },
    { word: "str(ike|ikes|uck|iking) out|stamps?|box(es)?|squares?|fields?|double card|doublers?|monster|anew" },
    {
      word: "t(ake|akes|ook|aking|aken) (the|a|any|another|all) tricks?|t(ake|akes|ook|aking) tricks|catch(es)?|caught",
    },
  ],
  fr: [
    { word: "nombres?", except: /^sheet\.intro$/ },
    { word: "proies?|numéros?|vétos?|marqueurs?|tampons?|rangées?|alliée?s?|associée?s?|camps?|écart\\p{L}*" },
    { word: "tableaux?", except: /^rules\.table$/ },
    {
      word: "njet|niet",
      except: /^(edition|game|home\.edition)\.|^app\.unofficial$|^learn\.group\.njet$|\.niet\.title$/,
    },
    {
      word: "pass(er|ez|e|es|és?|ées?)",
      except: /^(lesson\.skip|shared-device\.note|pass-device\.title|learn\.intro)$/,
    },
    { word: "prises?", except: /^(waiting\.(text|full)|refusal\.seat-taken)$/ },
    { word: "fourni\\p{L}*|levées?|chicanes?|renonces?|buts?|relevés?|actions?|bonus|monstres?|super-atouts?" },
    { word: "(au-)?dessus", except: /^lobby\.none$/ },
    { word: "pren(d|ds|ez|dre) (le|un|les|des) plis?|fai(t|re|tes) (le|un|les|des) plis?" },
    { word: "jeux?", except: /^(app\.unofficial|home\.(game|edition\.note|pitch|no-server)|rules\.intro)$/ },
    { word: "tu|te|toi|ton|ta|tes" },
  ],
  de: [
    {
      word: "spiele?s?",
      except: /^(app\.unofficial|home\.(game|edition\.note)|prompt\.play\.must-trump|lesson\..*)$/,
    },
    { word: "zahl(en)?", except: /^sheet\.intro$/ },
    {
      word: "[01]en|verdoppler|stempel|tafeln?|reihen?|blatt|blätter|figur(en)?|stichrunden?|blank|beuten|aktion(en)?|rat|bonus|deals?|abwurf|abwerfen",
    },
    {
      word: "njet|niet",
      except: /^(edition|game|home\.edition)\.|^app\.unofficial$|^learn\.group\.njet$|\.niet\.title$/,
    },
    {
      word: "seiten?",
      except: /^(nudges\.(text|push\.(blocked|none))|app\.failed|nav\.label|missing\.(title|text)|home\.no-server)$/,
    },
    { word: "beleg(t|en|e)?|ausgespielten? farben?|nachspielen|streich(e|en|t)?|gestrichen" },
    { word: "(hol|mach)(t|en|e)? (den|einen|die|alle) stich(e)?" },
    {
      word: "ihr|euch|eure?[rnms]?",
      except:
        /^(sheet|home\.(real-cards|sheet))\.?|^(row\.note\.super|settings\.symbols\.note|gallery\.run|lesson\..*\.(done|why\..*))$/,
    },
  ],
};

function avoided(catalogue: Readonly<Record<string, string>>, words: readonly Avoided[]): string[] {
  return words.flatMap(({ word, except }) => {
    const pattern = new RegExp(`(?<![\\p{L}\\d])(${word})(?![\\p{L}\\d])`, "iu");
    return Object.entries(catalogue).flatMap(([key, text]) =>
      pattern.test(text.replace(/\{\w+\}/g, "")) && !except?.test(key) ? [`${key}: ${text}`] : [],
    );
  });
}

describe("the words of the glossary", () => {
  test.each([
    ["en", en],
    ["fr", fr],
    ["de", de],
  ] as const)("%s says nothing to avoid", (name, catalogue) => expect(avoided(catalogue, AVOID[name])).toEqual([]));
  test("and the check can fail", () => {
    expect(
      avoided({ one: "Écartez une carte", two: "l’écart", three: "une carte", "lesson.skip": "Passer" }, AVOID.fr),
    ).toEqual(["one: Écartez une carte", "two: l’écart"]);
    expect(avoided({ one: "Die 1en", two: "Zeile {zahl}" }, AVOID.de)).toEqual(["one: Die 1en"]);
  });
});

/** Words that people noticed when they differed. */
describe("one word for each thing", () => {
  /** Every word of a catalogue, as written. */
  const wordsOf = (catalogue: Readonly<Record<string, string>>) =>
    Object.values(catalogue).flatMap((text) => text.replace(/\{\w+\}/g, "").match(/\p{L}+/gu) ?? []);
  /** The spellings of a word in a catalogue, in lower case. */
  const spellings = (catalogue: Readonly<Record<string, string>>, pattern: RegExp) =>
    [...new Set(wordsOf(catalogue).map((word) => word.toLowerCase()))].filter((word) => pattern.test(word)).sort();

  test("French spells veto in one way", () => expect(spellings(fr, /^v[eé]to/)).toEqual(["veto", "vetos"]));
  test("German spells Veto in one way", () => expect(spellings(de, /^v[eé]to/)).toEqual(["veto", "vetos"]));
  test("each language has one word for the board", () => {
    expect([en["board.label"], fr["board.label"], de["board.label"]]).toEqual([
      "The veto board",
      "Le plateau des vetos",
      "Das Veto-Brett",
    ]);
    expect(spellings(de, /^(tafel|spielplan|brett|tableau)/)).toEqual(["brett"]);
    expect(spellings(fr, /^(plateau|planche)/)).toEqual(["plateau"]);
  });
  test("the two sides are named for people", () => {
    expect([en["side.us"], en["side.them"]]).toEqual(["Us", "Them"]);
    expect([fr["side.us"], fr["side.them"]]).toEqual(["Nous", "Eux"]);
    expect([de["side.us"], de["side.them"]]).toEqual(["Wir", "Gegner"]);
  });
  test("German addresses nobody as Sie, and labels no side so", () => {
    const formal = (text: string) => /(?<![.:!?„]\s*|^)(?<!\p{L})(Sie|SIE|Ihnen|Ihr|Ihre[nmrs]?)(?!\p{L})/u.test(text);
    expect(Object.entries(de).filter(([, text]) => text === "Sie" || formal(text))).toEqual([]);
    expect([formal("Können Sie das?"), formal("Gegen SIE"), formal("Die rote 1: Sie sticht")]).toEqual([
      true,
      true,
      false,
    ]);
  });
  test("German writes du with a small letter inside a sentence", () => {
    const inside = /(?<![.:!?„]\s*|^)(?<!\p{L})(Du|Dir|Dich|Dein(e[nmrs]?)?)(?!\p{L})/u;
    expect(Object.entries(de).filter(([, text]) => inside.test(text))).toEqual([]);
    expect([inside.test("Nur Du siehst das"), inside.test("Du siehst das: Dein Zug")]).toEqual([true, false]);
  });
  test.each(Object.entries({ en, fr, de }))("%s has typographic apostrophes", (_, catalogue) =>
    expect(Object.entries(catalogue).filter(([, text]) => text.includes("'"))).toEqual([]),
  );
});

test("the browser's languages are asked in order", () => {
  expect(preferred(["it-IT", "de-CH", "fr"])).toBe("de");
  expect(preferred(["fr-CA"])).toBe("fr");
  expect(preferred(["pt"])).toBe("en");
});
test("places are filled, unknown ones stay", () => expect(fill("{a} and {b}", { a: 1 })).toBe("1 and {b}"));

/** Files of pages that load the texts of reviews and puzzles (`pages.ts`). */
const WITH_STUDY = /^(review|today|replay)\/|^pages\/(Today|Deal|Review|Replay|Shared)\.svelte$|^pages\.ts$/;
test("only pages that load them use the texts of reviews and puzzles", () => {
  const elsewhere = [...sources].filter(([name]) => !WITH_STUDY.test(name));
  const used = Object.keys(study).filter((key) => elsewhere.some(([, text]) => text.includes(`"${key}"`)));
  expect(used).toEqual([]);
});
