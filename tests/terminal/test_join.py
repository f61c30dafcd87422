"""`--join`: a seat at a real server's table, on a screen and line by line, beside somebody else at the same table."""

from __future__ import annotations

import asyncio
import io
import json
import urllib.request
from collections.abc import Iterator

import pytest

from atout.errors import UsageError
from atout.i18n import Texts
from atout.terminal.plain import PlainTable
from atout.terminal.remote import RemoteMatch, introduce, parse_link
from tests.server.background import Background, serve_in_background


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    folder = tmp_path_factory.mktemp("join")
    with serve_in_background(f"sqlite:///{folder / 'atout.db'}", folder) as running:
        yield running


def open_table(server: Background, seats: list[str]) -> str:
    cookie = introduce(server.url, "Host")
    settings = {
        "edition": "nichtig",
        "players": 3,
        "seats": seats,
        "pace": "at-once",
        "options": {"length": {"target": 1}},
    }
    body = json.dumps({"settings": settings}).encode()
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    request = urllib.request.Request(f"{server.url}/api/tables", body, headers)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return str(json.load(answer)["table"])


async def play(match: RemoteMatch) -> None:
    """The first legal action, always."""
    while await match.advance():
        view = match.view
        if view is not None and view["phase"] == "over":
            return
        if view is not None and match.words.me in match.asked and view["legal"]:
            assert await match.act(view["legal"][0]) == ""


def test_two_people_and_a_bot_at_one_table(server: Background) -> None:
    table = open_table(server, ["open", "open", "random"])
    one, other = (RemoteMatch(server.url, table, name, Texts()) for name in ("Ann", "Bo"))

    async def both() -> None:
        await asyncio.wait_for(asyncio.gather(play(one), play(other)), 120)
        await one.close()
        await other.close()

    asyncio.run(both())
    assert one.view is not None
    assert other.view is not None
    assert one.view["totals"] == other.view["totals"]
    assert one.winners
    assert any(line.startswith(("Bo", "Ann")) for line in one.log)


@pytest.mark.slow
def test_line_by_line(server: Background) -> None:
    table = open_table(server, ["open", "random", "random"])
    target = io.StringIO()
    match = RemoteMatch(server.url, table, "Ann", Texts("de"))
    plain = PlainTable(match, io.StringIO("1\n" * 200), target)
    assert asyncio.run(asyncio.wait_for(plain.run(), 120))
    assert "Die Partie ist vorbei" in target.getvalue()
    assert "Runde 1" in target.getvalue()


@pytest.mark.slow
def test_on_a_screen(server: Background) -> None:
    from atout.terminal.screen.app import Message, TableApp

    match = RemoteMatch(server.url, open_table(server, ["open", "random", "random"]), "Ann", Texts())

    async def whole() -> None:
        app = TableApp(match)
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(3000):
                await pilot.pause(0.01)
                if isinstance(app.screen, Message):
                    await pilot.press("enter")
                elif app.was_over:
                    break
                elif app.legal:
                    await pilot.press("enter")
            assert app.was_over
            await pilot.press("q")

    asyncio.run(whole())


@pytest.mark.parametrize("link", ["", "example.org/x", "ftp://host/table/abcdefghij", "http://host"])
def test_a_wrong_link_is_explained(link: str) -> None:
    with pytest.raises(UsageError, match="is no link to a table"):
        parse_link(link)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="does not answer"):
        introduce("http://127.0.0.1:9", "Ann")
