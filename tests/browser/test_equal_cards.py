"""Two equal cards in a hand: the one that is pressed is the one that is lifted, put back or played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page

from atout.puzzles import Puzzle, shipped
from tests.browser.conftest import Visits
from tests.browser.player import Player
from tests.browser.visitor import DESKTOP, PHONE, Visitor

PLAY_ON = """async (puzzle) => {
  const headers = { "Content-Type": "application/json" };
  const post = (path, body = {}) => fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  await post("/api/guest", { name: "Ann" });
  return (await (await post(`/api/puzzles/${puzzle}/play-on`)).json()).table;
}"""
"""A table that starts at the decision of a puzzle."""
IN_HAND = "() => document.activeElement?.closest('.hand') !== null"


def twins_in(puzzle: Puzzle) -> list[str]:
    """Cards that the player holds twice and may choose."""
    hand: list[str] = puzzle.record["rounds"][-1]["hands"][puzzle.seat].split()
    for action in puzzle.record["rounds"][-1]["actions"]:
        seat, _, *words = action.split()
        if int(seat) == puzzle.seat and words[0] in hand:
            hand.remove(words[0])
    legal = {action.split()[2] for action in puzzle.values}
    return sorted(card for card in set(hand) & legal if hand.count(card) == 2)


def puzzle_with_twins(verb: str, *, best: bool = False) -> tuple[Puzzle, str]:
    """A puzzle in which one of two equal cards may be chosen; `best`: and that is its only answer."""
    for puzzle in shipped():
        if next(iter(puzzle.values)).split()[1] != verb:
            continue
        for card in twins_in(puzzle):
            if not best or [action.split()[2] for action in puzzle.best] == [card]:
                return puzzle, card
    raise AssertionError(f"no puzzle with equal cards to {verb}")


class Twins:
    """The two equal cards, left and right."""

    def __init__(self, page: Page, card: str, by: str = "mouse") -> None:
        self.page, self.by = page, by
        self.both = page.locator(f'.hand [data-card="{card}"]')
        self.slots = page.locator(".hand .slot", has=page.locator(f'[data-card="{card}"]'))
        self.both.nth(1).wait_for()

    def press(self, place: int) -> None:
        card = self.both.nth(place)
        if self.by == "keyboard":
            card.focus()
            self.page.keyboard.press("Enter" if place else "Space")
        else:
            card.click(position={"x": 12, "y": 16})

    def lift(self, place: int) -> list[bool]:
        """Which of them are lifted after a press on one of them; so they are told to a screen reader."""
        self.press(place)
        lifted: list[bool] = self.slots.evaluate_all("all => all.map((one) => one.classList.contains('sel'))")
        assert lifted == self.both.evaluate_all("all => all.map((one) => one.ariaPressed === 'true')")
        return lifted

    def with_lamp(self) -> list[bool]:
        return [bool(one) for one in self.slots.evaluate_all("all => all.map((one) => !!one.querySelector('.lamp'))")]


def play_on(visitor: Visitor, puzzle: Puzzle) -> None:
    visitor.go("/")
    visitor.go(f"/table/{visitor.page.evaluate(PLAY_ON, puzzle.id)}")
    visitor.page.locator("form.name .btn.primary").click()
    Player(visitor.page).look()


def act_button(page: Page) -> Locator:
    return page.locator("button.act")


@pytest.mark.parametrize(
    ("size", "by"),
    [
        (DESKTOP, "mouse"),
        pytest.param(DESKTOP, "keyboard", marks=pytest.mark.slow),
        pytest.param(PHONE, "mouse", marks=pytest.mark.slow),
    ],
    ids=["desktop", "keyboard", "phone"],
)
def test_the_right_one_of_two_equal_cards_is_lifted_and_played(visits: Visits, size: tuple[int, int], by: str) -> None:
    puzzle, card = puzzle_with_twins("play")
    ann = visits(size=size)
    play_on(ann, puzzle)
    twins = Twins(ann.page, card, by)
    assert twins.lift(1) == [False, True]
    assert twins.lift(0) == [True, False], "the choice moves to the other one"
    assert twins.lift(1) == [False, True]
    ann.axe()
    ann.fits()
    assert act_button(ann.page).count() == 1
    twins.press(1)
    twins.both.nth(1).wait_for(state="detached")
    assert twins.both.count() == 1, "one is played"
    if by == "keyboard":
        assert ann.page.evaluate(IN_HAND)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_two_equal_cards_are_chosen_together_and_put_back_one_by_one(visits: Visits, by: str) -> None:
    puzzle, card = puzzle_with_twins("lay")
    ann = visits()
    play_on(ann, puzzle)
    page = ann.page
    places = page.locator(".chosen-cards .place")
    free = places.count()
    assert free >= 2
    twins = Twins(page, card, by)
    assert twins.lift(1) == [False, True]
    assert twins.lift(0) == [True, True]
    assert places.count() == free - 2
    ann.axe()
    assert twins.lift(0) == [False, True]
    assert twins.lift(1) == [False, False]
    assert places.count() == free
    assert [twins.lift(0), twins.lift(1)] == [[True, False], [True, True]]
    others = page.locator(f'.hand [data-card]:not([data-card="{card}"]):not([aria-disabled="true"])')
    for i in range(free - 2):
        others.nth(i).click(position={"x": 12, "y": 16})
    act_button(page).click()
    twins.both.first.wait_for(state="detached")


@pytest.mark.slow
def test_the_lamp_of_a_hint_is_at_the_equal_card_that_is_lifted(visits: Visits) -> None:
    puzzle, card = puzzle_with_twins("play", best=True)
    ann = visits()
    play_on(ann, puzzle)
    twins = Twins(ann.page, card)
    ann.page.get_by_role("button", name="Hint").click()
    ann.page.locator(".hand .lamp").wait_for()
    assert twins.with_lamp() == [True, False]
    assert twins.lift(1) == [False, True]
    assert twins.with_lamp() == [False, True]


@pytest.mark.slow
def test_a_puzzle_marks_the_equal_card_that_was_chosen(visits: Visits) -> None:
    puzzle, card = puzzle_with_twins("play")
    page = visits().go(f"/today/puzzle/{puzzle.id}")
    page.locator(".was[data-phase]").wait_for()
    twins = Twins(page, card)
    assert twins.lift(1) == [False, True]
    assert twins.lift(0) == [True, False]
    assert twins.lift(1) == [False, True]
    assert twins.lift(1) == [False, True]
    page.locator(".choose .btn.big").click()
    page.locator(".panel .alternatives > li").first.wait_for()
    assert page.locator(".was .hand .ring.mine").count() == 1
