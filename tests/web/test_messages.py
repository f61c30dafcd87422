"""The page's tests read messages of this server, not of an older one."""

from __future__ import annotations

from tests.web import messages


def test_the_messages_are_fresh() -> None:
    written = messages.PATH.read_text(encoding="utf-8")
    assert written == messages.text(), "write them again: python -m tests.web.messages"
