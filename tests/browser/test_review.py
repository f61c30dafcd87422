"""The review of a match: from my games to one decision and a second try, by mouse and by keyboard."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visits
from tests.browser.test_games import who_has_played
from tests.browser.visitor import DESKTOP, PHONE


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.slow)], ids=["desktop", "phone"])
def test_a_review_from_my_games_to_a_second_try(visits: Visits, size: tuple[int, int]) -> None:
    ann, played = who_has_played(visits, size=size)
    page = ann.go("/games")
    page.get_by_role("link", name="Review").first.click()
    page.get_by_role("heading", name="Where your lead came from").wait_for()  # before all decisions are judged
    page.get_by_role("heading", name="Error rate").wait_for()  # and when they are
    assert page.url.endswith(f"/review/{played}")
    words = page.get_by_text("The cards were worth").inner_text()
    assert page.locator("li.result .d").inner_text() in words
    ann.axe()
    ann.fits()

    rows = page.locator("aside ol > li > a")
    costs = [float(text.replace("−", "-")) for text in page.locator("aside ol > li > a > .d").all_inner_texts()]
    assert costs == sorted(costs), "what cost most comes first"
    if not costs:
        page.goto(f"/review/{played}#1")  # nothing to tell: any decision will do
    else:
        rows.first.focus()
        page.keyboard.press("Enter")
    bars = page.locator(".alternatives > li")
    bars.first.wait_for()
    assert page.get_by_text("your choice").count() == 1
    ann.axe()
    ann.fits()
    hands = page.locator(".open-hand")
    assert hands.count() == 0
    ann.pick("Judged by", "Open cards")
    hands.first.wait_for()
    ann.pick("Judged by", "What I knew")
    assert hands.count() == 0

    page.get_by_role("button", name="Try again").click()
    assert bars.count() == 0, "the answer is hidden"
    assert page.locator(".hand-room .tag").count() == 0
    page.locator(".choices button").first.focus()
    page.keyboard.press("Enter")
    ann.axe()
    page.locator(".panel .btn.primary.big").click()
    bars.first.wait_for()
    assert page.locator(".verdict").count() == 1
    page.get_by_role("link", name="Back to the review").click()
    page.get_by_role("heading", name="What cost most").wait_for()

    page.goto("/games")
    page.get_by_role("heading", name="Error rate").wait_for()
    stranger = visits(size=size)
    stranger.go(f"/review/{played}")
    stranger.page.get_by_text("This match is not in your list.").wait_for()
    stranger.forgive("401")
    stranger.forgive("404")
