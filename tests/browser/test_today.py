"""Today in a browser: the day's puzzle, right and wrong, themes, my own mistakes; and the puzzle without a network."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, Page, Route

from atout.nets.spreads import spread_of
from atout.protocol import study
from atout.puzzles import Puzzle, find, of_day, shipped, today
from atout.study.model import PHASES as STUDIED
from tests.browser.conftest import Visits
from tests.browser.player import Player
from tests.browser.visitor import DESKTOP, PHONE, Visitor

SIZES = [DESKTOP, pytest.param(PHONE, marks=pytest.mark.slow)]
TABLE = ".was[data-phase]"
BARS = ".panel .alternatives > li"
DAYS_AHEAD = 7
HAS_KEPT = "async (count) => (await (await caches.open('atout-puzzles')).keys()).length === count"
MISTAKE = "made-up~0~3"
MANY = 4
"""Sides to choose from; where there are more, each player is a button."""


def thing(page: Page, puzzle: Puzzle, action: str) -> tuple[str, Locator]:
    """What is pressed to choose an action: its selector, and the thing itself."""
    _, verb, *words = action.split(" ")
    if verb == "team" and len(puzzle.values) > MANY:
        selector = f".choices button[data-seat='{next(word for word in words if word != action[0])}']"
    elif verb in ("team", "double"):
        selector = f".choices button:nth-child({sorted(puzzle.values).index(action) + 1})"
    else:
        selector = f".was [data-cell='{' '.join(words)}']" if verb == "veto" else f".was [data-card='{words[0]}']"
    return selector, page.locator(selector).first


def give(page: Page, puzzle: Puzzle, action: str, by: str = "mouse") -> None:
    """Choose an action and press the button."""
    selector, wanted = thing(page, puzzle, action)
    if by == "keyboard":
        Player(page, by="keyboard").reach(selector)
        page.keyboard.press("Enter")
        page.locator(".choose .btn.big").focus()
        page.keyboard.press("Enter")
    else:
        wanted.click(position={"x": 12, "y": 16} if "data-card" in selector else None)
        page.locator(".choose .btn.big").click()
    page.locator(BARS).first.wait_for()


def wrong_of(puzzle: Puzzle) -> str:
    return next(action for action in puzzle.values if action not in puzzle.best)


@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
@pytest.mark.parametrize("is_right", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["right", "wrong"])
def test_the_puzzle_of_the_day(visits: Visits, size: tuple[int, int], is_right: bool) -> None:
    puzzle = of_day(today())
    ann = visits(size=size)
    page = ann.go("/today")
    page.locator(TABLE).wait_for()
    assert page.locator(f"{BARS}, .was .value").count() == 0, "nothing is told before the answer"
    assert page.locator(".choose .btn.big").is_disabled()
    ann.axe()
    ann.fits()
    table = page.locator(".was .hand-room").bounding_box()
    give(page, puzzle, puzzle.best[0] if is_right else wrong_of(puzzle), "keyboard" if size == DESKTOP else "mouse")
    page.locator(".choose [role=status]").get_by_text("Right." if is_right else "Not this one.").wait_for()
    after = page.locator(".was .hand-room").bounding_box()
    assert table is not None
    assert after is not None
    assert (table["x"], table["y"]) == (after["x"], after["y"]), "nothing moves"
    assert page.locator(BARS).count() >= 2
    assert page.locator(".why p").count() in (1, 2)
    page.get_by_text("Your puzzle rating changes by " + ("+" if is_right else "−")).wait_for()  # by how much it changed
    page.locator(".streak .d").get_by_text("1" if is_right else "0", exact=True).wait_for()
    page.get_by_text("1 puzzle tried").wait_for()
    ann.axe()
    ann.fits()
    page.locator(".do a.btn.primary").click()
    page.wait_for_url("**/today/puzzle/*")
    page.locator(".choose .btn.big").wait_for()
    assert page.locator(BARS).count() == 0

    page = ann.go("/today")
    page.get_by_text("Tried today: " + ("found." if is_right else "not found.")).wait_for()
    give(page, puzzle, puzzle.best[0])
    page.locator(".panel").get_by_text("Only the first try counts.").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=["desktop", "phone"])
def test_a_theme_leads_to_its_puzzles_and_on(visits: Visits, size: tuple[int, int]) -> None:
    ann = visits(size=size)
    page = ann.go("/today")
    theme = page.locator("a[href='/today/theme/lead']")
    theme.wait_for()
    theme.press("Enter")
    page.wait_for_url("**/today/puzzle/*")
    page.locator(TABLE).wait_for()
    first = find(page.url.rsplit("/", 1)[1])
    assert first is not None
    assert first.theme == "lead"
    page.locator("a[href='/today/theme/lead'][aria-current=page]").wait_for()
    ann.axe()
    ann.fits()
    give(page, first, first.best[0])
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/table/**")
    page.wait_for_selector("[data-phase]")
    page.get_by_text("Played on from round").first.wait_for(state="attached")
    page.goto("/today/theme/none-such")
    page.get_by_role("alert").wait_for()


BELOW_THE_BUTTON = """() => {
  const cards = [...document.querySelectorAll('.was .hand .card')].map((card) => card.getBoundingClientRect().bottom);
  return Math.max(...cards) - document.querySelector('.choose').getBoundingClientRect().top;
}"""
"""By how many pixels the hand reaches below the upper edge of the button, which stays in sight."""


def largest() -> list[Puzzle]:
    """For each game and phase, a puzzle with as many players, and as many cards in hand, as there are.

    With partners one for each number of them: the names to choose from are other buttons.
    """
    found: dict[tuple[bool, str, int], tuple[int, int, Puzzle]] = {}
    for one in shipped():
        kind = one.edition == "nichtig", one.phase, one.players if one.phase == "partners" else 0
        size = one.players, len(one.view()["hand"])
        if kind not in found or size > found[kind][:2]:
            found[kind] = *size, one
    return [one for *_, one in found.values()]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", [(360, 640), PHONE, (1366, 768)], ids=["small", "phone", "laptop"])
def test_the_whole_hand_is_in_sight_above_the_button(visits: Visits, size: tuple[int, int], language: str) -> None:
    ann = visits(size=size, language=language)
    for puzzle in largest():
        page = ann.go(f"/today/puzzle/{puzzle.id}")
        page.locator(TABLE).wait_for()
        page.evaluate("document.fonts.ready.then(() => true)")
        assert page.evaluate(BELOW_THE_BUTTON) <= 1, (puzzle.id, puzzle.phase)
        assert page.locator(".was .hand .card").count() == len(puzzle.view()["hand"])
        ann.fits()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("phase", "task"),
    [
        ("veto", "Cover a cell"),
        ("team", "Pick your side"),
        ("double", "Who gets ×2?"),
        ("discard", "Discard"),
        ("pass", "Pass card 1 of 2"),
        ("lay", "Lay out card"),
        ("play", "a card"),
    ],
)
def test_a_puzzle_says_what_is_asked_and_who_plays_with_whom(visits: Visits, phase: str, task: str) -> None:
    puzzle = next(one for one in shipped() if one.view()["phase"] == phase)
    sides: list[list[int]] | None = puzzle.view()["sides"]
    page = visits().go(f"/today/puzzle/{puzzle.id}")
    page.get_by_role("heading", level=1, name=task).wait_for()
    shown = page.locator(".panel ul > li")
    assert shown.count() == (len(sides) if sides else 0)
    assert page.locator(".panel ol > li").count() == len(puzzle.view()["trick_winners"]), "the tricks played so far"
    if sides:
        mine = next(side for side in sides if puzzle.seat in side)
        assert shown.first.locator(".avatar").count() == len(mine), "my own side comes first"
    if phase in ("team", "double"):
        assert page.locator(".choices .avatar").count() > 0, "the faces of the markers on the board"
    if phase == "lay":
        assert page.locator(".pile-list .sum").inner_text() == "", "nothing counts yet"


def test_a_puzzle_says_who_holds_the_double_card(visits: Visits) -> None:
    views = ((one, one.view()) for one in shipped())
    puzzle, view = next((one, view) for one, view in views if view["phase"] == "play" and view["double"] is not None)
    page = visits(size=(1366, 768)).go(f"/today/puzzle/{puzzle.id}")
    sides = [side for side in view["sides"] or [] if view["double"] in side]
    marked = page.locator(".panel ul > li", has_text="×2")
    marked.wait_for()
    assert marked.locator(".avatar").count() == len(sides[0])


@pytest.mark.slow
def test_on_a_phone_the_sides_are_told_above_the_table(visits: Visits) -> None:
    puzzle = next(one for one in shipped() if one.view()["phase"] == "double")
    ann = visits(size=PHONE)
    page = ann.go(f"/today/puzzle/{puzzle.id}")
    page.locator("header").get_by_role("img", name=" against ").wait_for()
    ann.axe()
    ann.fits()


@pytest.mark.slow
def test_several_partners_are_chosen_one_by_one(visits: Visits) -> None:
    puzzle = next(one for one in shipped() if one.phase == "partners" and len(one.best[0].split(" ")) == 5)
    ann = visits(size=PHONE)
    page = ann.go(f"/today/puzzle/{puzzle.id}")
    me, *side = puzzle.best[0].split(" ")[0], *puzzle.best[0].split(" ")[2:]
    for seat in side:
        if seat != me:
            page.locator(f".choices button[data-seat='{seat}']").click()
    ann.axe()
    page.locator(".choose .btn.big").click()
    page.locator(".choose [role=status]").get_by_text("Right.").wait_for()


def as_mistake(puzzle: Puzzle) -> study.PuzzlePosition:
    """A puzzle told as a decision of a match of mine."""
    actions, chosen = puzzle.record["rounds"][0]["actions"], wrong_of(puzzle)
    own = study.OwnMistake("made-up", puzzle.edition, 1.0, 2, len(actions), chosen, "mistake", puzzle.lead)
    answer = study.PuzzleAnswer(
        puzzle.values, list(puzzle.best), list(puzzle.reason), puzzle.lead, puzzle.se, spread_of(puzzle.game().setup)
    )
    return study.PuzzlePosition(
        MISTAKE, puzzle.edition, puzzle.players, puzzle.seat, puzzle.phase, puzzle.theme, puzzle.view(), answer,
        mistake=own,
    )  # fmt: skip


def serve_mistake(visitor: Visitor, puzzle: Puzzle) -> None:
    """From now on the visitor's browser finds one mistake, due until it is tried."""
    tried: list[str] = []

    def answer(route: Route) -> None:
        path = route.request.url.split("/api/")[1]
        body: Any
        if path == "mistakes":
            due = [] if tried else [study.MistakeEntry(MISTAKE, 1.0, 0)]
            body = study.Mistakes(due, 1, 0.0 if due else 1.8e9)
        elif path.endswith("/attempts"):
            sent: Any = route.request.post_data_json
            tried.append(sent["action"])
            body = study.MistakeAttempt(tried[0] in puzzle.best, 1.8e9, 3.0)
        else:
            body = as_mistake(puzzle)
        route.fulfill(body=msgspec.json.encode(body), content_type="application/json")

    visitor.page.route("**/api/mistakes**", answer)
    visitor.page.route("**/api/mistakes/**", answer)


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_my_mistakes_come_back(visits: Visits, size: tuple[int, int]) -> None:
    ann = visits(size=size)
    page = ann.go("/today/mistakes")
    page.get_by_text("No mistakes yet.").wait_for()
    ann.axe()
    ann.fits()
    page.goto("/today")
    page.locator(TABLE).wait_for()
    puzzle = of_day(today())
    give(page, puzzle, puzzle.best[0])  # from now on the device has a guest
    page.get_by_text("1 puzzle tried").wait_for()
    other = next(one for one in shipped() if one.phase == "tricks")
    serve_mistake(ann, other)
    page.goto("/today")
    page.get_by_text("1 to try again today").wait_for()
    page.locator("a[href='/today/mistakes']").press("Enter")
    page.get_by_text("From a match of yours, round 3.").wait_for()
    assert page.url.endswith(MISTAKE), "the address names it, so that it stays when it is solved"
    give(page, other, other.best[0])
    page.get_by_text("It comes back in 3 days.").wait_for()
    ann.axe()
    ann.fits()
    page.goto("/today/mistakes")
    page.get_by_text("Nothing to try today.").wait_for()


@pytest.mark.slow
def test_the_puzzle_of_the_day_without_a_network(visits: Visits) -> None:
    """After one visit. What was answered is sent when there is a connection again."""
    puzzle = of_day(today())
    ann = visits(size=PHONE)
    page = ann.go("/today")
    page.locator(TABLE).wait_for()
    while not page.evaluate(HAS_KEPT, 1 + DAYS_AHEAD):  # the list, and the puzzles of some days
        page.wait_for_timeout(50)
    ann.context.set_offline(True)
    page.reload()
    page.locator(TABLE).wait_for()
    give(page, puzzle, puzzle.best[0])
    page.locator(".choose [role=status]").get_by_text("Right.").wait_for()
    page.get_by_text("Not sent: there is no connection.").wait_for()
    assert page.locator(".why p").count() in (1, 2)
    page.reload()
    page.get_by_text("Tried today: found.").wait_for()
    ann.context.set_offline(False)
    page.reload()
    page.get_by_text("1 puzzle tried").wait_for()
    page.locator(".streak .d").get_by_text("1", exact=True).wait_for()
    rating = page.locator(".rating .d").inner_text()
    ann.context.set_offline(True)  # now the server's answers of this visit are the last known ones
    page.reload()
    page.get_by_text("Tried today: found.").wait_for()
    page.get_by_text("1 puzzle tried").wait_for()
    assert page.locator(".rating .d").inner_text() == rating
    page.locator(".deal").get_by_text("needs a connection").wait_for()
    ann.context.set_offline(False)
    ann.forgive("ERR_INTERNET_DISCONNECTED")
    ann.forgive("ERR_FAILED")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE, (360, 640)], ids=["desktop", "phone", "small"])
def test_a_puzzle_of_every_phase(visits: Visits, size: tuple[int, int], language: str) -> None:
    ann = visits(size=size, language=language)
    for phase in STUDIED:
        puzzle = next(one for one in shipped() if one.phase == phase)
        page = ann.go(f"/today/puzzle/{puzzle.id}")
        page.locator(TABLE).wait_for()
        ann.axe()
        ann.fits()
        give(page, puzzle, wrong_of(puzzle))
        texts = " ".join(page.locator(".why p").all_inner_texts())
        assert "{" not in texts
        assert "reason." not in texts
        ann.axe()
        ann.fits()
