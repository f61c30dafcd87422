"""Two people in two browsers: a link, consent, the online state, an invitation, one click to sit down; then a mute."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.test_accounts import introduce
from tests.browser.visitor import PHONE, Visitor

LANGUAGES = ("fr", "de", "en")
SMALL = (360, 640)


def all_fit(visitor: Visitor, shown: str) -> None:
    """A page with something on it, by its selector, fits a small phone in every language."""
    page, size = visitor.page, visitor.page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    for language in LANGUAGES:
        page.get_by_role("banner").get_by_role("button", name=language.upper(), exact=True).click()
        page.wait_for_selector(f"html[lang={language}] {shown}")
        visitor.fits()
    page.set_viewport_size(size)


def open_table(page: Page) -> None:
    """Open a table for three with one free seat, by its settings, and sit down at it."""
    page.evaluate(
        """async () => {
        const settings = {edition: "nichtig", players: 3, seats: ["open", "open", "random"], chat: true};
        const answer = await fetch("/api/tables", {method: "POST", body: JSON.stringify({settings}),
          headers: {"Content-Type": "application/json"}});
        location.href = "/table/" + (await answer.json()).table;
      }"""
    )
    page.get_by_role("button", name="Sit down", exact=True).click()


@pytest.mark.slow
def test_friends_find_each_other_and_play(visits: Visits) -> None:
    ann, bob = visits(), visits(size=PHONE)
    introduce(ann, "Ann")
    ann.go("/friends")
    ann.page.get_by_role("button", name="Make my link").click()
    link = ann.page.get_by_label("Link for this computer").input_value()

    bob.go(link)
    box = bob.page.get_by_role("region", name="Be friends with Ann?")
    box.wait_for()
    bob.axe()
    all_fit(bob, "#came")
    box.get_by_label("Your name").fill("Bob")
    box.get_by_role("button", name="Ask", exact=True).click()
    expect(bob.page.get_by_text("You are friends once they agree")).to_be_visible()
    expect(bob.page.get_by_role("region", name="Asked, no answer yet")).to_contain_text("Ann")
    bob.pick("Friends see when I am here", "Yes")

    ann.go("/")
    ann.page.get_by_role("link", name="Friends: Somebody waits for your answer").click()
    accept = ann.page.get_by_role("button", name="Accept: Bob")
    accept.wait_for()
    ann.axe()
    all_fit(ann, "main li")
    accept.click()
    friends = ann.page.get_by_role("region", name="My friends")
    expect(friends).to_contain_text("Bob")
    expect(friends).to_contain_text("online")

    open_table(ann.page)
    ann.page.get_by_role("button", name="Invite: Bob").click()
    expect(ann.page.get_by_role("button", name="Invited: Bob")).to_be_disabled()
    ann.axe()

    bob.go("/")
    invited = bob.page.get_by_role("region", name="You are invited")
    expect(invited).to_contain_text("Ann invites you")
    bob.axe()
    all_fit(bob, "#invited")
    invited.get_by_role("button", name="Sit down").click()
    for visitor in (ann, bob):
        visitor.page.wait_for_selector("[data-phase]:not([data-phase=waiting])")
    mute_and_report(ann, bob)


def mute_and_report(ann: Visitor, bob: Visitor) -> None:
    """What Bob writes is not shown to Ann once she muted him, also after a reload; he sees it as before."""
    say(bob.page, "you are a toad")
    ann.page.get_by_role("button", name="Chat").click()
    expect(ann.page.get_by_role("dialog")).to_contain_text("you are a toad")
    close(ann.page)
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="People here").click()
    panel = ann.page.get_by_role("dialog").get_by_role("region", name="Bob", exact=True)
    panel.get_by_role("button", name="Report").click()
    ann.axe()
    panel.get_by_label("In your words").fill("rude")
    panel.get_by_role("button", name="Send to the operator").click()
    expect(panel).to_contain_text("The operator has it now.")
    panel.get_by_role("button", name="Mute", exact=True).click()
    expect(panel.get_by_role("button", name="Unmute")).to_be_visible()
    close(ann.page)
    say(bob.page, "a green toad")
    expect(bob.page.get_by_role("dialog")).to_contain_text("a green toad")
    with ann.page.expect_response("**/people"):
        ann.page.reload()
    ann.page.get_by_role("button", name="Chat").click()
    expect(ann.page.get_by_role("dialog")).to_contain_text("Nobody has said anything yet")
    expect(ann.page.get_by_text("toad")).to_have_count(0)


def say(page: Page, text: str) -> None:
    """Write in the chat of the table."""
    if not page.get_by_role("dialog").is_visible():
        page.get_by_role("button", name="Chat").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Say something").fill(text)
    page.get_by_role("dialog").get_by_role("button", name="Send").click()


def close(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
