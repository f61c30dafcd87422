"""A browser is found by the first way that leads to one; without any, it is said what to install."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser import finder


def test_ways_are_tried_in_order() -> None:
    tried: list[str] = []

    def way(name: str, path: str | None) -> Callable[[], str | None]:
        def go() -> str | None:
            tried.append(name)
            return path

        return go

    assert finder.find((way("a", None), way("b", "/b"), way("c", "/c"))) == "/b"
    assert tried == ["a", "b"]


def test_without_a_browser_it_says_what_to_install() -> None:
    with pytest.raises(finder.NoBrowser, match="package `chromium`"):
        finder.find((lambda: None,))


def test_a_command_that_is_not_there_is_no_way() -> None:
    assert not finder._runs(["/nonexistent/playwright"])
