"""What a table says to what one does: refusals, hints that are thought about, decisions that cannot be sent yet."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute

from tests.browser.conftest import Visits
from tests.browser.player import Player
from tests.browser.test_board import SMALL, Box, fixed, overlap
from tests.browser.test_tables import remember
from tests.browser.visitor import PHONE, Visitor

TAPPABLE = """() => [...document.querySelectorAll("[data-cell], .hand [data-card], .match-screen button")]
  .map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0)
  .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
TIGHT = """() => [...document.querySelectorAll("dialog .acts .btn")].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const [text, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
  const gaps = [text.top - box.top, box.bottom - text.bottom, text.left - box.left, box.right - text.right];
  return Math.min(...gaps) < 6;
}).map((one) => one.textContent)"""
"""Buttons whose words come near their borders."""


def begin(visitor: Visitor, **wish: Any) -> Page:
    """A table of bots, at the first thing that is asked."""
    remember(visitor, **wish)
    page = visitor.go("/")
    page.locator("button.primary.big").first.click()
    Player(page).look()
    return page


def box_of(page: Page, selector: str) -> Box:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return [box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]]


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, (1440, 900), (844, 390)], ids=["small phone", "desktop", "sideways"])
def test_a_refusal_is_in_nobodys_way(visits: Visits, size: tuple[int, int]) -> None:
    """It covers nothing that can be tapped, keeps what was chosen, and goes with a tap or by itself."""
    ann = visits(size=size)
    ann.page.clock.install()
    page = begin(ann, edition="niet-2015", players=4)
    player = Player(page)
    player.decide(player.look())
    player.look()
    page.locator("[data-cell]:not([aria-disabled='true'])").first.click()
    chosen = page.locator("[data-cell][aria-pressed='true']")
    assert chosen.count() == 1
    before = fixed(page)
    covered, refusal = page.locator("[data-cell][aria-disabled='true']").first, page.locator("p.no")
    for goes in ("by a tap", "by itself"):
        covered.click(force=True)
        refusal.wait_for()
        assert fixed(page) == before
        said = box_of(page, "p.no")
        assert not any(overlap(said, one) for one in page.evaluate(TAPPABLE)), said
        assert chosen.count() == 1, "what was chosen stays"
        if goes == "by a tap":
            page.mouse.click(size[0] / 2, 4)
        else:
            page.clock.fast_forward(9_000)
        refusal.wait_for(state="detached")
    assert page.locator("button.act").is_visible()


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, (1440, 900)], ids=["small phone", "desktop"])
def test_a_hint_is_thought_about_in_sight(visits: Visits, size: tuple[int, int]) -> None:
    """At once something in the hint's place says so and moves; nothing else does."""
    ann = visits(size=size)
    held: list[str | bytes] = []
    sockets: list[WebSocketRoute] = []

    def hold_back_advice(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda text: held.append(text) if '"advice"' in str(text)[:40] else socket.send(text))

    ann.page.route_web_socket("**/ws/**", hold_back_advice)
    page = begin(ann, edition="niet-2015", players=4)
    page.evaluate("document.fonts.ready.then(() => true)")
    before = fixed(page)
    page.locator(".btn.hint").click()
    page.locator(".waits").wait_for()
    assert "likely deals" in page.locator(".waits").inner_text()
    assert page.locator(".waits .moves").evaluate("it => getComputedStyle(it, '::before').animationName") != "none"
    assert fixed(page) == before
    ann.axe()
    while not held:
        page.wait_for_timeout(50)
    sockets[-1].send(held[0])
    page.locator(".slip").wait_for()
    assert page.locator(".waits").count() == 0
    assert fixed(page) == before


def wordy(text: str, times: int = 1) -> str:
    """The advice for a veto, with a reason that takes many lines in every language."""
    told = json.loads(text)
    veto = {"best": "veto points 3", "other": "veto start 3", "row": "start", "cell": "2", "worth_n": 4.7}
    told["reasons"] = [{"code": "cell-wanted", "parameters": {**veto, "best_share": 75, "other_share": 35}}] * times
    seat, (first, *_) = told["action"].partition(" ")[0], told["alternatives"]
    cells = ("super green", "super yellow", "points 3")  # the same in every run: long names take two lines
    told["alternatives"] = [{**first, "action": f"{seat} veto {cell}"} for cell in cells]
    return json.dumps(told)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en", "fr"])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small phone", "phone"])
def test_an_open_hint_shows_all_of_it_beside_the_cell_or_over_the_hand(
    visits: Visits, size: tuple[int, int], language: str
) -> None:
    ann = visits(size=size, language=language)

    def make_wordy(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(wordy(str(text)) if '"advice"' in str(text)[:40] else text))

    ann.page.route_web_socket("**/ws/**", make_wordy)
    page = begin(ann, edition="niet-2015", players=5)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.locator(".btn.hint").click()
    page.locator(".slip .more").click()
    assert page.locator(".slip li").count() == 3
    assert page.locator(".slip .why").evaluate("it => it.scrollHeight - it.clientHeight") <= 1, "nothing is cut off"
    sheet = box_of(page, ".slip")
    assert not overlap(sheet, box_of(page, ".cell.hinted"))
    assert not all(overlap(sheet, box_of(page, one)) for one in (".board", ".hand")), "one of them is free"
    assert sheet[3] <= size[1]
    ann.axe()
    page.locator(".slip .more").click()
    assert not overlap(box_of(page, ".slip"), box_of(page, ".hand"))
    page.locator(".slip .icon-btn").click()
    page.locator(".slip").wait_for(state="detached")


def far_apart(text: str) -> str:
    """The advice for a veto whose reason compares with the fifth of its choices."""
    told = json.loads(text)
    seat = told["action"].partition(" ")[0]
    cells = ("trump red", "super green", "points 1", "points 2", "points 3")
    told["alternatives"] = [
        {"action": f"{seat} veto {cell}", "known": 2.0 - place, "se": 0.1, "found_by": 0.2}
        for place, cell in enumerate(cells)
    ]
    told["action"] = told["alternatives"][0]["action"]
    found = {"best": "veto trump red", "other": "veto points 3", "best_share": 75, "other_share": 35}
    told["reasons"] = [{"code": "found-by", "parameters": found}]
    return json.dumps(told)


@pytest.mark.parametrize("size", [SMALL, pytest.param((360, 740), marks=pytest.mark.slow)], ids=["640", "740"])
def test_an_open_hint_says_what_its_numbers_are_and_where_choices_are_left_out(
    visits: Visits, size: tuple[int, int]
) -> None:
    ann = visits(size=size)

    def tell_apart(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(far_apart(str(text)) if '"advice"' in str(text)[:40] else text))

    ann.page.route_web_socket("**/ws/**", tell_apart)
    page = begin(ann, edition="niet-2015", players=4)
    page.locator(".btn.hint").click()
    page.locator(".slip .more").click()
    assert page.locator(".slip li:not(.gap) > span:first-child").all_inner_texts() == [
        "Trump: red", "Supertrump: green 1s", "Points: 3",
    ]  # fmt: skip
    assert page.locator(".slip li").nth(2).locator(".sr").inner_text() == "2 other choices are in between"
    caption, why = box_of(page, ".slip small"), box_of(page, ".slip .why")
    assert page.locator(".slip small").inner_text() == "Points ahead of the others’ average"
    assert caption[3] - caption[1] >= 10
    assert why[1] <= caption[1]
    assert caption[3] <= why[3] + 1, "it is in sight without scrolling"
    ann.axe()


@pytest.mark.slow
def test_what_is_too_long_for_an_open_hint_scrolls_between_its_title_and_its_buttons(visits: Visits) -> None:
    ann = visits(size=SMALL, language="de")

    def make_wordy(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(wordy(str(text), 3) if '"advice"' in str(text)[:40] else text))

    ann.page.route_web_socket("**/ws/**", make_wordy)
    page = begin(ann, edition="niet-2015", players=5)
    page.locator(".btn.hint").click()
    page.locator(".slip .more").click()
    assert page.locator(".slip .why").evaluate("it => it.scrollHeight > it.clientHeight + 1")
    title, why, take = (page.locator(f".slip {one}").bounding_box() for one in ("header b", ".why", ".take"))
    assert title is not None
    assert why is not None
    assert take is not None
    assert title["y"] + title["height"] <= why["y"] + 1
    assert why["y"] + why["height"] <= take["y"] + 1


def test_cards_laid_out_offline_stay_and_are_sent_later(visits: Visits) -> None:
    ann = visits(size=PHONE)
    page = begin(ann, edition="nichtig", players=3)
    ann.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.locator(".offline").wait_for()
    cards = page.locator(".hand [data-card]:not([aria-pressed='true'])")
    for left in (2, 1, 0):
        cards.first.tap(position={"x": 12, "y": 16})
        assert page.locator(".chosen-cards .place").count() == left
    page.locator("button.act").tap()
    page.locator(".chosen-cards .unsent").wait_for()
    assert page.locator(".chosen-cards li > svg").count() == 3, "the cards stay where they were put"
    assert "when the connection is back" in page.locator(".prompt").inner_text()
    ann.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator("[data-phase='play']").wait_for()
    assert page.locator(".unsent").count() == 0
    ann.complaints.clear()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "gives_up", "proposes"),
    [
        ("en", "Give up this match", "Propose"),
        ("fr", "Abandonner cette partie", "Proposer"),
        ("de", "Diese Partie aufgeben", "vorschlagen"),
    ],
)
def test_alone_with_a_bot_nobody_is_asked(visits: Visits, language: str, gives_up: str, proposes: str) -> None:
    """The menu is worded for one person; between two players sides have names, and nobody picks a partner."""
    ann = visits(size=SMALL, language=language)
    page = begin(ann, edition="niet-2015", players=2)
    start = page.locator(".board .vrow").first.locator("small").text_content() or ""
    assert "artner" not in start
    assert "artenaire" not in start
    page.locator("header.bar > button.icon-btn").click()
    acts = page.locator("dialog .acts")
    acts.get_by_text(gives_up).wait_for()
    assert proposes not in acts.inner_text()
    assert page.evaluate(TIGHT) == []
    page.keyboard.press("Escape")
    Player(page).play_until(lambda phase: phase == "play")
    assert page.locator(".seat .side").count() == 0
    bar = page.locator("header.bar dt").all_inner_texts()
    assert len(bar) == 2
    assert "JONAS" in [one.upper() for one in bar]
