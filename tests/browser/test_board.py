"""The table fits the window in every phase, and nothing on it moves for a hint or a notice."""

from __future__ import annotations

import operator
import random
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visits
from tests.browser.friends import Friends, Keep, spare
from tests.browser.player import Player
from tests.browser.test_multiplayer import open_table, sit_down
from tests.browser.test_phases import CASES, SCRIPTS, name
from tests.browser.test_tables import remember
from tests.browser.test_watch_requests import ask_first
from tests.browser.visitor import DESKTOP, PHONE, TABLET, Visitor
from tests.depth import first

pytestmark = pytest.mark.long
CUT = (Path(__file__).parent / "scripts" / "cut.js").read_text(encoding="utf-8")
CLASH = (Path(__file__).parent / "scripts" / "clash.js").read_text(encoding="utf-8")
BOXES = (Path(__file__).parent / "scripts" / "boxes.js").read_text(encoding="utf-8")
WIDE, LAPTOP, SMALL, SIDEWAYS = (1440, 900), (1366, 768), (360, 640), (720, 450)
LOW, LOWEST = (844, 390), (640, 360)
SIZES = (WIDE, LAPTOP, TABLET, PHONE, SMALL, SIDEWAYS)
MAT = {WIDE: 430, LAPTOP: 320}
"""The least width of the mat around which the players of Njet! sit; its drawing is a tenth wider than its disc."""
FIXED = ("hand", "mat", "board", "prompt", "conditions", "rows", "choices", "chosen")
GAPS = """() => [...document.querySelectorAll('.hand .slot.opens')].map((one) =>
  one.querySelector('svg').getBoundingClientRect().left
    - one.previousElementSibling.querySelector('svg').getBoundingClientRect().right)"""
"""Between the last card of a colour and the first of the next, in pixels."""
READABLE = 12.0
"""The smallest type of a name, in pixels."""
STICKS_OUT_OF_CELL = """() => [...document.querySelectorAll(".board .cell .in > *")].filter((one) => {
  const [inner, cell] = [one.getBoundingClientRect(), one.closest(".cell").getBoundingClientRect()];
  return inner.top < cell.top + 1 || inner.bottom > cell.bottom - 1;
}).map((one) => one.closest(".cell").dataset.cell)"""
"""Free cells whose mark or words come out above or below."""
NARROWEST = 28.0
"""The smallest width of a card on the mat, in pixels; its figure is a third as wide."""
Box = list[float]


def slowly(*sizes: tuple[int, int]) -> list[Any]:
    return [pytest.param(size, marks=pytest.mark.slow) for size in sizes]


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def boxes(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(BOXES)
    return found


def fixed(page: Page) -> dict[str, Box]:
    parts: dict[str, Box] = boxes(page)["parts"]
    return {part: box for part, box in parts.items() if part in FIXED}


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def is_inside(box: Box, width: float, height: float) -> bool:
    """In the window, but for the rounding of half a pixel."""
    left, top, right, bottom = box
    return left >= 0 and top >= 0 and right <= width + 0.5 and bottom <= height + 0.5


def check_in_sight(page: Page, phase: str, size: tuple[int, int], game: str) -> None:
    """Hand, mat or board, and conditions are in the window, and the page does not scroll."""
    seen = boxes(page)
    parts: dict[str, Box] = seen["parts"]
    low = parts["tools"][1] if "tools" in parts else size[1]
    where = f"{phase} at {size}: {parts}"
    assert {"hand", "prompt"} <= parts.keys(), where
    if phase == "veto":
        assert "board" in parts, where
    if phase == "play":
        assert "mat" in parts, where
    if phase in ("team", "double"):
        assert {"board", "conditions"} & parts.keys(), where
    elif phase != "veto" and game == "njet":
        assert "conditions" in parts, where
    for part in FIXED:
        if part in parts:
            assert is_inside(parts[part], size[0], low), f"{part}, {where}"
    assert seen["scrolls"] <= 0, where
    widths = [right - left for left, _, right, _ in seen["spots"]]
    assert min(widths, default=NARROWEST) >= NARROWEST, f"{widths}, {where}"
    inner = [[left + 3, top + 3, right - 3, bottom - 3] for left, top, right, bottom in seen["spots"]]
    assert not any(overlap(one, other) for one, other in combinations(inner, 2)), f"{seen['spots']}, {where}"
    if phase == "play" and game == "njet" and size in MAT:
        left, _, right, _ = parts["mat"]
        assert (right - left) / 1.1 >= MAT[size], where
    assert (cut := page.evaluate(CUT)) == [], f"{phase} at {size}: {cut}"
    assert (clash := page.evaluate(CLASH)) == [], f"{phase} at {size}: {clash}"
    if size == WIDE and game == "njet":
        check_hand(page, phase)
    if phase == "play" and game == "njet":
        own = page.locator(".own .count:visible")
        assert own.count() >= 2, f"one's own tricks and loot: {where}"
        if size[0] < TABLET[0]:
            assert page.locator("header.bar dl").is_visible(), f"the points of both sides: {where}"
    if "mat" in parts:
        assert not overlap(parts["mat"], parts["hand"]), where
    if size == SIDEWAYS:
        assert all(one["size"] >= READABLE and not one["isCut"] for one in seen["names"]), seen["names"]


def check_hand(page: Page, phase: str) -> None:
    """On a desktop there is a gap between colours, and a tab over the trumps if there are any."""
    assert min(page.evaluate(GAPS), default=8.0) >= 8.0, phase
    has_trumps = page.locator(".hand svg[aria-label$='trump']").count() > 0
    assert page.locator(".hand .tab").count() == int(has_trumps), phase


def check_hint(visitor: Visitor, phase: str, size: tuple[int, int]) -> None:
    """A hint moves nothing, covers neither hand nor trick nor what it means, and closes."""
    page = visitor.page
    before = fixed(page)
    page.locator(".btn.hint").click()
    page.locator(".slip").wait_for()
    page.wait_for_function(
        "() => document.querySelector('.slip').getAnimations().every((one) => one.playState !== 'running')"
    )
    assert fixed(page) == before, (phase, size)
    seen = boxes(page)
    slip: Box = seen["parts"]["slip"]
    covered = [seen["parts"]["hand"], seen["parts"]["prompt"], *seen["played"], *seen["meant"]]
    assert not any(overlap(slip, one) for one in covered), (phase, size, slip, covered)
    assert is_inside(slip, *size), (phase, size, slip)
    places = page.locator(".chosen-cards .place").count()
    assert page.locator(".lamp").count() == max(1, places), "a lamp for each card of the choice"
    visitor.axe()
    if size != WIDE:
        page.locator(".slip .more").click()
        moved = {"mat", "conditions", "rows"} if phase == "play" and size != SIDEWAYS else set()
        after = fixed(page)
        assert {part: box for part, box in before.items() if part not in moved} == {
            part: box for part, box in after.items() if part not in moved
        }, (phase, size)
        opened = boxes(page)
        sheet: Box = opened["parts"]["slip"]
        if phase == "play" and size != SIDEWAYS:
            spots = [*opened["played"], *opened["spots"]]
            assert spots
            assert not any(overlap(sheet, one) for one in spots), "the trick lies below the sheet"
            assert sheet[3] - sheet[1] <= 0.46 * size[1], "less than half of the height"
        assert not any(overlap(sheet, one) for one in seen["meant"] if phase == "veto"), (phase, size, sheet)
        parts = {one: place for one, place in seen["parts"].items() if one in ("board", "hand", "prompt")}
        under = {one for one, place in parts.items() if overlap(sheet, place)}
        is_free = not under >= {"board", "hand"} if phase == "veto" else not under & {"hand", "prompt"}
        assert is_free, (phase, size, sheet, under)
        assert is_inside(sheet, *size), (phase, size, sheet)
        why, take = (page.locator(f".slip {one}").bounding_box() for one in (".why", ".take"))
        assert why is not None
        assert take is not None
        assert why["y"] + why["height"] <= take["y"], "the button lies on nothing"
        assert page.locator(".slip p").evaluate("it => it.scrollHeight <= it.clientHeight"), "all of it can be read"
    page.keyboard.press("Escape")
    page.locator(".slip").wait_for(state="detached")
    assert page.locator(".lamp").count() == 0


def is_late(page: Page) -> bool:
    """The last two tricks: the hand is low, and the mat has more room."""
    return page.locator(".hand [data-card]").count() <= 2


def check_two_are_chosen(page: Page) -> None:
    """A hint that advises two cards chooses both; then they are put back."""
    page.locator(".btn.hint").click()
    page.locator(".slip .take").click()
    page.locator(".slip").wait_for(state="detached")
    chosen = page.locator("[data-card][aria-pressed='true']")
    assert chosen.count() == 2
    assert page.locator("button.act").is_visible()
    for left in (1, 0):
        chosen.first.click(position={"x": 12, "y": 16})
        assert chosen.count() == left


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "players", "cell", "phases"),
    [pytest.param(*case, id=name(case)) for case in CASES],
)
def test_the_table_fits_the_window_in_every_phase(
    visits: Visits, edition: str, players: int, cell: tuple[str, str] | None, phases: set[str]
) -> None:
    """Six windows, from a desktop to a phone of 360 by 640 and a phone on its side."""
    ann = visits(size=WIDE)
    keep: Keep = frozenset({"start 0", " ".join(cell)} if cell else ())
    rng = random.Random(players)
    ann.go("/")
    table: str = ann.page.evaluate((SCRIPTS / "table.js").read_text(encoding="utf-8"), [edition, players])
    url = ann.page.url.rstrip("/")
    ann.go(f"/table/{table}")
    player = Player(ann.page, choose=lambda _, options: rng.choice(spare(options, keep)))
    ann.page.get_by_role("button", name="Sit here").first.click()
    checked: set[str] = set()
    with Friends(url, table, list(range(1, players)), keep):
        while (found := player.look())["phase"] != "round-end":
            phase = found["phase"]
            if phase not in checked:
                checked.add(phase)
                for size in SIZES:
                    resize(ann.page, size)
                    check_in_sight(ann.page, phase, size, "nichtig" if edition == "nichtig" else "njet")
                    if size in (WIDE, PHONE, SMALL, SIDEWAYS):
                        check_hint(ann, phase, size)
                resize(ann.page, WIDE)
                if phase == "discard" and found["needed"] == 2:
                    check_two_are_chosen(ann.page)
            if phase == "play" and is_late(ann.page):
                for size in (SMALL, LOW, LOWEST):
                    resize(ann.page, size)
                    assert (clash := ann.page.evaluate(CLASH)) == [], f"the last tricks at {size}: {clash}"
                resize(ann.page, WIDE)
                if phase == "team" and players == 5:
                    assert ann.page.get_by_role("heading", name="2 against 3").is_visible()
            player.decide(found)
    assert checked == phases - {"round-end"}


@pytest.mark.slow
def test_a_hint_closes_when_it_is_chosen(visits: Visits) -> None:
    """Its button only chooses, and uncovers the button that makes the decision; the button for hints does not move."""
    ann = visits(size=PHONE)
    remember(ann, players=4)
    page = ann.go("/")
    page.get_by_role("button", name="Play now").tap()
    Player(page).look()
    bulb = page.locator(".btn.hint")
    page.evaluate("document.fonts.ready.then(() => true)")
    before = bulb.bounding_box()
    bulb.tap()
    page.locator(".slip .take").tap()
    page.locator(".slip").wait_for(state="detached")
    assert page.locator("[data-cell][aria-pressed='true']").count() == 1
    assert page.locator("button.act").is_visible()
    after = bulb.bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] == before["x"]
    assert after["y"] == pytest.approx(before["y"], abs=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["small phone", "desktop"])
def test_a_notice_moves_nothing(visits: Visits, size: tuple[int, int]) -> None:
    """A proposal of another, somebody going offline, an own lost network, a card that is refused."""
    ann, bob = visits(size=size), visits()
    sit_down(bob, path := open_table(ann, spectators="leave"))
    ann.page.locator("[data-phase='veto']").wait_for()
    before = fixed(ann.page)
    bob.page.locator("[data-phase='veto']").wait_for()
    bob.page.get_by_role("button", name="Menu").click()
    bob.page.get_by_role("button", name="Ask for a pause").click()
    ann.page.get_by_role("button", name="Agree").wait_for()
    assert fixed(ann.page) == before
    ann.axe()
    ann.page.get_by_role("button", name="No", exact=True).click()
    ann.page.get_by_role("button", name="Agree").wait_for(state="detached")
    cat = visits()
    cat.go(path)
    ask_first(cat.page)
    ann.page.get_by_role("button", name="would like to watch your hand").wait_for()
    assert fixed(ann.page) == before
    bob.context.set_offline(True)
    bob.page.goto("about:blank")
    ann.page.locator(".seat.away").wait_for()
    assert fixed(ann.page) == before
    ann.context.set_offline(True)
    ann.page.evaluate("dispatchEvent(new Event('offline'))")
    ann.page.locator(".offline").wait_for()
    assert fixed(ann.page) == before
    bar, notice = (ann.page.locator(one).bounding_box() for one in ("header.bar", ".offline"))
    assert bar is not None
    assert notice is not None
    assert notice["y"] >= bar["y"] + bar["height"], "the bar stays free"
    for one in (ann, bob):
        one.complaints.clear()


@pytest.mark.slow
@pytest.mark.parametrize(("language", "words"), [("en", "Follow {}"), ("fr", "Suivez\xa0: {}"), ("de", "{} bedienen")])
def test_the_prompt_says_which_colour_to_follow(visits: Visits, language: str, words: str) -> None:
    ann = visits(size=WIDE, language=language)
    remember(ann, edition="niet-2015", players=3)
    page = ann.go("/")
    page.locator(".go .btn.primary").click()
    player = Player(page)
    player.play_until(partial(operator.eq, "play"))
    note = page.locator(".prompt p")
    while player.look()["phase"] == "play" and note.locator(".suit").count() == 0:
        player.decide(player.look())
    colours = {
        "en": ("red", "yellow", "blue", "green", "trump"),
        "fr": ("rouge", "jaune", "bleu", "vert", "atout"),
        "de": ("Rot", "Gelb", "Blau", "Grün", "Trumpf"),
    }
    assert note.inner_text().strip() in {words.format(colour) for colour in colours[language]}


def test_the_boards_of_1997_draw_two_low_cards(visits: Visits) -> None:
    ann = visits()
    remember(ann, edition="njet-1997", players=4)
    page = ann.go("/")
    page.get_by_role("button", name="Play now").click()
    page.locator("[data-phase='veto'] .fan").first.wait_for()
    fans = page.locator(".fan")
    assert {fans.nth(i).locator(".card").count() for i in range(fans.count())} == {2}
    summary = page.locator("section", has=page.get_by_role("heading", name="Your hand"))
    assert summary.is_visible()
    held = [int(number) for number in summary.locator("li .d").all_inner_texts()]
    assert sum(held) == page.locator(".hand .slot").count()
    assert held == sorted(held, reverse=True)
    wedge = "() => getComputedStyle(document.querySelector('.match-screen'), '::before').clipPath"
    assert page.evaluate(wedge).startswith("polygon("), "the wedge of paper behind the table"


UNDER_LINE = """() => {
  const line = document.querySelector(".notices .cut-off").getBoundingClientRect();
  const read = ".row-of-piles, .seat .name, .seat .sub, .strip dd, [data-cell], .prompt, .hand .card";
  return [...document.querySelectorAll(read)]
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && box.left < line.right && line.left < box.right)
    .filter(([, box]) => box.top < line.bottom && line.top < box.bottom)
    .map(([one]) => one.outerHTML.slice(0, 120));
}"""
"""What one needs to read and lies under the line that says that the connection is lost."""


@pytest.mark.parametrize("size", [(360, 740), *slowly(PHONE, LAPTOP, WIDE)])
@pytest.mark.parametrize("edition", ["nichtig", pytest.param("niet-2015", marks=pytest.mark.slow)])
def test_a_lost_connection_hides_nothing_of_the_table(visits: Visits, edition: str, size: tuple[int, int]) -> None:
    ann = visits(size=size)
    remember(ann, edition=edition, players=5)
    page = ann.go("/")
    page.locator(".go .btn.primary").click()
    player = Player(page)
    player.look()
    ann.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.locator(".offline").wait_for()
    assert page.evaluate(UNDER_LINE) == []
    ann.axe()
    ann.complaints.clear()


OUT_OF_CARD = """() => {
  const out = (inner, outer) => inner && outer && (inner.right > outer.right + 0.5 || inner.left < outer.left - 0.5);
  const box = (one) => one.getBoundingClientRect();
  const inkOf = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const { overflowX } = getComputedStyle(one);
    return overflowX === "visible" ? range.getBoundingClientRect() : box(one);
  };
  const found = [];
  const check = (inner, outer, what) => {
    for (const one of document.querySelectorAll(inner))
      if (box(one).width > 0 && out(inkOf(one), box(one.closest(outer)))) found.push(`${what} ${one.textContent}`);
  };
  check(".rail td.d", "section", "total");
  check(".cell .name", ".cell", "cell");
  check(".seat .name", ".seat", "plate");
  check(".log li", "li", "log");
  return found;
}"""
"""Totals that are pushed out of their panel, and names that run out of their cell, plate or line."""


@pytest.mark.parametrize("size", [LAPTOP, *slowly(WIDE, TABLET, PHONE, SMALL)])
def test_long_names_push_nothing_out_of_its_place(visits: Visits, size: tuple[int, int]) -> None:
    ann = visits(size=size)
    path = open_table(ann, players=5, spectators="public")
    names = {1: "Bérénice-Maximilienne von und", 2: "W" * 30, 3: "W" * 20}
    page, url = ann.page, ann.page.url.removesuffix(path)
    with Friends(url, path.removeprefix("/table/"), [1, 2, 3, 4], names=names):
        player = Player(page)
        player.look()
        assert page.evaluate(OUT_OF_CARD) == []
        assert page.evaluate(STICKS_OUT_OF_CELL) == []
        ann.fits()
        player.play_until(partial(operator.eq, "play"))
        assert page.evaluate(OUT_OF_CARD) == []
        ann.fits()


@pytest.mark.parametrize("players", [5, pytest.param(4, marks=pytest.mark.slow)])
def test_what_one_writes_in_the_chat_is_in_sight(visits: Visits, players: int) -> None:
    ann = visits(size=LAPTOP)
    open_table(ann, players=players, chat=True, seats=["open", *["random"] * (players - 1)])
    page = ann.page
    Player(page).look()
    page.locator("summary", has_text="Chat").click()
    page.get_by_label("Say something").fill("Good luck to all of you")
    for part in (page.get_by_label("Say something"), page.get_by_role("button", name="Send")):
        box = part.bounding_box()
        assert box is not None
        assert is_inside([box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]], *LAPTOP)
    page.get_by_role("button", name="Send").click()
    said = page.locator(".chat li").last
    said.get_by_text("Good luck").wait_for()
    box = said.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= LAPTOP[1]
    ann.axe()


def test_the_mark_of_who_leads_goes_with_the_trick(visits: Visits) -> None:
    """Null & nichtig: counted back from the player's own turn by the cards that lie."""
    ann = visits(size=DESKTOP)
    remember(ann, edition="nichtig", players=4)
    page = ann.go("/")
    page.locator(".go .btn.primary").click()
    player, names = Player(page), ["You", "Jonas", "Ines", "Bruno"]
    leaders: set[str] = set()
    while len(leaders) < 2 and player.play_until(partial(operator.eq, "play")) == "play":
        seen = player.look()
        leader = names[-page.locator(".mat .spot.played").count() % 4]
        marked = page.locator(".pile:visible", has=page.get_by_text("Leads", exact=True))
        assert [one.get_attribute("aria-label") for one in marked.all()] == [leader]
        leaders.add(leader)
        player.decide(seen)
    assert len(leaders) > 1, "somebody else has led a trick"


@pytest.mark.slow
def test_who_watches_sees_the_sides(visits: Visits) -> None:
    ann = visits()
    path = open_table(ann, players=4, spectators="public")
    url = ann.page.url.removesuffix(path)
    with Friends(url, path.removeprefix("/table/"), [1, 2, 3]):
        Player(ann.page).play_until(partial(operator.eq, "play"))
        cat = visits(size=PHONE)
        cat.go(path)
        cat.page.locator(".seat .side").first.wait_for()
        assert {text.lower() for text in cat.page.locator(".seat .side").all_inner_texts()} == {"side 1", "side 2"}
        cat.fits()
        cat.axe()
        marie = visits(size=SMALL, language="fr")
        marie.go(path)
        marie.page.locator(".seat .side").first.wait_for()
        shown = {text.lower() for text in marie.page.locator(".seat .side").all_inner_texts()}
        assert shown == {"équipe 1", "équipe 2"}
        assert marie.page.evaluate(CUT) == []
        marie.fits()
        marie.axe()


@pytest.mark.slow
def test_a_friend_is_asked_for_a_name_and_headers_are_whole(visits: Visits) -> None:
    """On small phones: the name field is in sight before a seat is taken, and the edition's year is never cut."""
    ann = visits()
    path = open_table(ann, players=4, spectators="public")
    bob = visits(size=PHONE, language="fr")
    bob.go(path)
    for size in (PHONE, SMALL):
        resize(bob.page, size)
        for part in ("#my-name", "form.name button"):
            box = bob.page.locator(part).bounding_box()
            assert box is not None
            assert is_inside([box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]], *size), part
    url = ann.page.url.removesuffix(path)
    with Friends(url, path.removeprefix("/table/"), [1, 2, 3]):
        Player(ann.page).play_until(partial(operator.eq, "play"))
        bob.page.locator("[data-phase='play']").wait_for()
        for size in (PHONE, SMALL):
            resize(bob.page, size)
            assert bob.page.evaluate(CUT) == [], "names and numbers of all seats"
            assert bob.page.locator("header h1").evaluate("it => it.scrollWidth <= it.clientWidth")
            tips: list[float] = bob.page.locator(".mat svg path").evaluate_all(
                "all => all.map((one) => one.getBoundingClientRect()).flatMap((box) => [box.left, box.right])"
            )
            assert min(tips) >= 0
            assert max(tips) <= size[0], "the arrow of the mat is in the window"


def play_now_is_in_sight(page: Page) -> bool:
    """Above the end of the window, or above the bar that lies there."""
    button = page.locator(".go .btn.primary")
    button.wait_for()
    box = button.bounding_box()
    assert box is not None
    bottom: float = page.evaluate(
        "() => Math.min(innerHeight, ...[...document.querySelectorAll('nav')].map((one) => one.getBoundingClientRect())"
        ".filter((one) => one.bottom >= innerHeight - 1 && one.height > 0).map((one) => one.top))"
    )
    return box["y"] + box["height"] <= bottom


@pytest.mark.parametrize("language", first(["de", "en", "fr"]))
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small phone"])
def test_play_now_is_in_sight_at_once(visits: Visits, size: tuple[int, int], language: str) -> None:
    ann = visits(size=size, language=language)
    page = ann.go("/")
    page.wait_for_load_state("networkidle")
    assert play_now_is_in_sight(page)


def test_play_now_is_in_sight_on_tablets_and_small_laptops(visits: Visits) -> None:
    """In French, whose words are the longest."""
    ann = visits(language="fr")
    page = ann.go("/")
    page.wait_for_load_state("networkidle")
    for size in ((600, 800), (700, 900), TABLET, (1024, 768), (1180, 820)):
        resize(page, size)
        assert play_now_is_in_sight(page), size
        ann.fits()


@pytest.mark.parametrize("language", first(["fr", "de"]))
def test_low_cells_of_a_phone_keep_marks_and_words_inside(visits: Visits, language: str) -> None:
    """Where the names of the rows still stand above them; French has two lines below an arrow."""
    ann = visits(size=SMALL, language=language)
    remember(ann, edition="niet-2015", players=4)
    page = ann.go("/")
    page.locator(".go .btn.primary").click()
    Player(page).look()
    page.evaluate("document.fonts.ready.then(() => true)")
    for size in ((360, 740), (360, 780), (390, 700), SMALL):
        resize(page, size)
        assert page.locator(".board .cell .in > *").count() > 10
        assert page.evaluate(STICKS_OUT_OF_CELL) == [], size


PHASES = """
window.phases = [];
new MutationObserver(() => {
  const phase = document.querySelector('[data-phase]')?.dataset.phase;
  if (phase && phase !== window.phases.at(-1)) window.phases.push(phase);
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-phase'] });
"""
"""Notes every phase that is shown, however shortly."""


def test_play_now_leads_to_the_cards_at_once(visits: Visits) -> None:
    """The waiting room, with its seats and its field for a name, does not flash by."""
    ann = visits(size=PHONE)
    ann.context.add_init_script(PHASES)
    remember(ann, players=4)
    page = ann.go("/")
    page.get_by_role("button", name="Play now").tap()
    page.wait_for_selector("[data-phase='veto']")
    assert page.evaluate("window.phases") == ["veto"]
