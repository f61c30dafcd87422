"""The score sheet of the physical game: rounds written down, one of them corrected, without a network."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visits
from tests.browser.visitor import PHONE


def fill(page: Page, label: str, value: int) -> None:
    """A number counts while it is typed: the field keeps the focus."""
    page.get_by_role("spinbutton", name=label).fill(str(value))


def totals(page: Page) -> list[int]:
    texts = page.locator("tfoot tr").last.locator("td").all_inner_texts()
    return [int(text.replace("−", "-")) for text in texts if re.fullmatch(r"\s*[−-]?\d+\s*", text)]


@pytest.mark.slow
def test_a_round_is_corrected_offline(visits: Visits) -> None:
    """Two players of Niet!: no sides, so a round is tricks and loot times points."""
    ann = visits(size=PHONE)
    page = ann.go("/sheet")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.reload()
    page.get_by_role("heading", name="New match").wait_for()
    ann.context.set_offline(True)

    ann.pick("Players", "2")
    page.get_by_label("Name of player 1").fill("Ann")
    page.get_by_label("Name of player 2").fill("Bo")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Add a round").first.click()
    assert page.locator(".wrong").count() == 0, "nothing was typed yet"
    ann.fits()
    save = page.get_by_role("button", name="Save")
    assert page.locator("form input:checked").count() == 1, "only the way to enter a round is chosen"
    assert page.get_by_text("Still missing: the points and the discard.").is_visible()
    assert save.is_disabled()
    ann.pick("Points", "3")
    assert page.get_by_text("Still missing: the discard.").is_visible()
    ann.pick("Discard", "no card")
    assert page.get_by_text("Still missing: the tricks.").is_visible()
    assert save.is_disabled()
    expected = int(page.get_by_text(re.compile(r"^0 of \d+$")).inner_text().split()[-1])
    fill(page, "Tricks of Ann", expected - 3)
    assert page.get_by_text(f"The tricks add up to {expected - 3}").is_visible()
    assert page.get_by_role("button", name="Save").is_disabled()
    fill(page, "Tricks of Bo", 3)
    fill(page, "Loot of Bo", 1)
    ann.axe()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Change round 1").wait_for()
    assert totals(page) == [3 * (expected - 3), 3 * 4]

    page.get_by_role("button", name="Change round 1").click()
    fill(page, "Tricks of Ann", expected - 4)
    fill(page, "Tricks of Bo", 4)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Change round 1").wait_for()
    assert totals(page) == [3 * (expected - 4), 3 * 5]

    page.reload()
    page.get_by_role("button", name="Change round 1").wait_for()
    assert totals(page) == [3 * (expected - 4), 3 * 5], "kept on this device, shown without a network"
    ann.axe()
    ann.fits()
    ann.context.set_offline(False)
    ann.forgive("ERR_INTERNET_DISCONNECTED")
