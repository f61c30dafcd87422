// A card that comes onto a pile: it falls a little. Not with motion switched off, and nothing waits for it.
import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import { motionFactor } from "../../settings/settings.svelte";

const MILLISECONDS = 320;

/** For the top of a pile of so many cards; nothing falls onto the place of an empty pile. */
export function lay(_: Element, cards: number): TransitionConfig {
  return {
    duration: cards === 0 ? 0 : MILLISECONDS * motionFactor(),
    easing: cubicOut,
    css: (t, u) => `opacity: ${Math.min(1, 2 * t)}; translate: 0 ${-28 * u}px; scale: ${1 + 0.3 * u}`,
  };
}
