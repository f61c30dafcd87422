"""One seat's part of a choice that all make at the same time: discard, pass, lay out (rules §5.1; N§3.1).

The rules take these choices one seat after the other. At a table they come in any order, and each seat is told what
it may choose before any choice is played, by asking the rules on a copy in which it is this seat's turn. What a seat
may choose does not depend on what others choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from atout.game.action import Action
from atout.game.knowledge import Knowledge
from atout.game.log_entry import action_of
from atout.game.notation import Notation
from atout.game.refusals import TURN, allowed, legal_actions
from atout.game.view_builder import own_fields
from atout.rules import entries
from atout.rules.arrays import Int64Array
from atout.rules.layout import STATE

TODO = STATE.fields["todo"][1] // 8  # type: ignore[index]
"""Where a state keeps what the seat to act still owes."""


class SecretChoice:
    """What a seat has chosen so far, what it still owes, and what it may choose next."""

    def __init__(
        self, notation: Notation, state: Int64Array, log: Sequence[int], seat: int, chosen: Sequence[Action] = ()
    ) -> None:
        """`state` and `log` stand at the beginning of the phase; `Game.choosing` sees to it."""
        self.notation, self.seat, self.chosen = notation, seat, chosen
        self.owed = int(state[TODO]) - len(chosen)
        self._log = [*log, *(action.entry for action in chosen)]
        self._state = state.copy()
        self._state[TURN] = seat
        if self.is_done:
            self._state[TODO] += 1  # the copy stays with this seat: the phase does not end for one alone
        for action in chosen:
            entries.apply(self._state, notation.setup.rules, action_of(action.entry))

    @property
    def is_done(self) -> bool:
        return self.owed == 0

    def check(self, action: str | Action) -> Action:
        """The action, if the seat may choose it next; else the error that says why not."""
        return allowed(self.notation, self._state, action)

    def legal(self) -> list[Action]:
        """What the seat may choose next, in the order of `Game.legal`."""
        return [] if self.is_done else legal_actions(self.notation, self._state)

    def own(self) -> dict[str, Any]:
        """The seat's own fields of its view (`OWN_KEYS`), as if it chose alone; no turn once it has chosen."""
        own = own_fields(self._knowledge(), self.notation)
        if self.is_done:
            own |= {"turn": None, "owed": 0, "legal": []}
        return own

    def _knowledge(self) -> Knowledge:
        return Knowledge.of(self.notation.setup, self.seat, self._state, np.array(self._log, np.int64))
