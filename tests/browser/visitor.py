"""Somebody with a browser: a context of their own, and a note of everything the browser complained about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
QUICK = {"speed": "off", "bots": "instant"}
"""Nothing moves and bots are not waited for: tests look at what is there in the end."""
PATIENCE = 60_000.0
"""Milliseconds. Nothing is measured by it: what waits so long hangs."""
STICKS_OUT = (Path(__file__).parent / "scripts" / "fits.js").read_text(encoding="utf-8")
DESKTOP, TABLET, PHONE = (1280, 860), (820, 1180), (390, 844)


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
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def go(self, path: str) -> Page:
        self.page.goto(path)
        self.page.wait_for_selector("main h1, main h2, [data-phase]")
        return self.page

    def pick(self, group: str, name: str) -> None:
        """One of a strip of choices."""
        strip = self.page.get_by_role("group", name=group, exact=True)
        strip.get_by_role("radio", name=name, exact=True).check()

    def forgive(self, part: str) -> None:
        """Complaints that belong to what the test does on purpose."""
        self.complaints = [one for one in self.complaints if part not in one]

    def leave(self) -> None:
        """Whoever goes has nothing to complain about."""
        complaints, self.complaints = self.complaints, []
        self.context.close()
        assert complaints == [], complaints

    def fits(self) -> None:
        """Nothing sticks out to the side; what does is named."""
        out: list[str] = self.page.evaluate(STICKS_OUT)
        assert out == [], f"{self.page.url} is too wide: {out}"

    def axe(self) -> None:
        """All rules of axe, on what is shown now."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found: list[dict[str, Any]] = self.page.evaluate("axe.run(document).then((found) => found.violations)")
        told = [
            f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
            for one in found
            for node in one["nodes"]
        ]
        assert told == [], "\n".join([self.page.url, *told])
