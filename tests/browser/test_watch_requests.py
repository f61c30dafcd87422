"""Strangers who ask to see a player's cards: one button for all of them, a list with a no, and a switch in the menu."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.friends import Friends
from tests.browser.test_multiplayer import open_table
from tests.browser.visitor import PHONE, Visitor

SMALL, WIDE = (360, 740), (1366, 768)
EVE, LONG, HEBREW = "Eve", "W" * 30, "שלום לכולם מרחוק מאוד"
ASK = """async ([table, name]) => {
  const headers = {"Content-Type": "application/json"};
  await fetch("/api/guest", {method: "POST", headers, body: JSON.stringify({name: "Stranger"})});
  const socket = new WebSocket(location.origin.replace("http", "ws") + "/ws/" + table);
  const heard = (word) => new Promise((go) => {
    socket.addEventListener("message", (one) => one.data.includes(word) && go(one.data));
  });
  await new Promise((go) => socket.addEventListener("open", go));
  socket.send(JSON.stringify({do: "hello", seen: null}));
  await heard("welcome");
  const answer = heard('"w1"');
  socket.send(JSON.stringify({do: "watch", id: "w1", seat: 0, name}));
  return JSON.parse(await answer).code ?? "told";
}"""
PLACES = """() => [...document.querySelectorAll("header.bar > :last-child, .narrow, .match-screen button, .hand *")]
  .map((one) => { const {x, y, width, height} = one.getBoundingClientRect(); return [x, y, width, height]; })"""
COVERED = """() => [...document.querySelectorAll("[data-cell], header.bar > button, .strip button")]
  .filter((one) => {
    const {x, y, width, height} = one.getBoundingClientRect();
    return width > 0 && !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  }).map((one) => one.outerHTML.slice(0, 120))"""
"""What can be pressed at the table and lies under something else."""


def ask(visits: Visits, path: str, *names: str) -> list[str]:
    """A stranger for each name asks the first seat; what they were answered."""
    answers = []
    for name in names:
        stranger = visits()
        stranger.page.goto("/rules")
        answers.append(stranger.page.evaluate(ASK, [path.rsplit("/", 1)[-1], name]))
    return answers


def ask_first(page: Page) -> None:
    """A spectator asks the first player of the list."""
    page.get_by_role("button", name="Ask to see cards").click()
    page.get_by_role("dialog").get_by_role("button", name="Ask").first.click()


def at_table(visits: Visits, size: tuple[int, int] = PHONE, language: str = "en") -> tuple[Visitor, str]:
    """A player among bots, who is in the veto phase or chooses what else is asked."""
    ann = visits(size=size, language=language)
    path = open_table(ann, players=4, spectators="leave", seats=["open", "random", "random", "random"])
    ann.page.locator("[data-phase='veto']").wait_for()
    ann.page.locator("[data-cell]").first.wait_for()
    return ann, path


BEHIND_BAR = """() => {
  const bar = document.querySelector(".notices .watching").getBoundingClientRect();
  return [...document.querySelectorAll("[data-cell], .prompt, .plates li, .match-screen h3")]
    .filter((one) => one.getBoundingClientRect().height > 0 && one.getBoundingClientRect().bottom > bar.top)
    .map((one) => one.outerHTML.slice(0, 120));
}"""
"""The parts of the table that lie under the spectator's line."""


@pytest.mark.parametrize(
    ("size", "language"),
    [
        (SMALL, "en"),
        pytest.param(PHONE, "en", marks=pytest.mark.slow),
        pytest.param(WIDE, "en", marks=pytest.mark.slow),
        pytest.param(SMALL, "de", marks=pytest.mark.slow),
        pytest.param(SMALL, "fr", marks=pytest.mark.slow),
    ],
)
def test_who_watches_asks_out_of_a_list_and_sees_the_whole_table(
    visits: Visits, size: tuple[int, int], language: str
) -> None:
    ann = visits()
    path = open_table(ann, players=5, spectators="leave")
    names = {1: "Bérénice-Maximilienne von und", 2: "W" * 30}
    with Friends(ann.page.url.removesuffix(path), path.removeprefix("/table/"), [1, 2, 3, 4], names=names):
        ann.page.locator("[data-live='turn']", has_text="Your veto").wait_for(state="attached")
        cat = visits(size=size, language=language)
        page = cat.go(path)
        page.locator("[data-cell]").first.wait_for()
        button = page.locator(".notices .watching").get_by_role("button")
        assert button.count() == 1
        before = page.evaluate(PLACES)
        for _ in range(2):
            assert page.evaluate(COVERED) == []
            assert page.evaluate(BEHIND_BAR) == []
            assert page.evaluate(PLACES) == before, "nothing moves"
            cat.fits()
            cat.axe()
            if button.count() == 0:
                break
            button.click()
            rows = page.get_by_role("dialog").get_by_role("listitem")
            expect(rows).to_have_count(5)
            cat.fits()
            cat.axe()
            rows.nth(2).get_by_role("button").click()
            expect(page.locator(".notices .watching")).to_contain_text("W" * 30)
        assert button.count() == 0, "nobody asks two at once"
        assert ann.page.locator("header.bar .badge").count() == 0, "only who was asked is told"


def notice(page: Page, n: int) -> str:
    page.get_by_role("button", name=f"{n} p").wait_for()
    people = "person" if n == 1 else "people"
    return f"{n} {people} would like to watch your hand"


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, SMALL, WIDE], ids=["phone", "small phone", "desktop"])
def test_three_strangers_are_one_button_and_nothing_at_the_table_is_covered_or_moved(
    visits: Visits, size: tuple[int, int]
) -> None:
    ann, path = at_table(visits, size)
    page = ann.page
    page.locator("[data-live='turn']", has_text="Your veto").wait_for(state="attached")
    before, said = page.evaluate(PLACES), page.locator("header.bar [role=status]")
    expect(said).to_have_text("")
    assert ask(visits, path, EVE) == ["told"]
    expect(said).to_have_text("Somebody would like to watch your hand.")
    page.evaluate(
        "window.said = 0; new MutationObserver(() => window.said++).observe("
        "document.querySelector('header.bar [role=status]'), {subtree: true, childList: true, characterData: true})"
    )
    assert ask(visits, path, LONG, HEBREW) == ["told"] * 2
    button = page.get_by_role("button", name=notice(page, 3), exact=True)
    assert button.count() == 1
    assert page.evaluate("window.said") == 0, "said once, not for each of many"
    assert page.evaluate(PLACES) == before, "nothing moves"
    assert page.evaluate(COVERED) == [], "nothing is covered"
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    ann.fits()
    ann.axe()
    page.locator("[data-cell]:not([disabled])").first.click()
    expect(page.locator("[data-cell][aria-pressed='true']")).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_names_are_quoted_shortened_and_kept_apart(visits: Visits, language: str) -> None:
    ann, path = at_table(visits, SMALL, language)
    page = ann.page
    assert ask(visits, path, EVE, LONG, HEBREW, "\u202eevE\u200b") == ["told"] * 4
    page.locator("header.bar .badge", has_text="4").click()
    rows = page.get_by_role("dialog").get_by_role("listitem")
    expect(rows).to_have_count(4)
    marks = {"en": "“”", "de": "„“", "fr": "«»"}[language]
    for row, name in zip(rows.all(), [EVE, "W" * 20 + "…", HEBREW[:20].rstrip() + "…", "evE"], strict=True):
        expect(row.locator("bdi")).to_have_text(name)
        words = row.locator(".who").inner_text()
        assert words[0] + words[-1] == marks
    ann.fits()
    ann.axe()


@pytest.mark.slow
def test_no_declines_one_and_the_other_rows_stay_where_they_are(visits: Visits) -> None:
    ann, path = at_table(visits)
    page = ann.page
    ask(visits, path, EVE, "Fay")
    cat = visits(size=SMALL)
    cat.go(path)
    ask_first(cat.page)
    cat.page.get_by_text("You have asked").wait_for()
    page.get_by_role("button", name=notice(page, 3)).tap()
    rows = page.get_by_role("dialog").get_by_role("listitem")
    page.get_by_role("dialog").evaluate("(panel) => Promise.all(panel.getAnimations().map((one) => one.finished))")
    places = [row.bounding_box() for row in rows.all()]
    rows.nth(2).get_by_role("button", name="No to").tap()
    expect(rows.nth(2)).to_contain_text("Declined")
    expect(rows.nth(2).get_by_role("button")).to_have_count(0)
    assert [row.bounding_box() for row in rows.all()] == places, "the next name does not come under the finger"
    cat.page.get_by_text("Declined by").wait_for()
    assert cat.page.get_by_role("button", name="Ask").count() == 0
    ask(visits, path, "Hal")
    page.wait_for_timeout(300)
    assert [row.bounding_box() for row in rows.all()] == places, "who asks meanwhile is in the next list"
    rows.nth(0).get_by_role("button", name="Show my cards").tap()
    expect(rows.nth(0)).to_contain_text("Sees your cards")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=notice(page, 2)).tap()
    expect(rows).to_have_count(2)
    assert [row.locator("bdi").inner_text() for row in rows.all()] == ["Fay", "Hal"]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").tap()
    expect(page.get_by_role("dialog").get_by_text("“\u2068Eve\u2069” sees your cards.")).to_be_visible()


@pytest.mark.slow
def test_no_to_all_ends_the_requests_until_the_menu_allows_them_again(visits: Visits) -> None:
    ann, path = at_table(visits, WIDE)
    page, cat = ann.page, visits()
    cat.go(path)
    ask_first(cat.page)
    assert ask(visits, path, EVE, "Fay") == ["told"] * 2
    button = page.get_by_role("button", name=notice(page, 3))
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="No to all").focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for(state="detached")
    button.wait_for(state="detached")
    menu = page.get_by_role("button", name="Menu")
    expect(menu).to_be_focused()
    cat.page.get_by_text("Declined by").wait_for()
    assert ask(visits, path, "Hal") == ["takes-no-requests"]
    assert page.locator("header.bar .badge").count() == 0
    page.keyboard.press("Enter")
    switch = page.get_by_role("group", name="Requests to watch my hand")
    expect(switch.get_by_role("radio", name="Off")).to_be_checked()
    ann.axe()
    switch.get_by_role("radio", name="On").check()
    page.keyboard.press("Escape")
    ask_first(cat.page)
    page.get_by_role("button", name=notice(page, 1), exact=True).wait_for()


@pytest.mark.slow
def test_tables_without_leave_have_no_switch(visits: Visits) -> None:
    ann = visits()
    open_table(ann, players=4, spectators="public", seats=["open", "random", "random", "random"])
    ann.page.locator("[data-phase='veto']").wait_for()
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("dialog").wait_for()
    assert ann.page.get_by_role("group", name="Requests to watch my hand").count() == 0
