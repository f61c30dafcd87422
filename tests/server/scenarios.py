"""What several tests of the server begin with: matches to their end, signing in, and what is left in a database."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.server.authenticator import Authenticator
from tests.server.background import Background
from tests.server.client import Closed, Json, Party, Person, Socket

NAME = "Zyx Quillfeather"
WORDS = "my aunt lives in Xanadu Crescent"
GAME = {"edition": "nichtig", "players": 3, "seats": ["open", "open", "random"]}
SHORT_GAME = {"edition": "nichtig", "players": 3, "options": {"length": {"target": 1}}}


# ------------------------------------------------------------------ matches


async def sit(socket: Socket, name: str) -> None:
    answer = await socket.do("sit", name=name, entropy="ab" * 8)
    assert answer["type"] == "told", answer


async def alone(party: Party, name: str = "Ann") -> tuple[Person, str]:
    """A match of one person with bots, to its end."""
    ann = await party.guest(name)
    table = await ann.open_table(**SHORT_GAME, seats=["open", "random", "random"])
    socket = await ann.connect(table)
    await socket.do("sit", name=name, entropy="ab" * 8)
    await socket.play_on(random.Random(1))
    return ann, table


async def together(party: Party) -> tuple[Person, Person, str]:
    """A match of two people and a bot, to its end."""
    ann, bob = await party.guest("Ann"), await party.guest("Bob")
    table = await ann.open_table(**SHORT_GAME, seats=["open", "open", "random"])
    sockets = [await ann.connect(table), await bob.connect(table)]
    for socket, name in zip(sockets, ("Ann", "Bob"), strict=True):
        await socket.do("sit", name=name, entropy="ab" * 8)
    await asyncio.gather(*(socket.play_on(random.Random(i)) for i, socket in enumerate(sockets)))
    return ann, bob, table


async def finished_match(ann: Person, bob: Person) -> tuple[str, str]:
    """A match of two people and a bot to its end, with chat; its table and that of the rematch that Bob asked for."""
    table = await ann.open_table(**GAME, visibility="public")
    hers, his = await ann.connect(table), await bob.connect(table)
    await sit(hers, NAME)
    assert (await hers.do("say", text=WORDS))["type"] == "told"
    await sit(his, "Bob")
    await asyncio.gather(hers.play_on(random.Random(1)), his.play_on(random.Random(2)))
    assert (await his.do("rematch"))["type"] == "told"
    return table, his.view["rematch"]


async def says(person: Person, table: str, shows: str, named: bool = True) -> Json:
    answer: Json = await person.post(f"/api/records/{table}/sharing", {"shows": shows, "named": named})
    return answer


async def ended(socket: Socket) -> None:
    with pytest.raises(Closed):
        await socket.until(lambda message: False)
    assert socket.bye is not None
    assert socket.bye["code"] == "no-guest"


# ------------------------------------------------------------------ accounts


def by_name(person: Person, server: Background) -> str:
    """Let a person call the server by a name, as browsers must for passkeys; returns the origin."""
    port = server.url.rpartition(":")[2]
    person.http.headers.update({"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"})
    return f"http://localhost:{port}"


async def keep(person: Person, server: Background, name: str = "Phone") -> Authenticator:
    """Register a passkey."""
    device = Authenticator(by_name(person, server))
    options = (await person.post("/api/account/passkeys/options"))["options"]
    await person.post("/api/account/passkeys", {"credential": device.create(options), "name": name})
    return device


async def sign_in(person: Person, server: Background, device: Authenticator, join: str = "ask") -> httpx.Response:
    by_name(person, server)
    options = (await person.post("/api/sign-in/options"))["options"]
    return await person.http.post("/api/sign-in", json={"credential": device.get(options), "join": join})


# ------------------------------------------------------------------ databases


def stored(url: str) -> bytes:
    """Everything the database holds: of SQLite the bytes of its files, of PostgreSQL all rows."""
    if url.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        return b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*"))
    return asyncio.run(dump(url))


async def dump(url: str) -> bytes:
    connection = await asyncpg.connect(url)
    rows: list[object] = []
    for (table,) in await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"):
        rows += [value for row in await connection.fetch(f'SELECT * FROM "{table}"') for value in row]  # noqa: S608
    await connection.close()
    return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in rows)
