"""The lessons in the browser: they ask, give reasons, tell on request, remember, work offline and end in a match."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visits
from tests.browser.visitor import DESKTOP, PHONE

LESSONS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "web" / "src" / "generated" / "lessons.json").read_text(encoding="utf-8")
)
BUTTONS = {
    "en": {"next": "Continue", "show": "Show me", "play": "Play a short match", "close": "Close"},
    "fr": {"next": "Continuer", "show": "Montrez-moi", "play": "Jouer une partie courte", "close": "Fermer"},
    "de": {"next": "Weiter", "show": "Zeig es mir", "play": "Kurze Partie spielen", "close": "Schließen"},
}
SMALL = (360, 640)
PLACE = "atout.lessons"
WHERE = "() => document.querySelector('.stage .hand').getBoundingClientRect().top + scrollY"
"""Where the hand lies on the page, however far it is scrolled."""

IN_SIGHT = """() => {
  const bottom = Math.min(innerHeight, document.querySelector('.words .row').getBoundingClientRect().top);
  const parts = ['.words h1', '.stage :is(.board, .mat)', '.stage .hand'].map((one) => document.querySelector(one));
  return parts.map((one) => one?.getBoundingClientRect()).filter((box) => box && box.bottom > bottom + 1).length;
}"""
"""How many of heading, board or mat, and hand are below the fold or the row of buttons."""

COVERED = """() => document.querySelector('.words').getBoundingClientRect().bottom
  - document.querySelector('.stage').getBoundingClientRect().top"""
"""How many pixels of the table lie under the text."""


def choose(page: Page, action: str) -> None:
    """Tap the card, the cell or the partner of an action."""
    _, verb, *words = action.split()
    if verb == "veto":
        page.locator(f'[data-cell="{" ".join(words)}"]').first.click(force=True)  # a dimmed cell can be tried, too
    elif verb == "team":
        page.locator(f'[data-choice="{" ".join(words)}"]').click()
    else:
        page.locator(f'.hand [data-card="{words[0]}"]').first.click(position={"x": 12, "y": 16})


def step(page: Page) -> str:
    return page.locator(".words .caps").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lesson", "language", "size"),
    [
        ("partner", "en", DESKTOP),
        ("loot", "de", PHONE),
        ("partner", "fr", PHONE),
        ("partner", "de", PHONE),
        ("loot", "en", DESKTOP),
        ("loot", "fr", PHONE),
    ],
)
def test_a_lesson_from_the_first_question_to_the_end(
    visits: Visits, lesson: str, language: str, size: tuple[int, int]
) -> None:
    """At each stop a wrong try gets a reason, a second one the answer; the answer brings the learner on."""
    visitor, words = visits(size=size, language=language), BUTTONS[language]
    page = visitor.go(f"/learn/{lesson}")
    page.get_by_role("button", name=words["next"]).click()
    for stop in LESSONS[lesson]["stops"]:
        wrong = [option["action"] for option in stop["options"] if "why" in option]
        if size == PHONE:
            for phone in (SMALL, PHONE):
                page.set_viewport_size({"width": phone[0], "height": phone[1]})
                assert page.evaluate(IN_SIGHT) == 0, f"{lesson}, {phone}: text, table and hand are not seen at once"
            assert page.evaluate(COVERED) <= 0, "the question covers nothing"
        place = page.evaluate(WHERE)
        choose(page, wrong[0])
        page.locator(".feedback .why").wait_for()
        assert page.locator(".feedback b").count() == 0, "the answer is not named yet"
        assert page.evaluate(WHERE) == place, "nothing moves when something is said"
        if size == PHONE:
            assert page.evaluate(COVERED) <= 12, "a reason has the place of the question"
            page.get_by_role("button", name=words["close"]).click()
            assert page.locator(".feedback .why").count() == 0
            assert page.locator(".words .text").is_visible(), "the question is there again"
        choose(page, wrong[0])
        page.locator(".feedback .answer b").wait_for()
        visitor.fits()
        visitor.axe()
        for action in stop["best"]:
            choose(page, action)
        page.locator(".feedback .done").wait_for()
        page.get_by_role("button", name=words["next"]).click()
    page.get_by_role("button", name=words["play"]).wait_for()
    assert page.locator(".recap li").count() == len(LESSONS[lesson]["stops"])
    visitor.axe()
    visitor.fits()


def test_show_me_names_the_answer_and_marks_it(visits: Visits) -> None:
    visitor = visits()
    page = visitor.go("/learn/veto")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Show me").click()
    page.locator(".feedback .answer", has_text="Cover green").wait_for()
    assert page.get_by_role("button", name="Show me").is_disabled()
    choose(page, "0 veto trump green")
    page.locator(".feedback .done").wait_for()


def test_the_rules_refuse_in_a_lesson_with_their_paragraph(visits: Visits) -> None:
    page = visits().go("/learn/niet")
    page.get_by_role("button", name="Continue").click()
    choose(page, "0 veto trump blue")
    page.locator(".feedback .refused").get_by_role("link", name="§3.4").wait_for()
    choose(page, "0 veto points 4")
    page.locator(".feedback .why").wait_for()


@pytest.mark.slow
def test_progress_is_kept_and_the_lesson_goes_on_where_it_was_left(visits: Visits) -> None:
    visitor = visits()
    page = visitor.go("/learn")
    assert page.get_by_text("Continue: ").count() == 0
    assert page.locator("a[href^='/learn/']").count() == len(LESSONS)
    visitor.go("/learn/piles")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Skip").click()
    visitor.go("/learn")
    page.locator("a[href='/learn/piles']", has_text="Continue: 3 of 5").click()
    page.get_by_role("heading", name="Do not win this").wait_for()
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("button", name="Skip").click()
    visitor.go("/learn")
    page.locator("a[href='/learn/piles']", has_text="Continue: 2 of 5").wait_for()  # skipped is not finished


@pytest.mark.parametrize(
    ("lesson", "edition", "level"), [("nichtig", "nichtig", "Gentle"), ("minus", "niet-2015", "Solid")]
)
@pytest.mark.slow
def test_the_last_button_starts_a_match(visits: Visits, lesson: str, edition: str, level: str) -> None:
    visitor = visits()
    visitor.go("/learn")
    steps = len(LESSONS[lesson]["stops"]) + 2
    visitor.page.evaluate(
        "([key, text]) => localStorage.setItem(key, text)",
        [PLACE, json.dumps({lesson: {"step": steps - 1, "finished": False}})],
    )
    page = visitor.go(f"/learn/{lesson}")
    opened: list[dict[str, Any]] = []
    page.on(
        "request",
        lambda sent: opened.append(json.loads(sent.post_data or "{}")) if sent.url.endswith("/api/tables") else None,
    )
    page.get_by_role("button", name="Play a short match").click()
    page.wait_for_url("**/table/**")
    page.wait_for_selector("[data-phase]")
    [settings] = [one["settings"] for one in opened if "settings" in one]
    assert settings["edition"] == edition
    assert "target" in settings["options"]["length"], "a short match"
    assert set(settings["seats"][1:]) == {{"Gentle": "novice", "Solid": "club"}[level]}


@pytest.mark.slow
def test_a_lesson_works_offline(visits: Visits) -> None:
    visitor = visits()
    page = visitor.go("/learn/minus")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    visitor.context.set_offline(True)
    visitor.go("/learn/loot")
    page.get_by_role("button", name="Continue").click()
    choose(page, "0 play B1")
    page.locator(".feedback .done").wait_for()
    visitor.context.set_offline(False)
    visitor.forgive("ERR_INTERNET_DISCONNECTED")
