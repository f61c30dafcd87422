"""A player who leaves loses nothing: bots wait, and the others are asked.

The typed name is kept, and the tab says whose turn it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visits
from tests.browser.player import Player
from tests.browser.test_multiplayer import open_table, sit_down, who_is_asked
from tests.browser.visitor import DESKTOP, PHONE
from tests.depth import first
from tests.server.background import Background, serve_in_background

SIZES = pytest.mark.parametrize("size", first([PHONE, DESKTOP]), ids=["phone", "desktop"])
LAPTOP, SMALL = (1366, 768), (360, 640)
ALONE = {"seats": ["open", "random", "random", "random"], "spectators": "public", "hints": True}
MINE = "() => fetch('/api/tables/mine').then((answer) => answer.json()).then((answer) => answer.tables)"
IS_NAMED = f"""(name) => ({MINE})().then((tables) =>
  tables.some((card) => card.detail.seats.some((seat) => seat.name === name)))"""
PLACES = """() => ['.hand', '.prompt', '.area', '.mid'].map((part) => {
  const box = document.querySelector(part)?.getBoundingClientRect();
  return box ? [part, box.x, box.y, box.width, box.height] : null;
})"""
"""Where the parts of a table are that never move."""


@pytest.fixture(scope="module")
def watchful(page_is_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    """A server that notices quickly who is gone."""
    folder = tmp_path_factory.mktemp("watchful")
    with serve_in_background(f"sqlite:///{folder}/atout.db", folder, absent_seconds=1) as server:
        yield server


def my_tables(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(MINE)
    return found


# ---------------------------------------------------------------- the typed name


@SIZES
@pytest.mark.parametrize("button", first(["Play now", "Invite friends", "Pass and play"]))
def test_what_was_typed_is_the_name(visits: Visits, size: tuple[int, int], button: str) -> None:
    """Typed and pressed directly, by somebody whom the server has never seen."""
    ann = visits(size=size)
    page = ann.go("/")
    page.get_by_label("Your name").fill("Annegret")
    page.get_by_role("button", name=button).click()
    page.wait_for_url("**/table/**")
    page.wait_for_selector("[data-phase]")
    page.wait_for_function(IS_NAMED, arg="Annegret")
    assert page.evaluate("localStorage.getItem('atout.name')") == "Annegret"
    assert len(my_tables(page)) == 1, "one device, one guest"


def test_enter_keeps_the_name_and_opens_nothing(visits: Visits) -> None:
    ann = visits()
    page = ann.go("/")
    field = page.get_by_label("Your name")
    field.fill("Annegret")
    field.press("Enter")
    page.wait_for_function("() => localStorage.getItem('atout.name') === 'Annegret'")
    assert page.url.endswith("/")
    page.reload()
    page.wait_for_function("() => document.querySelector('#my-name')?.value === 'Annegret'")


@SIZES
def test_a_friend_types_a_name_and_sits_down_directly(visits: Visits, size: tuple[int, int]) -> None:
    ann, bob = visits(), visits(size=size)
    path = open_table(ann, players=3)
    bob.go(path)
    bob.page.get_by_label("Your name").fill("Robert")
    bob.page.locator("form.name .btn.primary").click()
    ann.page.locator("ol").get_by_text("Robert").wait_for()


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize(
    ("how", "size"),
    [
        ("closes", PHONE),
        pytest.param("leaves", DESKTOP, marks=pytest.mark.slow),
        pytest.param("closes", DESKTOP, marks=pytest.mark.slow),
        pytest.param("leaves", PHONE, marks=pytest.mark.slow),
    ],
)
def test_bots_wait_for_who_goes_and_the_first_page_leads_back(
    visits: Visits, watchful: Background, size: tuple[int, int], how: str
) -> None:
    ann, watcher = visits(watchful.url, size=size), visits(watchful.url)
    path = open_table(ann, players=4, **ALONE)
    player = Player(ann.page)
    player.decide(player.look())
    watcher.go(path)
    if how == "leaves":
        ann.page.get_by_role("button", name="Menu").click()
        ann.page.get_by_role("link", name="First page (the table waits)").click()
        ann.page.wait_for_url("**/")
    ann.go("/")
    watcher.page.locator(".plates").get_by_text(re.compile("^(offline|has left)$")).first.wait_for()
    (card,) = my_tables(ann.page)
    watcher.page.wait_for_timeout(2_000)
    (later,) = my_tables(ann.page)
    assert later["mine"] == card["mine"], "something was played for her"
    assert later["state"] == "playing"
    assert ann.page.locator(".lower section").first.get_by_role("link", name="Go on with this match").count() == 1
    before = ann.page.locator("form").bounding_box()
    ann.page.reload()
    ann.page.locator(".go-on").wait_for()
    ann.page.get_by_text(re.compile("round 1 of")).first.wait_for()
    assert ann.page.locator("form").bounding_box() == before, "nothing moves when the server answers"
    ann.fits()
    ann.axe()
    ann.page.locator(".go-on").click()
    player.decide(player.look())
    assert ann.page.get_by_role("button", name="I am back").count() == 0, "one click was enough"


@pytest.mark.slow
def test_who_leaves_others_is_on_the_first_page_and_the_table_is_theirs(visits: Visits) -> None:
    ann, bob = visits(size=PHONE), visits()
    sit_down(bob, open_table(ann))
    ann.page.locator("[data-phase='veto']").wait_for()
    (card,) = my_tables(ann.page)
    assert card["state"] == "playing"
    ann.page.get_by_role("button", name="Menu").click()
    assert not ann.page.get_by_text("Keyboard shortcuts").is_visible(), "a phone has no keyboard"
    ann.page.get_by_role("button", name="Leave the table").click()
    ann.page.wait_for_url("**/")
    ann.page.locator("button.primary.big:not(:disabled)").wait_for()
    assert my_tables(ann.page) == []
    assert ann.page.locator(".go-on").count() == 0
    assert len(my_tables(bob.page)) == 1


WORDS = {
    "en": (
        *("is offline", "Let a bot play", "Wait", "bot playing", "I am back", "Offline. The table waits."),
        *("is online again, but a bot still plays", "takes back the seat"),
    ),
    "fr": (
        *("est hors ligne", "Laisser jouer un robot", "Attendre", "un robot joue", "Je suis de retour"),
        *("Hors ligne. La table attend.", "est de nouveau en ligne, mais un robot joue encore", "reprend sa place"),
    ),
    "de": (
        *("ist offline", "Bot spielen lassen", "Warten", "ein Bot spielt", "Ich bin wieder da"),
        *("Offline. Der Tisch wartet.", "ist wieder online, aber noch spielt ein Bot", "spielt wieder selbst"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("language", "size"), [("en", PHONE), ("en", LAPTOP), ("fr", SMALL), ("de", PHONE)])
def test_who_is_left_is_asked_and_nothing_moves(
    visits: Visits, watchful: Background, language: str, size: tuple[int, int]
) -> None:
    away, bot, wait, plays, back, waits, online, again = WORDS[language]
    ann, bob = visits(watchful.url, language=language, size=size), visits(watchful.url, language=language)
    path = open_table(ann)
    sit_down(bob, path)
    if who_is_asked(ann.page, bob.page)[0] == ann.page:
        player = Player(ann.page)
        player.decide(player.look())
    who_is_asked(bob.page, ann.page)
    ann.page.wait_for_function("() => document.querySelector('.prompt h2') !== null")
    before = ann.page.evaluate(PLACES)
    bob.go("/rules")
    slip = ann.page.locator(".slip")
    slip.get_by_text(away).wait_for()
    assert ann.page.evaluate(PLACES) == before, "a notice lies over the table"
    ann.page.locator(".prompt").get_by_text(waits).wait_for()
    ann.fits()
    ann.axe()
    slip.get_by_role("button", name=wait, exact=True).click()
    slip.wait_for(state="detached")
    bob.go(path)
    ann.page.locator(".plates .away").wait_for(state="detached")
    bob.go("/rules")
    slip.get_by_role("button", name=bot, exact=True).click()
    slip.wait_for(state="detached")
    ann.page.locator(".plates").get_by_text(plays, exact=True).wait_for()
    bob.go(path)
    told = ann.page.locator("[data-live='events']")
    told.filter(has_text=online).wait_for(state="attached")
    bob.page.get_by_role("button", name=back).click()
    bob.page.get_by_role("button", name=back).wait_for(state="detached")
    told.filter(has_text=again).wait_for(state="attached")
    ann.page.locator(".plates").get_by_text(plays, exact=True).wait_for(state="detached")


# ---------------------------------------------------------------- it is your turn

LISTENING = """
window.heard = []; window.shown = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  window.heard.push(this.frequency.value);
  return start.apply(this, at);
};
ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
  window.shown.push([title, options.body, options.tag]); return Promise.resolve();
};
window.Notification = class extends EventTarget {
  static permission = "granted";
  static requestPermission() { return Promise.resolve("granted"); }
  constructor(title, options) { super(); window.shown.push([title, options.body, options.tag]); }
};
Object.defineProperty(document, "hasFocus", { value: () => !window.isBehind });
"""
BELL = [196, 294]


@pytest.mark.parametrize(("language", "words"), [("en", "Your turn"), ("fr", "À vous"), ("de", "Du bist dran")])
@pytest.mark.slow
def test_the_tab_says_whose_turn_it_is(visits: Visits, language: str, words: str) -> None:
    """Title and icon change by themselves; sound and notification only for players who chose them."""
    ann, bob = visits(language=language, bell="on", notify="on"), visits(language=language)
    for visitor in (ann, bob):
        visitor.context.add_init_script(LISTENING)
    path = open_table(ann)
    sit_down(bob, path)
    for _ in range(4):
        asked, other = who_is_asked(ann.page, bob.page)
        asked.wait_for_function(f"() => document.title.startsWith('● {words}')")
        other.wait_for_function("() => !document.title.startsWith('●')")
        assert "icon-turn" in (asked.locator("link[rel=icon]").get_attribute("href") or "")
        assert "icon-turn" not in (other.locator("link[rel=icon]").get_attribute("href") or "")
        ann.page.evaluate("window.heard = []; window.shown = []; window.isBehind = true")
        player = Player(asked)
        player.decide(player.look())
        other.wait_for_function(f"() => document.title.startsWith('● {words}')")
        if other == ann.page:
            other.wait_for_function("() => window.shown.length > 0")
            assert other.evaluate("window.heard") == BELL
            ((title, _, tag),) = other.evaluate("window.shown")
            assert (title, tag) == (words, path)
    assert bob.page.evaluate("[window.heard, window.shown]") == [[], []], "he has not chosen it"
    ann.page.evaluate("window.isBehind = false; window.shown = []")
    while who_is_asked(ann.page, bob.page)[0] == bob.page:
        player = Player(bob.page)
        player.decide(player.look())
    assert ann.page.evaluate("window.shown") == [], "who looks needs no notification"
    icon = ann.page.request.get(str(ann.page.locator("link[rel=icon]").get_attribute("href")))
    assert icon.ok
    assert icon.headers["content-type"].startswith("image/svg")
    ann.go("/")
    assert not ann.page.title().startswith("●")


@SIZES
def test_sound_and_notification_are_chosen_in_the_settings(visits: Visits, size: tuple[int, int]) -> None:
    ann = visits(size=size)
    ann.context.add_init_script(LISTENING)
    page = ann.go("/settings")
    ann.pick("Sound when it is your turn", "On")
    assert page.evaluate("window.heard") == BELL, "one hears at once what was chosen"
    ann.pick("Notification when it is your turn", "On")
    page.wait_for_function("() => JSON.parse(localStorage.getItem('atout.settings')).notify === 'on'")
    page.evaluate("Notification.permission = 'denied'; Notification.requestPermission = async () => 'denied'")
    ann.pick("Notification when it is your turn", "Off")
    choice = page.get_by_role("group", name="Notification when it is your turn", exact=True)
    choice.get_by_role("radio", name="On", exact=True).click()
    page.get_by_text("This browser does not allow notifications here.").wait_for()
    page.wait_for_function("() => JSON.parse(localStorage.getItem('atout.settings')).notify === 'off'")
    ann.fits()
    ann.axe()
