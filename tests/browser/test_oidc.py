"""Keeping a name by an account elsewhere, in a browser: to the provider, yes or no there, and back."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from html import escape
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.browser.test_accounts import introduce
from tests.browser.visitor import PHONE, Visitor
from tests.server.background import Background, serve_in_background
from tests.server.test_oidc import CLIENT, SECRET, Provider

pytestmark = pytest.mark.slow


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


class Club(Provider):
    """The provider with a page on which somebody says yes or no."""

    def page(self, address: str) -> str:
        asked = {name: value[0] for name, value in parse_qs(urlsplit(address).query).items()}
        no = {"error": "access_denied", "state": asked["state"]}
        links = {"Yes, it is me": self.authorize(address), "No": no}
        return "".join(
            f'<p><a href="{escape(self.back)}?{escape(urlencode(brought))}">{text}</a></p>'
            for text, brought in links.items()
        )

    def handle_get(self, handler: BaseHTTPRequestHandler) -> bool:
        if not handler.path.startswith("/authorize"):
            return False
        data = f"<!doctype html><title>Club</title><h1>Club</h1>{self.page(handler.path)}".encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)
        return True


@pytest.fixture
def club_site(page_is_built: None, tmp_path: Path) -> Iterator[Background]:
    """A server whose operator named the provider. The way back is known before it starts."""
    port = free_port()
    club = Club(f"http://localhost:{port}/api/sign-in/oidc/back")
    with serve_in_background(
        f"sqlite:///{tmp_path}/atout.db", tmp_path, port=port, oidc_issuer=club.url, oidc_client=CLIENT,
        oidc_secret=SECRET, oidc_name="Club", public_url=f"http://localhost:{port}", sign_ins_per_hour=100_000,
    ) as running:  # fmt: skip
        running.url = f"http://localhost:{port}"
        yield running


def at_the_club(page: Page, answer: str) -> None:
    expect(page.get_by_role("heading", name="Club")).to_be_visible()
    page.get_by_role("link", name=answer).click()


CONFIRMED = "async () => (await fetch('/api/sign-in/oidc/confirmed/keep')).status"


def kept(visitor: Visitor) -> bool:
    """Whether the server keeps the visitor's name."""
    found: bool = visitor.page.evaluate("async () => (await (await fetch('/api/account')).json()).is_kept")
    return found


def test_a_name_is_kept_by_an_account_elsewhere(visits: Visits, club_site: Background) -> None:
    ann, phone = visits(club_site.url), visits(club_site.url, size=PHONE)
    introduce(ann, "Ann")
    hers = ann.page.get_by_role("region", name="Keep my name")
    hers.get_by_role("button", name="Keep my name with Club").click()
    at_the_club(ann.page, "No")
    expect(hers).to_contain_text("Club did not confirm who you are")
    hers.get_by_role("button", name="Keep my name with Club").click()
    at_the_club(ann.page, "Yes, it is me")
    question = hers.get_by_role("alertdialog", name="Is this your account at Club?")
    expect(question).to_be_focused()
    for told in ("Ann Example", "ann@club.example", "sign in here as Ann"):
        expect(question).to_contain_text(told)
    ann.axe()
    assert not kept(ann), "nothing is linked before that was answered"
    question.get_by_role("button", name="No").click()
    expect(hers).to_contain_text("Nothing was changed")
    expect(question).to_have_count(0)
    assert "oidc" not in ann.page.url, "a reload does not repeat it"
    assert ann.page.evaluate(CONFIRMED) == 403, "and the confirmation is gone"
    ann.forgive("403")
    hers.get_by_role("button", name="Keep my name with Club").click()
    at_the_club(ann.page, "Yes, it is me")
    expect(question).to_be_focused()
    ann.page.keyboard.press("Enter")  # nobody agrees by a key that was pressed before they looked
    expect(question).to_be_visible()
    assert not kept(ann)
    question.get_by_role("button", name="Yes, keep Ann with it").click()
    expect(hers).to_contain_text("Kept by Club since")
    expect(hers).to_contain_text("The name Ann is kept")
    assert kept(ann)
    ann.axe()
    hers.get_by_role("button", name="Keep it without Club").click()
    expect(hers.get_by_text("only way")).to_be_visible()
    ann.forgive("409")

    phone.go("/settings")
    theirs = phone.page.get_by_role("region", name="Keep my name")
    theirs.get_by_role("button", name="Sign in to a name you keep").click()
    theirs.get_by_role("button", name="Sign in with Club").click()
    at_the_club(phone.page, "Yes, it is me")
    expect(theirs.get_by_role("alertdialog")).to_contain_text("ann@club.example")
    phone.fits()
    phone.axe()
    theirs.get_by_role("button", name="No").click()
    expect(theirs).to_contain_text("Nothing was changed")
    expect(theirs).not_to_contain_text("is kept")
    theirs.get_by_role("button", name="Sign in with Club").click()
    at_the_club(phone.page, "Yes, it is me")
    theirs.get_by_role("button", name="Yes, sign in as Ann").click()
    expect(theirs).to_contain_text("The name Ann is kept")
    expect(theirs.get_by_text("this device")).to_have_count(1)
    phone.fits()
    phone.axe()
    found = phone.page.evaluate("async () => JSON.stringify(await (await fetch('/api/account')).json())")
    assert (json.loads(found)["name"], len(json.loads(found)["sessions"])) == ("Ann", 2)
    for visitor in (ann, phone):
        visitor.forgive("40")
