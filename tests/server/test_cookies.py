"""The guest's cookie: its name with and without https, the name of earlier versions, and cookies that come twice."""

from __future__ import annotations

import asyncio

import httpx

from tests.server.background import PATIENCE, Background

HTTPS = {"X-Forwarded-Proto": "https"}


def client(server: Background, *cookies: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.url, headers=[("Cookie", cookie) for cookie in cookies], timeout=PATIENCE)


async def new_cookie(server: Background, name: str) -> str:
    async with client(server) as http:
        answer = await http.post("/api/guest", json={"name": name})
        return answer.headers["set-cookie"].partition(";")[0].partition("=")[2]


async def name_of(server: Background, *cookies: str) -> str:
    """The guest whom the server sees in these cookies; empty if none."""
    async with client(server, *cookies) as http:
        answer = await http.get("/api/guest")
        return str(answer.json()["name"]) if answer.is_success else ""


def test_with_https_the_cookie_cannot_be_planted(lone: Background) -> None:
    async def talk() -> None:
        async with client(lone) as http:
            answer = await http.post("/api/guest", json={"name": "Ann"}, headers=HTTPS)
            cookie, _, attributes = answer.headers["set-cookie"].partition(";")
        assert cookie.startswith("__Host-atout=")
        assert "Secure" in attributes
        assert "Path=/" in attributes
        assert "Domain" not in attributes
        eve = await new_cookie(lone, "Eve")
        assert await name_of(lone, cookie) == "Ann"
        assert await name_of(lone, f"atout={eve}; {cookie}") == "Ann"
        assert await name_of(lone, f"{cookie}; atout={eve}") == "Ann"

    asyncio.run(talk())


def test_the_cookie_of_an_earlier_version_is_known_and_renamed(lone: Background) -> None:
    async def talk() -> None:
        old = await new_cookie(lone, "Ann")
        async with client(lone, f"atout={old}") as http:
            answer = await http.post("/api/guest", json={"name": "Anna"}, headers=HTTPS)
        names = {line.partition("=")[0]: line for line in answer.headers.get_list("set-cookie")}
        assert set(names) == {"__Host-atout", "atout"}
        assert "Max-Age=0" in names["atout"]
        value = names["__Host-atout"].partition(";")[0].partition("=")[2]
        assert value.partition(".")[0] == old.partition(".")[0], "the same guest"

    asyncio.run(talk())


def test_of_two_cookies_none_counts(lone: Background) -> None:
    async def talk() -> None:
        ann, eve = await new_cookie(lone, "Ann"), await new_cookie(lone, "Eve")
        for one, other in ((ann, eve), (eve, ann)):
            assert await name_of(lone, f"atout={one}; atout={other}") == ""
            assert await name_of(lone, f"atout={one}", f"atout={other}") == ""
        assert await name_of(lone, f"atout={ann}; atout={ann}") == "Ann"

    asyncio.run(talk())


def test_a_name_can_be_read(lone: Background) -> None:
    async def talk() -> None:
        async with client(lone) as http:
            for name in ("\u2800", "\u3164\u3164", "\u202e", "\uffa0 \u115f", "...", " "):
                answer = await http.post("/api/guest", json={"name": name})
                assert (answer.status_code, answer.json()["code"]) == (422, "bad-name"), ascii(name)
            answer = await http.post("/api/guest", json={"name": "\u3164A\u2800b\u202e\u3164"})
            assert answer.json()["name"] == "A b"

    asyncio.run(talk())
