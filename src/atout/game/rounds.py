"""A round of a match, as a game keeps it: small, because a server keeps thousands of matches."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import msgspec

from atout.game.table import Table
from atout.game.view import PastRound, conditions, lanes, sides
from atout.game.words import vocabulary
from atout.kernel.layout import NOBODY, STATE
from atout.kernel.records import Words, plain

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(PastRound).decode


class Round:
    """What was dealt, the state right after the deal, the actions since."""

    __slots__ = ("_end", "dealt", "log", "start")

    def __init__(self, dealt: Iterable[Sequence[int]], start: Words) -> None:
        self.dealt, self.start = [bytes(hand) for hand in dealt], start
        """Kinds of cards, hand by hand."""
        self.log = array("H")
        self._end: Words | bytes | None = None
        """The state at the end; once somebody has asked, what is public of it as JSON."""

    @property
    def is_over(self) -> bool:
        return self._end is not None

    def end(self, state: Words) -> None:
        self._end = state

    def result(self, table: Table) -> PastRound:
        """Of a round that is over."""
        assert self._end is not None
        if not isinstance(self._end, bytes):
            self._end = _encode(_result(self._end, table))
        return _decode(self._end)

    def rewind(self, length: int) -> None:
        """Forget what came after so many actions."""
        del self.log[length:]
        self._end = None

    def copy(self) -> Round:
        twin = Round(self.dealt, self.start)
        twin.log, twin._end = self.log[:], self._end
        return twin


def _result(state: Words, table: Table) -> PastRound:
    s, players = plain(state, STATE), table.players
    result: PastRound = {
        "scores": s.scores[:players],
        "tricks": lanes(s.tricks, players),
    }
    if table.edition.is_njet:
        result["loot"] = lanes(s.loot, players)
        result["conditions"] = conditions(s, vocabulary(table))
        result["sides"] = sides(s.side, players)
        result["double"] = None if s.doubler == NOBODY else s.doubler
    return result
