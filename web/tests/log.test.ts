// The log and the notices: sentences read right for the reader ("You discard …") and for a name ("Ines discards …").
import { beforeEach, describe, expect, test, vi } from "vitest";
import de from "../src/i18n/de";
import en from "../src/i18n/en";
import fr from "../src/i18n/fr";
import {
  count,
  LANGUAGES,
  loadTexts,
  sentence,
  setLanguage,
  t,
  whom,
  type Language,
  type SentenceKey,
} from "../src/i18n/index.svelte";
import type { View } from "../src/server/protocol";
import type { Table, TableEvent } from "../src/server/reducer";
import { logOfRound, scenes, toldSince, withRound, withTricks, type LogEvent } from "../src/table/state/scenes";
import { buttonText, contrastText, eventLines, logText, refusalText } from "../src/table/state/text";
import type { Person } from "../src/table/state/types";

const CATALOGUES: Record<Language, Readonly<Record<string, string>>> = { en, fr, de };
const YOU: Person = { name: "You", character: "bear", isYou: true };
const INES: Person = { name: "Ines", character: "wolf" };
const JONAS: Person = { name: "Jonas", character: "crane" };
const PEOPLE = [YOU, INES, JONAS];

const VALUES = {
  what: "X",
  round: 3,
  single: 9,
  own: 18,
  n: 6,
  least_tenths: 9,
  best: "X",
  other: "Y",
  best_n: "−6.5",
  other_n: "1.0",
};

/** For each language: what is said about the reader, and about Ines. */
const SENTENCES: Record<SentenceKey, Record<Language, [you: string, name: string]>> = {
  "offer.stand-in": {
    en: ["to let a bot play for you", "to let a bot play for Ines"],
    fr: ["laisser un robot jouer pour vous", "laisser un robot jouer pour Ines"],
    de: ["einen Bot für dich spielen lassen", "einen Bot für Ines spielen lassen"],
  },
  "reason.trick-always": {
    en: ["You win the trick whatever you play.", "The trick goes to Ines whatever you play."],
    fr: ["Vous gagnez le pli quoi que vous jouiez.", "Le pli va à Ines quoi que vous jouiez."],
    de: ["Du gewinnst den Stich, was du auch spielst.", "Der Stich geht an Ines, was du auch spielst."],
  },
  "reason.trick-goes": {
    en: [
      "Who wins this trick hardly depends on your card: in at least 9 of 10 likely deals you do.",
      "Who wins this trick hardly depends on your card: in at least 9 of 10 likely deals Ines does.",
    ],
    fr: [
      "Votre carte ne change guère qui gagne ce pli\u00a0: dans au moins 9 donnes probables sur 10, c’est vous.",
      "Votre carte ne change guère qui gagne ce pli\u00a0: dans au moins 9 donnes probables sur 10, c’est Ines.",
    ],
    de: [
      "Wer diesen Stich gewinnt, hängt kaum von deiner Karte ab: In mindestens 9 von 10 wahrscheinlichen Kartenverteilungen bist du es.",
      "Wer diesen Stich gewinnt, hängt kaum von deiner Karte ab: In mindestens 9 von 10 wahrscheinlichen Kartenverteilungen ist es Ines.",
    ],
  },
  "reason.opponent-piles-now": {
    en: [
      "This trick changes your piles by −6.5 points on average with X, by 1.0 with Y.",
      "This trick changes Ines’s piles by −6.5 points on average with X, by 1.0 with Y.",
    ],
    fr: [
      "Changement de vos piles par ce pli, en points et en moyenne : −6.5 avec X ; 1.0 avec Y.",
      "Changement des piles d’Ines par ce pli, en points et en moyenne : −6.5 avec X ; 1.0 avec Y.",
    ],
    de: [
      "Dieser Stich verändert deine Stapel mit X im Mittel um −6.5 Punkte, mit Y um 1.0.",
      "Dieser Stich verändert die Stapel von Ines mit X im Mittel um −6.5 Punkte, mit Y um 1.0.",
    ],
  },
  "reason.opponent-piles-later": {
    en: [
      "By the end of the round your piles change by −6.5 points on average after X, by 1.0 after Y.",
      "By the end of the round Ines’s piles change by −6.5 points on average after X, by 1.0 after Y.",
    ],
    fr: [
      "Changement de vos piles d’ici la fin de la manche, en points et en moyenne : −6.5 après X ; 1.0 après Y.",
      "Changement des piles d’Ines d’ici la fin de la manche, en points et en moyenne : −6.5 après X ; 1.0 après Y.",
    ],
    de: [
      "Bis zum Ende der Runde verändern sich deine Stapel nach X im Mittel um −6.5 Punkte, nach Y um 1.0.",
      "Bis zum Ende der Runde verändern sich die Stapel von Ines nach X im Mittel um −6.5 Punkte, nach Y um 1.0.",
    ],
  },
  "mat.waits": {
    en: ["You have not played yet", "Ines has not played yet"],
    fr: ["Vous n’avez pas encore joué", "Ines n’a pas encore joué"],
    de: ["Du hast noch nicht gespielt", "Ines hat noch nicht gespielt"],
  },
  "button.double": {
    en: ["Take the ×2 card", "Give Ines the ×2 card"],
    fr: ["Prendre la carte ×2", "Donner la carte ×2 à Ines"],
    de: ["×2-Karte nehmen", "Ines die ×2-Karte geben"],
  },
  "log.veto": {
    en: ["You veto “X”", "Ines vetoes “X”"],
    fr: ["Vous mettez votre veto à «\u00a0X\u00a0»", "Ines met son veto à «\u00a0X\u00a0»"],
    de: ["Du legst Veto gegen „X“ ein", "Ines legt Veto gegen „X“ ein"],
  },
  "log.discard": {
    en: ["You discard X", "Ines discards X"],
    fr: ["Vous défaussez X", "Ines défausse X"],
    de: ["Du legst X ab", "Ines legt X ab"],
  },
  "log.pass": {
    en: ["You pass X to the left", "Ines passes X to the left"],
    fr: ["Vous donnez X à votre voisin de gauche", "Ines donne X à son voisin de gauche"],
    de: ["Du gibst X nach links", "Ines gibt X nach links"],
  },
  "log.lay": {
    en: ["You lay out X", "Ines lays out X"],
    fr: ["Vous posez X", "Ines pose X"],
    de: ["Du legst X aus", "Ines legt X aus"],
  },
  "log.trick": {
    en: ["You win trick 6 with X", "Ines wins trick 6 with X"],
    fr: ["Vous gagnez le pli 6 avec X", "Ines gagne le pli 6 avec X"],
    de: ["Du gewinnst Stich 6 mit X", "Ines gewinnt Stich 6 mit X"],
  },
  "event.chosen": {
    en: ["You have chosen", "Ines has chosen"],
    fr: ["Vous avez choisi", "Ines a choisi"],
    de: ["Du hast gewählt", "Ines hat gewählt"],
  },
  "event.stood-in": {
    en: ["A bot now plays for you", "A bot now plays for Ines"],
    fr: ["Un robot joue désormais pour vous", "Un robot joue désormais pour Ines"],
    de: ["Ab jetzt spielt ein Bot für dich", "Ab jetzt spielt ein Bot für Ines"],
  },
  "event.offered": {
    en: ["You propose: X", "Ines proposes: X"],
    fr: ["Vous proposez\u00a0: X", "Ines propose\u00a0: X"],
    de: ["Du schlägst vor: X", "Ines schlägt vor: X"],
  },
  "offer.open": {
    en: ["You propose: X", "Ines proposes: X"],
    fr: ["Vous proposez\u00a0: X", "Ines propose\u00a0: X"],
    de: ["Du schlägst vor: X", "Ines schlägt vor: X"],
  },
  "event.agreed": {
    en: ["You agree", "Ines agrees"],
    fr: ["Vous acceptez", "Ines accepte"],
    de: ["Du stimmst zu", "Ines stimmt zu"],
  },
  "event.declined": {
    en: ["You decline", "Ines declines"],
    fr: ["Vous refusez", "Ines refuse"],
    de: ["Du lehnst ab", "Ines lehnt ab"],
  },
  "event.sat": {
    en: ["You take a seat", "Ines takes a seat"],
    fr: ["Vous prenez place", "Ines prend place"],
    de: ["Du nimmst Platz", "Ines nimmt Platz"],
  },
  "event.left": {
    en: ["You leave the table", "Ines leaves the table"],
    fr: ["Vous quittez la table", "Ines quitte la table"],
    de: ["Du verlässt den Tisch", "Ines verlässt den Tisch"],
  },
  "event.went-away": {
    en: ["You are offline", "Ines is offline"],
    fr: ["Vous êtes hors ligne", "Ines est hors ligne"],
    de: ["Du bist offline", "Ines ist offline"],
  },
  "event.came-back": {
    en: ["You are back", "Ines is back"],
    fr: ["Vous êtes de retour", "Ines est de retour"],
    de: ["Du bist wieder da", "Ines ist wieder da"],
  },
  "event.online-again": {
    en: ["You are online again, but a bot still plays for you", "Ines is online again, but a bot still plays"],
    fr: [
      "Vous êtes de nouveau en ligne, mais un robot joue encore pour vous",
      "Ines est de nouveau en ligne, mais un robot joue encore",
    ],
    de: [
      "Du bist wieder online, aber noch spielt ein Bot für dich",
      "Ines ist wieder online, aber noch spielt ein Bot",
    ],
  },
  "event.reclaimed": {
    en: ["You take back your seat", "Ines takes back the seat"],
    fr: ["Vous reprenez votre place", "Ines reprend sa place"],
    de: ["Du spielst wieder selbst", "Ines spielt wieder selbst"],
  },
  "event.taken-back": {
    en: ["You take back your move", "Ines takes back the last move"],
    fr: ["Vous reprenez votre coup", "Ines reprend son coup"],
    de: ["Du nimmst deinen Zug zurück", "Ines nimmt den letzten Zug zurück"],
  },
  "event.timed-out": {
    en: ["Your time is up: a bot decides", "Ines: time is up, a bot decides"],
    fr: ["Votre temps est écoulé\u00a0: un robot décide", "Ines\u00a0: temps écoulé, un robot décide"],
    de: ["Deine Zeit ist um: Ein Bot entscheidet", "Ines: Zeit um, ein Bot entscheidet"],
  },
  "round-end.double": {
    en: ["You hold the ×2 card: 9 × 2 = 18.", "Ines holds the ×2 card: 9 × 2 = 18."],
    fr: ["Vous avez la carte ×2\u00a0: 9 × 2 = 18.", "Ines a la carte ×2\u00a0: 9 × 2 = 18."],
    de: ["Du hast die ×2-Karte: 9 × 2 = 18.", "Ines hat die ×2-Karte: 9 × 2 = 18."],
  },
  "round-end.difference": {
    en: ["for you", "for Ines"],
    fr: ["pour vous", "pour Ines"],
    de: ["für dich", "für Ines"],
  },
  "match-end.win-by": {
    en: ["You win by 6", "Ines wins by 6"],
    fr: ["Vous gagnez de 6", "Ines gagne de 6"],
    de: ["Du gewinnst mit 6 Vorsprung", "Ines gewinnt mit 6 Vorsprung"],
  },
  "fair.wrong.deal": {
    en: [
      "Round 3: your hand does not follow from the secret.",
      "Round 3: Ines’s hand does not follow from the secret.",
    ],
    fr: [
      "Manche 3\u00a0: votre main ne découle pas du secret.",
      "Manche 3, Ines\u00a0: la main ne découle pas du secret.",
    ],
    de: [
      "Runde 3: Deine Hand folgt nicht aus dem Geheimnis.",
      "Runde 3: Die Hand von Ines folgt nicht aus dem Geheimnis.",
    ],
  },
};

beforeEach(() => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { setItem: () => undefined });
});

describe.each(LANGUAGES)("%s", (language) => {
  beforeEach(() => setLanguage(language));

  test("every sentence with two forms is in the table above", () => {
    const pairs = Object.keys(CATALOGUES[language]).flatMap((key) =>
      key.endsWith(".you") && `${key.slice(0, -4)}.name` in CATALOGUES[language] ? [key.slice(0, -4)] : [],
    );
    expect(pairs.sort()).toEqual(Object.keys(SENTENCES).sort());
  });

  test.each(Object.entries(SENTENCES))("%s", (key, said) => {
    expect(sentence(key as SentenceKey, YOU, VALUES)).toBe(said[language][0]);
    expect(sentence(key as SentenceKey, INES, VALUES)).toBe(said[language][1]);
  });
});

describe("a name after a preposition", () => {
  test.each([
    ["en", "Covered by you", "Covered by Ines"],
    ["fr", "Couverte par vous", "Couverte par Ines"],
    ["de", "Abgedeckt von dir", "Abgedeckt von Ines"],
  ] as const)("%s", async (language, you, name) => {
    await setLanguage(language);
    expect(t("cell.covered-by", { whom: whom(YOU) })).toBe(you);
    expect(t("cell.covered-by", { whom: whom(INES) })).toBe(name);
  });
});

describe("a refusal names the cards that the server names", () => {
  test.each([
    ["en", "1s cannot be discarded this round."],
    ["fr", "Dans cette manche, on ne peut pas défausser de 1."],
    ["de", "In dieser Runde darf keine 1 abgelegt werden."],
  ] as const)("%s", async (language, text) => {
    await setLanguage(language);
    expect(refusalText({ type: "refusal", code: "low-barred", message: "", parameters: { low: 1 } })).toBe(text);
  });
});

describe("an action", () => {
  beforeEach(() => setLanguage("en"));
  test.each([
    ["0 veto trump red", "You veto “Trump: red”"],
    ["1 veto trump red", "Ines vetoes “Trump: red”"],
    ["0 discard R5", "You discard red 5"],
    ["1 discard ?", "Ines discards a card face down"],
    ["0 pass B3", "You pass blue 3 to the left"],
    ["1 lay G4", "Ines lays out green 4"],
    ["0 team 0 1", "Playing together: You and Ines"],
    ["1 team 1 2", "Playing together: Ines and Jonas"],
    ["1 team 1", "Playing alone: Ines"],
    ["1 double 0", "×2 card: You"],
    ["0 double 2", "×2 card: Jonas"],
    ["0 play Y12", "You: yellow 12"],
    ["1 play Y12", "Ines: yellow 12"],
  ])("%s in the log: %s", (action, line) => expect(logText(action, PEOPLE, 1)).toBe(line));
  test.each([
    ["0 team 0", "Play alone"],
    ["0 double 0", "Take the ×2 card"],
    ["0 double 1", "Give Ines the ×2 card"],
    ["0 play Y12", "Play yellow 12"],
    ["0 team 0 1 2", "Play with Ines and Jonas"],
  ])("%s on a button: %s", (action, text) => expect(buttonText(action, PEOPLE, 1)).toBe(text));
});

describe("words with a number or a card", () => {
  test("French has an article where the card is the object of a verb, and none after a colon", async () => {
    await setLanguage("fr");
    expect(logText("0 discard G2", PEOPLE, 1)).toBe("Vous défaussez le 2 vert");
    expect(logText("1 play G2", PEOPLE, 1)).toBe("Ines\u00a0: 2 vert");
    expect(buttonText("0 play G2", PEOPLE, 1)).toBe("Jouer le 2 vert");
  });
  test.each([
    ["en", "You win by 1 point", "You win by 19 points"],
    ["fr", "Vous gagnez de 1 point", "Vous gagnez de 19 points"],
    ["de", "Du gewinnst mit 1 Punkt Vorsprung", "Du gewinnst mit 19 Punkten Vorsprung"],
  ] as const)("%s counts points after a preposition", async (language, one, many) => {
    await setLanguage(language);
    expect(sentence("match-end.win-by", YOU, { n: count("count.points", 1) })).toBe(one);
    expect(sentence("match-end.win-by", YOU, { n: count("count.points", 19) })).toBe(many);
  });
});

const event = (kind: string, seat: number, more: object = {}) =>
  ({ kind, seat, number: 1, at: 0, ...more }) as unknown as TableEvent;

describe("an event", () => {
  beforeEach(() => setLanguage("en"));
  test.each([
    [event("sat", 0), ["You take a seat"]],
    [event("sat", 1), ["Ines takes a seat"]],
    [event("stood-in", 0), ["A bot now plays for you"]],
    [event("chosen", 1, { complete: true }), ["Ines has chosen"]],
    [event("chosen", 1, { complete: false }), []],
    [event("answered", 0, { yes: true }), ["You agree"]],
    [event("answered", 1, { yes: false }), ["Ines declines"]],
    [event("timed-out", 0), ["Your time is up: a bot decides"]],
    [event("said", 0, { text: "Hello" }), ["You: Hello"]],
    [event("offered", 1, { what: "pause" }), [`Ines proposes: ${en["offer.pause"]}`]],
    [event("offered", 1, { what: "stand-in", whom: 0 }), ["Ines proposes: to let a bot play for you"]],
  ])("%o", (one, lines) => expect(eventLines(one, PEOPLE, 1)).toEqual(lines));
});

describe("whoever comes back while a bot plays for them", () => {
  beforeEach(() => setLanguage("en"));
  const table = (...stoodIn: boolean[]) =>
    ({ seats: stoodIn.map((one) => ({ is_stood_in: one })), game: null }) as unknown as Table;
  const text = (events: readonly LogEvent[]) => events.flatMap((event) => eventLines(event, PEOPLE, 1));
  const back = [event("came-back", 0), event("came-back", 1)] as TableEvent[];

  test("is only online again", () =>
    expect(text(scenes(table(false, true), table(false, true), back).flatMap((scene) => scene.events))).toEqual([
      "You are back",
      "Ines is online again, but a bot still plays",
    ]));
  test("plays again once the seat is taken back", () => {
    const gone = ["went-away", "stood-in", "came-back", "reclaimed", "went-away", "came-back"] as const;
    const events = gone.map((kind) => event(kind, 0)) as TableEvent[];
    expect(text(toldSince(table(false), events))).toEqual([
      "You are offline",
      "A bot now plays for you",
      "You are online again, but a bot still plays for you",
      "You take back your seat",
      "You are offline",
      "You are back",
    ]);
  });
});

describe("tricks in the log", () => {
  beforeEach(() => setLanguage("en"));
  const actions = [
    "0 team 0 1",
    "1 play R3",
    "2 play R5",
    "0 play R4",
    "2 play B1",
    "0 play B2",
    "1 play B9",
    "1 play G2",
  ];
  const game = { actions, players: 3, round: 2, trick_winners: [2, 1] } as unknown as View;
  const table = { game, number: 9, now: 0 } as unknown as Table;
  const text = (events: LogEvent[]) => events.flatMap((event) => eventLines(event, PEOPLE, 1));

  test("a page that joins late names the winner after each trick", () =>
    expect(text(logOfRound(table)).filter((line) => line.includes("trick"))).toEqual([
      "Jonas wins trick 1 with red 5",
      "Ines wins trick 2 with blue 9",
    ]));
  test("each stands after its last card", () =>
    expect(text(logOfRound(table))[4]).toBe("Jonas wins trick 1 with red 5"));
  test("a page that was offline is told of the tricks it missed", () => {
    const missed = [
      event("came-back", 0),
      ...logOfRound(table)
        .filter((one) => one.kind === "acted")
        .slice(-2),
    ];
    expect(text(withTricks(missed as TableEvent[], game))).toEqual([
      "You are back",
      "Ines: blue 9",
      "Ines wins trick 2 with blue 9",
      "Ines: green 2",
    ]);
  });
  test("a round has one heading, before its first action", () => {
    const headings = (log: readonly LogEvent[]) =>
      log.flatMap((one, at) => (one.kind === "round-began" ? [[one.round, at]] : []));
    const log = logOfRound(table);
    expect(headings(log)).toEqual([[game.round, 0]]);
    const later = [event("came-back", 0), event("acted", 2, { action: "2 play G4" })];
    expect(headings(withRound(log, later, game))).toEqual([[game.round, 0]]);
    const next = { ...game, round: game.round + 1, actions: ["2 play G4"] };
    expect(headings(withRound(log, later, next))).toEqual([
      [game.round, 0],
      [next.round, log.length + 1],
    ]);
    expect(withRound([], later, null)).toEqual(later);
  });
  test("events of an earlier round get none", () =>
    expect(withTricks([event("acted", 1, { action: "1 play R8" })], game)).toHaveLength(1));
});

/** Keys whose `{who}` is never the reader: spectators, other players, names on paper, characters. */
const NEVER_THE_READER =
  /^(absent\.(away|left|ask|menu)|stamp\.label|team\.with|prompt\.play\.led|pass-device\.(title|ready)|seat\.reclaim\.for|spectator\.(asks|with|ask|waiting|sees)|sheet\.won|lesson\.pick|nudge\.title)$/;
const PREPOSITIONS = /(?<!\p{L})(by|with|for|to|of|par|avec|pour|à|de|von|mit|für|an|bei)$/iu;

/** Texts that would read "You discards" or "by You": `{who}` beside a word, without a form for the reader. */
function unfit(catalogue: Readonly<Record<string, string>>): string[] {
  return Object.entries(catalogue).flatMap(([key, text]) => {
    if (NEVER_THE_READER.test(key)) return [];
    if (key.endsWith(".name") && `${key.slice(0, -5)}.you` in catalogue) return [];
    const [before = "", ...after] = text.split("{who}");
    const isUnfit =
      after.some((part) => /^\s*[\p{L}{]/u.test(part)) || (after.length > 0 && PREPOSITIONS.test(before.trim()));
    return isUnfit ? [key] : [];
  });
}

describe("no text puts “You” before a verb for others or behind a preposition", () => {
  test.each(LANGUAGES)("%s", (language) => expect(unfit(CATALOGUES[language])).toEqual([]));
  test.each(LANGUAGES)("%s: the form for the reader names nobody, the other form does", (language) => {
    for (const key of Object.keys(SENTENCES)) {
      expect(CATALOGUES[language][`${key}.you`]).not.toContain("{who}");
      expect(CATALOGUES[language][`${key}.name`]).toContain("{who}");
    }
  });
  test("and the check can fail", () => {
    const wrong = {
      verb: "{who} discards {what}",
      after: "Bald {who} legt ab",
      by: "Covered by {who}",
      alone: "{who} {what}",
    };
    expect(unfit(wrong)).toEqual(Object.keys(wrong));
    expect(
      unfit({ label: "{who}: {what}", last: "Winner: {who}", "a.you": "You pass", "a.name": "{who} passes" }),
    ).toEqual([]);
    expect(unfit({ "lone.name": "{who} passes" })).toEqual(["lone.name"]);
  });
});

describe("the reason of a veto", () => {
  const vetoes = { best: "veto points -2", other: "veto trump red", best_share: 60, other_share: 12 };
  const said = (code: string, parameters: Record<string, string | number> = {}) =>
    contrastText({ code, parameters: { ...vetoes, ...parameters } }, PEOPLE, 1);
  test.each([
    ["en", "Strong players cover “Points: −2” in 60 of 100 such decisions, “Trump: red” in 12."],
    ["fr", "Les bons joueurs couvrent «\u00a0Points\u00a0: −2\u00a0» dans 60 de ces décisions sur 100, "],
    ["de", "Starke Spieler decken „Punkte: −2“ in 60 von 100 solchen Entscheidungen ab, „Trumpf: Rot“ in 12."],
  ] as const)("says in %s what strong players cover, also in reviews that are kept", async (language, text) => {
    await setLanguage(language);
    expect(said("found-by-veto")).toContain(text);
    expect(said("found-by")).toBe(said("found-by-veto"));
  });
  test("tells what a cell is worth, also in reviews that are kept", async () => {
    await setLanguage("en");
    const old = { row: "points", cell: "2", gain_if: -3.1, gain_else: 6.2 };
    expect(said("cell-in-row", old)).toBe(
      "If “Points: 2” stays, you are 9.3 points better off on average. It stays in 60 of 100 likely rounds after a veto of “Points: −2”, in 12 after one of “Trump: red”.",
    );
    expect(said("cell-elsewhere", { ...old, best_share: 5 })).toMatch(/ 9\.3 points worse off .* in 5 of 100/);
  });
  test("says where a cell is one cause of several", async () => {
    const cell = { row: "points", cell: "-2", other_share: 40, worth_n: 3.5 };
    for (const [language, text] of [
      ["en", "in 40 of 100 likely rounds. This is one cause of several."],
      ["de", "Das ist eine von mehreren Ursachen."],
      ["fr", "C’est une cause parmi d’autres."],
    ] as const) {
      await setLanguage(language);
      expect(said("cell-removed", { ...cell, explains: "part" })).toContain(text);
      expect(said("cell-removed", cell)).not.toContain(text);
    }
  });
});

describe("French before a name", () => {
  test.each([
    ["Inès", "d’Inès"],
    ["Élodie", "d’Élodie"],
    ["Hélène", "d’Hélène"],
    ["Yves", "d’Yves"],
    ["Bruno", "de Bruno"],
    ["Hans", "de Hans"],
    ["Yann", "de Yann"],
  ])("%s: %s", async (who, text) => {
    await setLanguage("fr");
    await loadTexts("study");
    expect(t("review.your-choice.theirs", { who })).toBe(`choix ${text}`);
    expect(t("review.view.known.theirs", { who })).toBe(`Ce ${text.replace("d", "qu")} savait`);
  });
  test("numbers and other languages keep their words", async () => {
    await setLanguage("fr");
    expect(t("match-end.team-wins-by", { n: "8" })).toBe("Votre équipe gagne de 8");
    await setLanguage("de");
    expect(t("review.your-choice.theirs", { who: "Ines" })).toBe("Wahl von Ines");
  });
});
