"""A visitor of the page: a browser context of their own, and a list of all errors the browser reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
QUICK = {"speed": "off", "bots": "instant"}
"""Nothing moves and bots answer at once: tests look at the final state."""
PATIENCE = 300_000.0
"""Milliseconds until a wait counts as hanging. A busy machine may need minutes; no test measures time by it."""
STICKS_OUT = (Path(__file__).parent / "scripts" / "fits.js").read_text(encoding="utf-8")
DESKTOP, TABLET, PHONE = (1280, 860), (820, 1180), (390, 844)


def is_complaint(said: ConsoleMessage) -> bool:
    """An error, or a warning of the framework about something that the page does wrong."""
    return said.type == "error" or (said.type == "warning" and "svelte.dev/e/" in said.text)


class Visitor:
    def __init__(
        self, browser: Browser, url: str, *, size: tuple[int, int] = DESKTOP, language: str = "en", **settings: str
    ) -> None:
        touch = size == PHONE
        self.context: BrowserContext = browser.new_context(
            base_url=url,
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce",
        )
        self.context.set_default_timeout(PATIENCE)
        chosen = json.dumps({**QUICK, **settings})
        self.context.add_init_script(f"localStorage.setItem('atout.settings', JSON.stringify({chosen}))")
        self.complaints: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda said: self.complaints.append(said.text) if is_complaint(said) else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def go(self, path: str) -> Page:
        self.page.goto(path)
        self.page.wait_for_selector("main h1, main h2, [data-phase]")
        return self.page

    def pick(self, group: str, name: str) -> None:
        """Choose one of a row of choices."""
        strip = self.page.get_by_role("group", name=group, exact=True)
        strip.get_by_role("radio", name=name, exact=True).check()

    def forgive(self, part: str) -> None:
        """Drop errors that the test causes on purpose."""
        self.complaints = [one for one in self.complaints if part not in one]

    def leave(self) -> None:
        """Close the context; the browser must have reported no error."""
        complaints, self.complaints = self.complaints, []
        self.context.close()
        assert complaints == [], complaints

    def fits(self) -> None:
        """Nothing is wider than the window; the message names what is."""
        out: list[str] = self.page.evaluate(STICKS_OUT)
        assert out == [], f"{self.page.url} is too wide: {out}"

    def axe(self, *rules: str) -> None:
        """The given rules of axe, or all, on what is shown now."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
        found: list[dict[str, Any]] = self.page.evaluate(
            "(options) => axe.run(document, options).then((found) => found.violations)", options
        )
        violations = [
            f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
            for one in found
            for node in one["nodes"]
        ]
        assert violations == [], "\n".join([self.page.url, *violations])

    def look_at(self, size: tuple[int, int], theme: str) -> None:
        """Resize the window and switch the colours without a reload."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
