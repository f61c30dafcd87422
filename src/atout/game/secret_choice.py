"""One seat's part of a choice that all make at the same time: discard, pass, lay out (rules §5.1; N§3.1).

The rules take these choices one seat after the other. At a table they come in any order, and each seat is told what
it may choose before any choice is played, by asking the rules on a copy in which it is this seat's turn. What a seat
may choose does not depend on what others choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from atout.game.action import Action
from atout.game.knowledge import Knowledge
from atout.game.notation import Notation, bits_of
from atout.game.refusals import PHASE, TURN, allowed
from atout.game.view import PastRound, View
from atout.game.view_builder import GONE, GONE_SPARE, HAND, SPARE, Seen, make_own, make_view
from atout.rules import entries
from atout.rules.arrays import Int64Array
from atout.rules.layout import STATE

_encode = msgspec.json.Encoder().encode
TODO = STATE.fields["todo"][1] // 8  # type: ignore[index]
"""Where a state keeps what the seat to act still owes."""


class SecretChoice:
    """What a seat has chosen so far, what it still owes, and what it may choose next."""

    def __init__(
        self, words: Notation, state: Int64Array, log: Sequence[int], seat: int, chosen: Sequence[Action] = ()
    ) -> None:
        """`state` and `log` stand at the beginning of the phase; `Game.choosing` sees to it."""
        self.words, self.seat, self.chosen = words, seat, chosen
        self.owed = int(state[TODO]) - len(chosen)
        self._log = [*log, *(action.entry for action in chosen)]
        self._state = state.copy()
        self._state[TURN] = seat
        if self.is_done:
            self._state[TODO] += 1  # the copy stays with this seat: the phase does not end for one alone
        for action in chosen:
            entries.apply(self._state, words.setup.rules, action.entry & 63)

    @property
    def is_done(self) -> bool:
        return self.owed == 0

    def check(self, action: str | Action) -> Action:
        """The action, if the seat may choose it next; else the error that says why not."""
        return allowed(self.words, self._state, action)

    def legal(self) -> list[Action]:
        """What the seat may choose next, in the pinned order."""
        if self.is_done:
            return []
        here = self.seat << 10 | int(self._state[PHASE]) << 6
        return [self.words.action(here | i) for i in bits_of(entries.legal(self._state, self.words.setup.rules))]

    def opening(self) -> bytes:
        """What the beginning of the choice changes in this view and in no other one: JSON without braces."""
        return b'"turn":%d,"legal":[%b]' % (self.seat, self._legal_text())

    def text(self) -> bytes:
        """What a part of the choice can change in this view, but for `actions`: JSON without braces."""
        seen = Seen(self._knowledge(), self.words)
        numbers, seat = seen.numbers, self.seat
        return b'"turn":%b,"owed":%d,"hand":[%b],"hand_sizes":%b,"chosen":[%b],"chosen_counts":%b,"legal":[%b]' % (
            b"null" if self.is_done else b"%d" % seat,
            self.owed,
            self.words.hand_text(numbers[HAND + seat], numbers[SPARE + seat]),
            _encode(seen.by_seat("in_hand")),
            self.words.hand_text(numbers[GONE + seat], numbers[GONE_SPARE + seat]),
            _encode(seen.by_seat("given")),
            b"" if self.is_done else self._legal_text(),
        )

    def _legal_text(self) -> bytes:
        here = self.seat << 10 | self._state.item(PHASE) << 6
        return self.words.legal_text(here, entries.legal(self._state, self.words.setup.rules))

    def view(self, past: list[PastRound]) -> View:
        """What the seat may know: as if it were alone to choose; nobody is in turn when it has chosen."""
        return {**make_view(self._knowledge(), self.words, past), **self.own()}  # type: ignore[typeddict-item]

    def own(self) -> dict[str, Any]:
        """The fields of this view that differ from seat to seat."""
        own = make_own(self._knowledge(), self.words)
        if self.is_done:
            own |= {"turn": None, "owed": 0, "legal": []}
        return own

    def _knowledge(self) -> Knowledge:
        return Knowledge.of(self.words.setup, self.seat, self._state, np.array(self._log, np.int64))
