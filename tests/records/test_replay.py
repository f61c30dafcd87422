"""A replay shows, step by step, what the game itself says; what is no record is refused with the verifier's words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from atout.editions import PUBLISHED, published
from atout.errors import RecordError
from atout.game import Game
from atout.game.record import MAX_NAME
from atout.records import Replay, ReplayStep, make_replay
from atout.records.replay import MAX_MOVES
from tests.records.samples import whole

TABLES = [(edition, players) for edition in PUBLISHED for players in published(edition).counts]


class Watcher:
    """Adds the changes up, as a page does."""

    def __init__(self) -> None:
        self.view: dict[str, Any] = {}
        self.rows: dict[str, Any] = {}
        self.hands: dict[str, str] = {}
        self.chosen: dict[str, str] = {}

    def take(self, step: Any) -> None:
        self.view |= step.view
        self.rows |= {row["row"]: row for row in step.board}
        self.hands |= step.hands
        self.chosen |= step.chosen


def assert_shows(watcher: Watcher, game: Game) -> None:
    for seat in range(game.setup.players):
        view = game.view(seat)
        assert watcher.hands[str(seat)].split() == view["hand"]
        assert watcher.chosen[str(seat)].split() == view["chosen"]
        for key, value in watcher.view.items():
            assert view[key] == value, key  # type: ignore[literal-required]
        assert list(watcher.rows.values()) == (view["board"] or [])


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_the_changes_add_up_to_the_views(edition: str, players: int) -> None:
    record = whole(edition, players)
    replay = make_replay(json.dumps(record))
    steps, watcher = iter(replay.steps), Watcher()
    for action, game in Game.steps(record):
        step = next(steps)
        watcher.take(step)
        if action is None:
            assert (step.round, watcher.view["trick"], watcher.view["phase"]) == (game.round, [], after_deal(edition))
        assert step.action == ("" if action is None else str(action))
        assert_shows(watcher, game)
    assert next(steps, None) is None
    assert (replay.winners, watcher.view["totals"]) == (record["winners"], record["totals"])


def after_deal(edition: str) -> str:
    return "veto" if published(edition).is_njet else "lay"


def test_rounds_tricks_and_moves_are_numbered() -> None:
    record = whole("niet-2015", 4)
    replay = make_replay(json.dumps(record))
    deals = [step for step in replay.steps if not step.action]
    assert [step.round for step in deals] == list(range(1, len(record["rounds"]) + 1))
    assert [step.move for step in replay.steps if step.action] == list(range(1, replay.steps[-1].move + 1))
    first = [step.trick for step in replay.steps if step.round == 1 and " play " in step.action]
    assert first == [1 + number // 4 for number in range(len(first))]
    assert {step.trick for step in replay.steps if " play " not in step.action} == {0}


def test_names_of_strangers_are_taken_with_care() -> None:
    record = whole("nichtig", 3)
    assert made(record).names == ["", "", ""]
    assert made(record, names=["Ann", "B" * 99, "\x1b[2J"]).names == ["Ann", "B" * MAX_NAME, ""]
    assert made(record, names=["Ann"], bots=[None, 3, "club"]).names == ["", "", ""]
    assert made(record, names=["Ann"], bots=[None, 3, "club"]).bots == ["", "", "club"]


def made(record: dict[str, Any], **more: Any) -> Replay:
    return make_replay(json.dumps(record | more))


def test_an_unfinished_game_can_be_watched_as_far_as_it_went() -> None:
    game = Game.new("niet-2015", 4, seed=1)
    assert [step.action for step in make_replay(json.dumps(game.record())).steps] == [""]
    action = game.play(game.legal()[0])
    replay = make_replay(json.dumps(game.record()))
    assert [step.action for step in replay.steps] == ["", str(action)]
    assert replay.winners == []


def test_house_rules_bring_their_own_deck() -> None:
    replay = made(whole("njet-1997", 3))
    deck = published("njet-1997").deck
    assert (replay.colours, replay.low, replay.high) == (list(deck.colours), deck.low, max(deck.values))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "expected object, got array"),
        ("{}", "object missing required field atout"),
        ("\ud800", "not UTF-8"),
    ],
)
def test_what_is_no_record_is_named(text: str, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        make_replay(text)


def test_a_foul_is_named_with_its_place() -> None:
    record = whole("niet-2015", 4)
    record["rounds"][1]["actions"][3] = "0 play Z9"
    with pytest.raises(RecordError) as caught:
        make_replay(json.dumps(record))
    assert (caught.value.round, caught.value.action) == (2, 4)


def test_a_record_without_end_is_refused_before_it_is_played() -> None:
    record = whole("nichtig", 3)
    record["rounds"][0]["actions"] = ["0 play R1"] * (MAX_MOVES + 1)
    with pytest.raises(RecordError, match="are too many to show"):
        make_replay(json.dumps(record))


def secret_steps(replay: Replay, verb: str) -> list[ReplayStep]:
    return [step for step in replay.steps if step.action.split(" ")[1:2] == [verb]]


def test_a_passed_card_is_seen_by_its_giver_and_its_receiver_only() -> None:
    text = json.dumps(whole("niet-2015", 4))
    passes = secret_steps(make_replay(text), "pass")
    assert passes, "a match in which cards are passed"
    for step in passes:
        giver = int(step.action.split(" ")[0])
        others = {str(seat) for seat in range(4)} - {str(giver), str((giver + 1) % 4)}
        assert step.seen == dict.fromkeys(others, f"{giver} pass ?")
    for seat in range(4):
        own = [step.action for step in secret_steps(make_replay(text, seat), "pass")]
        assert own == [step.seen.get(str(seat), step.action) for step in passes]


def test_a_discard_is_seen_by_its_seat_only_and_a_lay_out_by_all() -> None:
    discards = secret_steps(make_replay(json.dumps(whole("niet-2015", 4))), "discard")
    assert discards, "a match in which cards are discarded"
    for step in discards:
        assert set(step.seen) == {str(seat) for seat in range(4)} - {step.action.split(" ")[0]}
    layouts = secret_steps(make_replay(json.dumps(whole("nichtig", 4))), "lay")
    assert layouts
    assert not any(step.seen for step in layouts)
