"""The page about the protocol tells the truth, the generated files are fresh, the example plays."""

from __future__ import annotations

import asyncio
import importlib.util
import random
import re
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import atout
from atout.protocol import ServerMessage, accounts, decode_client, generate, rest
from atout.server.http.openapi import description
from tests.server.background import PATIENCE, Background
from tests.server.client import Party

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = re.findall(
    r"```json (client|server|request \w+|answer \w+)\n(.*?)```", (DOCS / "protocol.md").read_text(), re.S
)


@pytest.mark.parametrize(("whose", "text"), EXAMPLES, ids=[f"{i}-{whose}" for i, (whose, _) in enumerate(EXAMPLES)])
def test_examples_are_messages(whose: str, text: str) -> None:
    if whose == "client":
        decode_client(text)
    elif whose == "server":
        assert strict(msgspec.json.decode(text, type=ServerMessage), text)
    else:
        name = whose.split()[1]
        msgspec.json.decode(text, type=getattr(rest if hasattr(rest, name) else accounts, name))


def strict(message: Any, text: str) -> bool:
    """All that is written there is known: nothing is lost on the way through the types."""
    again = msgspec.json.decode(msgspec.json.encode(message))
    return lost(msgspec.json.decode(text), again) == []


def lost(sent: Any, kept: Any, path: str = "") -> list[str]:
    if isinstance(sent, dict):
        return [
            gap
            for name, value in sent.items()
            for gap in (lost(value, kept.get(name), f"{path}.{name}") if isinstance(kept, dict) else [path])
        ]
    if isinstance(sent, list):
        return [gap for one, other in zip(sent, kept or [], strict=True) for gap in lost(one, other, f"{path}[]")]
    return [] if sent == kept else [path]


def test_the_page_has_examples_of_both_sides() -> None:
    assert {whose for whose, _ in EXAMPLES} >= {"client", "server", "request NewTable", "answer OpenedTable"}


def test_generated_files_are_fresh() -> None:
    for name, text in generate.files().items():
        assert (DOCS / "protocol" / name).read_text(encoding="utf-8") == text, "run: python -m atout.protocol.generate"


def test_what_is_sent_fits_the_schema(lone: Background) -> None:
    """Every message of a match, decoded by the types strangers are given."""

    async def play() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest()
            table = await ann.open_table(edition="nichtig", players=3, seats=["open", "random", "novice"])
            socket = await ann.connect(table)
            await socket.do("sit", name="Ann")
            await socket.do("sit", name="Ann")
            await socket.play_on(random.Random(1))
            for text in socket.raw:
                message = msgspec.json.decode(text, type=ServerMessage)
                assert strict(message, text), text

    asyncio.run(play())


def test_the_description_of_rest_is_served(lone: Background) -> None:
    served = httpx.get(f"{lone.url}/api/openapi.json", timeout=PATIENCE).json()
    assert served == msgspec.json.decode(msgspec.json.encode(description()))
    assert served["openapi"].startswith("3.1")
    assert served["info"]["version"] == atout.__version__
    references = set(
        re.findall(r'"#/components/schemas/(\w+)"', httpx.get(f"{lone.url}/api/openapi.json", timeout=PATIENCE).text)
    )
    assert references <= set(served["components"]["schemas"])


def test_the_example_plays(lone: Background) -> None:
    """Two strangers' bots and one of ours, to the end."""
    path = DOCS / "examples" / "bot_client.py"
    spec = importlib.util.spec_from_file_location("bot_client", path)
    assert spec is not None
    assert spec.loader is not None
    client = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(client)
    assert len([line for line in path.read_text().splitlines() if line.strip()]) <= 60

    async def play() -> list[Any]:
        async with Party(lone.url) as party:
            ann = await party.guest()
            table = await ann.open_table(edition="nichtig", players=3, seats=["open", "open", "novice"])
            return list(await asyncio.gather(client.play(lone.url, table, "One"), client.play(lone.url, table, "Two")))

    ends = asyncio.run(play())
    assert [end["status"] for end in ends] == ["over", "over"]
    assert ends[0]["game"]["totals"] == ends[1]["game"]["totals"]


def test_health_and_the_page_at_the_door(lone: Background) -> None:
    assert httpx.get(f"{lone.url}/healthz", timeout=PATIENCE).json() == {"status": "ok"}
    assert "<title>Atout</title>" in httpx.get(lone.url, timeout=PATIENCE).text
    places = {
        entry["id"]: entry for entry in httpx.get(f"{lone.url}/api/editions", timeout=PATIENCE).json()["editions"]
    }
    assert [place["players"] for place in places["nichtig"]["places"]] == [3, 4, 5, 6]
