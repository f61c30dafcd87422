"""Somebody who plays on the page: sees what it offers, and takes it by mouse, by finger or by keyboard.

It knows no rules. What may be done is what the page does not dim.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Position
from playwright.sync_api import TimeoutError as PageTimeout

LOOK = (Path(__file__).parent / "scripts" / "look.js").read_text(encoding="utf-8")
WAY = (Path(__file__).parent / "scripts" / "way.js").read_text(encoding="utf-8")
ACT = "button.act"
TAP_AGAIN = 20_000.0
"""Milliseconds until a finger presses again what did not answer."""
HAS_NEWS = f"""() => {{
  const seen = ({LOOK})();
  const isAsked = seen.options.length > 0 && seen.needed > 0;
  return isAsked || ["round-end", "match-end"].includes(seen.phase) ? seen : null;
}}"""
KIND = {"veto": "cell", "team": "choice", "double": "choice"}
Choose = Callable[[str, list[str]], str]


class Player:
    def __init__(self, page: Page, seed: int = 1, by: str = "mouse", choose: Choose | None = None) -> None:
        self.page, self.by = page, by
        self._rng = random.Random(seed)
        self._choose = choose or (lambda _phase, options: self._rng.choice(options))
        self.seen: set[str] = set()

    def look(self) -> dict[str, Any]:
        """Waits until the page asks something of this player, or something has ended."""
        news = self.page.wait_for_function(HAS_NEWS)
        found: dict[str, Any] = news.json_value()
        self.seen.add(found["phase"])
        return found

    def play_until(self, is_enough: Callable[[str], bool]) -> str:
        """Decide whatever is asked, until a phase is enough; it is not played."""
        while True:
            found = self.look()
            if is_enough(found["phase"]) or found["phase"] == "match-end":
                return str(found["phase"])
            self.decide(found)

    def decide(self, found: dict[str, Any]) -> None:
        if found["phase"] == "round-end":
            self._press("section[data-phase='round-end'] .go button")
            self.page.wait_for_selector("section[data-phase='round-end']", state="detached")
            return
        kind = KIND.get(found["phase"], "card")
        left: list[str] = list(found["options"])
        for _ in range(found["needed"]):
            thing = self._choose(found["phase"], left)
            left = [other for other in left if other != thing] or left
            self._press(f'[data-{kind}="{thing}"]:not([aria-disabled="true"]):not([aria-pressed="true"])')
        self._confirm()

    def _confirm(self) -> None:
        """A browser on a busy machine takes a tap for a long press, which presses nothing; people then tap again."""
        self._press(ACT)
        patience = {"timeout": TAP_AGAIN} if self.by == "touch" else {}
        try:
            self.page.locator(ACT).wait_for(state="detached", **patience)
        except PageTimeout:
            if self.by != "touch":
                raise
            self._press(ACT)
            self.page.locator(ACT).wait_for(state="detached")

    def _press(self, selector: str) -> None:
        """Cards lie on each other: people press where a card shows its index."""
        where: Position | None = {"x": 12, "y": 16} if "data-card" in selector else None
        if self.by == "mouse":
            self.page.locator(selector).first.click(position=where)
        elif self.by == "touch":
            self.page.locator(selector).first.tap(position=where)
        else:
            self.reach(selector)
            self.page.keyboard.press("Enter")

    def reach(self, selector: str) -> None:
        """By the keys alone: tab to the group, arrows inside it. What was chosen last lies before the hand."""
        for key in ("Shift+Tab", "Tab") if selector == ACT else ("Tab", "Shift+Tab"):
            for _ in range(100):
                way: list[int] | None = self.page.evaluate(WAY, selector)
                if way is not None:
                    return self._walk(selector)
                self.page.keyboard.press(key)
        raise AssertionError(f"{selector} cannot be reached with the keyboard")

    def _walk(self, selector: str) -> None:
        """First to its row, then along it: rows differ in length."""
        for way, keys in enumerate([("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight")]):
            steps: int = self.page.evaluate(WAY, selector)[way]
            for _ in range(abs(steps)):
                self.page.keyboard.press(keys[steps > 0])
        assert self.page.evaluate(WAY, selector) == [0, 0], f"arrows do not lead to {selector}"
