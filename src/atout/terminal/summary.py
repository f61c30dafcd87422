"""A record round by round, up to any move: what was dealt, decided and won.

Everything is read from the replayed game and its views; no rule is written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atout.errors import UsageError
from atout.game import Action, Game, View
from atout.game.record import Recorded, read
from atout.game.view import SECRET_NAMES, PastRound
from atout.i18n import say
from atout.terminal.events import Trick


@dataclass
class RoundSummary:
    """A round as far as it was played."""

    number: int
    opener: int
    """The seat that deals; in Null & nichtig, the one that leads."""
    hands: list[list[str]]
    """As dealt."""
    view: View
    """What a spectator sees last."""
    given: dict[int, list[str]] = field(default_factory=dict)
    """Cards each seat discarded, passed or laid out."""
    verb: str = ""
    """`discard`, `pass` or `lay`."""
    tricks: list[Trick] = field(default_factory=list)
    result: PastRound | None = None

    def add(self, action: Action, view: View) -> None:
        if action.verb in SECRET_NAMES:
            self.verb = action.verb
            self.given.setdefault(action.seat, []).append(action.words[0])
        winner = view["last_winner"]
        if action.verb == "play" and not view["trick"] and winner is not None:
            loot = _gained(view["loot"], self.view["loot"], winner)
            self.tricks.append(Trick(view["last_trick"], winner, loot, view["tricks"][winner]))
        self.view = view


@dataclass
class MatchSummary:
    """A match as far as it was played."""

    game: Game
    """The game at that point."""
    rounds: list[RoundSummary]
    moves: int
    """Actions so far."""


def summary_of(record: Mapping[str, Any], move: int | None = None) -> MatchSummary:
    """The whole record, or the position after so many actions of the match."""
    recorded = read(record)
    total = sum(len(one.actions) for one in recorded.rounds)
    if move is not None and not 0 <= move <= total:
        raise UsageError(say("cli.error.move", n=move, last=total))
    rounds: list[RoundSummary] = []
    moves = 0
    for action, game in Game.steps(record):
        view = game.view(None)
        if action is not None:
            moves += 1
            rounds[-1].add(action, view)
        elif game.round:
            rounds.append(_new_round(game, recorded, view))
        if game.is_round_over:
            rounds[-1].result = game.past()[-1]
        if moves == move and moves < total:
            break
    return MatchSummary(game, rounds, moves)


def _new_round(game: Game, recorded: Recorded, view: View) -> RoundSummary:
    """A round that has just been dealt."""
    dealt = recorded.rounds[game.round - 1]
    opener = dealt.dealer if dealt.dealer is not None else dealt.leader
    assert opener is not None, "the replay has checked it"
    return RoundSummary(game.round, opener, [hand.split() for hand in dealt.hands], view)


def _gained(after: list[int] | None, before: list[int] | None, seat: int) -> int:
    return after[seat] - before[seat] if after and before else 0
