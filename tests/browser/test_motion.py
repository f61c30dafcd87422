"""Cards are dealt, collected and laid on piles in motion; nothing waits for it, and reduced motion is respected."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visits
from tests.browser.player import HAS_NEWS, Player
from tests.browser.test_tables import remember
from tests.browser.visitor import PHONE

LONGEST = "() => Math.max(0, ...document.getAnimations().map((one) => Number(one.effect.getTiming().duration)))"
COLLECTED = """() => document.getAnimations().filter((one) => one.animationName?.includes('collect'))
  .map((one) => one.effect.getTiming()).map(({ delay, duration }) => delay + duration)"""
"""When the cards of a finished trick have reached its winner, in milliseconds."""
MAY_PLAY = ".match-screen:has(.mat.taken) .hand [data-card]:not([aria-disabled='true'])"
LAID = """
window.laid = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const where = this.closest('.piles, .row-of-piles')?.classList[0];
  if (where && options.duration > 0) window.laid.push([where, options.duration]);
  return animate.call(this, frames, options);
};
"""
"""Notes every card that falls onto a pile, drawn large or small, and its milliseconds."""
TRICK = 1_500
"""For so many milliseconds a finished trick is shown."""


@pytest.mark.slow
def test_cards_are_dealt_and_nothing_waits_for_it(visits: Visits) -> None:
    """With motion on, cards come in one by one, a veto is accepted meanwhile, and a reload deals nothing again."""
    ann = visits(size=PHONE, speed="slow", bots="instant")
    ann.page.emulate_media(reduced_motion="no-preference")
    remember(ann, players=2)
    page = ann.go("/")
    page.get_by_role("button", name="Play now").tap()
    page.locator(".hand.dealing").wait_for()
    dealt = "() => document.getAnimations().filter((one) => one.animationName?.includes('deal')).length"
    assert page.evaluate(dealt) > 10
    player = Player(page, by="touch")
    player.decide(player.look())
    page.locator(".cell.covered").first.wait_for()
    page.reload()
    page.locator(".hand").wait_for()
    assert page.locator(".hand.dealing").count() == 0
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(LONGEST) <= 1


def play_until_a_trick_is_won(page: Page) -> None:
    """The page's clock stands still but for these steps, so a finished trick stays until a test lets it go."""
    player = Player(page, by="touch")
    while page.locator(MAY_PLAY).count() == 0:
        if page.locator(".mat.taken").count() == 0 and (found := page.evaluate(f"({HAS_NEWS})()")):
            player.decide(found)
        page.clock.run_for(TRICK // 3)


@pytest.mark.slow
def test_a_trick_is_collected_and_nothing_waits_for_it(visits: Visits) -> None:
    """Who won it plays the next card while the trick is still on its way, and sees it played at once."""
    ann = visits(size=PHONE, speed="normal", bots="normal")
    ann.page.emulate_media(reduced_motion="no-preference")
    remember(ann, edition="niet-2015", players=2)
    page = ann.page
    page.clock.install()
    ann.go("/").get_by_role("button", name="Play now").tap()
    page.wait_for_selector("[data-phase='veto']")
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    play_until_a_trick_is_won(page)
    ends: list[float] = page.evaluate(COLLECTED)
    assert len(ends) == 2, "both cards move"
    assert max(ends) <= TRICK, "before the next scene"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(LONGEST) <= 1
    card = page.locator(".hand [data-card]:not([aria-disabled='true'])").first
    word = card.get_attribute("data-card")
    assert page.locator(".mat.taken").count() == 1
    card.tap(position={"x": 12, "y": 16})
    page.locator("button.act").tap()
    page.locator(f".hand [data-card='{word}']").wait_for(state="detached")


@pytest.mark.slow
def test_cards_fall_onto_piles(visits: Visits) -> None:
    """Every card that is laid out, the first ones of their piles, and then those of each trick."""
    ann = visits(speed="fast", bots="instant")
    ann.context.add_init_script(LAID)
    ann.page.emulate_media(reduced_motion="no-preference")
    remember(ann, edition="nichtig", players=3)
    page = ann.go("/")
    page.get_by_role("button", name="Play now").click()
    player = Player(page)
    player.decide(player.look())
    assert player.look()["phase"] == "play"
    laid: list[list[Any]] = page.evaluate("window.laid.splice(0)")
    assert {milliseconds for _, milliseconds in laid} == {160}
    on_large, on_small = (sum(where == one for where, _ in laid) for one in ("piles", "row-of-piles"))
    assert on_large == on_small > 0
    player.decide(player.look())
    page.wait_for_function("() => window.laid.length > 0")
    page.reload()
    page.wait_for_selector("[data-phase='play']")
    page.emulate_media(reduced_motion="reduce")
    player.decide(player.look())
    player.look()
    assert page.evaluate("window.laid") == [], "nothing falls after a reload, and nothing with reduced motion"
