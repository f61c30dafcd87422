"""Pages without a table: three languages, three sizes, three colour themes, and the rules of axe."""

from __future__ import annotations

from typing import Literal

import pytest

from tests.browser.conftest import Visits
from tests.browser.visitor import DESKTOP, PHONE, TABLET

SCREENS = [
    "/",
    "/learn",
    "/learn/niet",
    "/rules",
    "/rules/nichtig",
    "/replay",
    "/games",
    "/friends",
    "/sheet",
    "/settings",
    "/gallery",
    "/nowhere",
]
PAGES = [*SCREENS, "/learn/nichtig", "/rules/niet-2015"]
"""The same screens with other contents, too."""
LOOKS = [(DESKTOP, "light"), (PHONE, "dark"), (TABLET, "contrast")]
LANGUAGES = {"en": "Settings", "fr": "Réglages", "de": "Einstellungen"}


@pytest.mark.slow
def test_axe_finds_nothing(visits: Visits) -> None:
    """All rules once per screen; colours change with the theme, so the first page's contrast is checked in each."""
    visitor = visits()
    for path in SCREENS:
        visitor.go(path)
        visitor.page.wait_for_load_state("networkidle")
        for number, (size, theme) in enumerate(LOOKS):
            visitor.look_at(size, theme)
            visitor.fits()
            if number == 0 or path == SCREENS[0]:
                visitor.axe(*["color-contrast"] if number else [])


@pytest.mark.slow
@pytest.mark.parametrize(("size", "theme"), LOOKS, ids=["desktop", "phone", "tablet"])
def test_axe_finds_nothing_on_any_page_and_device(visits: Visits, size: tuple[int, int], theme: str) -> None:
    """All rules on every page as it is loaded on each device."""
    visitor = visits(size=size, theme=theme)
    for path in PAGES:
        visitor.go(path)
        visitor.page.wait_for_load_state("networkidle")
        visitor.axe()
        visitor.fits()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browsers_language_is_spoken(visits: Visits, language: str) -> None:
    page = visits(language=language).go("/settings")
    assert page.locator("html").get_attribute("lang") == language
    assert page.get_by_role("heading", level=1).inner_text() == LANGUAGES[language]


@pytest.mark.slow
def test_every_language_fits_a_small_phone(visits: Visits) -> None:
    visitor = visits(size=(360, 740))
    for path in SCREENS:
        page = visitor.go(path)
        for language in LANGUAGES:
            page.get_by_role("banner").get_by_role("button", name=language.upper(), exact=True).click()
            page.wait_for_selector(f"html[lang={language}]")
            visitor.fits()


def test_the_language_can_be_switched_and_is_remembered(visits: Visits) -> None:
    visitor = visits(language="en")
    page = visitor.go("/settings")
    page.get_by_role("banner").get_by_role("button", name="FR").click()
    page.get_by_role("heading", name=LANGUAGES["fr"]).wait_for()
    visitor.go("/settings")
    page.get_by_role("heading", name=LANGUAGES["fr"]).wait_for()


@pytest.mark.parametrize(("speed", "preference"), [("off", "no-preference"), ("normal", "reduce")])
@pytest.mark.slow
def test_without_motion_a_drawing_takes_its_new_colour_at_once(
    visits: Visits, speed: str, preference: Literal["no-preference", "reduce"]
) -> None:
    """No transition, however short: during one a symbol is drawn on the colour of the card before."""
    page = visits(theme="light", speed=speed).page
    page.emulate_media(reduced_motion=preference)
    page.goto("/gallery")
    page.wait_for_selector("svg.card")
    moving = page.evaluate("""() => {
        document.documentElement.dataset.theme = "dark";
        return document.getAnimations().filter((one) => one instanceof CSSTransition).length;
    }""")
    assert moving == 0


def test_the_first_page_works_by_itself(visits: Visits) -> None:
    """The first page of a new visitor causes no error."""
    visitor = visits()
    page = visitor.go("/")
    page.get_by_role("heading", name="Open tables").wait_for()
    play = page.get_by_role("button", name="Play now")
    assert play.is_enabled()
    assert page.get_by_role("heading", name="Your matches").count() == 0
    for size in ((390, 844), (360, 640)):
        visitor.look_at(size, "light")
        assert page.get_by_text("Two clever card games").is_visible()
        button, strip = play.bounding_box(), page.get_by_role("navigation").bounding_box()
        assert button is not None
        assert strip is not None
        assert button["y"] + button["height"] <= strip["y"], f"{size}: Play now is below the fold"


@pytest.mark.slow
def test_without_a_server_the_rest_of_the_page_works(visits: Visits) -> None:
    visitor = visits()
    page = visitor.go("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.reload()
    page.get_by_role("heading", name="Open tables").wait_for()
    visitor.context.set_offline(True)
    for path, heading in (("/rules", "Rules"), ("/learn", "Learn"), ("/sheet", "Score sheet")):
        visitor.go(path)
        page.get_by_role("heading", level=1, name=heading).wait_for()
    visitor.go("/")
    page.get_by_text("This page is not connected to a game server").wait_for()
    visitor.context.set_offline(False)
    visitor.forgive("ERR_INTERNET_DISCONNECTED")
