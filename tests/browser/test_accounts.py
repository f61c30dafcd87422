"""Keeping a name, with Chromium's virtual authenticator: register, sign in elsewhere, join, remove, recover."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import CDPSession, Route, expect

from tests.browser.conftest import Visits
from tests.browser.visitor import PHONE, Visitor
from tests.server.background import Background

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Authenticator:
    """A visitor's passkeys."""

    def __init__(self, visitor: Visitor) -> None:
        self.session: CDPSession = visitor.context.new_cdp_session(visitor.page)
        self.session.send("WebAuthn.enable")
        self.id = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]

    def passkeys(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.session.send("WebAuthn.getCredentials", {"authenticatorId": self.id})[
            "credentials"
        ]
        return found

    def copy_to(self, other: Authenticator) -> None:
        """As a password manager does it."""
        for credential in self.passkeys():
            other.session.send("WebAuthn.addCredential", {"authenticatorId": other.id, "credential": credential})


def by_name(site: Background) -> str:
    """Passkeys belong to names, not to addresses."""
    return site.url.replace("127.0.0.1", "localhost")


def introduce(visitor: Visitor, name: str) -> None:
    visitor.go("/settings")
    visitor.page.evaluate(
        """async (name) => {
        await fetch("/api/guest", {method: "POST", body: JSON.stringify({name}),
          headers: {"Content-Type": "application/json"}});
        localStorage.setItem("atout.name", name);
      }""",
        name,
    )
    visitor.go("/settings")


@pytest.mark.slow
def test_a_name_is_kept_on_two_devices(visits: Visits, site: Background) -> None:
    ann, phone = visits(by_name(site)), visits(by_name(site), size=PHONE)
    hers, theirs = Authenticator(ann), Authenticator(phone)
    introduce(ann, "Ann")
    section = ann.page.get_by_role("region", name="Keep my name")
    section.get_by_label("Name of the passkey").fill("Laptop")
    section.get_by_role("button", name="Keep my name with a passkey").click()
    expect(section).to_contain_text("The name Ann is kept")
    expect(section.locator("li input")).to_have_value("Laptop")
    assert len(hers.passkeys()) == 1
    ann.axe()

    section.get_by_role("button", name="Remove").click()
    expect(section.locator(".wrong")).to_contain_text("only way")
    ann.forgive("409")
    section.get_by_role("button", name="Make a recovery code").click()
    code = section.locator(".code").inner_text()
    assert len(code) == 29
    section.get_by_role("button", name="I have it").click()
    expect(section.locator(".code")).to_have_count(0)

    introduce(phone, "Phone")  # has a table there: that is asked about before it is joined
    phone.page.evaluate(
        """async () => await fetch("/api/tables", {method: "POST", headers: {"Content-Type": "application/json"},
        body: JSON.stringify({settings: {edition: "nichtig", players: 3}})})"""
    )
    hers.copy_to(theirs)
    phone.go("/settings")
    small = phone.page.get_by_role("region", name="Keep my name")
    small.get_by_role("button", name="Sign in to a name you keep").click()
    small.get_by_role("button", name="Sign in with a passkey").click()
    question = small.get_by_role("alertdialog")
    expect(question).to_contain_text("signing in as Ann. Under the name Phone, this device has")
    expect(question.get_by_role("listitem")).to_have_text(["tables you were at"])
    phone.forgive("409")
    phone.fits()
    phone.axe()
    small.get_by_role("button", name="Merge it into Ann").click()
    expect(small).to_contain_text("The name Ann is kept")
    expect(small.get_by_text("this device")).to_have_count(1)
    phone.go("/")
    expect(phone.page.get_by_role("heading", name="Your matches")).to_be_visible()
    ann.go("/")
    expect(ann.page.get_by_role("heading", name="Your matches")).to_be_visible()

    ann.go("/settings")
    section.get_by_role("button", name="Sign out there").click()
    expect(section.get_by_role("button", name="Sign out there")).to_have_count(0)
    phone.go("/settings")
    expect(small.get_by_role("button", name="Sign in to a name you keep")).to_be_visible()
    phone.forgive("401")

    section.get_by_role("button", name="Remove", exact=True).click()
    expect(section).to_contain_text("None yet.")
    small.get_by_role("button", name="Sign in to a name you keep").click()
    small.get_by_role("button", name="Sign in with a passkey").click()
    expect(small.locator(".wrong")).to_contain_text("not accepted")
    small.get_by_label("Recovery code").fill(code.lower())
    small.get_by_role("button", name="Sign in with the code").click()
    expect(small).to_contain_text("The name Ann is kept")
    for visitor in (ann, phone):
        visitor.forgive("40")


SOLVE = """async () => {
  const { id, answer } = await (await fetch("/api/puzzles/today")).json();
  const body = JSON.stringify({ action: answer.best[0] });
  await fetch(`/api/puzzles/${id}/attempts`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
}"""
KEEP_CODE = """async () => {
  const post = (path, body) =>
    fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const made = await (await post("/api/account/code")).json();
  const kept = await post("/api/account/code/keep", made);
  return kept.status === 204 ? made.code : "";
}"""
"""Keeps the name by a new recovery code."""
TRIED = "async () => (await (await fetch('/api/puzzles/me')).json()).tried"


@pytest.mark.parametrize("is_done", [True, False], ids=["the answer is lost", "the request is lost"])
def test_a_recovery_code_that_was_not_confirmed_is_tried_again(visits: Visits, is_done: bool) -> None:
    """The code is shown all the same, and it works in the end; nobody is locked out by a network that fails."""
    ann = visits(size=PHONE)
    introduce(ann, "Ann")
    page = ann.go("/settings")
    section = page.get_by_role("region", name="Keep my name")
    section.get_by_role("heading", name="Keep my name").wait_for()

    def lose(route: Route) -> None:
        if is_done:  # without the browser: it gets no cookie
            request = route.request
            done = httpx.post(request.url, content=request.post_data or "", headers=request.all_headers())
            assert done.status_code == 204, done.text
        route.abort()

    page.route("**/api/account/code/keep", lose)
    section.get_by_role("button", name="Make a recovery code").tap()
    expect(section).to_contain_text("it is not certain yet that it works")
    code = section.locator(".code").inner_text()
    expect(section.get_by_role("button", name="I have it")).to_have_count(0)
    ann.axe()
    ann.fits()
    ann.forgive("Failed to load resource")
    page.unroute("**/api/account/code/keep")
    section.get_by_role("button", name="Try again").tap()
    expect(section).to_contain_text("The name Ann is kept")
    section.get_by_role("button", name="I have it").tap()
    expect(section.locator(".code")).to_have_count(0)
    ann.forgive("Failed to load resource")

    phone = visits(size=PHONE)
    phone.go(f"/recover#{code}")
    phone.page.get_by_role("button", name="Sign in with the code").tap()
    expect(phone.page.get_by_text("You are signed in as Ann.")).to_be_in_viewport()
    phone.fits()
    phone.axe()
    phone.page.get_by_role("main").get_by_role("link", name="Home page").tap()
    phone.page.wait_for_url(lambda url: url.rstrip("/").count("/") == 2)


def test_what_a_guest_has_is_merged_unless_they_say_otherwise(visits: Visits, site: Background) -> None:
    """The page says what is at stake, and the answer that loses nothing is the first and has the focus."""
    ann, phone, tablet = visits(site.url), visits(site.url, size=PHONE), visits(site.url)
    introduce(ann, "Ann")
    code = ann.page.evaluate(KEEP_CODE)
    for visitor, name in ((phone, "Phone"), (tablet, "Tablet")):
        introduce(visitor, name)
        visitor.page.evaluate(SOLVE)
        visitor.go(f"/recover#{code}")
        visitor.page.get_by_role("button", name="Sign in with the code").click()
        question = visitor.page.get_by_role("alertdialog")
        expect(question).to_contain_text(f"signing in as Ann. Under the name {name}, this device has")
        expect(question.get_by_role("listitem")).to_have_text(["attempts at puzzles, and your rating"])
        merge, delete, cancel = question.get_by_role("button").all()
        expect(merge).to_have_text("Merge it into Ann")
        expect(merge).to_have_class(re.compile("primary"))
        expect(merge).to_be_focused()
        expect(delete).to_have_text("Delete it and sign in")
        visitor.forgive("409")
        if visitor is phone:
            visitor.fits()
            visitor.axe()
            cancel.click()
            expect(question).to_have_count(0)
            assert visitor.page.evaluate(TRIED) == 1, "nothing was done"
            visitor.page.get_by_role("button", name="Sign in with the code").click()
            expect(merge).to_be_focused()
            visitor.forgive("409")
            visitor.page.keyboard.press("Enter")
        else:
            delete.click()
        expect(visitor.page.get_by_text("The name Ann is kept")).to_be_visible()
        assert visitor.page.evaluate(TRIED) == 1, "of the two devices that was merged which said so"


@pytest.mark.slow
def test_a_table_is_not_lost_when_a_name_is_kept(visits: Visits, site: Background) -> None:
    """The page connects again with the new cookie by itself; the person at it need not do anything."""
    ann = visits(site.url)
    introduce(ann, "Ann")
    table = ann.page.evaluate(
        """async () => {
        const answer = await fetch("/api/tables", {method: "POST", headers: {"Content-Type": "application/json"},
          body: JSON.stringify({settings: {edition: "nichtig", players: 3}})});
        return (await answer.json()).table;
      }"""
    )
    with ann.page.expect_websocket():
        ann.go(f"/table/{table}")
    ann.page.get_by_role("button", name=re.compile("Take|Sit")).first.click()
    name = ann.page.get_by_label("Your name")
    expect(name).to_have_value("Ann")
    with ann.page.expect_websocket() as again:
        assert ann.page.evaluate(KEEP_CODE)
    again.value.wait_for_event("framereceived", lambda text: "welcome" in str(text))
    expect(ann.page.get_by_text(re.compile("connection", re.IGNORECASE))).to_have_count(0)
    name.fill("Anna")
    ann.page.get_by_role("button", name="Change").click()
    ann.page.wait_for_function(
        """async (table) => (await (await fetch("/api/tables/" + table)).json()).detail.seats[0].name === "Anna" """,
        arg=table,
    )
