"""The end of a round and of a match: results that stay, what points are made of, and what one may do next."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Visits
from tests.browser.friends import Friends
from tests.browser.player import Player
from tests.browser.test_phases import SCRIPTS
from tests.browser.test_tables import remember
from tests.browser.visitor import DESKTOP, PHONE, Visitor

pytestmark = pytest.mark.long
END = "section[data-phase='round-end']"
MATCH_END = "section[data-phase='match-end']"
LONG: dict[str, Any] = {"target": 1_000}
"""A match with more rounds than a test plays."""
LAPTOP, SMALL = (1366, 768), (360, 640)
SIDES = f"""() => [...document.querySelectorAll("{END} .half")].map((half) => ({{
  sum: Number(half.querySelector("[data-sum]").dataset.sum),
  own: [...half.querySelectorAll("[data-own]")].map((one) => Number(one.dataset.own)),
}}))"""
LEFT = "() => JSON.parse(localStorage.getItem('atout.results') ?? '[]')"


def to_round_end(visitor: Visitor, by: str = "mouse", **wish: Any) -> Player:
    """A table of bots, played to the end of its first round."""
    remember(visitor, **wish)
    page = visitor.go("/")
    button = page.locator("button.primary.big")
    button.tap() if by == "touch" else button.click()
    player = Player(page, by=by)
    assert player.play_until(lambda phase: phase == "round-end") == "round-end"
    return player


@pytest.mark.parametrize(("size", "by"), [(DESKTOP, "mouse"), (PHONE, "touch")])
@pytest.mark.slow
def test_a_result_stays_until_one_goes_on(visits: Visits, size: tuple[int, int], by: str) -> None:
    """A reload skips nothing, nor does a closed tab; bots play on behind it, and afterwards it does not come back."""
    ann = visits(size=size)
    player = to_round_end(ann, by, edition="niet-2015", players=3, **LONG)
    page, table = ann.page, ann.page.url
    first, bar = page.locator(END).inner_text(), page.locator("header.bar dl").text_content()
    for _ in range(2):
        page.reload()
        page.wait_for_selector(f"{END}[data-round='1']")
        assert page.locator(END).inner_text() == first
        assert page.locator("header.bar dl").text_content() == bar, "the points of the round stay in the bar"
    page.locator(f"{END} .go button").last.click()
    assert page.locator("dialog [data-sum]").all_inner_texts() == page.locator(f"{END} [data-sum]").all_inner_texts()
    page.keyboard.press("Escape")
    page.goto("/")
    ann.go(table)
    page.wait_for_selector(f"{END}[data-round='1']")
    ann.fits()
    player.decide(player.look())
    page.wait_for_selector(".match-screen[data-round='2']")
    page.reload()
    page.wait_for_selector(".match-screen[data-round='2']")
    assert [rounds for _, rounds in page.evaluate(LEFT)] == [1]
    player.play_until(lambda phase: phase == "round-end")
    page.wait_for_selector(f"{END}[data-round='2']")
    page.reload()
    page.wait_for_selector(f"{END}[data-round='2']")


@pytest.mark.slow
def test_points_are_taken_apart_in_three_languages(visits: Visits) -> None:
    """Difference scoring with five players: own points add up to the sums, and the sums to the score."""
    ann = visits()
    to_round_end(ann, edition="njet-2007", players=5, **LONG)
    page = ann.page
    us, them = page.evaluate(SIDES)
    for side in (us, them):
        assert sum(side["own"]) == side["sum"]
    higher, lower = sorted([us["sum"], them["sum"]], reverse=True)
    taken = f"({lower})" if lower < 0 else str(lower)
    terms = re.escape(f"{higher} − {taken} = {higher - lower}".replace("-", "−")).replace(r"\ ", r"\s*")
    assert page.locator(f"{END} dl.strip dt").count() == 5
    assert page.locator(f"{END} .half li").count() == 5
    assert page.locator(f"{END} .half svg.card[role=img]").count() == 1
    words = {"en": "×2 card: ", "fr": "carte ×2 : ", "de": "×2-Karte: "}
    for language, text in words.items():
        page.evaluate("language => localStorage.setItem('atout.language', language)", language)
        page.reload()
        page.wait_for_selector(f"{END}[data-round='1']")
        assert text in page.locator(END).inner_text().replace("\u00a0", " ")
        slip = page.locator(f"{END} h2").inner_text().replace("\u00a0", " ")
        assert re.match(terms, slip), (terms, slip)
        for size, theme in ((LAPTOP, "light"), (SMALL, "dark")):
            ann.look_at(size, theme)
            ann.fits()
            ann.axe()
            button = page.locator(f"{END} .go button").first.bounding_box()
            assert button is not None
            assert button["y"] + button["height"] <= size[1], f"{language}, {size}: Next round is below the fold"
        ann.look_at(DESKTOP, "light")


@pytest.mark.slow
def test_a_round_is_replayed_and_the_sheet_opened_without_leaving(visits: Visits) -> None:
    """The replay shows one's own hand and the backs of the others; the result stays behind the panel."""
    ann = visits()
    to_round_end(ann, edition="niet-2015", players=4, **LONG)
    page = ann.page
    page.get_by_role("button", name="Replay this round").click()
    panel = page.get_by_role("dialog", name="Round 1, as you saw it")
    panel.locator("input[type=range]").wait_for()
    hands = panel.locator(".open-hand")
    assert hands.count() == 4
    assert [hand.locator("svg[role=img]").count() for hand in hands.all()] == [15, 0, 0, 0]
    page.keyboard.press("End")
    page.wait_for_function(
        "() => document.querySelector('dialog input').value === document.querySelector('dialog input').max"
    )
    ann.axe()
    panel.get_by_role("button", name="Back", exact=True).click()
    page.keyboard.press("Escape")
    panel.wait_for(state="detached")
    assert page.locator(END).is_visible()
    page.get_by_role("button", name="Replay this round").click()
    panel.wait_for()
    page.go_back()
    panel.wait_for(state="detached")
    assert page.locator(END).is_visible(), "Back closes the panel and stays at the table"
    page.get_by_role("button", name="All rounds").click()
    sheet = page.get_by_role("dialog", name="Scores")
    assert sheet.locator("tbody tr").count() >= 4
    page.keyboard.press("Escape")
    assert page.locator(END).is_visible()


@pytest.mark.slow
def test_top_cards_are_added_up(visits: Visits) -> None:
    ann = visits(size=PHONE)
    to_round_end(ann, "touch", edition="nichtig", players=4, **LONG)
    page = ann.page
    page.reload()
    page.wait_for_selector(f"{END}[data-round='1']")
    for one in page.locator(f"{END} .one").all():
        total = int(one.locator("header .d").inner_text())
        if one.locator(".terms").count():
            left, right = one.locator(".terms").inner_text().split("\n")[-1].split("=")
            assert sum(int(term) for term in left.split("+")) == int(right) == total
        else:
            assert total == 0
    ann.fits()
    ann.axe()


@pytest.mark.slow
@pytest.mark.parametrize(("size", "by", "players", "target"), [(DESKTOP, "mouse", 2, 40), (PHONE, "touch", 4, 1)])
def test_after_the_match(visits: Visits, size: tuple[int, int], by: str, players: int, target: int) -> None:
    """Two players to one winner after some rounds; four players after one round, so that a side wins together."""
    ann = visits(size=size)
    player = to_round_end(ann, by, edition="niet-2015", players=players, target=target)
    page = ann.page
    assert player.play_until(lambda phase: phase == "match-end") == "match-end"
    course = page.locator(f"{MATCH_END} .course")
    rounds = course.locator("thead th").count() - 2
    assert rounds >= 1
    totals = [int(one.inner_text().replace("−", "-")) for one in course.locator("tbody td.d").all()]
    cells = [
        [int(one.inner_text().replace("−", "-")) for one in row.locator(".cell").all()]
        for row in course.locator("tbody tr").all()
    ]
    assert [sum(row) for row in cells] == totals
    assert totals == sorted(totals, reverse=True)
    assert 1 <= course.locator(".cell.us").count() < players * rounds
    title = page.locator(f"{MATCH_END} h2").first.inner_text()
    if totals[0] > totals[1]:
        assert re.search(rf"wins? by {totals[0] - totals[1]} points?$", title), title
    else:
        assert re.search("You share the win|Shared win: ", title), title
    for theme in ("light", "dark"):
        ann.look_at(size, theme)
        ann.fits()
        ann.axe()
    page.reload()
    page.wait_for_selector(MATCH_END)
    table = page.url.rsplit("/", 1)[1]
    page.wait_for_selector("[data-sharing='public']")  # against bots alone it is public unless one says otherwise
    sharing = page.locator(f"{MATCH_END} .told")
    assert "has a public address" in sharing.inner_text()
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this match").input_value()
    assert "/m/" in link
    sharing.get_by_text(link).wait_for()
    page.reload()
    sharing.get_by_role("button", name="Make it private").click()
    page.wait_for_selector("[data-sharing='private']")
    assert sharing.inner_text() == "This match is private."
    page.get_by_role("button", name="Share").click()
    sharing.get_by_text(re.compile(r"place \d of \d")).wait_for()  # one's own result can be sent all the same
    assert "/m/" not in sharing.inner_text()
    assert page.get_by_label("My result").input_value() in sharing.inner_text()
    page.wait_for_selector("[data-fair='right']")
    page.get_by_role("link", name="Watch replay").click()
    page.wait_for_url(f"**/replay/{table}**")
    page.locator(".player").wait_for()
    page.go_back()
    page.wait_for_selector(MATCH_END)
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: "/table/" in url and table not in url)
    page.wait_for_selector(".match-screen[data-round='1']")


@pytest.mark.slow
def test_who_played_with_others_is_asked_at_the_end(visits: Visits) -> None:
    """Whether everybody may watch; one's own yes is not enough, and no asks nobody again."""
    ann = visits(size=PHONE)
    ann.go("/")
    url = ann.page.url.rstrip("/")
    short = {"seats": ["open", "open", "random"], "options": {"length": {"target": 1}}}
    table: str = ann.page.evaluate((SCRIPTS / "table.js").read_text(encoding="utf-8"), ["nichtig", 3, short])
    page = ann.go(f"/table/{table}")
    page.get_by_role("button", name="Sit down").tap()
    with Friends(url, table, [1]):
        assert Player(page, by="touch").play_until(lambda phase: phase == "match-end") == "match-end"
    sharing = page.locator(f"{MATCH_END} .told")
    sharing.get_by_text("May anyone with the link watch this match?").wait_for()
    ann.fits()
    ann.axe()
    sharing.get_by_role("button", name="Yes, with all cards").tap()
    sharing.get_by_text("You have agreed. 1 other person has not yet.").wait_for()
    assert page.locator("[data-sharing='private']").count() == 1
    page.get_by_role("radio", name="Not public").check()
    sharing.get_by_text("This match is private.").wait_for()
    page.reload()
    sharing.get_by_text("This match is private.").wait_for()
