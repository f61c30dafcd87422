"""The menu of a server's table on a whole screen: what can be proposed from there, and how it is left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from atout.i18n import Texts
from atout.terminal.remote import RemoteMatch
from atout.terminal.screen.app import TableApp
from atout.terminal.screen.menu import Menu
from tests.server.background import Background, serve_in_background
from tests.terminal.test_join import open_table
from tests.terminal.test_screen import until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    folder = tmp_path_factory.mktemp("menu")
    with serve_in_background(f"sqlite:///{folder / 'atout.db'}", folder) as running:
        yield running


@pytest.mark.slow
def test_a_pause_and_the_end_are_proposed_from_the_menu(server: Background) -> None:
    table = open_table(server, ["open", "open", "random"])
    one, other = (RemoteMatch(server.url, table, name, Texts()) for name in ("Ann", "Bo"))

    async def read() -> None:
        while await other.advance():
            pass

    def offered() -> bool:
        return other.notice is not None

    async def whole() -> None:
        app = TableApp(one)
        reading = asyncio.create_task(read())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: bool(one.proposals) and other.view is not None)
            await pilot.press("m")
            await until(pilot, lambda: isinstance(app.screen, Menu))
            await pilot.press("escape")
            await until(pilot, lambda: not isinstance(app.screen, Menu))
            assert not offered()
            await pilot.press("m")
            await until(pilot, lambda: isinstance(app.screen, Menu))
            assert next(iter(one.proposals)) == "pause"
            await pilot.press("enter")
            await until(pilot, offered)
            assert other.notice is not None
            assert "pause" in other.notice.text
            assert await other.reply("no") == ""
            await until(pilot, lambda: not offered() and "abort" in one.proposals)
            await pilot.press("m")
            await until(pilot, lambda: isinstance(app.screen, Menu))
            await pilot.press(*["down"] * list(one.proposals).index("abort"), "enter")
            await until(pilot, lambda: isinstance(app.screen, Menu) and "abort" in app.screen.choices)
            await pilot.press("enter")  # to play on comes first
            await until(pilot, lambda: not isinstance(app.screen, Menu))
            assert not offered()
            await one.close()
        await other.close()
        await reading

    asyncio.run(asyncio.wait_for(whole(), 120))
