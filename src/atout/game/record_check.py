"""Replaying a record: every action is checked by the rules, every result is compared with the one written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from atout.errors import ActionError, RecordError
from atout.game.action import Action
from atout.game.record import Recorded, RecordedRound
from atout.game.view import PastRound

if TYPE_CHECKING:
    from atout.game.game import Game


def replay(game: Game, recorded: Recorded) -> Iterator[tuple[Action | None, Game]]:
    """Deal and play in a game without automatic deals; the first broken rule raises `RecordError`."""
    if not recorded.rounds:
        yield None, game
    for number, recorded_round in enumerate(recorded.rounds, 1):
        _deal(game, recorded_round, number)
        yield None, game
        yield from _play(game, recorded_round, number)
        if not game.is_round_over and number < len(recorded.rounds):
            raise RecordError("the round is not finished, yet another follows", number, len(recorded_round.actions) + 1)
        _compare_result(game, recorded_round, number)
    over = game.is_over
    _compare("totals", recorded.totals, game.totals if over else None)
    _compare("winners", recorded.winners, game.winners if over else None)


def _deal(game: Game, recorded_round: RecordedRound, number: int) -> None:
    """Dealer and leader follow from the rounds before; the hands must be from the deck."""
    if game.is_over:
        raise RecordError("the match was over before this round", number)
    state = game.state
    if game.setup.edition.is_njet:
        _compare("dealer", recorded_round.dealer, state.dealer, number)
    else:
        _compare("leader", recorded_round.leader, state.start, number)
    try:
        game.deal(recorded_round.hands)
    except RecordError as error:
        raise RecordError(error.reason, number) from None


def _play(game: Game, recorded_round: RecordedRound, number: int) -> Iterator[tuple[Action | None, Game]]:
    for count, words in enumerate(recorded_round.actions, 1):
        if game.is_round_over:
            raise RecordError("the round was over before this action", number, count)
        try:
            action = game.play(words)
        except ActionError as error:
            raise RecordError(str(error), number, count) from None
        yield action, game


def _compare_result(game: Game, recorded_round: RecordedRound, number: int) -> None:
    result: PastRound = game.past()[-1] if game.is_round_over else {}
    if game.setup.edition.is_njet:
        _compare("tricks", recorded_round.tricks, result.get("tricks"), number)
        _compare("loot", recorded_round.loot, result.get("loot"), number)
    _compare("scores", recorded_round.scores, result.get("scores"), number)


def _compare(name: str, recorded: Any, expected: Any, number: int | None = None) -> None:
    if recorded == expected:
        return
    if recorded is None:
        raise RecordError(f"{name}: missing; expected {expected}", number)
    if expected is None:
        raise RecordError(f"{name}: {recorded} is given, but that is not decided yet", number)
    raise RecordError(f"{name}: {recorded} is wrong; expected {expected}", number)
