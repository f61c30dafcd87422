"""`Round`: a round of a match as a game keeps it; small, because a server keeps thousands of matches."""

from __future__ import annotations

from array import array
from copy import copy

import msgspec

from atout.game.card import Card
from atout.game.notation import notation_of
from atout.game.setup import Setup
from atout.game.view import PastRound, conditions, lanes, made_of, sides, sum_of
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import NOBODY, STATE
from atout.rules.scoring import lane

DEALER, LEADER = (STATE.fields[name][1] // 8 for name in ("dealer", "start"))  # type: ignore[index]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(PastRound).decode


class Round:
    """The cards dealt, the dealer, the leader and the actions so far. With the rounds before, the state follows."""

    __slots__ = ("_end", "dealer", "leader", "log", "pack")

    def __init__(self, pack: bytes, state: Int64Array) -> None:
        """`pack` holds the cards as they were dealt, `state` is the state right after the deal."""
        self.pack = pack
        """Kinds of cards, hand after hand."""
        self.dealer, self.leader = state.item(DEALER), state.item(LEADER)
        self.log = array("H")
        self._end: Int64Array | bytes | None = None
        """The state at the end; once `result` has been called, its result as JSON instead."""

    @property
    def is_over(self) -> bool:
        """Whether the round has ended."""
        return self._end is not None

    def hands(self, players: int) -> list[bytes]:
        """The cards of each seat."""
        size = len(self.pack) // players
        return [self.pack[size * seat : size * (seat + 1)] for seat in range(players)]

    def end(self, state: Int64Array) -> None:
        """Note that the round has ended with this state."""
        self._end = state
        self.log = self.log[:]  # a log that grows has room to spare

    def result(self, setup: Setup) -> PastRound:
        """The public result of a round that is over."""
        assert self._end is not None
        if not isinstance(self._end, bytes):
            self._end = _encode(_result(self._end, setup))
        return _decode(self._end)

    def rewind(self, length: int) -> None:
        """Forget all actions after the first `length`."""
        del self.log[length:]
        self._end = None

    def copy(self) -> Round:
        twin = copy(self)
        twin.log = self.log[:]
        return twin


def _result(state: Int64Array, setup: Setup) -> PastRound:
    s, players = plain(state, STATE), setup.players
    result: PastRound = {
        "scores": s.scores[:players],
        "tricks": lanes(s.tricks, players),
    }
    if setup.edition.is_njet:
        result["loot"] = lanes(s.loot, players)
        result["conditions"] = conditions(s, notation_of(setup))
        result["sides"] = sides(s.side, players)
        result["double"] = None if s.doubler == NOBODY else s.doubler
        result["made_of"] = made_of(s, setup)
    else:
        result["tops"] = [_tops(s.tops[seat], setup) for seat in range(players)]
    if setup.teams is not None:
        result["team_scores"] = [sum_of(result["scores"], team) for team in setup.teams]
    return result


def _tops(tops: int, setup: Setup) -> list[str]:
    """The top cards of a seat (N§5.1): a lane a colour, empty or value + 1."""
    values = [(colour, lane(tops, index)) for index, colour in enumerate(setup.edition.deck.colours)]
    return [str(Card(colour, top - 1)) for colour, top in values if top != 0]
