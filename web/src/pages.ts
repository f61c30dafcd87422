// The page of each route, loaded when it is first opened.
import type { Component } from "svelte";
import { loadTexts, type Key } from "./i18n/index.svelte";

export interface PageEntry {
  title: Key;
  load: () => Promise<{ default: Component }>;
  /** The page has a bar of its own and uses the whole window; `part`: only where the address names a part of it. */
  bare?: true | "part";
}

const HOME: PageEntry = { title: "nav.play", load: () => import("./pages/Home.svelte") };
const MISSING: PageEntry = { title: "missing.title", load: () => import("./pages/Missing.svelte") };
const PAGES: Record<string, PageEntry> = {
  table: { title: "nav.table", load: () => import("./pages/Table.svelte"), bare: true },
  seat: { title: "nav.table", load: () => import("./pages/Seat.svelte") },
  learn: { title: "nav.learn", load: () => withTexts("lessons", import("./pages/Learn.svelte")) },
  rules: { title: "nav.rules", load: () => import("./pages/Rules.svelte") },
  sheet: { title: "nav.sheet", load: () => import("./pages/Sheets.svelte") },
  today: { title: "nav.today", load: () => withTexts("study", import("./pages/Today.svelte")) },
  deal: { title: "deal.title", load: () => withTexts("study", import("./pages/Deal.svelte")) },
  games: { title: "nav.games", load: () => import("./pages/Games.svelte") },
  friends: { title: "nav.friends", load: () => withTexts("people", import("./people/Friends.svelte")) },
  m: { title: "nav.replay", load: () => withTexts("study", import("./pages/Shared.svelte")) },
  replay: { title: "nav.replay", load: () => withTexts("study", import("./pages/Replay.svelte")) },
  review: { title: "review.title", load: () => withTexts("study", import("./pages/Review.svelte")), bare: "part" },
  settings: { title: "nav.settings", load: () => withTexts("nudges", import("./pages/Settings.svelte")) },
  recover: { title: "nav.settings", load: () => withTexts("nudges", import("./pages/Recover.svelte")) },
  mail: { title: "nav.settings", load: () => withTexts("nudges", import("./pages/Mail.svelte")) },
  gallery: { title: "nav.gallery", load: () => import("./pages/Gallery.svelte") },
};

type Page = ReturnType<PageEntry["load"]>;

/** Loads the texts of a page at the same time as the page. */
async function withTexts(part: Parameters<typeof loadTexts>[0], page: Page): Page {
  const [loaded] = await Promise.all([page, loadTexts(part)]);
  return loaded;
}

export function pageFor(parts: readonly string[]): PageEntry {
  const [first] = parts;
  return first === undefined ? HOME : (PAGES[first] ?? MISSING);
}
