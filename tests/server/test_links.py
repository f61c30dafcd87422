"""Links to seats: how many there may be, and what happens to those that were not used."""

from __future__ import annotations

import asyncio

from atout.server.http.context import Context
from tests.server.background import Background
from tests.server.client import Party, Person


async def fill(person: Person, table: str) -> list[str]:
    """Make links until one is refused; the tokens."""
    tokens: list[str] = []
    while True:
        answer = await person.http.post(f"/api/tables/{table}/links")
        if answer.status_code == 409:
            assert answer.json()["code"] == "too-many-links"
            return tokens
        tokens.append(answer.json()["token"])


def test_a_seat_uses_up_no_links_of_another(lone: Background) -> None:
    async def talk() -> None:
        async with Party(lone.url) as party:
            table, (ann, bob, _), _ = await party.table(3, edition="nichtig")
            eve = await party.guest("Eve")
            tokens = await fill(ann, table)
            assert len(tokens) == Context.MAX_LINKS
            link = (await ann.get(f"/api/tables/{table}/links"))["links"][0]["link"]
            assert (await ann.http.delete(f"/api/tables/{table}/links/{link}")).status_code == 204
            assert len(await fill(ann, table)) == 1, "a link that was revoked makes room"
            assert len(await fill(bob, table)) == Context.MAX_LINKS
            await eve.post("/api/links", {"token": tokens[-1]})
            assert len(await fill(eve, table)) == Context.MAX_LINKS, "links of the guest before do not count"

    asyncio.run(talk())
