import { describe, expect, test } from "vitest";
import { EDITION_IDS } from "../src/editions";
import {
  settingsWithBots,
  fitToEdition,
  friendsOf,
  settingsWithFriends,
  lengthsOf,
  availableLevel,
  offeredLevels,
  readPreferences,
  DEFAULT_PREFERENCES,
  type TablePreferences,
} from "../src/home/table_preferences";

const preferences = (part: Partial<TablePreferences> = {}): TablePreferences => ({ ...DEFAULT_PREFERENCES, ...part });

describe("what is remembered", () => {
  test("is read back unchanged", () => {
    const chosen = preferences({
      edition: "njet-1997",
      players: 3,
      level: "expert",
      length: "short",
      friends: 2,
      visibility: "public",
      clock: "days",
      hints: "off",
    });
    expect(readPreferences(JSON.stringify(chosen))).toEqual(chosen);
  });
  test.each([null, "", "{", "[]", "7", '{"edition":"chess"}'])("is the default where it makes no sense: %s", (text) =>
    expect(readPreferences(text)).toEqual(DEFAULT_PREFERENCES),
  );
  test("is kept as far as it is allowed", () => {
    expect(readPreferences('{"edition":"nichtig","players":2,"length":"long","teams":"yes","friends":99}')).toEqual(
      preferences({ edition: "nichtig", players: 4 }),
    );
  });
});

describe("an edition grants what it offers", () => {
  test("players", () =>
    expect(fitToEdition(preferences({ edition: "njet-1997", players: 5, friends: 4 })).players).toBe(4));
  test("a short game", () => {
    for (const edition of EDITION_IDS) expect(lengthsOf(preferences({ edition })), edition).toContain("short");
    expect(settingsWithBots(preferences({ edition: "njet-1997", length: "short" })).options).toEqual({
      length: "short",
    });
    expect(settingsWithBots(preferences({ length: "short" })).options).toEqual({ length: { target: 20 } });
  });
  test("teams", () =>
    expect(fitToEdition(preferences({ edition: "nichtig", players: 5, teams: true })).teams).toBe(false));
});

test("hints are for everybody at the table, or for nobody", () => {
  for (const settings of [settingsWithBots, settingsWithFriends]) {
    expect(settings(preferences()).hints).toBe(true);
    expect(settings(preferences({ hints: "off" })).hints).toBe(false);
  }
});

test("friends are as many as was said last, else one for each seat", () => {
  expect(friendsOf(preferences())).toBe(3);
  expect(friendsOf(preferences({ players: 5 }))).toBe(4);
  expect(friendsOf(preferences({ players: 5, friends: 2 }))).toBe(2);
  expect(friendsOf(fitToEdition(preferences({ players: 2, friends: 3 })))).toBe(1);
  expect(fitToEdition(preferences({ players: 2, friends: 3 })).friends).toBe(3);
});

test("the home page offers opponents, and a level it does not know", () => {
  expect(offeredLevels(["random", "novice", "mc", "ismcts", "club", "learned", "expert", "newer"])).toEqual([
    "novice",
    "club",
    "learned",
    "expert",
    "newer",
  ]);
});

test("a level that is not offered becomes the default, or one in the middle", () => {
  expect(availableLevel(preferences({ level: "club" }), ["novice", "club"])).toBe("club");
  expect(availableLevel(preferences({ level: "gone" }), ["novice", "club", "learned", "expert"])).toBe("club");
  expect(availableLevel(preferences({ level: "gone" }), ["random", "novice", "expert"])).toBe("novice");
  expect(availableLevel(preferences({ level: "gone" }), [])).toBe("gone");
});

describe("a table as the server takes it", () => {
  test("alone with bots", () =>
    expect(settingsWithBots(preferences({ players: 3 }))).toMatchObject({
      edition: "niet-2015",
      players: 3,
      options: {},
      seats: ["open", "club", "club"],
    }));
  test("only what differs from the edition's own is an option", () => {
    expect(settingsWithBots(preferences({ scoring: "difference", length: "target", target: 60 })).options).toEqual({
      scoring: "difference",
      length: { target: 60 },
    });
  });
  test.each([
    [1, 4, 2],
    [2, 4, 3],
    [3, 4, 4],
    [1, 5, 2],
    [4, 5, 5],
    [1, 2, 2],
  ])("%i friends at a table of %i", (friends, players, open) => {
    const { seats } = settingsWithFriends(preferences({ players, friends }));
    expect(seats).toHaveLength(players);
    expect(seats?.filter((seat) => seat === "open")).toHaveLength(open);
  });
  test("two friends of four sit across", () =>
    expect(settingsWithFriends(preferences({ friends: 1 })).seats).toEqual(["club", "open", "club", "open"]));

  test.each([
    ["private", true],
    ["public", false],
  ] as const)("whether several people may use one device at a %s table", (visibility, shared) =>
    expect(settingsWithFriends(preferences({ visibility }))).toMatchObject({ visibility, shared }),
  );
});
