"""A mail server for tests, and what is read in its mails."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from tests.server.background import PATIENCE

LINK = re.compile(r"https://play\.example/mail/(\w+)#(\S+)")


class Postbox:
    """A real mail server on this machine. Addresses at `gone.example` do not exist, nor those in `gone`."""

    def __init__(self, **options: Any) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []
        self.raw = b""
        """The last mail as it came."""
        self.gone: set[str] = set()
        with socket.create_server(("127.0.0.1", 0)) as free:  # the controller cannot choose one itself
            port: int = free.getsockname()[1]
        self.url = f"smtp://127.0.0.1:{port}"
        self.controller = Controller(self, hostname="127.0.0.1", port=port, ready_timeout=PATIENCE, **options)

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        if address.endswith("@gone.example") or address in self.gone:
            return "550 there is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        found = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(found, EmailMessage)
        self.raw = envelope.content
        self.mails.append((envelope.rcpt_tos[0], found))
        return "250 OK"

    async def wait(self, count: int) -> None:
        while len(self.mails) < count:
            await asyncio.sleep(0.1)


@contextmanager
def open_postbox() -> Iterator[Postbox]:
    box = Postbox()
    box.controller.start()
    try:
        yield box
    finally:
        box.controller.stop()


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body()
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def link_in(mail: EmailMessage, what: str) -> str:
    """What the link of a kind in a mail contains."""
    found: dict[str, str] = dict(LINK.findall(text_of(mail)))
    return found[what]
