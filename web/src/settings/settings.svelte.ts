// Settings of the page, kept on this device. A stored value that is not allowed is replaced by the default.
import { parseObject, oneOf, storage } from "../storage";

export const SETTING_VALUES = {
  theme: ["system", "light", "dark", "contrast"],
  cards: ["small", "medium", "large"],
  symbols: ["shapes", "names"],
  sounds: ["off", "on"],
  bell: ["off", "on"],
  notify: ["off", "on"],
  speed: ["slow", "normal", "fast", "off"],
  bots: ["slow", "normal", "fast", "instant"],
  keys: ["on", "off"],
} as const;
export type PageSettings = { -readonly [K in keyof typeof SETTING_VALUES]: (typeof SETTING_VALUES)[K][number] };

export const DEFAULTS: PageSettings = {
  theme: "system",
  cards: "medium",
  symbols: "shapes",
  sounds: "off",
  bell: "off",
  notify: "off",
  speed: "normal",
  bots: "normal",
  keys: "on",
};
const KEY = "atout.settings";
const SCALE = { small: 0.85, medium: 1, large: 1.2 };
const ANIMATION = { slow: 1.8, normal: 1, fast: 0.5, off: 0 };
const BOT_PAUSE = { slow: 2, normal: 1, fast: 0.45, instant: 0 };

/** Stored text as settings: known names with allowed values, defaults for the rest. */
export function readSettings(text: string | null): PageSettings {
  const found = parseObject(text);
  const names = Object.keys(SETTING_VALUES) as (keyof PageSettings)[];
  return Object.fromEntries(
    names.map((name) => [name, oneOf<string>(found[name], SETTING_VALUES[name], DEFAULTS[name])]),
  ) as PageSettings;
}

export const settings: PageSettings = $state(readSettings(storage?.getItem(KEY) ?? null));

/** Factor for the duration of animations; 0 means no animation. */
export function animationFactor(): number {
  return ANIMATION[settings.speed];
}

/** The same for things that move: 0 also where the device asks for reduced motion. */
export function motionFactor(): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : animationFactor();
}

/** Factor for the pause after a move of somebody else; 0 means no pause. */
export function botPauseFactor(): number {
  return BOT_PAUSE[settings.bots];
}

function themeOf(choice: PageSettings["theme"]): "light" | "dark" | "contrast" {
  if (choice !== "system") return choice;
  if (matchMedia("(prefers-contrast: more)").matches) return "contrast";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Writes the settings onto the document; called whenever one changes. */
export function applySettings(): void {
  storage?.setItem(KEY, JSON.stringify(settings));
  const root = document.documentElement;
  root.dataset["theme"] = themeOf(settings.theme);
  root.dataset["motion"] = settings.speed === "off" ? "off" : "on";
  root.style.setProperty("--card-scale", String(SCALE[settings.cards]));
  root.style.setProperty("--pace", String(Math.max(animationFactor(), 0.01)));
  const page = getComputedStyle(root).getPropertyValue("--page").trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", page);
}

/** Applies the system's theme when it changes, while the setting says "system". */
export function followSystem(): void {
  for (const query of ["(prefers-contrast: more)", "(prefers-color-scheme: dark)"]) {
    matchMedia(query).addEventListener("change", applySettings);
  }
}
