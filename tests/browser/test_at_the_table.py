"""What people do at a table besides playing: ask, talk, take back, look, go on elsewhere, hand the device on."""

from __future__ import annotations

import operator
from functools import partial

import pytest

from tests.browser.conftest import Visits
from tests.browser.player import HAS_NEWS, Player
from tests.browser.test_shared_device import PAUSE
from tests.browser.test_tables import hand_of, remember
from tests.browser.visitor import DESKTOP, PHONE


def test_a_hint_names_the_move_and_the_reason(visits: Visits) -> None:
    ann = visits()
    remember(ann, players=3)
    page = ann.go("/")
    page.get_by_role("button", name="Play now").click()
    Player(page).look()
    page.get_by_role("button", name="Hint").click()
    advice = page.locator(".slip")
    advice.locator("p").first.wait_for()
    assert "Veto" in advice.locator("b").inner_text()
    assert any(len(line) > 30 and line.endswith(".") for line in advice.inner_text().splitlines()), "a sentence"
    ann.axe()
    advice.get_by_role("button", name="Choose this").click()
    assert page.locator("[data-cell][aria-pressed='true']").count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_an_illegal_card_says_why_it_is_one(visits: Visits, size: tuple[int, int]) -> None:
    ann = visits(size=size)
    remember(ann, edition="niet-2015", players=4)
    page = ann.go("/")
    page.get_by_role("button", name="Play now").click()
    player = Player(page, by="touch" if size == PHONE else "mouse")
    player.play_until(lambda phase: phase == "play")
    dimmed = page.locator('[data-card][aria-disabled="true"]')
    while player.look()["phase"] == "play" and dimmed.count() == 0:
        player.decide(player.look())
    assert dimmed.count() > 0, "a match in which every card could always be played"
    before = hand_of(page)
    dimmed.first.click(position={"x": 12, "y": 16}, force=True)
    page.get_by_text("follow").first.wait_for()
    assert hand_of(page) == before


@pytest.mark.slow
def test_a_word_a_look_back_and_the_scores(visits: Visits) -> None:
    ann = visits(size=PHONE)
    remember(ann, players=4, friends=1)
    ann.go("/").get_by_role("button", name="Invite friends").click()
    bob = visits()
    bob.go(ann.page.get_by_label("Link for this computer").input_value())
    bob.page.get_by_role("button", name="Sit down").click()
    ann.page.get_by_role("navigation", name="Panels").get_by_role("button", name="Chat").tap()
    ann.page.get_by_role("dialog").get_by_label("Say something").fill("Hello, Bob")
    ann.page.get_by_role("dialog").get_by_role("button", name="Send").tap()
    bob.page.get_by_text("Hello, Bob").first.wait_for()
    ann.axe()
    ann.page.keyboard.press("Escape")
    badge = ann.page.get_by_role("navigation", name="Panels").locator(".badge")
    assert badge.count() == 0, "what one wrote oneself is no news"
    bob.page.locator("summary", has_text="Chat").click()
    bob.page.get_by_label("Say something").fill("Hello, Ann")
    bob.page.get_by_role("button", name="Send").click()
    badge.wait_for()
    assert badge.inner_text().endswith("1")
    ann.page.get_by_role("navigation", name="Panels").get_by_role("button", name="Chat").tap()
    ann.page.get_by_role("dialog").get_by_text("Hello, Ann").wait_for()
    ann.page.keyboard.press("Escape")
    ann.page.reload()
    ann.page.get_by_role("navigation", name="Panels").get_by_role("button", name="Chat").wait_for()
    ann.page.wait_for_selector("[data-phase]")
    assert badge.count() == 0, "what was read stays read"
    for tool in ("Last trick", "Scores", "Log"):
        ann.page.get_by_role("navigation", name="Panels").get_by_role("button", name=tool).tap()
        ann.page.get_by_role("dialog").wait_for()
        ann.axe()
        ann.page.keyboard.press("Escape")
        ann.page.get_by_role("dialog").wait_for(state="detached")


@pytest.mark.slow
def test_a_seat_goes_on_at_another_device(visits: Visits) -> None:
    ann = visits()
    remember(ann, players=3)
    ann.go("/").get_by_role("button", name="Play now").click()
    player = Player(ann.page)
    player.play_until(lambda phase: phase == "play")
    hand = hand_of(ann.page)
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Continue on another device").click()
    link = ann.page.get_by_label("Link for this computer").input_value()
    phone = visits(size=PHONE)
    phone.page.goto(link)
    phone.page.locator("[data-phase='play']").wait_for()
    assert hand_of(phone.page) == hand
    Player(phone.page, by="touch").decide(Player(phone.page).look())


def test_people_hand_one_device_on_and_nobody_sees_the_others_cards(visits: Visits) -> None:
    ann = visits(size=PHONE)
    remember(ann, players=2, friends=1)
    page = ann.go("/")
    page.get_by_role("button", name="Invite friends").tap()
    page.get_by_label("Another player on this device").fill("Bob")
    page.get_by_role("button", name="Add", exact=True).tap()
    hands: dict[str, list[str]] = {}
    for _ in range(6):
        page.wait_for_function(f"""() => document.querySelector("[data-phase='pass-device']") ?? ({HAS_NEWS})()""")
        if page.locator("[data-phase='pass-device']").count():
            assert page.locator("[data-card]").count() == 0
            ann.axe()
            who = page.locator("[data-phase='pass-device'] button").inner_text()
            page.wait_for_timeout(PAUSE)
            page.locator("[data-phase='pass-device'] button").tap()
            page.locator("[data-phase='veto']").wait_for()
            hands[who] = hand_of(page)
        player = Player(page, by="touch")
        player.decide(player.look())
    assert len(hands) == 2
    one, other = hands.values()
    assert one != other


@pytest.mark.slow
def test_on_a_phone_lying_on_its_side(visits: Visits) -> None:
    """The whole table and an opened hint are within the window, and colours have enough contrast in other themes."""
    size = (844, 390)
    ann = visits(size=size, theme="dark")
    remember(ann, edition="niet-2015", players=5)
    page = ann.go("/")
    page.get_by_role("button", name="Play now").click()
    player = Player(page)
    for phase in ("veto", "play"):
        assert player.play_until(partial(operator.eq, phase)) == phase
        ann.fits()
        ann.axe()
        ann.look_at(size, "contrast")
        ann.axe("color-contrast")
        ann.look_at(size, "dark")
        page.locator(".btn.hint").click()
        page.locator(".slip .more").click()
        for part in ("p", ".take"):
            sheet, inner = (page.locator(one).bounding_box() for one in (".slip", f".slip {part}"))
            assert sheet is not None
            assert inner is not None
            assert sheet["y"] <= inner["y"] <= sheet["y"] + sheet["height"] - 20, (phase, part)
            assert sheet["y"] + sheet["height"] <= size[1], phase
        page.keyboard.press("Escape")
        page.locator(".slip").wait_for(state="detached")
