"""The deal of the day: the same cards and answers for everybody, one try, and nothing of the field before its end."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from atout.game import Game
from atout.server.errors import ApiError
from atout.server.http.daily import deal_of_today, deal_result, play_deal
from atout.server.matches.sharing import first_public_day, published
from atout.store import Agreement, DailyResult, Guest, Sharing, Store, StoredRecord, open_store
from atout.tables import Table, TableSettings, new_secret
from atout.tables import commands as c
from atout.tables.daily import SEAT, WEEK, day_settings
from atout.tables.shuffle import FairVerifier
from tests.properties.matches import chance, play_on
from tests.server.background import Background
from tests.server.client import Party, Person

TUESDAY = date(2026, 11, 17)


class First:
    """Takes the action at the same place of every list, as a stand-in for a random generator."""

    def __init__(self, place: int = 0) -> None:
        self.place = place

    def choice(self, legal: list[Any]) -> Any:
        return legal[min(self.place, len(legal) - 1)]


async def play(person: Person, place: int = 0) -> str:
    """Play today's deal to its end; returns the table."""
    table: str = (await person.post("/api/deal", {}))["table"]
    socket = await person.connect(table)
    await socket.play_on(First(place))  # type: ignore[arg-type]
    return table


async def record_of(person: Person, table: str) -> dict[str, Any]:
    return dict(json.loads((await person.http.get(f"/api/records/{table}.jsonl")).text))


@pytest.mark.slow
def test_everybody_plays_the_same_and_sees_the_field_afterwards(lone: Background) -> None:
    async def run() -> None:
        async with Party(lone.url) as party:
            ann, bob, eve = await party.guest("Ann"), await party.guest("Bob"), await party.guest("Eve")
            deal = await ann.get("/api/deal")
            assert (deal["state"], deal["played"], deal["rounds"]) == ("new", 0, 2)
            day = deal["day"]

            table = (await ann.post("/api/deal", {}))["table"]
            assert (await ann.post("/api/deal", {}))["table"] == table, "one try"
            assert (await ann.get("/api/deal"))["state"] == "playing"
            early = await ann.http.get(f"/api/deal/{day}")
            assert (early.status_code, early.json()["code"]) == (409, "not-finished")
            assert (await eve.http.get(f"/api/deal/{day}")).status_code == 404
            socket = await ann.connect(table)
            assert (socket.view["seat"], socket.view["daily"]) == (SEAT, day)
            settings = socket.view["settings"]
            assert not settings.get("hints", False), "nobody helps"
            assert not settings["takeback"]
            await socket.play_on(First())  # type: ignore[arg-type]
            first = await record_of(ann, table)
            hidden = {hand for one in first["rounds"] for hand in one["hands"][1:]}
            running = [text for text in socket.raw if '"status":"over"' not in text]
            assert not any(hand in text for hand in hidden for text in running), "no other hand before the end"

            early = await ann.http.post(f"/api/records/{table}/sharing", json={"shows": "open", "named": True})
            assert (early.status_code, early.json()["code"]) == (409, "deal-of-today"), "others still play it"
            assert not (await ann.get(f"/api/records/{table}/sharing"))["can_be_public"]
            looking = await eve.connect(table)
            assert looking.bye is not None, "nor is the table open to those who did not play"
            assert looking.bye["code"] == "is-private"

            again, other = await play(bob), await play(eve, place=1)
            same, else_ = await record_of(bob, again), await record_of(eve, other)
            assert same["rounds"] == first["rounds"], "the same choices meet the same answers"
            assert same["first_dealer"] == else_["first_dealer"] == first["first_dealer"]
            assert [one["hands"] for one in else_["rounds"]] == [one["hands"] for one in first["rounds"]]
            assert else_["rounds"][0]["actions"] != first["rounds"][0]["actions"]
            assert FairVerifier().check(json.dumps(else_).encode()).options == {}
            assert else_["fair"]["commitment"] == deal["commitment"], "the deals were fixed before"

            result = await ann.get(f"/api/deal/{day}")
            assert result["counted"]
            assert sum(one["count"] for one in result["field"]) == 3 == result["deal"]["played"]
            assert round(sum(result["gains"]), 2) == result["gain"]
            assert result["record"] == table
            start = result["decisions"][0]
            assert sum(one["count"] for one in start["choices"]) == 3, "all came to the first decision"
            counts = [sorted(choice["count"] for choice in one["choices"]) for one in result["decisions"]]
            assert [1, 2] in counts, "Eve chose something else, at the first decision or the card laid out beside it"
            assert all(one["action"] in [choice["action"] for choice in one["choices"]] for one in result["decisions"])
            mine = [one["action"] for one in result["decisions"]]
            assert mine == [one["action"] for one in (await bob.get(f"/api/deal/{day}"))["decisions"]]
            lines = (await ann.http.get("/api/guest/everything")).text.splitlines()
            kept = [one for one in map(json.loads, lines) if one["kind"] == "deal"]
            assert [one["choices"] for one in kept] == [mine]

            await bob.http.delete("/api/guest")
            left = await ann.get(f"/api/deal/{day}")
            assert left["deal"]["played"] == 2
            assert sum(one["count"] for one in left["decisions"][0]["choices"]) == 2

    asyncio.run(run())


def test_a_deal_of_the_day_can_be_public_when_its_day_is_over() -> None:
    def days(name: str, *when: datetime) -> list[str]:
        record = StoredRecord("r", "t", "nichtig", 1.0, b"{}", json.dumps({"fair": {"table": name}}).encode())
        return [first_public_day(record, at.timestamp()) for at in when]

    last, first = datetime(2026, 11, 17, 23, 59, tzinfo=UTC), datetime(2026, 11, 18, tzinfo=UTC)
    assert days("deal-2026-11-17", last, first) == ["2026-11-18", ""]
    assert days("deal-x", last) == [""], "any other table"
    agreed = Sharing("r", "address", (Agreement("ann", (0,), "open", True),))
    summary = {
        "names": ["Ann", "learned"],
        "players": 2,
        "winners": [0],
        "bots": [None, "learned"],
        "totals": [1, 0],
        "rounds": 2,
    }
    body = json.dumps({"fair": {"table": "deal-2026-11-17"}}).encode()
    record = StoredRecord("r", "t", "nichtig", 1.0, json.dumps(summary).encode(), body)
    found = [published(agreed, record, at.timestamp()) for at in (last, first)]
    assert (found[0], found[1] is not None) == (None, True), "also if somebody agreed before this rule"


class Midnight:
    """The server's side of requests, with a clock that the test moves."""

    def __init__(self, store: Store, at: datetime) -> None:
        self.store, self.at = store, at
        self.hub = SimpleNamespace(check_table_count=self._allow)

    async def _allow(self, _guest: str) -> None:
        """Nobody has too many tables."""

    def check_new_table(self, _guest: str) -> None:
        """Nobody opens too many tables."""

    def now(self) -> float:
        return self.at.timestamp()

    def call(self, guest: str, day: str = "") -> Any:
        return SimpleNamespace(context=self, store=self.store, known=guest, guest=guest, path=lambda _name: day)


def test_at_midnight_there_is_another_deal(tmp_path: Path) -> None:
    """In UTC. What was begun yesterday is finished as yesterday's, and today's is a try of its own."""

    async def run() -> None:
        store = await open_store(f"sqlite:///{tmp_path}/atout.db")
        server = Midnight(store, datetime(2026, 11, 17, 23, 59, 59, tzinfo=UTC))
        await store.save_guest(Guest("ann", 1.0, 1.0, "Ann"))
        late = await deal_of_today(server.call("ann"))
        assert (late.day, late.edition, late.state) == ("2026-11-17", "nichtig", "new")
        table = (await play_deal(server.call("ann"))).table
        assert (await deal_of_today(server.call("ann"))).state == "playing"

        server.at += timedelta(seconds=1)
        early = await deal_of_today(server.call("ann"))
        assert (early.day, early.edition, early.state) == ("2026-11-18", "niet-2015", "new")
        assert early.commitment != late.commitment
        result = DailyResult("ann", late.day, table, 0.0, server.now(), True, 12.0, b"[5.0,7.0]")
        assert await store.finish_daily(result, [])
        seen = await deal_result(server.call("ann", late.day))
        assert (seen.gain, seen.deal.day, seen.deal.played) == (12.0, late.day, 1)
        assert (await deal_of_today(server.call("ann"))).played == 0, "yesterday's result is not in today's field"
        with pytest.raises(ApiError, match="did not play"):
            await deal_result(server.call("ann", early.day))
        again = (await play_deal(server.call("ann"))).table
        assert again != table
        (settings,) = {one.settings for one in [await store.find_daily_deal(early.day)] if one is not None}
        assert msgspec.json.decode(settings, type=TableSettings) == day_settings(date(2026, 11, 18))
        await store.close()

    asyncio.run(run())


def opened(secret: str, guest: str, day: date = TUESDAY) -> Table:
    table = Table()
    opening = c.Open(table=guest, settings=day_settings(day), secret=secret, daily=day.isoformat())
    for command in (opening, c.Sit(name=guest, seat=SEAT, entropy=guest.encode().hex())):
        for event in table.decide(command, guest, 0.0):
            table.apply(event)
    return table


def test_the_cards_follow_from_the_day_and_the_secret_alone() -> None:
    secret = new_secret()
    ann, bob = opened(secret, "ann"), opened(secret, "bob")
    assert ann.status == bob.status == "playing"
    hands = [table.view_for(table.table, 0.0).game["hand"] for table in (ann, bob)]  # type: ignore[index]
    assert hands[0] == hands[1], "whatever entropy they brought"
    others = [opened(new_secret(), "ann"), opened(secret, "ann", TUESDAY + timedelta(7))]
    for table in others:
        assert table.view_for("ann", 0.0).game["hand"] != hands[0]  # type: ignore[index]
    assert {day_settings(TUESDAY + timedelta(n)).edition for n in range(7)} == {edition for edition, _ in WEEK}


ANSWERS = """
import json, random, sys
from atout.bots import Budget, ask, make_bot
from atout.game import Game
game = Game.new("nichtig", 4, seed=5, options={"length": {"rounds": 2}})
bot, rng, told = make_bot("learned"), random.Random(int(sys.argv[1])), []
while not game.is_over and len(told) < 60:
    choice = ask(bot, game.view(game.turn), rng, Budget(seconds=float(sys.argv[1])))
    told.append(choice.action)
    game.play(choice.action)
print(json.dumps(told))
"""


def test_bots_answer_alike_in_every_process() -> None:
    """Whatever the seed and the time they are given."""
    outputs = [
        subprocess.run([sys.executable, "-c", ANSWERS, seed], capture_output=True, check=True, text=True).stdout
        for seed in ("1", "2")
    ]
    assert len(json.loads(outputs[0])) == 60
    assert outputs[0] == outputs[1]


def test_two_rounds_are_a_match() -> None:
    game = Game.new("niet-2015", 4, seed=1, options={"length": {"rounds": 2}})
    assert game.view(0)["rounds"] == 2
    record = play_on(game, chance("two rounds")).record()
    assert game.is_over
    assert (record["options"], len(record["rounds"]), "totals" in record) == ({}, 2, False)
    assert not Game.from_record(record).is_over, "the format of records has no such length"
