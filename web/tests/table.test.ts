// The table's own small calculations: counting, ranking, shortcuts, people who share a device.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import en from "../src/i18n/en";
import type { Told, Welcome } from "../src/server/protocol";
import { applyDelta, fromWelcome, type Table } from "../src/server/reducer";
import { unreadLines } from "../src/table/state/chat";
import {
  choiceOf,
  countedTogether,
  progressText,
  sideName,
  tableModel,
  topsOf,
  verbOf,
} from "../src/table/state/model";
import { promptText } from "../src/table/state/prompt";
import { shortcutFor, SHORTCUTS } from "../src/table/state/shortcuts";
import { readLeftResults, Results } from "../src/table/state/results";
import { readSharedDevices } from "../src/table/state/shared_device.svelte";
import { resultScene, scenes, stillScene, type Scene } from "../src/table/state/scenes";
import { totalsByRound, ranking } from "../src/table/state/totals";
import { timeText } from "../src/table/state/text";

interface MessageSequence {
  edition: string;
  players: number;
  welcome: Welcome;
  messages: Told[];
}
const sequences = JSON.parse(
  readFileSync(new URL("./generated/messages.json", import.meta.url), "utf-8"),
) as MessageSequence[];

const sum = (numbers: number[]): number => numbers.reduce((total, n) => total + n, 0);

function allScenes(sequence: MessageSequence): Scene[] {
  let view = fromWelcome(sequence.welcome);
  return [
    stillScene(view),
    ...sequence.messages.flatMap((message) => {
      const before = view;
      view = applyDelta(view, message);
      return scenes(before, view, message.events ?? []);
    }),
  ];
}

describe.each(sequences.map((sequence) => [`${sequence.edition}, ${sequence.players} players`, sequence] as const))(
  "%s",
  (_, sequence) => {
    const models = allScenes(sequence).flatMap((scene) => tableModel(scene) ?? []);
    test("tricks are counted up to as many as there are", () => {
      const playing = models.filter((model) => model.game.phase === "play" && !model.scene.ended);
      expect(playing.length).toBeGreaterThan(5);
      for (const model of playing) {
        expect(model.trick).toBeGreaterThanOrEqual(1);
        expect(model.trick).toBeLessThanOrEqual(model.tricks);
      }
      for (const { trick, tricks } of models.filter((model) => model.scene.ended)) expect(trick).toBe(tricks);
      const inOneRound = new Set(playing.filter((model) => model.game.round === 1).map((model) => model.tricks));
      expect(inOneRound.size).toBe(1);
    });
    test("before the first trick the phase is named", () => {
      for (const model of models) {
        const isBefore = ["veto", "team", "double", "discard", "pass", "lay"].includes(model.game.phase);
        const key = isBefore ? `phase.${model.game.phase}` : "trick.of";
        expect(progressText(model)).toBe(key); // no texts are loaded here
        expect(en).toHaveProperty([key]);
      }
    });
    test("everybody has a name, an avatar and, with sides, a side", () => {
      for (const model of models) {
        expect(model.people.length).toBe(sequence.players);
        if (model.game.sides) expect(model.sides.every((side) => side === "us" || side === "them")).toBe(true);
      }
    });
    test("the result of a round is the server's, down to the last trick", () => {
      const ends = models.filter((model) => model.scene.ended);
      expect(ends.length).toBe(models.at(-1)?.game.past.length);
      for (const { game, view, asked } of ends) {
        const { scores, made_of, tops, team_scores, ...result } = game.past.at(-1) ?? {};
        expect(game).toMatchObject({ ...result, round: game.past.length, round_points: scores });
        expect(game.teams?.map((team) => team.round_points)).toEqual(team_scores);
        expect(game.last_trick.length).toBe(sequence.players);
        expect([game.hand, game.trick, game.legal, asked, view.decision]).toEqual([[], [], [], [], null]);
        if (game.piles) expect(game.piles.map((piles) => sum(topsOf(piles)))).toEqual(scores);
        if (game.piles) expect(tops).toEqual(game.piles.map((piles) => piles.map((pile) => pile.at(-1))));
        else expect(made_of?.own.length).toBe(sequence.players);
      }
    });
    test("it can be shown again later, when bots have played on", () => {
      const last = models.at(-1);
      const again = last && resultScene(last.view);
      const ended = models.filter((model) => model.scene.ended).at(-1);
      if (!ended) {
        expect(again).toBeNull();
        return;
      }
      expect(last?.game.actions.length).toBeGreaterThan(0);
      expect(again).toMatchObject({ ended: true, pause: "end", trick: [], events: [] });
      expect(again?.view).toMatchObject({ asked: [], decision: null });
      for (const field of [
        "past",
        "totals",
        "round",
        "sides",
        "conditions",
        "double",
        "tricks",
        "loot",
        "round_points",
        "teams",
        "made_of",
      ] as const)
        expect(again?.view.game?.[field], field).toEqual(ended.game[field]);
      expect(again?.view.game).toMatchObject({ hand: [], legal: [], turn: null, last_trick: [], trick_winners: [] });
      for (const piles of again?.view.game?.piles ?? []) expect(piles.every((pile) => pile.length === 1)).toBe(true);
    });
  },
);

test("who must follow trump is shown its colour", () => {
  const sequence = sequences.find((one) => one.edition === "niet-2015");
  const models = sequence ? allScenes(sequence).flatMap((scene) => tableModel(scene) ?? []) : [];
  const model = models.find((one) => one.scene.trick.length > 0 && !one.scene.taken && one.game.conditions);
  const conditions = model?.game.conditions;
  if (!model || !conditions) throw new Error("no trick is played");
  const prompt = (trump: string, must: string) =>
    promptText({ ...model, game: { ...model.game, must, conditions: { ...conditions, trump } } }, true, 1).colour;
  expect(prompt("blue", "follow trump")).toBe("blue");
  expect(prompt("green", "trump")).toBe("green");
  expect(prompt("none", "follow trump")).toBe(null);
  expect(prompt("blue", "follow red")).toBe("red");
});

test("cards still to lay out are counted as more cards", () => {
  const sequence = sequences.find((one) => one.edition === "nichtig");
  const models = sequence ? allScenes(sequence).flatMap((scene) => tableModel(scene) ?? []) : [];
  const model = models.find((one) => one.game.phase === "lay" && one.game.owed > 1);
  if (!model) throw new Error("no cards are laid out");
  const all = model.game.owed;
  const note = (missing: number) => promptText(model, true, missing).note;
  expect([all, all - 1, 0].map(note)).toEqual(["prompt.choose.other", "prompt.left.other", "prompt.ready"]);
});

test("the deck is drawn as the server says, of house rules too", () => {
  const [scene] = sequences.flatMap(allScenes).filter((one) => one.view.game !== null);
  if (!scene) throw new Error("no match has begun");
  const deck = { colours: ["purple", "black"], low: 3, low_copies: 5, high: 17 };
  const model = tableModel({ ...scene, view: { ...scene.view, deck } });
  expect(model).toMatchObject({ colours: deck.colours, low: 3, lowCopies: 5, max: 17, marks: { low: 3 } });
});

test("a side of one person is called by their name", () => {
  const [scene] = sequences.flatMap(allScenes).filter((one) => (one.view.game?.sides ?? []).length === 2);
  const model = scene && tableModel(scene);
  if (!model) throw new Error("no sides are chosen");
  const { people, view, me } = model;
  expect(sideName(model, [me], true)).toBe("seat.you");
  expect(sideName(model, [1], false)).toBe(people[1]?.name);
  expect([sideName(model, [me, 1], true), sideName(model, [2, 3], false)]).toEqual(["side.us", "side.them"]);
  expect(sideName({ people, view: { ...view, seat: null } }, [0, 1], true)).toBe("side.start");
});

test("the totals of a team are counted together", () => {
  const games = sequences.map((sequence) => allScenes(sequence).at(-1)?.view.game);
  const together = games.map((game) => game && countedTogether(game, 1));
  expect(together).toEqual([[1], [1], [1], [1], [1, 3]]);
});

test("a match that was given up has no result of a round to come back to", () => {
  const view = sequences.map((sequence) => allScenes(sequence).at(-1)?.view).find((one) => one?.game?.past.length);
  expect(view && resultScene(view)).not.toBeNull();
  expect(view && resultScene({ ...view, status: "closed" })).toBeNull();
});

describe("the result of a round", () => {
  const shelf = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    };
  };
  test("is owed until it is left, also to the next page", () => {
    const store = shelf();
    expect(new Results("t", store).isOwed(0)).toBe(false);
    expect(new Results("t", store).isOwed(1)).toBe(true);
    const page = new Results("t", store);
    expect(page.isOwed(1)).toBe(true);
    page.leave(1);
    expect(new Results("t", store).isOwed(1)).toBe(false);
    expect(new Results("t", store).isOwed(2)).toBe(true);
  });
  test("is not owed to a device that comes later", () => {
    const store = shelf();
    expect(new Results("late", store).isOwed(3)).toBe(false);
    expect(new Results("late", store).isOwed(4)).toBe(true);
  });
  test("is not owed for rounds before those that are played on", () => {
    const store = shelf();
    expect(new Results("t", store).isOwed(0, 1)).toBe(false); // the table before the match begins
    expect(new Results("t", store).isOwed(1, 1)).toBe(false);
    expect(new Results("t", store).isOwed(2, 1)).toBe(true);
  });
  test("is owed again after a takeback", () => {
    const store = shelf();
    new Results("t", store).leave(2);
    expect(new Results("t", store).isOwed(1)).toBe(false);
    expect(new Results("t", store).isOwed(2)).toBe(true);
  });
  test("is remembered by the page where nothing can be stored", () => {
    const page = new Results("t", null);
    expect([page.isOwed(0), page.isOwed(1)]).toEqual([false, true]);
    page.leave(1);
    expect(page.isOwed(1)).toBe(false);
  });
  test("of many tables is kept for the latest", () => {
    const store = shelf();
    for (let n = 0; n < 60; n++) new Results(`t${n}`, store).leave(1);
    const kept = readLeftResults(store.getItem("atout.results"));
    expect([kept.length, kept.at(-1)]).toEqual([50, ["t59", 1]]);
  });
  test("is read from any text", () => {
    expect(readLeftResults(null)).toEqual([]);
    expect(readLeftResults("{")).toEqual([]);
    expect(readLeftResults('[["t",1],["u",-1],["v",0.5],[1,1],"w"]')).toEqual([["t", 1]]);
  });
});

test("an action has a verb and a choice", () => {
  expect(verbOf("2 veto trump red")).toBe("veto");
  expect(choiceOf("2 veto trump red")).toBe("trump red");
  expect(choiceOf("0 play R4")).toBe("R4");
});

test("only the top cards of piles count", () => expect(topsOf([["R3", "R9"], [], ["B0"]])).toEqual([9, 0]));

test("totals grow round by round", () => {
  expect(totalsByRound([{ scores: [1, 2] }, { scores: [-2, 5] }], 2)).toEqual([
    [0, 0],
    [1, 2],
    [-1, 7],
  ]);
  expect(totalsByRound([], 3)).toEqual([[0, 0, 0]]);
});

test("equal totals share a place", () => {
  expect(ranking([5, 9, 5, 1])).toEqual([
    { seat: 1, place: 1 },
    { seat: 0, place: 2 },
    { seat: 2, place: 2 },
    { seat: 3, place: 4 },
  ]);
});

describe("single keys", () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({
    key,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    ...more,
  });
  test("are all different", () => expect(new Set(SHORTCUTS.map(([key]) => key)).size).toBe(SHORTCUTS.length));
  test("mean the same in capitals", () =>
    expect([shortcutFor(press("h"), "BUTTON"), shortcutFor(press("H"), "BODY")]).toEqual(["hint", "hint"]));
  test("mean nothing in a text field, or with a modifier key", () => {
    expect(shortcutFor(press("h"), "INPUT")).toBeNull();
    expect(shortcutFor(press("h", { ctrlKey: true }), "BODY")).toBeNull();
    expect(shortcutFor(press("x"), "BODY")).toBeNull();
  });
});

describe("people who share the device", () => {
  test("are read back", () => expect(readSharedDevices('[["t1",["Bo","Cy"]]]')).toEqual([["t1", ["Bo", "Cy"]]]));
  test.each([null, "", "{", "7", '{"t1":2}', '[["t1",2]]', '[[1,["Bo"]]]', '[["t1",["a","b","c","d","e","f"]]]'])(
    "%s stands for nobody",
    (text) => expect(readSharedDevices(text)).toEqual([]),
  );
});

test.each([
  [-1, "0:00"],
  [9.2, "0:10"],
  [60, "1:00"],
  [3720, "1:02:00"],
  [100_000, "27:46:40"],
])("%s seconds are %s", (seconds, words) => expect(timeText(seconds)).toBe(words));

test("one's own lines are no news in the chat", () => {
  const line = (seat: number) => ({ seat, name: "", text: "hello", at: 0 });
  const view = { chat: [line(1), line(0), line(2)], seat: 0, is_yours: true } as unknown as Table;
  expect(unreadLines(view, 0)).toBe(2);
  expect(unreadLines(view, 1)).toBe(1);
  expect(unreadLines({ ...view, is_yours: false }, 1)).toBe(2);
});
