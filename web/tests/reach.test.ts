// Names by which a computer calls itself: links with them lead nobody here.
import { describe, expect, it } from "vitest";
import { isOwnName } from "../src/server/reach.svelte";

describe("a host in the address bar", () => {
  it.each(["localhost", "atout.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "[::]", "0.0.0.0"])(
    "%s is this computer",
    (host) => {
      expect(isOwnName(host)).toBe(true);
    },
  );
  it.each(["192.168.1.7", "10.0.0.127", "[fd00::1]", "play.example", "localhost.example", "127.0.0.1.example"])(
    "%s may be opened by others",
    (host) => {
      expect(isOwnName(host)).toBe(false);
    },
  );
});
