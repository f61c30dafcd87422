"""100,000 damaged records: none crashes the verifier, and what it accepts is a game by the slow way too."""

from __future__ import annotations

import json
import random

import pytest

from atout.errors import RecordError
from atout.game import Game
from atout.records import Verifier
from tests.depth import first
from tests.records.mutations import mutated, seeds

PARTS = 20
EACH = 5_000
SEEDS = [json.dumps(record) for record in seeds()]


@pytest.mark.parametrize("part", first(range(PARTS)))
def test_mutated_records_are_judged_without_a_crash(part: int) -> None:
    rng = random.Random(part)
    verifier, accepted, refused = Verifier(), 0, 0
    reasons: list[str] = []
    for _ in range(EACH):
        line = mutated(rng.choice(SEEDS), rng)
        try:
            record = verifier.check(line)
        except RecordError as error:
            refused += 1
            reasons.append(str(error))
            continue
        accepted += 1
        assert_replays(line, verifier._passes_quickly(record))
    assert all(reason.strip() and len(reason) < 2_000 for reason in reasons)
    assert accepted > EACH // 20, "the mutations should leave some records right"
    assert refused > EACH // 2, "the mutations should damage most records"


def assert_replays(line: bytes, quick: bool) -> None:
    """An accepted record replays to the result it tells, and writes itself again."""
    record = json.loads(line)
    again = Game.steps(record)
    *_, (_, game) = again
    written = game.record()
    assert quick, f"the quick way refused what the slow way accepts: {line[:200]!r}"
    for name, value in written.items():
        if name == "rounds":
            for ours, theirs in zip(written["rounds"], record["rounds"], strict=True):
                assert ours["actions"] == theirs["actions"]
                assert ours.get("scores") == theirs.get("scores")
        elif name != "options":
            assert record[name] == value


def test_the_quick_way_never_accepts_what_the_slow_way_refuses() -> None:
    rng, verifier = random.Random(99), Verifier()
    disagreements = []
    for _ in range(3_000):
        line = mutated(rng.choice(SEEDS), rng)
        try:
            record = verifier.decode(line)
        except RecordError:
            continue
        quick = verifier._passes_quickly(record)
        try:
            Game.from_record(record, seed=1)
            slow = True
        except RecordError:
            slow = False
        if quick != slow:
            disagreements.append((quick, slow, line))
    assert not disagreements
