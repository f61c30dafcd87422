// The lessons ask before they tell, every text that they need is there, and progress is kept.
import { describe, expect, test, vi } from "vitest";
import { loadTexts, setLanguage, t } from "../src/i18n/index.svelte";
import { FIRST, tell, tryOut } from "../src/lesson/attempt";
import { answersOf, LESSON_NAMES, LESSONS, stepsOf, stopText, whyText, type Stop } from "../src/lesson/lessons";
import { answeredStop, reached, readProgress, resumeAt } from "../src/lesson/progress.svelte";
import { de, en, fr } from "./texts";

const stops = LESSON_NAMES.flatMap((name) => LESSONS[name].stops);
const words = (choice: string) => choice.split(" ").slice(2).join(" ");
const wrongAt = (stop: Stop) => stop.options.filter((option) => option.why !== undefined).map((o) => words(o.action));

test("seven lessons: two first rounds, and five of three questions", () => {
  expect(Object.keys(LESSONS).sort()).toEqual([...LESSON_NAMES].sort());
  expect(LESSON_NAMES.filter((name) => LESSONS[name].result)).toEqual(["niet", "nichtig"]);
  for (const name of LESSON_NAMES) if (!LESSONS[name].result) expect(LESSONS[name].stops).toHaveLength(3);
});

test("the texts of the lessons come when they are needed, and then in every language", async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { setItem: () => undefined });
  await setLanguage("en");
  expect(t("lesson.next")).toBe("lesson.next");
  await loadTexts("lessons");
  expect([t("lesson.next"), t("nav.learn")]).toEqual([en["lesson.next"], en["nav.learn"]]);
  await setLanguage("fr");
  expect([t("lesson.next"), t("nav.learn")]).toEqual([fr["lesson.next"], fr["nav.learn"]]);
});

describe.each(stops.map((stop) => [stop.name, stop] as const))("%s", (_, stop) => {
  test("has the texts that its options need, and no others", () => {
    const needed = [
      ...(["title", "text", "answer", "done"] as const).map((part) => stopText(stop, part)),
      ...stop.options.flatMap((option) => (option.why === undefined ? [] : [whyText(stop, option.why)])),
    ];
    for (const catalogue of [en, fr, de]) {
      const has = Object.keys(catalogue).filter((key) => key.startsWith(`lesson.${stop.name}.`));
      expect(has.sort()).toEqual([...new Set(needed)].sort());
    }
  });

  test("asks a question, and does not name the answer in it", () => {
    for (const catalogue of [en, fr, de]) expect(catalogue[stopText(stop, "text")]).toContain("?");
  });

  test("the answer ends it", () => {
    let attempt = FIRST;
    for (const choice of answersOf(stop)) {
      const heard = tryOut(stop, attempt, choice);
      if (!heard) throw new Error(`${choice} changes nothing`);
      attempt = heard[0];
    }
    expect(attempt).toMatchObject({ done: true, wrong: 0, told: false });
  });

  test("a wrong try gets a reason, the second one the answer", () => {
    const [wrong] = wrongAt(stop);
    if (wrong === undefined) return; // only one choice is legal: the rules refuse the others
    const first = tryOut(stop, FIRST, wrong);
    expect(first?.[1].kind).toBe("why");
    expect(first?.[0]).toMatchObject({ wrong: 1, told: false, done: false });
    const second = tryOut(stop, first?.[0] ?? FIRST, wrong);
    expect(second?.[1].kind).toBe("answer");
    expect(second?.[0].told).toBe(true);
  });

  test("what the rules refuse is no try", () => {
    for (const option of stop.options.filter((one) => one.refused)) {
      const heard = tryOut(stop, FIRST, words(option.action));
      expect(heard?.[0]).toBe(FIRST);
      expect(heard?.[1]).toMatchObject({ kind: "refused", paragraph: expect.stringContaining("§") as string });
    }
  });
});

test("only following leaves no wrong legal choice", () =>
  expect(stops.filter((stop) => wrongAt(stop).length === 0).map((stop) => stop.name)).toEqual(["niet.follow"]));

test("“Show me” names the answer and leaves the choice to the learner", () => {
  const [attempt, feedback] = tell(FIRST);
  expect(feedback).toEqual({ kind: "answer", why: null });
  expect(attempt).toMatchObject({ told: true, done: false });
});

describe("progress", () => {
  test("is read as it was written", () =>
    expect(readProgress(JSON.stringify({ loot: { step: 2, answered: [1, 7], finished: false } })).loot).toEqual({
      step: 2,
      answered: [1],
      finished: false,
    }));
  test("of an older page: what comes before the step was answered", () =>
    expect(readProgress('{"loot":{"step":3,"finished":false}}').loot.answered).toEqual([0, 1]));
  test("a lesson with a skipped question is not finished, and goes on there", () => {
    const begun = readProgress(null).loot;
    const skipped = reached("loot", answeredStop("loot", reached("loot", begun, 1), 0), 4);
    expect(skipped.finished).toBe(false);
    expect(resumeAt("loot", skipped)).toBe(2);
    const all = answeredStop("loot", answeredStop("loot", skipped, 1), 2);
    expect(all.finished).toBe(true);
    expect(resumeAt("loot", all)).toBe(0);
  });
  test("answering everything finishes at the end, not before", () => {
    const all = [0, 1, 2].reduce((far, stop) => answeredStop("loot", far, stop), readProgress(null).loot);
    expect(all.finished).toBe(false);
    expect(reached("loot", all, 4).finished).toBe(true);
  });
  test.each([null, "", "[]", "{", '{"loot":3}', '{"loot":{"step":99}}', '{"loot":{"step":-1,"finished":"yes"}}'])(
    "%s is no progress",
    (text) => expect(readProgress(text).loot).toEqual({ step: 0, answered: [], finished: false }),
  );
  test("the last step is the end", () => expect(stepsOf("loot")).toBe(5));
});
