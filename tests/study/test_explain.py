"""Advice for one decision: from a view alone, in the order of its values, with a reason."""

from __future__ import annotations

import pytest

from atout import Game
from atout.errors import UsageError
from atout.rules.layout import PLAY, VETO
from atout.study import explain

from .rounds import positions, round_record


@pytest.mark.parametrize(("edition", "players", "phase"), [("niet-2015", 4, VETO), ("nichtig", 3, PLAY)])
def test_the_order_of_the_advice_is_the_order_of_its_values(edition: str, players: int, phase: int) -> None:
    position = positions(round_record(edition, players), phase)[2]
    found = explain(position.knowledge(), 0.1)
    values = [one.known for one in found.alternatives]
    assert values == sorted(values, reverse=True)
    assert found.action == found.alternatives[0].action
    assert {one.action for one in found.alternatives} == {position.word(action) for action in position.legal}
    assert 1 <= len(found.reason) <= 2
    assert found == explain(position.knowledge(), 0.1)


def test_a_view_is_enough() -> None:
    game = Game.new("nichtig", players=3, seed=2)
    assert game.turn is not None
    assert explain(game.view(game.turn), 0.1) == explain(game.knowledge(game.turn), 0.1)
    with pytest.raises(UsageError, match="not asked to act"):
        explain(game.view((game.turn + 1) % 3), 0.1)
    with pytest.raises(UsageError, match="not this seat's turn"):
        explain(game.knowledge((game.turn + 1) % 3), 0.1)


def test_what_is_forced_needs_no_reason() -> None:
    game = Game.new("nichtig", players=3, seed=2)
    while len(game.legal()) > 1:
        game.play(game.legal()[0])
    assert game.turn is not None
    found = explain(game.view(game.turn))
    assert [reason.code for reason in found.reason] == ["only-choice"]
