"""Reviews on the server: who may ask, how many at once, what is kept, and that a restarted server goes on."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from atout import Game, warm
from atout.editions import from_tree, published, to_tree
from atout.search.gain import gain
from atout.server.live import review_work, reviews
from atout.server.live.fair_queue import Priority
from atout.server.live.hub import Hub
from atout.server.live.reviews import MOST, MOST_OF_NETWORK, MOST_OF_OTHERS, MOST_OF_OWNER, Reviews, TooManyReviews
from atout.store import Result, Store, StoredRecord, open_store
from atout.store.kit.opener import CARD
from atout.study import Study
from atout.study.ledger import match_ledger
from atout.study.model import LedgerStep, RoundLedger
from tests.records.samples import whole
from tests.server.background import PATIENCE, Background
from tests.server.client import Party, Person
from tests.server.scenarios import alone, says, together

WRONG = ("mistake", "blunder")

COUNT, ROUNDS = 6, 2
NETWORK = "192.0.2.1"


def booked(number: int, *curve: LedgerStep) -> RoundLedger:
    return RoundLedger(number, 1.0, 2.0, 0.0, -1.0, 2.0, 0.0, 2.0, True, (), curve)


class Pool:
    """In place of the bots' processes: it notes what is asked, and answers when it is allowed to."""

    processes = 2

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any]] = []
        self.priorities: set[Priority] = set()
        self.allowed = asyncio.Semaphore(0)

    async def run(self, owner: str, priority: Priority, _seconds: float, work: Callable[..., Any], *given: Any) -> Any:
        self.priorities.add(priority)
        name, number = work.__name__, given[2] if len(given) > 2 else None
        if name == "judge":
            await self.allowed.acquire()
        self.asked.append((owner, name, number))
        if name == "outline":
            return review_work.Outline(COUNT, "e", 2, 5.0, match_ledger(0, "e", [booked(n) for n in range(ROUNDS)], []))
        if name == "value_round":
            return booked(given[2], LedgerStep(0, 0, 1.0))
        return f'"{given[0].decode()} {number}"'.encode() if name == "judge" else (b'"ledger"', b"{}", [1])

    def judged(self) -> list[Any]:
        return [number for _, name, number in self.asked if name == "judge"]


class FakeHub:
    is_closing = False

    def __init__(self, store: Store) -> None:
        self.store, self.pool = store, Pool()
        self.tasks: list[asyncio.Task[Any]] = []

    def start(self, work: Any) -> None:
        self.tasks.append(asyncio.create_task(work))


async def begun(path: Path, records: int = 1) -> tuple[FakeHub, Reviews, list[StoredRecord]]:
    store = await open_store(f"sqlite:///{path}/atout.db")
    hub = FakeHub(store)
    made = [StoredRecord(f"r{i}", f"r{i}", "nichtig", 1.0 + i, b"{}", f"r{i}".encode()) for i in range(records)]
    for record in made:
        if await store.record(record.id) is None:
            await store.create_table(record.table, CARD, [])
            await store.save_record(record, [Result("ann", True, 1, 2, (0,))])
    return hub, Reviews(cast("Hub", hub)), made


async def until(condition: Callable[[], bool]) -> None:
    """The store answers from a thread."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "is_ready", lambda *_: True)


def test_a_record_with_house_rules_has_a_key() -> None:
    """Its edition is in the record, not among the published ones."""
    tree = {**to_tree(published("nichtig")), "id": "at-home", "name": "At home"}
    game = Game.new(from_tree(tree, "record"), 3, seed=1)
    record = StoredRecord("r", "r", game.setup.edition.id, 1.0, b"{}", msgspec.json.encode(game.record()))
    assert Reviews.key_of(record, 0).evaluator == Reviews.key_of(replace(record, edition="nichtig"), 0).evaluator


def test_strangers_leave_room_for_those_who_played() -> None:
    """Guests of one address have a share of the places; so have all who review matches of others."""
    hub: Any = SimpleNamespace(start=lambda work: work.close())  # no review ever ends
    jobs, numbers = Reviews(hub), itertools.count()

    def begin(count: int, network: str, is_own: bool) -> int:
        """How many of so many reviews, each of another guest, may begin."""
        for done in range(count):
            number = next(numbers)
            record = StoredRecord(f"r{number}", "t", "nichtig", 1.0, b"{}", b"")
            try:
                jobs.start(record, 0, f"guest {number}", network, is_own)
            except TooManyReviews:
                return done
        return count

    assert begin(99, "192.0.2.1", is_own=False) == MOST_OF_NETWORK
    assert begin(99, "192.0.2.1", is_own=True) == 0
    of_others = MOST_OF_NETWORK + sum(begin(4, f"198.51.100.{i}", is_own=False) for i in range(99))
    assert of_others == MOST_OF_OTHERS
    own = sum(begin(4, f"203.0.113.{i}", is_own=True) for i in range(99))
    assert of_others + own == MOST


def test_a_stopped_review_goes_on_and_a_complete_one_is_kept(tmp_path: Path) -> None:
    async def first() -> None:
        hub, jobs, (record,) = await begun(tmp_path)
        jobs.start(record, 0, "ann", NETWORK, is_own=True)
        hub.pool.allowed.release()
        hub.pool.allowed.release()
        key, store = jobs.key_of(record, 0), hub.store
        await until(lambda: len(hub.pool.judged()) == 2)
        assert (jobs.state_of(key), hub.pool.judged()) == ("working", [0, 1])
        while len(await store.reviewed("r0", 0, key.evaluator)) < 2:
            await asyncio.sleep(0.01)
        assert hub.pool.priorities == {Priority.REVIEW}
        head = await store.review("r0", 0, key.evaluator)
        assert head is not None
        outline = msgspec.json.decode(head.outline, type=review_work.Outline)
        assert [len(one.curve) for one in outline.ledger.rounds] == [1, 1], "rounds are valued between decisions"
        assert (outline.ledger.deal, outline.ledger.result) == (2.0, 4.0)
        for task in hub.tasks:
            task.cancel()
        await asyncio.gather(*hub.tasks, return_exceptions=True)
        await hub.store.close()

    async def second() -> None:
        hub, jobs, (record,) = await begun(tmp_path)
        key = jobs.key_of(record, 0)
        assert jobs.state_of(key) == "none"
        jobs.start(record, 0, "bob", NETWORK, is_own=True)
        for _ in range(COUNT):
            hub.pool.allowed.release()
        await asyncio.gather(*hub.tasks)
        names = [name for _, name, _ in hub.pool.asked]
        assert sorted(names) == ["conclude", *["judge"] * (COUNT - 2)], "nothing twice, rounds neither"
        assert names[-1] == "conclude"
        assert sorted(hub.pool.judged()) == [2, 3, 4, 5]
        kept = await hub.store.reviewed("r0", 0, key.evaluator)
        assert kept == {number: f'"r0 {number}"'.encode() for number in range(COUNT)}
        head = await hub.store.review("r0", 0, key.evaluator)
        assert head is not None
        assert head.ledger == b'"ledger"'
        jobs.start(record, 0, "bob", NETWORK, is_own=True)
        await asyncio.gather(*hub.tasks)
        assert len(hub.pool.asked) == len(names), "a complete review is not worked out again"
        await hub.store.delete_record("ann", "r0")
        assert await hub.store.reviewed("r0", 0, key.evaluator) == {}
        await hub.store.close()

    asyncio.run(first())
    asyncio.run(second())


def test_the_first_decision_comes_first_and_rounds_by_turns() -> None:
    ledger = match_ledger(0, "e", [booked(0), booked(1, LedgerStep(0, 0, 1.0)), booked(2)], [])
    job: Any = None
    work = reviews._Work(job, b"", review_work.Outline(5, "e", 2, 5.0, ledger), {1: b""})
    expected = ["decision 0", "round 0", "decision 2", "round 2", "decision 3", "decision 4"]
    assert [f"{kind} {number}" for kind, number in work.left] == expected


@pytest.mark.slow
def test_a_ledger_made_in_pieces_is_the_one_of_the_review() -> None:
    record = dict(whole("nichtig", 3))
    body, study = msgspec.json.encode(record), Study(record, 1)
    outline = review_work.outline(body, 1)
    assert isinstance(outline, review_work.Outline)
    assert [one.result for one in outline.ledger.rounds] == [
        gain(played.scores, played.setup, 1) for played in study.rounds
    ]
    assert not any(one.curve for one in outline.ledger.rounds)
    rounds = [review_work.value_round(body, 1, number) for number in range(len(study.rounds))]
    decisions = [study.decision(number) for number in (0, 1)]
    pieces = match_ledger(1, outline.evaluator, rounds, ())
    ledger, errors, _ = review_work.conclude(pieces, [msgspec.json.encode(one) for one in decisions])
    expected = study.review(decisions).ledger
    assert msgspec.json.decode(ledger) == msgspec.json.decode(msgspec.json.encode(expected))
    assert errors == msgspec.json.encode(expected.errors)


def test_a_guest_has_one_review_at_work_and_few_waiting(tmp_path: Path) -> None:
    async def play() -> None:
        hub, jobs, records = await begun(tmp_path, MOST_OF_OWNER + 1)
        for record in records[:-1]:
            jobs.start(record, 0, "ann", NETWORK, is_own=True)
        jobs.start(records[0], 0, "ann", NETWORK, is_own=True)  # the same again changes nothing
        await until(lambda: jobs.state_of(jobs.key_of(records[0], 0)) == "working")
        assert [jobs.state_of(jobs.key_of(record, 0)) for record in records] == [
            "working", *["waiting"] * (MOST_OF_OWNER - 1), "none",
        ]  # fmt: skip
        with pytest.raises(TooManyReviews):
            jobs.start(records[-1], 0, "ann", NETWORK, is_own=True)
        jobs.start(records[-1], 0, "bob", NETWORK, is_own=True)  # another guest may
        for _ in range(COUNT * len(records)):
            hub.pool.allowed.release()
        await asyncio.gather(*hub.tasks)
        assert len(hub.pool.judged()) == COUNT * len(records)
        await hub.store.close()

    asyncio.run(play())


def test_an_evaluator_that_changed_judges_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        hub, jobs, (record,) = await begun(tmp_path)
        old = jobs.key_of(record, 0)
        for _ in range(2 * COUNT):
            hub.pool.allowed.release()
        jobs.start(record, 0, "ann", NETWORK, is_own=True)
        await asyncio.gather(*hub.tasks)
        monkeypatch.setattr(reviews, "evaluator_id", lambda _: "new")
        new = jobs.key_of(record, 0)
        jobs.start(record, 0, "ann", NETWORK, is_own=True)
        await asyncio.gather(*hub.tasks)
        assert len(hub.pool.judged()) == 2 * COUNT
        assert await hub.store.review("r0", 0, new.evaluator) is not None
        assert await hub.store.review("r0", 0, old.evaluator) is None, "the old one is dropped"
        await hub.store.close()

    asyncio.run(play())


def test_what_cannot_be_reviewed_says_why(tmp_path: Path) -> None:
    async def play() -> None:
        hub, jobs, (record,) = await begun(tmp_path)

        async def refuse(*_: Any) -> Any:
            return review_work.outline(msgspec.json.encode(Game.new("nichtig", 3, seed=1).record()), 0)

        hub.pool.run = refuse  # type: ignore[assignment, method-assign]
        jobs.start(record, 0, "ann", NETWORK, is_own=True)
        await asyncio.gather(*hub.tasks)
        key = jobs.key_of(record, 0)
        assert (jobs.state_of(key), jobs.trouble_of(key)) == ("failed", "nothing-played")
        await hub.store.close()

    asyncio.run(play())


def test_players_review_themselves_and_others_only_what_is_public(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann, bob, table = await together(party)
            eve = await party.guest("Eve")
            mine, path = f"/api/records/{table}/review", f"/api/records/{table}/review?seat="

            async def status(person: Any, where: str, method: str = "GET") -> int:
                return int((await person.http.request(method, where)).status_code)

            answer = await ann.get(mine)
            assert (answer["state"], answer["seat"], answer["seats"], answer["decisions"]) == ("none", 0, [0], [])
            assert [await status(bob, f"{path}{seat}") for seat in range(3)] == [403, 200, 403]
            assert [await status(bob, f"{path}{seat}", "POST") for seat in (0, 2)] == [403, 403]
            assert [await status(eve, mine, method) for method in ("GET", "POST")] == [404, 404]
            assert await status(ann, f"{path}7") == 400
            assert await status(ann, f"{mine}?after=x") == 400
            refused = (await ann.http.get(f"{path}1")).json()
            assert refused["code"] == "no-review"
            assert "your own decisions" in refused["message"]

            await says(ann, table, "open")
            said = await says(bob, table, "own")  # public, but not with all cards
            assert said["is_public"]
            shared = f"{lone.url}/api/shared/{said['address']}/review"
            assert await status(ann, f"{path}1") == 403
            assert httpx.get(shared, timeout=PATIENCE).status_code == 404
            await says(bob, table, "open")
            assert [await status(ann, f"{path}{seat}") for seat in range(3)] == [200, 200, 200]
            assert httpx.get(f"{shared}?seat=2", timeout=PATIENCE).json()["seats"] == [0, 1, 2]
            assert (await ann.get(mine))["seats"] == [0, 1, 2]

    asyncio.run(play())


def test_a_review_of_a_real_match(lone: Background) -> None:
    """Begun, asked for until it is done, and there at once the second time; its statistics are mine alone."""

    async def play() -> None:
        async with Party(lone.url) as party:
            for _ in range(6):  # the cards are new every time, and one match may go well by chance
                ann, table = await alone(party)
                decisions = await whole_review(ann, f"/api/records/{table}/review")
                if any(one["label"] in WRONG for one in decisions):
                    break
            await mistakes_come_back(ann, await party.guest("Eve"), decisions)

    asyncio.run(play())


async def whole_review(ann: Person, path: str, seat: int = 0) -> list[dict[str, Any]]:
    """Begin a review and ask for it until it is done. The decisions that it judged."""
    path = f"{path}?seat={seat}"
    found: dict[str, Any] = await ann.post(path, None)
    decisions = list(found["decisions"])
    async with asyncio.timeout(PATIENCE * 4):
        while found["state"] != "done":
            assert found["state"] in ("preparing", "waiting", "working"), found
            await asyncio.sleep(0.3)
            found = await ann.get(f"{path}&after={len(decisions)}")
            decisions += found["decisions"]
    assert len(decisions) == found["total"] > 0
    assert [one["index"] for one in decisions] == sorted(one["index"] for one in decisions)
    ledger = found["ledger"]
    parts = sum(ledger[name] for name in ("deal", "own", "partners", "opponents"))
    assert parts == pytest.approx(ledger["result"], abs=0.05)
    again = await ann.post(path, None)
    assert (again["state"], again["decisions"]) == ("done", decisions)
    assert msgspec.json.encode(again["ledger"]) == msgspec.json.encode(ledger)
    return decisions


async def mistakes_come_back(ann: Person, eve: Person, decisions: list[dict[str, Any]]) -> None:
    """Each decision that is called a mistake or a blunder is a puzzle of mine, and of nobody else."""
    wrong = [one for one in decisions if one["label"] in WRONG]
    assert wrong, "somebody who plays at random makes mistakes"
    listed = await ann.get("/api/mistakes")
    assert (listed["count"], len(listed["due"]), listed["next"]) == (len(wrong), len(wrong), 0)
    path = f"/api/mistakes/{listed['due'][0]['id']}"
    puzzle = await ann.get(path)
    (decision,) = [
        one for one in wrong if all(one[key] == puzzle["mistake"][key] for key in ("round", "index", "action"))
    ]
    answer, view = puzzle["answer"], puzzle["view"]
    assert view["legal"] == list(answer["values"]) == list(decision["values"])
    assert view["seat"] == view["turn"] == decision["seat"]
    assert decision["best"] in answer["best"]
    assert decision["action"] not in answer["best"]
    assert len(view["hand"]) == view["hand_sizes"][view["seat"]], "one hand, and those of others only counted"
    assert "hands" not in view
    assert (await eve.http.get(path)).status_code == 404
    assert (await eve.http.post(f"{path}/attempts", json={"action": decision["best"]})).status_code == 404
    assert (await eve.get("/api/mistakes"))["count"] == 0
    refused = await ann.http.post(f"{path}/attempts", json={"action": "0 play X1"})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-action")
    missed = await ann.post(f"{path}/attempts", {"action": decision["action"]})
    solved = await ann.post(f"{path}/attempts", {"action": decision["best"]})
    assert (missed["is_right"], solved["is_right"]) == (False, True)
    assert 1 <= missed["days"] <= solved["days"]
    listed = await ann.get("/api/mistakes")
    assert (listed["count"], len(listed["due"])) == (len(wrong), len(wrong) - 1)
    assert listed["next"] == solved["due"]


def test_a_hint_tells_all_choices_in_the_order_of_its_advice(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann = await party.guest("Ann")
            table = await ann.open_table(edition="nichtig", players=3, hints=True, seats=["open", "random", "random"])
            socket = await ann.connect(table)
            await socket.do("sit", name="Ann")
            while not (socket.view["game"] and socket.view["game"]["legal"]):
                await socket.receive()
            legal = socket.view["game"]["legal"]
            advice = await socket.do("hint")
            alternatives = advice["alternatives"]
            assert {one["action"] for one in alternatives} == set(legal)
            assert [one["known"] for one in alternatives] == sorted(
                (one["known"] for one in alternatives), reverse=True
            )
            assert advice["action"] == alternatives[0]["action"]
            assert not advice.get("estimates")

    asyncio.run(play())
