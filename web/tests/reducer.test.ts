// Messages of parts of matches, written by Python, add up to the server's own view.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Told, Welcome } from "../src/server/protocol";
import { applyDelta, fromWelcome, type Table } from "../src/server/reducer";
import { scenes, type Scene } from "../src/table/state/scenes";

interface MessageSequence {
  edition: string;
  players: number;
  welcome: Welcome;
  messages: Told[];
  views: Record<string, Welcome["view"]>;
}
const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf-8")) as unknown;
const sequences = read("./generated/messages.json") as MessageSequence[];

/** All views of a sequence, from the first. */
function* views(sequence: MessageSequence): Generator<{ before: Table; after: Table; message: Told; n: number }> {
  let before = fromWelcome(sequence.welcome);
  for (const [i, message] of sequence.messages.entries()) {
    const after = applyDelta(before, message);
    yield { before, after, message, n: i + 1 };
    before = after;
  }
}

describe.each(sequences.map((sequence) => [`${sequence.edition}, ${sequence.players} players`, sequence] as const))(
  "%s",
  (_, sequence) => {
    test("messages add up to the view", () => {
      let compared = 0;
      for (const { after, n } of views(sequence)) {
        const whole = sequence.views[n];
        if (!whole) continue;
        expect(after).toEqual(fromWelcome({ ...sequence.welcome, view: whole }));
        compared++;
      }
      expect(compared).toBeGreaterThan(1);
    });

    test("a message changes no earlier view", () => {
      const first = fromWelcome(sequence.welcome);
      const kept = structuredClone(first);
      for (const step of views(sequence)) void step;
      const [message] = sequence.messages;
      if (message) applyDelta(first, message);
      expect(first).toEqual(kept);
    });

    test("scenes end with the view, show every finished trick whole, and stop at the end of a round", () => {
      const tricks: Scene[] = [];
      let rounds = 0;
      for (const { before, after, message } of views(sequence)) {
        const shown = scenes(before, after, message.events ?? []);
        expect(shown.at(-1)?.view).toBe(after);
        const told = shown.flatMap((scene) => scene.events);
        expect(told.filter((event) => event.kind !== "trick-won")).toEqual(message.events ?? []);
        for (const scene of shown.filter((one) => one.taken))
          expect(scene.events.at(-1)).toMatchObject({ kind: "trick-won", seat: scene.winning });
        tricks.push(...shown.filter((scene) => scene.taken));
        rounds += shown.filter((scene) => scene.ended && scene.pause === "end").length;
      }
      const last = [...views(sequence)].at(-1)?.after.game;
      expect(rounds).toBe(last?.past.length);
      const taken = (last?.past ?? [])
        .flatMap((round) => round.tricks ?? [])
        .concat(last?.phase === "over" ? [] : (last?.tricks ?? []));
      expect(tricks.length).toBe(taken.reduce((sum, n) => sum + n, 0));
      for (const scene of tricks) {
        expect(scene.trick.length).toBe(sequence.players);
        expect(scene.trick.map((played) => played.seat)).toContain(scene.winning);
      }
    });
  },
);

test("the sequences reach the end of a round, the end of a match and secret choices", () => {
  const kinds = new Set(
    sequences.flatMap((sequence) =>
      sequence.messages.flatMap((message) => (message.events ?? []).map((event) => event.kind)),
    ),
  );
  for (const kind of ["acted", "chosen", "revealed", "said"]) expect(kinds).toContain(kind);
  const last = sequences.map((sequence) => [...views(sequence)].at(-1)?.after);
  expect(last.some((table) => table?.status === "playing" && (table.game?.past.length ?? 0) > 0)).toBe(true);
  expect(last.some((table) => table?.status === "over")).toBe(true);
});
