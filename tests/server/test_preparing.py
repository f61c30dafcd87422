"""A server whose stronger bots are not compiled yet: quicker ones play for them, and hints say so."""

from __future__ import annotations

import asyncio
import fcntl
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from atout import warm
from atout.rules import jit
from tests.server.background import serve_in_background
from tests.server.client import Party, Socket

LEVELS = ["club", "expert", "learned"]


@contextmanager
def table_only(folder: Path) -> Iterator[None]:
    """A cache in which only a table is ready; what compiles the rest waits until the end of the block."""
    own = folder / jit.cache_folder().name
    shutil.copytree(jit.cache_folder(), own)
    for group in set(warm.GROUPS) - set(warm.TABLE):
        for marker in own.glob(f"{group}.*.ready"):
            marker.unlink()
    with (own / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


async def play_some(url: str) -> tuple[list[str], Socket]:
    """A table where a person and three levels make at least eight decisions; the codes of a hint's reasons."""
    async with Party(url) as party:
        ann = await party.guest()
        table = await ann.open_table(edition="niet-2015", players=4, hints=True, seats=["open", *LEVELS])
        socket = await ann.connect(table)
        await socket.do("sit", name="Ann")
        codes: list[str] = []
        while len(decided(socket)) < 8:
            game = socket.view["game"]
            if game and game["turn"] == 0 and game["legal"]:
                codes = [reason["code"] for reason in (await socket.do("hint"))["reasons"]]
                await socket.do("act", action=random.Random(1).choice(game["legal"]))
            else:
                await socket.receive()
        return codes, socket


def decided(socket: Socket) -> list[tuple[str, str]]:
    """Level and forfeit of every decision heard of; both are empty for a person's."""
    events = [event for message in socket.heard for event in message.get("events", ())]
    return [(it.get("bot", ""), it.get("forfeit", "")) for it in events if it["kind"] == "acted"]


@pytest.mark.slow
def test_quicker_bots_play_until_the_stronger_are_ready(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/atout.db"
    with table_only(tmp_path / "cache"):
        environment = {"cache": str(tmp_path / "cache")}  # ATOUT_CACHE
        with serve_in_background(database, tmp_path, **environment) as server:
            codes, socket = asyncio.run(play_some(server.url))
            assert codes[0] == "preparing"
            assert set(decided(socket)) == {("", ""), ("club", "preparing"), ("expert", "preparing"), ("learned", "")}
            assert "bot is not compiled yet" in server.log_text
