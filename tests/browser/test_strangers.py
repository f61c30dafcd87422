"""What somebody trips over who has never seen the page: names, codes, messages at the wrong place, very large text."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.test_accounts import by_name, introduce
from tests.browser.visitor import PHONE
from tests.server.background import Background

SMALL = (360, 640)
PAGES = ("/", "/today", "/games", "/learn", "/rules", "/rules/niet-2015", "/sheet", "/friends", "/settings")
LARGE_TEXT = "() => { document.documentElement.style.fontSize = '200%'; }"
LINES = """() => [...document.querySelectorAll("header.bar nav a span")].map((one) => one.getClientRects().length)"""


def bottom_of(page: Page, name: str) -> float:
    box = page.get_by_role("textbox", name=name).bounding_box()
    assert box is not None
    return box["y"] + box["height"]


@pytest.mark.slow
def test_a_recovery_code_waits_and_a_name_is_asked_for(visits: Visits) -> None:
    ann = visits(size=PHONE)
    page = ann.go("/settings")
    section = page.get_by_role("region", name="Keep my name")
    section.get_by_role("button", name="Make a recovery code").tap()
    expect(section.get_by_text("First type the name")).to_be_visible()
    expect(section.locator(".code")).to_have_count(0)
    expect(section.get_by_label("Your name")).to_be_focused()
    section.get_by_label("Your name").fill("Ann")
    section.get_by_role("button", name="Make a recovery code").tap()
    code = section.locator(".code").inner_text()
    expect(section).to_contain_text("The name Ann is kept")

    page.get_by_role("link", name="Friends").tap()
    page.get_by_role("heading", name="Friends", level=1).wait_for()
    page.get_by_role("main").get_by_text("Make my link").wait_for()
    ann.axe()
    ann.fits()
    page.get_by_role("link", name="Your recovery code is not noted yet", exact=False).first.tap()
    assert section.locator(".code").inner_text() == code
    expect(section.locator(".code")).to_be_in_viewport()
    assert code not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    section.get_by_role("button", name="I have it").tap()
    expect(section.locator(".code")).to_have_count(0)
    expect(page.get_by_role("link", name="not noted yet")).to_have_count(0)


@pytest.mark.slow
def test_friends_are_told_a_name(visits: Visits) -> None:
    ann = visits()
    page = ann.go("/friends")
    page.get_by_role("button", name="Make my link").click()
    expect(page.get_by_text("First type your name")).to_be_visible()
    expect(page.get_by_label("Link for this computer")).to_have_count(0)
    page.get_by_role("textbox", name="Your name").fill("Ann")
    page.get_by_role("button", name="Make my link").click()
    expect(page.get_by_label("Link for this computer")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your name")).to_have_count(0)


@pytest.mark.parametrize("language", ["fr", "de"])
@pytest.mark.slow
def test_text_of_twice_the_size_is_not_cut(visits: Visits, language: str) -> None:
    visitor = visits(size=SMALL, language=language)
    for path in PAGES:
        page = visitor.go(path)
        page.wait_for_load_state("networkidle")
        assert set(page.evaluate(LINES)) == {1}, "a name in the menu takes one line"
        page.evaluate(LARGE_TEXT)
        visitor.fits()
        expect(page.locator(".skip"), "it shows only when it has the focus").not_to_be_in_viewport()


@pytest.mark.slow
def test_who_shares_a_device_is_asked_for_names_first(visits: Visits) -> None:
    ann = visits(size=PHONE)
    page = ann.go("/")
    page.get_by_role("button", name="Pass and play").tap()
    page.locator("[data-phase=waiting]").wait_for()
    assert bottom_of(page, "Another player on this device") < PHONE[1]
    page.reload()
    page.locator("[data-phase=waiting]").wait_for()
    assert bottom_of(page, "Another player on this device") < PHONE[1]
    ann.axe()
    ann.fits()

    bob = visits(size=PHONE, language="de")
    invited = bob.go(page.url)
    learn = invited.get_by_role("link", name="In fünf Minuten lernen")
    expect(learn).to_be_visible()
    assert learn.get_attribute("href") == "/learn/niet"
    bob.axe()
    bob.fits()


@pytest.mark.slow
def test_a_refusal_is_shown_at_its_button(visits: Visits, site: Background) -> None:
    ann = visits(by_name(site), size=PHONE)
    page = ann.go("/settings")
    section = page.get_by_role("region", name="When it is your turn")
    button = section.get_by_role("button", name="Tell me in this browser")
    button.tap()
    refusal = section.locator(".told .wrong")
    expect(refusal).to_be_visible()
    above, below = (one.evaluate("(box) => box.getBoundingClientRect().bottom") for one in (button, refusal))
    assert 0 < below - above < 80, "right below it"
    expect(section.get_by_label("Address of the webhook")).to_be_hidden()
    section.get_by_text("For programmers").tap()
    expect(section.get_by_label("Address of the webhook")).to_be_visible()


@pytest.mark.slow
def test_a_lesson_can_be_left_and_a_rule_is_marked(visits: Visits) -> None:
    ann = visits(size=SMALL)
    page = ann.go("/learn/niet")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Leave the lesson").click()
    page.get_by_role("heading", name="Learn", level=1).wait_for()
    page = ann.go("/rules/niet-2015#3.3")
    expect(page.locator(".paragraph.named")).to_have_count(1)
    expect(page.locator(".paragraph.named h3 a")).to_have_text("3.3")


@pytest.mark.slow
def test_nothing_is_done_for_a_page_that_was_left(visits: Visits) -> None:
    ann = visits()
    introduce(ann, "Ann")
    ann.page.add_init_script(
        "const real = fetch; window.fetch = async (...all) => {"
        "  const answer = await real(...all); await new Promise((go) => setTimeout(go, 250)); return answer; };"
    )
    page = ann.go("/today/mistakes")
    for link in ("/today", "/learn", "/today", "/games", "/deal/2026-01-01", "/learn"):
        page.evaluate("(to) => { history.pushState({}, '', to); dispatchEvent(new PopStateEvent('popstate')); }", link)
        page.wait_for_timeout(120)
    page.get_by_role("heading", name="Learn", level=1).wait_for()
    page.wait_for_timeout(500)
    ann.forgive("404")  # that deal was never dealt
