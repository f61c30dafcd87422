import { afterEach, beforeEach, expect, test, vi } from "vitest";
import de from "../src/i18n/de";
import en from "../src/i18n/en";
import fr from "../src/i18n/fr";
import { guest, takeName, UNCHOSEN_NAMES } from "../src/server/guest.svelte";
import { keepCode, newCode } from "../src/settings/new_code.svelte";

let page: EventTarget;
beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
});
afterEach(() => vi.unstubAllGlobals());

test("whoever is called Guest, in any language, has not chosen a name", () => {
  expect(UNCHOSEN_NAMES).toEqual([en, fr, de].map((texts) => texts["guest.name"]));
  for (const [name, isChosen] of [
    ["", false],
    ["Invité", false],
    ["Ann", true],
  ] as const) {
    takeName(name);
    expect(guest.hasName, name).toBe(isChosen);
  }
});

test("a recovery code stays until it is noted, and closing the page is asked about", () => {
  const leaves = () => {
    const event = new Event("beforeunload", { cancelable: true });
    page.dispatchEvent(event);
    return !event.defaultPrevented;
  };
  expect(leaves()).toBe(true);
  keepCode("ABCD-1234");
  expect([newCode.value, leaves()]).toEqual(["ABCD-1234", false]);
  keepCode("");
  expect([newCode.value, leaves()]).toEqual(["", true]);
  keepCode("ABCD-1234");
  takeName("");
  expect(newCode.value, "of somebody else").toBe("");
});
