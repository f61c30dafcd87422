"""My games: the list, its conditions and pictures; and public matches, which work for somebody without a cookie."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect

from tests.browser.conftest import Visits
from tests.browser.test_phases import SCRIPTS
from tests.browser.test_replay import now, play_a_match
from tests.browser.visitor import DESKTOP, PHONE, Visitor

SMALL = (360, 640)
MENU = {
    "en": ["Play", "Today", "My games", "Learn", "Rules"],
    "fr": ["Jouer", "Aujourd’hui", "Mes parties", "Apprendre", "Règles"],
    "de": ["Spielen", "Heute", "Meine Partien", "Lernen", "Regeln"],
}


def who_has_played(visits: Visits, **settings: object) -> tuple[Visitor, str]:
    """Somebody with a finished match against bots, and its id."""
    ann = visits(**settings)
    ann.go("/")
    ann.page.evaluate("localStorage.setItem('atout.name', 'Ann')")
    return ann, play_a_match(ann)


def table(visitor: Visitor) -> None:
    """A table of the visitor that waits for players."""
    visitor.page.evaluate((SCRIPTS / "table.js").read_text(encoding="utf-8"), ["niet-2015", 4])


def box(visitor: Visitor, selector: str) -> FloatRect:
    found = visitor.page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_the_menu_has_five_pages(visits: Visits, language: str) -> None:
    ann = visits(language=language)
    page = ann.go("/sheet")
    links = page.locator("header nav a")
    assert [text.strip() for text in links.all_inner_texts()] == MENU[language]
    assert page.locator("header nav a[aria-current=page]").inner_text() == MENU[language][4], "sheets are at the rules"
    links.nth(2).click()
    page.get_by_role("heading", level=1, name=MENU[language][2]).wait_for()
    page.locator("main a[href='/replay']").wait_for()
    links.nth(4).click()
    page.locator("main a[href='/sheet']").wait_for()
    links.nth(0).click()
    page.locator("main a[href='/sheet']").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, DESKTOP, PHONE], ids=["small", "desktop", "phone"])
def test_my_games_are_listed_with_pictures(visits: Visits, size: tuple[int, int]) -> None:
    ann, played = who_has_played(visits, size=size)
    page = ann.go("/games")
    row = page.locator("ol > li").first
    row.wait_for()
    assert page.get_by_text("1 match on this device,").count() == 1
    assert row.locator("[aria-label^='Lead in each round']").count() == 1
    page.locator("aside svg[role=img]").first.wait_for()
    if size == DESKTOP:
        table(ann)
        ann.go("/games").locator("aside svg[role=img]").first.wait_for()
        running, matches, pictures = (box(ann, one) for one in (".running", ".list", "aside"))
        assert running["x"] == matches["x"] < pictures["x"]
        assert running["y"] == pictures["y"], "the pictures begin beside the matches that go on"
        ends = [one["y"] + one["height"] for one in (matches, pictures)]
        assert ends[0] >= ends[1] - 1, "the list reaches as far down as the pictures"
    ann.axe()
    ann.fits()
    page.get_by_role("combobox", name="Against", exact=True).select_option("people")
    page.get_by_text("No match fits this selection.").wait_for()
    page.get_by_role("combobox", name="Against", exact=True).select_option("bot:random")
    page.get_by_role("combobox", name="Edition", exact=True).select_option("nichtig")
    page.get_by_role("combobox", name="Players", exact=True).select_option("3")
    row.wait_for()
    shares = page.locator("aside section", has=page.get_by_role("heading", name="Your share of wins"))
    for by, label in (("By bot", "Random"), ("By edition", "Null & nichtig")):
        ann.pick("Grouped", by)
        shares.get_by_text(label, exact=True).wait_for()
    row.get_by_role("link", name="Replay").click()
    page.locator(".now").wait_for()
    assert f"/replay/{played}" in page.url


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_link_to_a_move_works_for_a_stranger_until_it_is_withdrawn(visits: Visits, size: tuple[int, int]) -> None:
    ann, played = who_has_played(visits, size=size)
    page = ann.go(f"/replay/{played}#9")
    panel = page.locator("[data-sharing=public]")
    panel.wait_for()
    link = panel.get_by_label("Link to this match").input_value()
    there = now(ann).replace("Ann", "Player 1")  # the name is not public unless one says so
    path = "/" + link.partition("/")[2]
    assert path.startswith("/m/")
    assert played not in path

    stranger = visits(size=size)
    stranger.go(f"{path}#9")
    stranger.page.locator(".now").wait_for()
    assert now(stranger) == there
    assert stranger.page.locator(".open-hand[role=group]").count() == 3
    stranger.axe()
    stranger.fits()
    assert re.search("wins by|Shared win", stranger.page.get_by_role("heading", level=2).first.inner_text())
    assert stranger.page.get_by_role("button", name="Play this too").is_visible()
    assert stranger.page.get_by_role("link", name="Download the record").count() == 1
    assert stranger.context.cookies() == []
    stranger.go(f"{path}?round=1&move=9")
    assert now(stranger) == there

    page.get_by_text("Your name is not shown.").wait_for()
    assert "Ann" not in stranger.page.locator("main").inner_text()
    panel.get_by_role("checkbox").check()
    page.get_by_text("Your name is shown to everybody.").wait_for()
    stranger.page.reload()
    stranger.page.locator(".now").wait_for()
    assert "Ann" in stranger.page.locator("main").inner_text()

    page.get_by_role("radio", name="My view").check()
    page.get_by_text("the cards you saw").wait_for()
    stranger.page.reload()
    stranger.page.locator(".now").wait_for()
    assert stranger.page.locator(".open-hand[role=group]").count() == 1
    assert stranger.page.locator(".open-hand[role=img]").count() == 2
    assert stranger.page.get_by_role("link", name="Download the record").count() == 0
    stranger.page.get_by_role("button", name="Play this too").click()
    stranger.page.wait_for_selector(".match-screen[data-round='1']")

    page.get_by_role("radio", name="Not public").check()
    page.locator("[data-sharing=private]").wait_for()
    ann.axe()
    stranger.go(f"{path}#9")
    stranger.page.get_by_text("There is no public match at this address.").wait_for()
    stranger.forgive("status of 404")
    assert page.get_by_role("button", name="Link to this move").count() == 0, "it would work for nobody"


def test_nothing_moves_when_the_choice_changes(visits: Visits) -> None:
    ann, _ = who_has_played(visits)
    page = ann.go("/games")
    page.locator("ol > li button[aria-expanded]").first.click()
    page.locator("[data-sharing=public]").wait_for()
    page.wait_for_load_state("networkidle")
    choice = page.locator(".share .seg")
    before = choice.bounding_box()
    for name in ("Not public", "My view", "All cards"):
        page.get_by_role("radio", name=name).check()
        page.wait_for_function("name => document.querySelector('.share input:checked')?.value === name",
                               arg={"Not public": "no", "My view": "own", "All cards": "open"}[name])  # fmt: skip
        assert choice.bounding_box() == before, name
