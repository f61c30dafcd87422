// A card that comes onto a pile: it falls a little. Not with motion switched off, and nothing waits for it.
import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import { animationFactor } from "../../settings/settings.svelte";

const MILLISECONDS = 320;

export function lay(_: Element): TransitionConfig {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return {
    duration: isStill ? 0 : MILLISECONDS * animationFactor(),
    easing: cubicOut,
    css: (t, u) => `opacity: ${Math.min(1, 2 * t)}; translate: 0 ${-28 * u}px; scale: ${1 + 0.3 * u}`,
  };
}
