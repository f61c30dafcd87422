"""Nudges on the page: by mail, in this browser, per table; the links in mails; the recovery link."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.test_accounts import introduce
from tests.browser.test_multiplayer import open_table, sit_down
from tests.browser.visitor import PATIENCE, PHONE, Visitor
from tests.depth import first
from tests.server.background import Background, serve_in_background
from tests.server.postbox import Postbox, link_in, open_postbox
from tests.server.test_consent import missing
from tests.server.test_nudges import Browser as Keys
from tests.server.test_nudges import Endpoint

LANGUAGES = {
    "en": "When it is your turn or you are invited",
    "fr": "Quand c’est à vous ou qu’on vous invite",
    "de": "Wenn du am Zug bist oder eingeladen wirst",
}
SMALL, LARGE = (360, 640), (1440, 900)
SUBSCRIBE = """({url, keys}) => {
  const made = (options) => ({options, unsubscribe: async () => { localStorage.removeItem("test.push"); return true; },
    toJSON: () => ({endpoint: localStorage.getItem("test.push"), keys})});
  let last = null;
  Object.defineProperty(Notification, "permission", {get: () => "granted"});
  PushManager.prototype.subscribe = async (options) => {
    localStorage.setItem("test.push", url());
    last = {applicationServerKey: options.applicationServerKey.buffer};
    return made(last);
  };
  PushManager.prototype.getSubscription = async () =>
    localStorage.getItem("test.push") && last ? made(last) : null;
}"""
"""A browser with a push service and with leave to notify: Chromium without a window has neither."""


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with open_postbox() as box:
        yield box


@pytest.fixture(scope="module")
def nudging(page_is_built: None, tmp_path_factory: pytest.TempPathFactory, postbox: Postbox) -> Iterator[Background]:
    folder = tmp_path_factory.mktemp("nudging")
    with serve_in_background(
        f"sqlite:///{folder}/atout.db", folder, smtp=postbox.url, smtp_from="atout@play.example",
        public_url="https://play.example", nudge_private=True,
    ) as server:  # fmt: skip
        yield server


def by_name(server: Background) -> str:
    """Service workers need a secure context."""
    return server.url.replace("127.0.0.1", "localhost")


@pytest.mark.slow
def test_a_mail_address_is_confirmed_used_and_stopped(visits: Visits, nudging: Background, postbox: Postbox) -> None:
    ann, phone = visits(by_name(nudging)), visits(by_name(nudging), size=PHONE)
    introduce(ann, "Ann")
    section = ann.page.get_by_role("region", name=LANGUAGES["en"])
    section.get_by_label("Mail address").fill("ann@mail.example")
    section.get_by_role("button", name="Send a link").click()
    expect(section).to_contain_text("A mail is on its way to ann@mail.example", timeout=PATIENCE)
    phone.go(f"/mail/confirm#{link_in(postbox.mails[-1][1], 'confirm')}")
    said = phone.page.get_by_role("main").inner_text()
    assert missing(said, "en") == [], "what is agreed to is said before the button"
    phone.fits()
    phone.axe()
    phone.page.get_by_role("button", name="Yes, this is my address").click()
    expect(phone.page.get_by_text("ann@mail.example is confirmed")).to_be_visible()
    ann.go("/settings")
    way = section.get_by_role("listitem").filter(has_text="ann@mail.example")
    expect(way).to_contain_text("nothing sent yet")
    way.get_by_role("button", name="Test").click()
    expect(way).to_contain_text("last delivered today", timeout=PATIENCE)
    section.get_by_role("checkbox").check()
    expect(section.get_by_label("From", exact=True)).to_have_value("22:00")
    ann.axe()
    phone.go(f"/mail/stop#{link_in(postbox.mails[-1][1], 'stop')}")
    phone.page.get_by_role("button", name="Stop the e-mails").click()
    expect(phone.page.get_by_text("these e-mails are stopped")).to_be_visible()
    ann.go("/settings")
    expect(section.get_by_text("None yet")).to_be_visible()
    expect(section.get_by_label("Until", exact=True)).to_have_value("08:00")


@pytest.mark.slow
def test_this_browser_is_told_and_registered_again_at_each_start(visits: Visits, nudging: Background) -> None:
    endpoint = Endpoint()
    keys = Keys(endpoint)
    ann = visits(by_name(nudging))
    ann.context.grant_permissions(["notifications"])
    script = SUBSCRIBE.replace("url()", 'localStorage.getItem("test.url")')
    ann.context.add_init_script(f"({script})({{keys: {json.dumps(keys.subscription()['keys'])}}})")
    introduce(ann, "Ann")
    ann.page.evaluate("(url) => localStorage.setItem('test.url', url)", f"{endpoint.url}/push/1")
    section = ann.page.get_by_role("region", name=LANGUAGES["en"])
    section.get_by_role("button", name="Tell me in this browser").click()
    way = section.get_by_role("listitem").filter(has_text="this browser")
    way.get_by_role("button", name="Test").click()
    expect(way).to_contain_text("not arrived yet", timeout=PATIENCE)
    assert endpoint.received[-1][0] == "/push/1"
    message = keys.read(endpoint.received[-1][2])

    session = ann.context.new_cdp_session(ann.page)
    versions: list[dict[str, str]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: versions.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    while not versions:
        ann.page.wait_for_timeout(100)
    session.send("ServiceWorker.deliverPushMessage", {
        "origin": by_name(nudging), "registrationId": versions[0]["registrationId"], "data": json.dumps(message),
    })  # fmt: skip
    ann.page.wait_for_function(
        """async () => (await (await fetch("/api/nudges")).json()).channels.some((one) => one.delivered !== null)"""
    )
    # the browser has dropped the subscription: the next start of the page, whichever page it is, registers another
    ann.page.evaluate("(url) => localStorage.setItem('test.url', url)", f"{endpoint.url}/push/2")
    ann.go("/rules")
    ann.page.wait_for_function("() => localStorage.getItem('test.push').endsWith('/push/2')")
    ann.page.wait_for_function("""async () => {
      const {channels} = await (await fetch("/api/nudges")).json();
      return channels.length === 1 && channels[0].id === localStorage.getItem("atout.push");
    }""")
    ann.go("/settings")
    way.get_by_role("button", name="Test").click()
    expect(way).to_contain_text("not arrived yet", timeout=PATIENCE)
    assert endpoint.received[-1][0] == "/push/2"
    endpoint.status = 410
    way.get_by_role("button", name="Test").click()
    expect(section.get_by_text("could not be sent")).to_be_visible(timeout=PATIENCE)
    expect(section.get_by_text("None yet")).to_be_visible()


@pytest.mark.slow
def test_when_to_be_told_is_chosen_per_table(visits: Visits, nudging: Background) -> None:
    ann, bob = visits(by_name(nudging), size=PHONE), visits(by_name(nudging))
    table = open_table(ann, clock={"kind": "days", "time": 1})
    sit_down(bob, table)
    ann.page.wait_for_selector("[data-phase]")
    ann.page.get_by_role("button", name="Menu").first.click()
    group = ann.page.get_by_role("group", name="Tell me when it is my turn here")
    expect(group.get_by_role("radio", name="When I am away")).to_be_checked()
    expect(group).to_contain_text("Nothing reaches you yet")
    group.get_by_role("radio", name="Never").check()
    ann.axe()
    ann.page.wait_for_function(
        "async (path) => (await (await fetch(path)).json()).choice === 'never'",
        arg=f"/api/tables/{table.rpartition('/')[2]}/nudges",
    )
    ann.page.reload()
    ann.page.get_by_role("button", name="Menu").first.click()
    expect(group.get_by_role("radio", name="Never")).to_be_checked()


@pytest.mark.slow
def test_a_recovery_link_leads_back(visits: Visits, nudging: Background) -> None:
    ann, found = visits(by_name(nudging)), visits(by_name(nudging), size=PHONE)
    introduce(ann, "Ann")
    section = ann.page.get_by_role("region", name="Keep my name")
    section.get_by_role("button", name="Make a recovery code").click()
    link = section.get_by_label("Recovery link").input_value()
    assert link == f"https://play.example/recover#{section.locator('.code').inner_text()}", "the public address"
    section.get_by_role("button", name="I have it").click()
    expect(section.get_by_label("Recovery link")).to_have_count(0)
    found.go(link.removeprefix("https://play.example"))
    found.page.wait_for_function("() => location.hash === ''")
    found.fits()
    found.axe()
    found.page.get_by_role("button", name="Sign in with the code").click()
    expect(found.page.get_by_text("The name Ann is kept")).to_be_visible()


@pytest.mark.parametrize("language", first(LANGUAGES))
def test_it_fits_in_every_language(visits: Visits, nudging: Background, language: str) -> None:
    ann: Visitor = visits(by_name(nudging), size=SMALL, language=language)
    introduce(ann, "Ann")
    ann.page.evaluate(
        """async () => { for (const url of ["https://a-rather-long-name.of-a-host.example/hook"])
          await fetch("/api/nudges/channels", {method: "POST", headers: {"Content-Type": "application/json"},
            body: JSON.stringify({url})}); }"""
    )
    ann.go("/settings")
    expect(ann.page.get_by_role("region", name=LANGUAGES[language])).to_contain_text("a-rather-long-name")
    for size in (SMALL, (1366, 768), LARGE):
        ann.page.set_viewport_size({"width": size[0], "height": size[1]})
        ann.fits()
    ann.axe()
