"""A browser, a server with the built page, and visitors who leave without a complaint."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from atout.server.http.static import STATIC
from tests.browser import finder
from tests.browser.visitor import Visitor
from tests.server.background import Background, serve_in_background

Visits = Callable[..., Visitor]


@pytest.fixture(scope="session")
def chromium() -> str:
    try:
        return finder.find()
    except finder.NoBrowser as error:
        pytest.fail(str(error))


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Until the end of the file: Playwright keeps an event loop running, and tests of other files want their own."""
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=alone)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def page_is_built() -> None:
    if not (STATIC / "index.html").is_file():
        pytest.fail("the page is not built; expected: make web")


@pytest.fixture(scope="session")
def site(page_is_built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    """For all tests that do not kill it. It does not count attempts to sign in: they all come from one address."""
    folder = tmp_path_factory.mktemp("site")
    with serve_in_background(f"sqlite:///{folder}/atout.db", folder, sign_ins_per_hour=100_000) as server:
        yield server


@pytest.fixture
def visits(browser: Browser, site: Background) -> Iterator[Visits]:
    """Makes visitors; they all leave in the end."""
    visitors: list[Visitor] = []

    def come(url: str = site.url, **settings: object) -> Visitor:
        visitor = Visitor(browser, url, **settings)  # type: ignore[arg-type]
        visitors.append(visitor)
        return visitor

    yield come
    for visitor in visitors:
        visitor.leave()
