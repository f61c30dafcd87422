// The table's own small calculations: counting, places, keys, who shares a device.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Told, Welcome } from "../src/server/protocol";
import { told, welcomed } from "../src/server/reducer";
import { deskOf, soFar, thingOf, topsOf, verbOf } from "../src/table/desk";
import { deedOf, KEYS } from "../src/table/keys";
import { readParties } from "../src/table/party.svelte";
import { scenes, still, type Scene } from "../src/table/scenes";
import { coursesOf, places } from "../src/table/standing";
import { timeWords } from "../src/table/times";

interface Course {
  edition: string;
  players: number;
  welcome: Welcome;
  messages: Told[];
}
const courses = JSON.parse(readFileSync(new URL("./generated/messages.json", import.meta.url), "utf-8")) as Course[];

function allScenes(course: Course): Scene[] {
  let view = welcomed(course.welcome);
  return [
    still(view),
    ...course.messages.flatMap((message) => {
      const before = view;
      view = told(view, message);
      return scenes(before, view, message.events ?? []);
    }),
  ];
}

describe.each(courses.map((course) => [`${course.edition}, ${course.players} players`, course] as const))("%s", (_, course) => {
  const desks = allScenes(course).flatMap((scene) => deskOf(scene) ?? []);
  test("tricks are counted up to as many as there are", () => {
    const playing = desks.filter((desk) => desk.game.phase === "play" && desk.scene.ended === null);
    expect(playing.length).toBeGreaterThan(5);
    for (const desk of playing) {
      expect(desk.trick).toBeGreaterThanOrEqual(1);
      expect(desk.trick).toBeLessThanOrEqual(desk.tricks);
    }
    const inOneRound = new Set(playing.filter((desk) => desk.game.round === 1).map((desk) => desk.tricks));
    expect(inOneRound.size).toBe(1);
  });
  test("everybody has a name, a mark and, with sides, a side", () => {
    for (const desk of desks) {
      expect(desk.people.length).toBe(course.players);
      if (desk.game.sides) expect(desk.sides.every((side) => side === "us" || side === "them")).toBe(true);
    }
  });
  test("what a side has at the end of a round is its score", () => {
    const ends = desks.filter((desk) => desk.scene.ended?.sides);
    for (const desk of ends) {
      const difference = desk.game.options["scoring"] === "difference" || course.edition === "njet-2007";
      if (!difference) expect(soFar(desk.game)).toEqual(desk.scene.ended?.scores);
    }
  });
});

test("an action falls into its parts", () => {
  expect(verbOf("2 veto trump red")).toBe("veto");
  expect(thingOf("2 veto trump red")).toBe("trump red");
  expect(thingOf("0 play R4")).toBe("R4");
});

test("only the tops of piles count", () => expect(topsOf([["R3", "R9"], [], ["B0"]])).toEqual([9, 0]));

test("totals grow round by round", () => {
  expect(coursesOf([{ scores: [1, 2] }, { scores: [-2, 5] }], 2)).toEqual([[0, 0], [1, 2], [-1, 7]]);
  expect(coursesOf([], 3)).toEqual([[0, 0, 0]]);
});

test("who has as much shares the place", () => {
  expect(places([5, 9, 5, 1])).toEqual([{ seat: 1, place: 1 }, { seat: 0, place: 2 }, { seat: 2, place: 2 }, { seat: 3, place: 4 }]);
});

describe("single keys", () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}) => ({ key, altKey: false, ctrlKey: false, metaKey: false, ...more });
  test("are told apart", () => expect(new Set(KEYS.map(([key]) => key)).size).toBe(KEYS.length));
  test("mean the same in capitals", () => expect([deedOf(press("h"), "BUTTON"), deedOf(press("H"), "BODY")]).toEqual(["hint", "hint"]));
  test("mean nothing to who writes, or with another key", () => {
    expect(deedOf(press("h"), "INPUT")).toBeNull();
    expect(deedOf(press("h", { ctrlKey: true }), "BODY")).toBeNull();
    expect(deedOf(press("x"), "BODY")).toBeNull();
  });
});

describe("who shares the device", () => {
  test("is read back", () => expect(readParties('[["t1",["Bo","Cy"]]]')).toEqual([["t1", ["Bo", "Cy"]]]));
  test.each([null, "", "{", "7", '{"t1":2}', '[["t1",2]]', '[[1,["Bo"]]]', '[["t1",["a","b","c","d","e","f"]]]'])("%s is nobody", (text) => expect(readParties(text)).toEqual([]));
});

test.each([[-1, "0:00"], [9.2, "0:10"], [60, "1:00"], [3720, "1:02:00"], [100_000, "27:46:40"]])("%s seconds are %s", (seconds, words) => expect(timeWords(seconds)).toBe(words));
