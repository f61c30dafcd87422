"""Somebody who plays on the page: sees what it offers, and takes it by mouse, by finger or by keyboard.

It knows no rules. What may be done is what the page does not dim.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Position

LOOK = (Path(__file__).parent / "scripts" / "look.js").read_text(encoding="utf-8")
HAS_NEWS = f"""() => {{
  const seen = ({LOOK})();
  return (seen.options.length > 0 && seen.needed > 0) || ["round-end", "match-end"].includes(seen.phase);
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
        self.page.wait_for_function(HAS_NEWS)
        found: dict[str, Any] = self.page.evaluate(LOOK)
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
        self._press("button.act")
        self.page.wait_for_selector("button.act", state="detached")

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
        """By the keys alone: tab to the group, arrows inside it."""
        is_there = f"document.activeElement?.matches({selector!r}) ?? false"
        group = "document.activeElement?.parentElement?.closest('.hand, .board, .choices')"
        inside = f"{group}?.querySelector({selector!r}) != null"
        for key in ("Tab", "Shift+Tab"):
            for _ in range(150):
                if self.page.evaluate(is_there):
                    return
                if self.page.evaluate(inside) and self._walk(is_there):
                    return
                self.page.keyboard.press(key)
        raise AssertionError(f"{selector} cannot be reached with the keyboard")

    def _walk(self, is_there: str) -> bool:
        """Through a group: along it, and row by row."""
        self.page.keyboard.press("Home")
        for key in ["ArrowRight"] * 20 + (["ArrowDown", *["ArrowLeft"] * 6, *["ArrowRight"] * 6] * 5):
            if self.page.evaluate(is_there):
                return True
            self.page.keyboard.press(key)
        return bool(self.page.evaluate(is_there))
