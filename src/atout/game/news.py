"""What a move changed for everybody, and for the seats it concerns, as JSON: text for the wire, without a view.

A server tells of thousands of moves a second, and most of a view stays as it is. The texts of public fields follow from
the words of the redacted state they are made of (`seeing.py`), so they are kept by these words; what follows from the
log is compared and written anew. A seat's hand and its legal actions are joined from the texts of their words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from atout.game.seeing import GROUPS, HAND, PHASE, SPARE, TURN, Seen, board_after, progress
from atout.game.words import Vocabulary
from atout.kernel import entries
from atout.kernel.records import Words

_encode = msgspec.json.Encoder().encode


class Sight(NamedTuple):
    """What everybody sees at one moment, as far as it takes to say what is new at the next one."""

    raw: bytes
    """The words of a spectator's redacted state and facts."""
    length: int
    """Of the round's log."""
    board: Any
    progress: dict[str, Any]


def look(seen: Seen, before: Sight | None = None) -> Sight:
    """What a spectator sees; `before` is an earlier sight of the same round."""
    known, board = (0, seen.words.empty_board) if before is None else (before.length, before.board)
    if board and len(seen.log) > known:
        board = board_after(board, seen.words, seen.log[known:])
    return Sight(seen.raw, len(seen.log), board, progress(seen))


def news(seen: Seen, before: Sight, now: Sight) -> bytes:
    """The public fields that have changed but for `actions`, as JSON without braces; some may be as they were."""
    raw, old, words = now.raw, before.raw, seen.words
    texts: list[bytes] = []
    for span, group in GROUPS:
        if raw[span] != old[span]:
            for key, (place, make) in group.items():
                if raw[place] != old[place]:
                    text = words.texts.get((key, raw[place]))
                    texts.append(text or words.keep_text((key, raw[place]), _encode({key: make(seen)})[1:-1]))
    known = before.progress
    changed = {key: value for key, value in now.progress.items() if value != known[key]}
    if now.board is not before.board:
        changed["board"] = now.board
    if changed:
        texts.append(_encode(changed)[1:-1])
    return b",".join(texts)


def cards(state: Words, seat: int, words: Vocabulary) -> bytes:
    """The seat's hand and what is legal, as JSON without braces.

    Redacted for the seat or not, a state says the same here: only the seat's own cards are read, and what is public.
    """
    hand, legal = words.hand_text(state.item(HAND + seat), state.item(SPARE + seat)), b""
    if state.item(TURN) == seat:
        legal = words.legal_text(seat << 10 | state.item(PHASE) << 6, entries.legal(state, words.table.rules))
    return b'"hand":[%b],"legal":[%b]' % (hand, legal)
