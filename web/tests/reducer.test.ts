// The page's view is the server's: messages of whole stretches of matches, written by Python, add up to what it says.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Told, Welcome } from "../src/server/protocol";
import { DEFAULTS, applyDelta, fromWelcome, type Table } from "../src/server/reducer";
import { scenes, type Scene } from "../src/table/state/scenes";

interface Course {
  edition: string;
  players: number;
  welcome: Welcome;
  messages: Told[];
  views: Record<string, Welcome["view"]>;
}
const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf-8")) as unknown;
const courses = read("./generated/messages.json") as Course[];

/** Every view of a course, from the first. */
function* views(course: Course): Generator<{ before: Table; after: Table; message: Told; n: number }> {
  let before = fromWelcome(course.welcome);
  for (const [i, message] of course.messages.entries()) {
    const after = applyDelta(before, message);
    yield { before, after, message, n: i + 1 };
    before = after;
  }
}

describe.each(courses.map((course) => [`${course.edition}, ${course.players} players`, course] as const))(
  "%s",
  (_, course) => {
    test("messages add up to the view", () => {
      let compared = 0;
      for (const { after, n } of views(course)) {
        const whole = course.views[n];
        if (!whole) continue;
        expect(after).toEqual(fromWelcome({ ...course.welcome, view: whole }));
        compared++;
      }
      expect(compared).toBeGreaterThan(1);
    });

    test("a message changes no earlier view", () => {
      const first = fromWelcome(course.welcome);
      const kept = structuredClone(first);
      for (const step of views(course)) void step;
      const [message] = course.messages;
      if (message) applyDelta(first, message);
      expect(first).toEqual(kept);
    });

    test("scenes end with the view, show every finished trick whole, and stop at the end of a round", () => {
      const tricks: Scene[] = [];
      let rounds = 0;
      for (const { before, after, message } of views(course)) {
        const shown = scenes(before, after, message.events ?? []);
        expect(shown.at(-1)?.view).toBe(after);
        expect(shown.flatMap((scene) => scene.events)).toEqual(message.events ?? []);
        tricks.push(...shown.filter((scene) => scene.taken));
        rounds += shown.filter((scene) => scene.ended && scene.pause === "end").length;
      }
      const last = [...views(course)].at(-1)?.after.game;
      expect(rounds).toBe(last?.past.length);
      const taken = (last?.past ?? []).flatMap((round) => round.tricks ?? []).concat(last?.tricks ?? []);
      expect(tricks.length).toBe(taken.reduce((sum, n) => sum + n, 0));
      for (const scene of tricks) {
        expect(scene.trick.length).toBe(course.players);
        expect(scene.trick.map((played) => played.seat)).toContain(scene.winning);
      }
    });
  },
);

test("the courses reach the end of a round and secret choices", () => {
  const kinds = new Set(
    courses.flatMap((course) =>
      course.messages.flatMap((message) => (message.events ?? []).map((event) => event.kind)),
    ),
  );
  for (const kind of ["acted", "chosen", "revealed", "said"]) expect(kinds).toContain(kind);
  expect(courses.some((course) => [...views(course)].at(-1)?.after.game?.past.length)).toBe(true);
});

test("what the server leaves out is filled in as its schema says", () => {
  const schema = read("../../docs/protocol/protocol.schema.json") as {
    $defs: Record<string, { properties: Record<string, { default?: unknown }> }>;
  };
  for (const [name, filled] of Object.entries(DEFAULTS)) {
    const properties = Object.entries(schema.$defs[name]?.properties ?? {});
    const defaults = properties
      .filter(([field, one]) => "default" in one && !(name === "Settings" && field === "clock"))
      .map(([field, one]) => [field, one.default]);
    expect(filled, name).toEqual(Object.fromEntries(defaults));
  }
});
