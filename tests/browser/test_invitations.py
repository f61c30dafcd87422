"""Links to share, and their QR codes: with an address that others can open, or the sentence that there is none."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from atout.server.reach import own_addresses
from tests.browser.conftest import Visits
from tests.browser.test_games import who_has_played
from tests.browser.test_tables import remember
from tests.browser.visitor import PHONE, Visitor
from tests.depth import first
from tests.server.background import serve_in_background

WEB = Path(__file__).parents[2] / "web"
EVERYWHERE = "0.0.0.0"  # noqa: S104 — what is tested
ENCODE = """
  import { encode } from "uqr";
  const code = encode(process.argv[1], { ecc: "M", border: 2 });
  const dots = code.data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1Z`] : [])));
  process.stdout.write(dots.join(""));
"""
ONLY_HERE = {
    "en": "Only this computer can open this link.",
    "de": "Diesen Link kann nur dieser Computer öffnen.",
    "fr": "Seul cet ordinateur peut ouvrir ce lien.",
}
BUTTONS = {"en": "Invite friends", "de": "Freunde einladen", "fr": "Inviter des amis"}
HERE = {"en": "Link for this computer", "de": "Link für diesen Computer", "fr": "Lien pour cet ordinateur"}
SHARE = "navigator.share = () => Promise.resolve();"
"""As on a phone: a device that can send links."""


def invited(visitor: Visitor, language: str = "en") -> Page:
    """The waiting room of a new table."""
    remember(visitor, players=3, friends=1)
    visitor.context.add_init_script(SHARE)
    visitor.go("/").get_by_role("button", name=BUTTONS[language]).click()
    visitor.page.wait_for_selector("#invite-link:visible")
    return visitor.page


def code_of(link: str) -> str:
    """The squares of a QR code, as the page draws them."""
    command = ["node", "--input-type=module", "-e", ENCODE, link]
    return subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=True).stdout


def is_for_others(page: Page, origin: str, label: str = "Link to this table") -> str:
    """The link and its QR code have this origin."""
    field = page.get_by_label(label)
    expect(field).to_be_visible()
    link = field.input_value()
    assert link.startswith(f"{origin}/"), link
    code = page.get_by_role("img", name="The link as a QR code")
    assert code.locator("path").get_attribute("d") == code_of(link)
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    assert ONLY_HERE["en"] not in page.inner_text("main")
    return link


@pytest.mark.parametrize("language", first(["en", "de", "fr"]))
def test_a_link_that_only_this_computer_can_open_is_no_invitation(visits: Visits, language: str) -> None:
    visitor = visits(size=PHONE, language=language)
    page = invited(visitor, language)
    expect(page.get_by_text(ONLY_HERE[language])).to_contain_text("atout serve --host 0.0.0.0")
    expect(page.get_by_label(HERE[language])).to_have_value(page.url)
    assert page.locator(".invite svg[role=img]").count() == 0, "a QR code that leads nowhere"
    assert page.locator(".invite button").count() == 1, "it can be copied, but not sent"
    visitor.fits()


SHARED = "[data-sharing=public]"
COPIED = """() => new Promise((go) => {
  document.execCommand = () => { go(document.activeElement.value); return true; };
  Object.defineProperty(navigator, "clipboard", { value: undefined });
  document.querySelector("[data-sharing] .btn").click();
})"""
"""What is copied where browsers have no clipboard, as without https."""


def test_a_public_match_that_only_this_computer_can_open_says_so(visits: Visits) -> None:
    ann, played = who_has_played(visits)
    page = ann.go(f"/replay/{played}")
    expect(page.locator(SHARED)).to_contain_text(ONLY_HERE["en"])
    page = ann.go(f"/table/{played}")
    expect(page.locator("[data-phase='match-end'] .told")).to_contain_text("only this computer can open it")
    expect(page.locator(SHARED)).to_contain_text(ONLY_HERE["en"])


@pytest.mark.usefixtures("page_is_built")
def test_links_to_a_match_have_the_public_address(browser: Browser, tmp_path: Path) -> None:
    url = "https://play.example"
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, public_url=url) as server:
        visitors: list[Visitor] = []

        def come(**settings: Any) -> Visitor:
            visitors.append(Visitor(browser, server.url, **settings))
            return visitors[-1]

        ann, played = who_has_played(come)
        page = ann.go(f"/replay/{played}")
        panel = page.locator(SHARED)
        expect(panel.get_by_label("Link to this match")).to_have_value(re.compile(r"^play\.example/m/"))
        expect(panel).to_contain_text("Anyone with the link sees the moves and all cards.")
        assert ONLY_HERE["en"] not in panel.inner_text()
        assert page.evaluate(COPIED).startswith(f"{url}/m/")
        expect(panel.get_by_role("button", name="Copied")).to_be_visible()
        for visitor in visitors:
            visitor.leave()


@pytest.mark.usefixtures("page_is_built")
def test_links_have_the_public_address(browser: Browser, tmp_path: Path) -> None:
    url = "https://play.example"
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, public_url=url) as server:
        ann = Visitor(browser, server.url)
        link = is_for_others(invited(ann), url)
        assert link.removeprefix(url) == ann.page.url.removeprefix(server.url)
        ann.go("/friends").get_by_role("textbox", name="Your name").fill("Ann")
        ann.page.get_by_role("button", name="Make my link").click()
        is_for_others(ann.page, url, "Link to me")
        ann.leave()


@pytest.mark.usefixtures("page_is_built")
def test_a_phone_in_the_network_opens_the_link(browser: Browser, tmp_path: Path) -> None:
    """The page was opened as 127.0.0.1, at a server that listens on all addresses."""
    with serve_in_background(f"sqlite:///{tmp_path}/a.db", tmp_path, host=EVERYWHERE) as server:
        port = server.url.rpartition(":")[2]
        ann = Visitor(browser, server.url)
        page = invited(ann)
        found = own_addresses(EVERYWHERE)
        if not found:  # a machine in no network
            expect(page.get_by_text(ONLY_HERE["en"])).to_contain_text("connect this computer to your network")
            ann.leave()
            return
        link = is_for_others(page, f"http://{found[0]}:{port}")
        bob = Visitor(browser, f"http://{found[0]}:{port}", size=PHONE)
        bob.context.add_init_script(SHARE)
        bob.go(link)
        assert is_for_others(bob.page, f"http://{found[0]}:{port}") == link, "where it was opened so, it stays so"
        bob.page.get_by_role("button", name="Sit down").click()
        page.wait_for_selector(".invite", state="detached")
        bob.forgive("Cross-Origin-Opener-Policy")  # browsers heed it with https alone, and say so
        for visitor in (ann, bob):
            visitor.leave()
