"""Floods of frames that are no messages, against the real server: they end the connection, and cost little."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.background import PATIENCE, Background, serve_in_background
from tests.server.client import metric
from tests.server.wire import CLOSE, CONT, PING, PONG, TEXT, Got, Host, command, frame

UNREAD_BYTES = 16_384
SMALL_BUFFER = 4096
"""What the client's system receives for it, so that the server's limit is reached soon."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    folder: Path = tmp_path_factory.mktemp("floods")
    with serve_in_background(f"sqlite:///{folder}/a.db", folder, unread_bytes=UNREAD_BYTES) as server:
        yield server


def test_empty_fragments_end_the_connection(server: Background) -> None:
    """Before the hello, at a table that does not exist: nobody is asked for anything first."""
    host = Host(server.url)
    host.table = "nothing"
    with host.wire() as wire:
        wire.send(host.shake_hands())
        assert wire.head().startswith(b"HTTP/1.1 101 ")
        wire.send(frame(TEXT, fin=False) + frame(CONT, fin=False) * 100_000)
        closed = wire.frames()
        assert [(each.opcode, each.code) for each in closed] == [(CLOSE, 1009)]
    assert httpx.get(f"{server.url}/healthz", timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize("what", ["pings", "commands"])
def test_a_peer_that_reads_no_answers_is_dropped(server: Background, what: str) -> None:
    """Pongs count like messages."""
    host, dropped = Host(server.url), metric(server, "atout_slow_readers_total")
    with host.wire(SMALL_BUFFER) as wire:
        wire.open()
        wire.send((frame(PING, b"p" * 125) if what == "pings" else frame(TEXT, command("x" * 60))) * 5000)
        wire.wait_for_reset()
    assert metric(server, "atout_slow_readers_total") == dropped + 1


def test_a_peer_that_reads_the_answers_gets_them_all(server: Background) -> None:
    """Far more than the limit altogether, at the pace that it is allowed."""
    host, dropped = Host(server.url), metric(server, "atout_slow_readers_total")
    with host.wire() as wire:
        wire.open()
        for at in range(10):
            wire.send(frame(PING, b"%125d" % at) * 50)
            assert [wire.frame() for _ in range(50)] == [Got(PONG, b"%125d" % at)] * 50
    assert metric(server, "atout_slow_readers_total") == dropped
