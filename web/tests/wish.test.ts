import { describe, expect, test } from "vitest";
import { aloneWith, fit, forFriends, lengthsOf, levelOf, offeredOf, readWish, USUAL, type Wish } from "../src/home/wish";

const wish = (part: Partial<Wish> = {}): Wish => ({ ...USUAL, ...part });

describe("what is remembered", () => {
  test("comes back as it was", () => {
    const chosen = wish({ edition: "njet-1997", players: 3, level: "expert", length: "short", friends: 2, door: "public", clock: "days" });
    expect(readWish(JSON.stringify(chosen))).toEqual(chosen);
  });
  test.each([null, "", "{", "[]", "7", '{"edition":"chess"}'])("is as usual where it makes no sense: %s", (text) => expect(readWish(text)).toEqual(USUAL));
  test("is kept as far as it is allowed", () => {
    expect(readWish('{"edition":"nichtig","players":2,"length":"short","teams":"yes","friends":99}')).toEqual(wish({ edition: "nichtig", players: 4 }));
  });
});

describe("an edition grants what it offers", () => {
  test("players", () => expect(fit(wish({ edition: "njet-1997", players: 5, friends: 4 }))).toMatchObject({ players: 4, friends: 3 }));
  test("a short game", () => {
    expect(lengthsOf(wish({ edition: "njet-1997", players: 3 }))).toContain("short");
    expect(lengthsOf(wish({ edition: "nichtig" }))).not.toContain("short");
  });
  test("teams", () => expect(fit(wish({ edition: "nichtig", players: 5, teams: true })).teams).toBe(false));
});

test("the first page offers opponents, and a level it does not know of", () => {
  expect(offeredOf(["random", "novice", "ismcts", "club", "learned", "expert", "newer"])).toEqual(["novice", "club", "learned", "expert", "newer"]);
});

test("a level that is not offered is the usual one, or one in the middle", () => {
  expect(levelOf(wish({ level: "club" }), ["novice", "club"])).toBe("club");
  expect(levelOf(wish({ level: "gone" }), ["novice", "club", "learned", "expert"])).toBe("club");
  expect(levelOf(wish({ level: "gone" }), ["random", "novice", "expert"])).toBe("novice");
  expect(levelOf(wish({ level: "gone" }), [])).toBe("gone");
});

describe("a table as the server takes it", () => {
  test("alone with bots", () => expect(aloneWith(wish({ players: 3 }))).toMatchObject({ edition: "niet-2015", players: 3, options: {}, seats: ["open", "club", "club"] }));
  test("only what differs from the edition's own is an option", () => {
    expect(aloneWith(wish({ scoring: "difference", length: "target", target: 60 })).options).toEqual({ scoring: "difference", length: { target: 60 } });
  });
  test.each([[1, 4, 2], [2, 4, 3], [3, 4, 4], [1, 5, 2], [4, 5, 5], [1, 2, 2]])("%i friends at a table of %i", (friends, players, open) => {
    const { seats } = forFriends(wish({ players, friends }));
    expect(seats).toHaveLength(players);
    expect(seats?.filter((seat) => seat === "open")).toHaveLength(open);
  });
  test("two friends of four sit across", () => expect(forFriends(wish({ friends: 1 })).seats).toEqual(["club", "open", "club", "open"]));
});
