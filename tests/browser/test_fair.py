"""Fair shuffles on the page: the mark during a match, the check after it, and what it says about a forged one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import Visits
from tests.browser.player import Player
from tests.browser.test_multiplayer import open_table, sit_down
from tests.browser.test_replay import play_a_match
from tests.browser.visitor import PHONE, Visitor

SHORT = {"level": "novice", "length": "target", "target": 1, "edition": "nichtig", "players": 3}
MARK = "This deal can be checked"
NO_WEB_CRYPTO = "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"
FIXED = "the server fixed the shuffle before you sat down"


def play(visitor: Visitor, by: str = "mouse") -> Page:
    """A short match against bots on the page, up to its end."""
    wish = json.dumps(json.dumps(SHORT))
    visitor.context.add_init_script(f"localStorage.setItem('atout.wish', {wish})")
    page = visitor.go("/")
    page.get_by_role("button", name="Play now").click()
    player = Player(page, by=by)
    player.look()
    assert page.locator(".fair-mark").count() == 1
    assert player.play_until(lambda phase: phase == "match-end") == "match-end"
    return page


def verdict(page: Page, found: str) -> str:
    page.locator(f"[data-fair={found}]").wait_for()
    return page.locator("[data-fair] [role=status]").inner_text()


def forge(change: Callable[[dict[str, Any]], None]) -> Callable[[Route], None]:
    """Answers with the server's record, changed."""

    def answer(route: Route) -> None:
        response = route.fetch()
        record = json.loads(response.text())
        change(record)
        route.fulfill(response=response, body=json.dumps(record))

    return answer


def another_secret(record: dict[str, Any]) -> None:
    record["fair"]["secret"] = "00" * 32


def exchanged_hands(record: dict[str, Any]) -> None:
    hands = record["rounds"][-1]["hands"]
    hands[0], hands[1] = hands[1], hands[0]


@pytest.mark.slow
def test_a_finished_match_is_checked_and_a_forged_one_is_found_out(visits: Visits) -> None:
    ann = visits()
    page = play(ann)
    said = verdict(page, "right")
    assert said.startswith("Checked in your browser: ")
    assert FIXED in said
    ann.axe()
    summary = page.locator(".fair-check summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.get_by_text("atout verify --fair").wait_for()
    ann.axe()
    ann.fits()
    table = page.url.rsplit("/", 1)[1]
    record = f"**/api/records/{table}.jsonl"
    for change, reason in (
        (another_secret, "The revealed secret does not fit the commitment."),
        (exchanged_hands, "does not follow from the secret."),
    ):
        page.route(record, forge(change))
        page.reload()
        assert reason in verdict(page, "wrong")
        ann.axe()
        page.unroute(record)
    ann.go(f"/replay/{table}")
    assert FIXED in verdict(page, "right"), "the replay remembers what this browser saw"
    ann.axe()
    bob = visits(size=PHONE)
    text = ann.page.evaluate("path => fetch(path).then((answer) => answer.text())", f"/api/records/{table}.jsonl")
    bob.go("/replay")
    bob.page.get_by_label("Or paste a record").fill(text)
    bob.page.get_by_role("button", name="Replay").click()
    assert "joined too late" in verdict(bob.page, "right")
    bob.fits()


@pytest.mark.slow
def test_a_record_with_a_hand_that_was_not_held_is_found_out(visits: Visits) -> None:
    """The browser compares with the cards it was dealt: a forged past does not fit, however well it fits itself."""
    ann = visits()
    page = play(ann)
    page.evaluate(
        """() => {
          const kept = JSON.parse(localStorage.getItem("atout.fair"));
          const { hands } = kept.at(-1)[2];
          const [first] = Object.keys(hands);
          hands[first] = hands[first].split(" ").slice(1).join(" ");
          localStorage.setItem("atout.fair", JSON.stringify(kept));
        }"""
    )
    page.reload()
    assert "Round 1: the hand you held does not follow" in verdict(page, "wrong")


@pytest.mark.slow
def test_the_check_needs_no_https(visits: Visits) -> None:
    """Over plain http in a home network browsers have no Web Crypto."""
    ann = visits(size=PHONE)
    ann.context.add_init_script(NO_WEB_CRYPTO)
    page = play(ann, by="touch")
    assert page.evaluate("crypto.subtle") is None
    assert FIXED in verdict(page, "right")
    ann.fits()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        pytest.param("fr", "avant que vous preniez place", marks=pytest.mark.slow),
        pytest.param("en", FIXED, marks=pytest.mark.slow),
        pytest.param("de", "bevor du dich gesetzt hast", marks=pytest.mark.slow),
    ],
)
def test_a_match_given_up_is_checked_too(visits: Visits, language: str, said: str) -> None:
    ann, bob = visits(language=language), visits(size=PHONE)
    path = open_table(ann)
    bob.go(path)
    assert bob.page.get_by_text(MARK).is_visible(), "before anybody has to sit down"
    sit_down(bob, path)
    ann.page.locator("[data-phase=veto]").wait_for()
    ann.page.keyboard.press("m")
    mark = ann.page.locator("dialog .fair-mark")
    mark.locator("summary").click()
    commitment = mark.locator("code").inner_text()
    assert len(commitment) == 64
    ann.axe()
    ann.page.locator("dialog .acts button").nth(3).click()
    bob.page.get_by_role("button", name="Agree").click()
    for visitor, words in ((ann, said), (bob, FIXED)):
        assert words in verdict(visitor.page, "right")
        visitor.page.locator("[data-fair] summary").click()
        assert visitor.page.locator("[data-fair] code").first.inner_text() == commitment
        visitor.axe()
        visitor.fits()
    ann.go("/")
    abandoned = {"en": "abandoned", "fr": "abandonnée", "de": "abgebrochen"}[language]
    ann.page.get_by_text(abandoned).wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_nothing_moves_when_the_result_comes(visits: Visits, language: str) -> None:
    """The record comes late; until then the page says that it is checking, in as much room."""
    ann = visits(size=(360, 640), language=language)
    ann.go("/")
    table = play_a_match(ann)
    waiting: list[Route] = []
    page = ann.page
    page.route(f"**/api/records/{table}.jsonl", lambda route: waiting.append(route))
    page.goto(f"/table/{table}")
    page.locator("[data-fair=checking]").wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")  # a font that comes late changes the lines above
    before = page.locator("[data-fair]").bounding_box()
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    verdict(page, "right")
    assert page.locator("[data-fair]").bounding_box() == before
