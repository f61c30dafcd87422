"""The deal of the day in a browser: the card, the table it leads to, and everybody's result afterwards."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.browser.conftest import Visits
from tests.browser.visitor import PHONE, Visitor
from tests.server.background import Background
from tests.server.client import Party
from tests.server.test_daily import play

pytestmark = pytest.mark.slow


def played(url: str, places: tuple[int, ...]) -> tuple[str, str]:
    """Guests play the deal, each by another habit; returns the cookie of the first, and the day."""

    async def all_play() -> tuple[str, str]:
        async with Party(url) as party:
            people = [await party.guest(f"Guest {place}") for place in places]
            for person, place in zip(people, places, strict=True):
                await play(person, place)
            day: str = (await people[0].get("/api/deal"))["day"]
            return people[0].cookie.partition("=")[2], day

    with ThreadPoolExecutor(1) as threads:  # Playwright has the event loop of this one
        return threads.submit(lambda: asyncio.run(all_play())).result()


def as_guest(visitor: Visitor, cookie: str, url: str) -> Visitor:
    visitor.context.add_cookies([{"name": "atout", "value": cookie, "url": url}])
    return visitor


SHARED = {
    "en": (r"Atout deal of the day, \w+ \d+: [+−]?\d+\.\d, better than \d+%", "Copied"),
    "de": (r"Atout, Austeilung des Tages, \d+\. \w+\.?: [+−]?\d+,\d, besser als \d+\xa0%", "Kopiert"),
}


def shared(visitor: Visitor, expected: tuple[str, str]) -> None:
    """One line: to the device where it can send, else to the clipboard."""
    page, (line, copied) = visitor.page, expected
    button = page.locator(".page-deal header nav button")
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("delete Navigator.prototype.share")
    button.press("Enter")
    button.get_by_text(copied).first.wait_for()
    text: str = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(line, text), "at a server that only this computer can open, without an address"
    page.evaluate("navigator.share = async (what) => { window.sent = what }")
    button.click()
    page.wait_for_function("window.sent")
    assert page.evaluate("window.sent") == {"text": text}


def test_from_the_card_to_everybodys_result(visits: Visits, site: Background) -> None:
    fresh = visits()
    page = fresh.go("/today")
    card = page.locator(".deal")
    card.get_by_role("button", name="Play").click()
    page.wait_for_url("**/table/**")
    page.wait_for_selector("[data-phase]")

    cookie, day = played(site.url, (0, 1, 2, 3))
    page.goto(f"/deal/{day}")
    page.get_by_text("Finish your two rounds first").wait_for()
    page.locator(".deal").get_by_role("button", name="Go on").wait_for()
    fresh.forgive("409")

    for size, language, title in ((PHONE, "en", "Better than"), ((1440, 900), "de", "Besser als")):
        visitor = as_guest(visits(size=size, language=language), cookie, site.url)
        page = visitor.go(f"/deal/{day}")
        page.get_by_role("heading", level=1, name=title).wait_for()
        assert page.locator(".hist .mine").count() == 1
        first = page.locator(".choices section").first
        assert first.locator(".rows .mine").count() == 1
        shares = first.locator(".rows .d").all_inner_texts()
        assert 98 <= sum(int("".join(filter(str.isdigit, one))) for one in shares) <= 102
        visitor.fits()
        visitor.axe()
        shared(visitor, SHARED[language])
        page.goto("/today")
        page.locator(f".deal a[href='/deal/{day}']").press("Enter")
        page.get_by_role("heading", level=1, name=title).wait_for()
        page.locator(".page-deal header nav a").first.press("Enter")
        page.wait_for_url("**/review/**")
        will_be_public(visitor, page.url.split("/review/")[1].split("?")[0].split("/")[0])


def will_be_public(visitor: Visitor, table: str) -> None:
    """Against bots alone the match is public unless one says otherwise, but not before its day is over."""
    page = visitor.page
    page.goto(f"/table/{table}")
    panel = page.locator("[data-sharing='private']")
    panel.wait_for()
    assert panel.get_by_role("radio", checked=True).get_attribute("value") == "open"
    assert panel.get_by_role("status").first.inner_text() in ("not public yet", "noch nicht öffentlich")
    assert panel.get_by_role("radio").count() == 2, "what was agreed, and no"
    visitor.axe()
