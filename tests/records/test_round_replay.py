"""A round is replayed from one seat while the match goes on: what the seat saw, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from atout.game import Game
from atout.records import make_round_replay
from tests.properties.matches import chance
from tests.records.samples import whole
from tests.records.test_replay import TABLES, Watcher


def match_until(edition: str, players: int, rounds: int) -> Any:
    """A record of a match that has more to come."""
    record = whole(edition, players)
    cut = {key: value for key, value in record.items() if key not in ("totals", "winners")}
    return {**cut, "rounds": record["rounds"][:rounds], "names": ["x"] * players, "bots": [None] * players}


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_seat_is_shown_its_own_views(edition: str, players: int) -> None:
    record = match_until(edition, players, 1)
    seat = chance(players).randrange(players)
    replay = make_round_replay(record, seat)
    steps, watcher = iter(replay.steps), Watcher()
    known = [game for _, game in Game.steps(record)][-1].view(seat)["actions"]
    assert [step.action for step in replay.steps] == ["", *known]
    for _, game in Game.steps(record):
        step = next(steps)
        watcher.take(step)
        view = game.view(seat)
        assert watcher.hands[str(seat)].split() == view["hand"]
        assert watcher.chosen == {str(seat): " ".join(view["chosen"])}
        for other in set(range(players)) - {seat}:
            assert watcher.hands[str(other)].split() == ["?"] * view["hand_sizes"][other]
        for key, value in watcher.view.items():
            assert view[key] == value, key  # type: ignore[literal-required]
    assert next(steps, None) is None
    assert watcher.view["past"][-1]["scores"] == record["rounds"][-1]["scores"]


def test_only_the_round_asked_for_is_shown() -> None:
    replay = make_round_replay(match_until("nichtig", 4, 2), 1)
    assert {step.round for step in replay.steps} == {2}
    assert len(replay.steps[0].view["past"]) == 1
    assert replay.steps[0].action == ""


def test_a_spectator_sees_no_hand() -> None:
    """Discarded cards stay hidden too; in this round everybody had to discard."""
    record = match_until("niet-2015", 4, 3)
    secret = [action for action in record["rounds"][2]["actions"] if action.split(" ")[1] in ("discard", "pass")]
    assert secret, "a round in which cards are discarded or passed"
    replay = make_round_replay(record, None)
    assert all(set(text.split()) <= {"?"} for step in replay.steps for text in step.hands.values())
    assert not any(step.chosen for step in replay.steps)
    hidden = [step.action for step in replay.steps if step.action.split(" ")[1:2] in (["discard"], ["pass"])]
    assert len(hidden) == len(secret)
    assert all(action.endswith(" ?") for action in hidden)
