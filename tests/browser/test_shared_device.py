"""Several people at one device: no hand is shown before the person named on the screen has said that they hold it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.conftest import Visits
from tests.browser.player import HAS_NEWS, Player
from tests.browser.test_multiplayer import OPEN_TABLE, sit_down
from tests.browser.test_tables import hand_of, remember
from tests.browser.visitor import PHONE, Visitor

COLOURS = {"R": "red", "Y": "yellow", "B": "blue", "G": "green", "P": "purple"}
KEEP_SHOWN = """
window.shown = new Set();
new MutationObserver(() => {
  for (const one of document.querySelectorAll(".hand [role=img]")) {
    window.shown.add(one.getAttribute("aria-label").split(",")[0]);
  }
}).observe(document, { childList: true, subtree: true, attributes: true });
"""
"""Every card of a hand that was in the page, however shortly; without what it is in this round."""
SHOWN = "() => [...window.shown]"
WHOLE = "() => document.documentElement.outerHTML + document.title"
SPOKEN = "() => [...document.querySelectorAll('[data-live]')].map((one) => one.textContent).join('')"
PAUSE = 700.0
"""Milliseconds: a press that comes sooner after the name was shown may have been meant for something else."""
IS_ASKED = f"""() => document.querySelector("[data-phase='pass-device']") !== null || ({HAS_NEWS})() !== null"""


class Device:
    """A page that several people share. It knows their hands from the server's messages, as the page does: "red 4"."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor, self.page = visitor, visitor.page
        self.hands: dict[str, list[str]] = {}
        self.known: list[str] = []
        """The cards of the last holder when they took the device: they may have seen these."""
        visitor.context.add_init_script(KEEP_SHOWN)
        self.page.on("websocket", self._listen)
        self.screen = self.page.locator("[data-phase='pass-device']")

    def _listen(self, socket: WebSocket) -> None:
        view: dict[str, Any] = {}

        def read(payload: str | bytes) -> None:
            said = json.loads(payload)
            view.update(said.get("view") or {})
            hand = (said.get("game") or {}).get("hand") or ((said.get("view") or {}).get("game") or {}).get("hand")
            if hand and view.get("is_yours"):
                self.hands[view["seats"][view["seat"]]["name"]] = sorted(f"{COLOURS[one[0]]} {one[1:]}" for one in hand)

        socket.on("framereceived", read)

    def add(self, name: str) -> None:
        self.page.get_by_label("Another player on this device").fill(name)
        self.page.get_by_role("button", name="Add", exact=True).click()

    def named(self) -> str:
        """Who is to get the device."""
        return self.screen.get_by_role("button").inner_text().removeprefix("I am ")

    def shown(self) -> list[str]:
        """Cards that were in the page for a moment or longer, other than those of the last holder."""
        return sorted(set(self.page.evaluate(SHOWN)) - set(self.known))

    def shows_nothing(self) -> None:
        """No card is drawn, named or read out anywhere in the page, and nobody saw another's on the way here."""
        assert self.shown() == []
        self.screen.wait_for()
        assert self.shown() == []
        assert self.page.locator("svg.card, .hand, [data-card]").count() == 0
        assert self.page.evaluate(SPOKEN) == ""

    def begins_hidden(self) -> None:
        """The match begins, and no hand with it."""
        self.page.locator("[data-phase='pass-device'], .hand").first.wait_for()
        self.shows_nothing()

    def take(self) -> str:
        """The named person says that they hold the device; their cards are the ones that are shown."""
        who = self.named()
        self.page.wait_for_timeout(PAUSE)
        self.screen.get_by_role("button").click()
        self.page.locator(".hand").wait_for()
        assert [label.split(",")[0] for label in hand_of(self.page)] == self.hands[who]
        self.known = [*self.hands[who]]
        self.page.evaluate("() => window.shown.clear()")
        return who

    def decide(self) -> None:
        player = Player(self.page)
        player.decide(player.look())

    def reload(self) -> None:
        self.page.reload()
        self.known = []


@pytest.fixture
def device(visits: Visits) -> Device:
    return Device(visits(size=PHONE))


def begin(device: Device, *names: str, **wish: Any) -> None:
    """One person opens the table alone; the others are added by name, and the last name starts the match."""
    remember(device.visitor, **wish)
    page = device.visitor.go("/")
    page.get_by_role("button", name="Pass and play").click()
    for name in names:
        device.add(name)
    device.begins_hidden()


@pytest.mark.parametrize(
    "edition",
    [pytest.param("nichtig", id="all-are-asked-at-once"), pytest.param("niet-2015", marks=pytest.mark.slow)],
)
def test_no_hand_is_shown_when_the_last_name_is_entered(device: Device, edition: str) -> None:
    begin(device, "Bob", "Cleo", edition=edition, players=3, friends=2)
    device.visitor.axe()
    device.visitor.fits()
    first = device.named()
    assert len(device.hands) == 3, "all hands are dealt"
    whole: str = device.page.evaluate(WHOLE)
    assert not [card for hand in device.hands.values() for card in hand if card in whole]
    assert device.take() == first
    device.decide()
    device.shows_nothing()
    button = device.screen.get_by_role("button")
    button.blur()
    device.page.keyboard.down("Enter")
    button.focus()
    device.page.keyboard.down("Enter")  # the same key, still held
    device.shows_nothing()
    device.page.keyboard.up("Enter")
    assert device.take() != first


def test_three_quick_presses_after_the_last_name_open_no_hand(device: Device) -> None:
    remember(device.visitor, edition="nichtig", players=3, friends=1)
    page = device.visitor.go("/")
    page.get_by_role("button", name="Pass and play").click()
    field = page.get_by_label("Another player on this device")
    field.fill("Bob")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    field.press("Enter")
    device.begins_hidden()
    button = device.screen.get_by_role("button")
    expect(button).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Enter")
        page.clock.run_for(250)
        device.shows_nothing()
    page.clock.run_for(250)
    page.keyboard.press("Enter")
    page.locator(".hand").wait_for()


def test_the_menu_does_nothing_for_a_person_while_the_device_is_passed_on(device: Device) -> None:
    begin(device, "Bob", edition="niet-2015", players=3, friends=1)
    page = device.page
    menu = page.get_by_role("button", name="Menu", exact=True)
    personal = ["Let a bot play for me", "Leave the table", "Continue on another device"]
    for is_passed in (True, False):
        own = []
        if not is_passed:  # only who opened the table can move on to a device of their own
            own = personal[:2] if device.take() == "Bob" else personal
        menu.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Ask for a pause").wait_for()
        offered = [name for name in personal if dialog.get_by_role("button", name=name).count() > 0]
        assert offered == own
        device.visitor.axe()
        page.keyboard.press("Escape")


@pytest.mark.slow
def test_a_reload_hides_the_cards_again(device: Device) -> None:
    begin(device, "Bob", edition="nichtig", players=3, friends=1)
    device.take()
    device.reload()
    device.shows_nothing()
    device.take()


@pytest.mark.slow
def test_the_next_deal_is_hidden_after_the_result_of_a_round(device: Device) -> None:
    begin(device, "Bob", edition="nichtig", players=6, friends=1, level="novice", length="rounds", rounds=2)
    page = device.page
    while True:
        page.wait_for_function(IS_ASKED)
        if device.screen.count():
            device.shows_nothing()
            device.take()
        elif page.locator("[data-phase='round-end']").count():
            break
        else:
            device.decide()
    assert page.locator(".hand").count() == 0
    device.reload()
    page.locator("[data-phase='round-end']").wait_for()
    assert device.shown() == []
    assert page.get_by_role("button", name="Log").count() == 0, "it names cards that one of them has chosen in secret"
    page.locator("section[data-phase='round-end'] .go button").first.click()
    device.shows_nothing()
    device.take()


@pytest.mark.slow
def test_an_opened_log_closes_when_the_device_is_to_be_passed_on(device: Device, visits: Visits) -> None:
    """Cleo sits between the two at a device of her own: what she does calls for Bob while Ann reads the log."""
    remember(device.visitor, edition="niet-2015", players=3, friends=2)
    page = device.visitor.go("/")
    page.get_by_role("button", name="Invite friends").click()
    cleo = visits()
    sit_down(cleo, page.get_by_label("Link for this computer").input_value())
    device.add("Bob")
    other = Player(cleo.page)
    while True:
        device.page.wait_for_function(f"() => ({IS_ASKED})() || !document.querySelector('[data-phase=waiting]')")
        if device.screen.count() and device.named() == "Bob":
            device.take()
            device.decide()
        elif device.screen.count():
            device.take()
        elif page.evaluate(HAS_NEWS):
            device.decide()
            break
        elif cleo.page.evaluate(HAS_NEWS):
            other.decide(other.look())
    open_log(page).wait_for()
    other.decide(other.look())
    device.shows_nothing()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert device.named() == "Bob"
    for key in ("l", "h"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.get_by_role("button", name="Log").count() == 0
    device.take()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("region", name="Hint")).to_have_count(0)


def open_log(page: Page) -> Locator:
    page.get_by_role("navigation", name="Panels").get_by_role("button", name="Log").click()
    return page.get_by_role("dialog")


@pytest.mark.slow
def test_a_hand_stays_hidden_when_time_is_up_on_the_way(device: Device) -> None:
    """Whoever was to get the device is no longer asked, but may well have it by now; a press counts for one name."""
    ann = device.visitor
    ann.go("/")
    clock = {"kind": "decision", "time": 5}
    more = {"clock": clock, "shared": True, "visibility": "private"}
    sit_down(ann, f"/table/{ann.page.evaluate(OPEN_TABLE, ['niet-2015', 2, more])}")
    device.add("Bob")
    device.begins_hidden()
    first = device.take()
    device.decide()
    device.screen.wait_for()
    assert device.named() != first
    device.known = []
    device.page.evaluate("() => window.shown.clear()")
    device.screen.get_by_role("button").hover()
    device.page.mouse.down()
    device.screen.get_by_role("button", name=f"I am {first}").or_(device.page.locator(".hand")).wait_for()
    device.page.mouse.up()
    device.shows_nothing()
    assert device.page.locator(".cell").count() == 0, "the table is not shown either"


def test_whoever_a_bot_plays_for_comes_back_at_the_same_device(device: Device) -> None:
    """Also while somebody else is to get it: they are named, for nobody knows who "I" am."""
    begin(device, "Bob", edition="nichtig", players=3, friends=1)
    first = device.take()
    page = device.page
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="Let a bot play for me").click()
    back = page.get_by_role("button", name=f"{first} is back")
    back.wait_for()
    assert device.named() != first
    assert page.get_by_role("button", name="I am back").count() == 0
    back.click()
    back.wait_for(state="detached")
    device.take()
    assert page.get_by_text("bot playing").count() == 0
