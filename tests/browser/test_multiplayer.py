"""Several people at a table: what is taken back is gone for all, picks stay, clocks run, who is away is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visits
from tests.browser.player import HAS_NEWS, Player
from tests.browser.test_phases import SCRIPTS
from tests.browser.visitor import PHONE, Visitor
from tests.server.background import Background, serve_in_background

OPEN_TABLE = (SCRIPTS / "table.js").read_text(encoding="utf-8")
COVERED = ".cell.covered"
TIMER = "[role=timer]"


def open_table(host: Visitor, players: int = 2, **more: Any) -> str:
    """The host sits down first; the path is what the others are given."""
    host.go("/")
    path = f"/table/{host.page.evaluate(OPEN_TABLE, ['niet-2015', players, more])}"
    sit_down(host, path)
    return path


def sit_down(visitor: Visitor, path: str) -> None:
    visitor.go(path)
    visitor.page.locator("form.name .btn.primary").click()
    visitor.page.locator("form.name .btn.primary").wait_for(state="detached")


def who_is_asked(*pages: Page) -> tuple[Page, Page]:
    """The one of two people who decides now, and the other."""
    while True:
        for page, other in (pages, pages[::-1]):
            if page.evaluate(f"({HAS_NEWS})()"):
                return page, other
        pages[0].wait_for_timeout(20)


@pytest.mark.slow
def test_a_veto_is_taken_back_when_the_other_agrees(visits: Visits) -> None:
    ann, bob = visits(), visits(size=PHONE)
    sit_down(bob, open_table(ann))
    hasty, calm = who_is_asked(ann.page, bob.page)
    player = Player(hasty)
    player.decide(player.look())
    for page in (hasty, calm):
        page.locator(COVERED).first.wait_for()
    hasty.get_by_role("button", name="Take back my last move").click()
    ann.axe()
    hasty.get_by_text("Waiting for the others.").wait_for()
    calm.get_by_text("to take back the last move").first.wait_for()
    calm.get_by_role("button", name="Agree").click()
    for page in (hasty, calm):
        page.locator(COVERED).first.wait_for(state="detached")
        assert page.get_by_role("button", name="Agree").count() == 0
    assert player.look()["phase"] == "veto"


@pytest.mark.slow
def test_what_is_picked_stays_whatever_the_others_do(visits: Visits) -> None:
    ann, bob = visits(), visits()
    sit_down(bob, open_table(ann))
    asked, other = who_is_asked(ann.page, bob.page)
    cell = asked.locator('[data-cell]:not([aria-disabled="true"])').first
    cell.click()
    other.locator("summary", has_text="Chat").click()
    other.get_by_label("Say something").fill("Take your time")
    other.get_by_role("button", name="Send").click()
    asked.get_by_text("Take your time").first.wait_for(state="attached")
    assert cell.get_attribute("aria-pressed") == "true"
    asked.locator("button.act").click()
    asked.locator(COVERED).first.wait_for()


@pytest.mark.slow
def test_a_clock_runs_where_somebody_is_to_decide_and_a_reload_does_not_wind_it(visits: Visits) -> None:
    ann, bob = visits(), visits(size=PHONE)
    sit_down(bob, open_table(ann, clock={"kind": "decision", "time": 60}))
    asked, other = who_is_asked(ann.page, bob.page)
    assert asked.locator(f".prompt {TIMER}").count() == 1
    plate = other.locator(".plates li").filter(has=other.locator(".turn"))
    plate.locator(TIMER).wait_for()
    assert other.locator(f".plates {TIMER}").count() == 1, "one clock runs: that of the player who decides"
    later = re.compile("0:5[0-7]")
    plate.locator(TIMER).filter(has_text=later).wait_for()
    other.reload()
    plate.locator(TIMER).wait_for()
    assert later.fullmatch(plate.locator(TIMER).inner_text()), "wound up by coming back"
    ann.axe()
    bob.axe()


@pytest.mark.slow
def test_when_time_is_up_a_bot_decides_and_the_page_says_so(visits: Visits) -> None:
    ann, bob = visits(), visits()
    sit_down(bob, open_table(ann, clock={"kind": "decision", "time": 3}))
    late, other = who_is_asked(ann.page, bob.page)
    late.get_by_text("Your time was up: a bot decided for you.").wait_for()
    for page in (late, other):
        page.locator(COVERED).first.wait_for()
        page.get_by_text(re.compile("time is up[:,] a bot decides")).first.wait_for(state="attached")
    ann.axe()


@pytest.mark.parametrize(
    ("language", "seated", "watching"),
    [
        ("en", ["Us", "Them", "Partner", "Them"], ["Team 1", "Team 2", "Team 1", "Team 2"]),
        pytest.param(
            *("fr", ["Nous", "Eux", "Partenaire", "Eux"], ["Équipe 1", "Équipe 2", "Équipe 1", "Équipe 2"]),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("de", ["Wir", "Gegner", "Partner", "Gegner"], ["Team 1", "Team 2", "Team 1", "Team 2"]),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_before_the_match_each_seat_says_its_team(
    visits: Visits, language: str, seated: list[str], watching: list[str]
) -> None:
    ann = visits(size=PHONE, language=language)
    ann.go("/")
    wish: list[Any] = ["nichtig", 4, {"options": {"teams": True}, "seats": ["open", "open", "novice", "open"]}]
    path = f"/table/{ann.page.evaluate(OPEN_TABLE, wish)}"
    marks = ann.go(path).locator("ol > li .team")
    assert marks.all_text_contents() == watching
    ann.axe()
    sit_down(ann, path)
    assert marks.all_text_contents() == seated
    ann.fits()
    ann.axe()


@pytest.mark.slow
def test_a_new_name_is_told_on_the_same_line(visits: Visits) -> None:
    ann, bob = visits(), visits(size=PHONE)
    lines: list[str] = []
    ann.page.on("websocket", lambda line: lines.append(line.url))
    path = open_table(ann)
    ann.page.get_by_label("Your name").fill("Anna")
    ann.page.get_by_role("button", name="Change").click()
    bob.go(path)
    bob.page.get_by_text("Anna", exact=True).wait_for()
    assert len(lines) == 1, "whoever changes their name stays connected"


@pytest.fixture(scope="module")
def watchful(page_is_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    """A server that notices quickly who is gone."""
    folder = tmp_path_factory.mktemp("watchful")
    with serve_in_background(f"sqlite:///{folder}/atout.db", folder, absent_seconds=1) as server:
        yield server


@pytest.mark.parametrize(
    ("language", "away", "note", "bot"),
    [
        pytest.param(
            *("en", "offline", "Offline. A bot takes over after 0:06.", "bot playing"),
            id="en",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("fr", "hors ligne", "Hors ligne. Un robot prend le relais après 0:06.", "un robot joue"),
            id="fr",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *("de", "offline", "Offline. Nach 0:06 springt ein Bot ein.", "ein Bot spielt"),
            id="de",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_who_is_away_is_told_and_then_that_a_bot_plays(
    visits: Visits, watchful: Background, language: str, away: str, note: str, bot: str
) -> None:
    ann, bob = visits(watchful.url, language=language, size=PHONE), visits(watchful.url)
    sit_down(bob, open_table(ann, clock={"kind": "decision", "time": 3600}, grace=6))
    if who_is_asked(ann.page, bob.page)[0] == ann.page:
        player = Player(ann.page)
        player.decide(player.look())
    bob.leave()
    plate = ann.page.locator(".plates li").filter(has=ann.page.locator(".away"))
    plate.get_by_text(away, exact=True).wait_for()
    ann.page.locator(".prompt").get_by_text(note).wait_for()
    ann.axe()
    ann.page.locator(".plates").get_by_text(bot, exact=True).wait_for()
