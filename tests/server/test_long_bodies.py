"""House rules and records that are large, wrong or slow to read: short answers, little work, nobody else waits."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest

from atout.editions import from_tree, loader
from atout.errors import AtoutError
from atout.game import Game
from atout.server import app
from atout.server.app import Application
from atout.server.settings import ServerSettings
from tests.server.background import PATIENCE, Background

Tree = dict[str, Any]

HOUSE: Tree = {"id": "house", "base": "niet-2015"}
RULES: Tree = {**HOUSE, "board": {"trump": ["red", "yellow", "blue", "green", "none"]}}
UNKNOWN: Tree = {f"unknown-{number}": 1 for number in range(19)}
SMALL: Tree = {**HOUSE, **UNKNOWN}
LONG = "\x01" * 500
BODY_BYTES = 63_000
"""Nearly as much as a body may have."""
WRONG: dict[str, Tree] = {
    "values": {**SMALL, "z": [[]] * 21_000},
    "fields": {**HOUSE, "deck": {str(number): 0 for number in range(6000)}},
    "removed": {**HOUSE, "players": {"4": {"remove": [1] * 31_000}}},
    "sides": {**HOUSE, "players": {"4": {"sides": [5] * 31_000}}},
    "checked": {**HOUSE, "players": {"4": {"remove": [1] * 900}}},
    "names": {**HOUSE, **{f"{LONG}{number}": 1 for number in range(20)}},
    "base": {**HOUSE, "base": LONG * 20},
    "game": {**HOUSE, "game": LONG * 20},
    "players": {**HOUSE, "players": {LONG * 20: {}}},
}
ANSWER_BYTES, PROBLEMS, LETTERS = 5000, 20, 200


def record_of(rules: Tree, **more: Any) -> str:
    """A record without rounds, in JSON."""
    start = {"atout": 1, "edition": "house", "players": 4, "options": {}, "first_dealer": 0, "rounds": []}
    return json.dumps({**start, "rules": rules, **more}, separators=(",", ":"))


def is_short(answer: httpx.Response) -> None:
    """A clear refusal that is smaller than what was sent."""
    assert answer.status_code == 422, answer.text[:300]
    assert len(answer.content) <= ANSWER_BYTES
    found = answer.json()
    said = found["parameters"].get("problem") or found["parameters"]["reason"]
    lines = said.split("\n")
    assert len(lines) <= PROBLEMS + 1, "the first line names the whole"
    assert all(len(line.strip()) <= LETTERS for line in lines[1:])
    assert len(said) <= len(lines) * (LETTERS + 10)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_house_rules_get_a_short_answer(lone: Background, name: str) -> None:
    rules = WRONG[name]
    with httpx.Client(base_url=lone.url, timeout=PATIENCE) as http:
        assert http.post("/api/guest", json={"name": "Ann"}).is_success
        body = json.dumps({"settings": {"edition": rules, "players": 4}}, separators=(",", ":"))
        assert len(body) <= 65_536
        is_short(http.post("/api/tables", content=body, headers={"Content-Type": "application/json"}))
        for path in ("/api/replays", "/api/records"):
            is_short(http.post(path, json={"record": record_of(rules)}))


def test_options_are_as_small_as_house_rules(lone: Background) -> None:
    options: Tree = {"length": [[]] * 21_000}
    with httpx.Client(base_url=lone.url, timeout=PATIENCE) as http:
        assert http.post("/api/guest", json={"name": "Ann"}).is_success
        settings = {"edition": "nichtig", "players": 3, "options": options}
        is_short(http.post("/api/tables", json={"settings": settings}))
        is_short(http.post("/api/replays", json={"record": record_of(RULES, options=options)}))


def calls_of(rules: Tree) -> int:
    """How many functions are called to refuse house rules."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        with pytest.raises(AtoutError):
            from_tree(rules, "house")
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("name", WRONG)
def test_a_large_body_is_no_more_work_than_a_small_one(name: str) -> None:
    """Counted in calls: before, each of twenty mistakes copied all of it."""
    calls_of(SMALL)  # the published edition is read once
    assert calls_of(WRONG[name]) < 3 * calls_of(SMALL)


# ---------------------------------------------------------------- others are answered meanwhile


class Gate:
    """Stands before the reading of house rules: notes on which thread, and waits until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.open = threading.Event(), threading.Event()
        self.threads: list[threading.Thread] = []
        build = loader._build

        def gated(*arguments: Any) -> Any:
            self.threads.append(threading.current_thread())
            self.begun.set()
            if threading.current_thread() is not threading.main_thread():
                assert self.open.wait(PATIENCE)
            return build(*arguments)

        monkeypatch.setattr(loader, "_build", gated)


@pytest.mark.parametrize("path", ["/api/tables", "/api/replays", "/api/records"])
def test_others_are_answered_while_house_rules_are_read(
    path: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In order, not in time: the reading does not end before the other answer is there."""
    settings = ServerSettings(
        database=f"sqlite:///{tmp_path}/atout.db", key_file=str(tmp_path / "key"), bot_warm=False, host="testserver"
    )
    monkeypatch.setattr(app, "tune_garbage_collector", lambda: None)  # of the process of the tests
    body: Tree = {"settings": {"edition": RULES, "players": 4}}
    if path != "/api/tables":
        body = {"record": json.dumps(Game.new(from_tree(RULES, "house"), 4, seed=1).record())}

    async def talk() -> None:
        server = Application(settings)
        transport = httpx.ASGITransport(server.middleware)
        async with (
            server.life(None),  # type: ignore[arg-type]
            httpx.AsyncClient(transport=transport, base_url="http://testserver") as http,
        ):
            assert (await http.post("/api/guest", json={"name": "Ann"})).is_success
            assert (await http.post(path, json=body)).is_success
            gate = Gate(monkeypatch)
            slow = asyncio.create_task(http.post(path, json=body))
            await asyncio.to_thread(gate.begun.wait, PATIENCE)
            assert threading.main_thread() not in gate.threads, "it would have held up everybody"
            assert (await http.get("/api/editions")).is_success
            assert not slow.done()
            gate.open.set()
            assert (await slow).is_success

    asyncio.run(talk())
