"""What a move changed for everybody, and for the seats it concerns, as JSON: text for the wire, without a view.

A server tells of thousands of moves a second, and most of a view stays as it is. The texts of public fields follow from
the words of the redacted state they are made of (`seeing.py`), so they are kept by these words; what follows from the
log is compared and written anew. The board, a seat's hand and its legal actions are joined from texts of their words.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from atout.game.notation import ROW_NAMES, Notation
from atout.game.view_builder import (
    GROUPS,
    HAND,
    IN_HAND,
    PHASE,
    SPARE,
    TURN,
    WORD,
    Progress,
    Seen,
    progress,
    shown_progress,
    stamps,
)
from atout.rules import entries
from atout.rules.arrays import Int64Array

_encode = msgspec.json.Encoder().encode
_ROWS = [b'{"row":"%b","cells":[' % name.encode() for name in ROW_NAMES]
"""How the rows of a board begin."""


class Row(NamedTuple):
    """Of a board, as JSON; do not change it."""

    cells: list[bytes]
    text: bytes


Board = list[Row]


class Sight(NamedTuple):
    """What everybody sees at one moment, as far as it takes to say what is new at the next one."""

    raw: bytes
    """The words of a spectator's redacted state and facts."""
    length: int
    """Of the round's log."""
    board: Board
    progress: Progress


def look(seen: Seen, before: Sight | None = None) -> Sight:
    """What a spectator sees; `before` is an earlier sight of the same round."""
    board = _board(seen) if before is None else _stamped(before.board, seen, before.length)
    return Sight(seen.raw, len(seen.log), board, progress(seen))


def _board(seen: Seen) -> Board:
    rows = [cells.copy() for cells in seen.words.bare_board]
    for row, column, by in stamps(seen.log):
        rows[row][column] = seen.words.cell_texts[row][column][by]
    return [_row(row, cells) for row, cells in enumerate(rows)]


def _stamped(board: Board, seen: Seen, known: int) -> Board:
    """With what was covered since `known` actions; rows without a new stamp are shared."""
    if board:
        for row, column, by in stamps(seen.log[known:]):
            cells = board[row].cells.copy()
            cells[column] = seen.words.cell_texts[row][column][by]
            board = board.copy()
            board[row] = _row(row, cells)
    return board


def _row(row: int, cells: list[bytes]) -> Row:
    return Row(cells, b"%b%b]}" % (_ROWS[row], b",".join(cells)))


def news(seen: Seen, before: Sight, now: Sight, less: Collection[str] = ()) -> bytes:
    """The public fields that have changed but for `actions` and `less`, as JSON without braces; some may be as they
    were.
    """
    raw, old, words = now.raw, before.raw, seen.words
    texts: list[bytes] = []
    for span, group in GROUPS:
        if raw[span] != old[span]:
            for key, (place, make) in group.items():
                if raw[place] != old[place] and key not in less:
                    text = words.texts.get((key, raw[place]))
                    texts.append(text or words.keep_text((key, raw[place]), _encode({key: make(seen)})[1:-1]))
    changed = shown_progress(now.progress, words, before.progress)
    if less:
        changed = {key: value for key, value in changed.items() if key not in less}
    if changed:
        texts.append(_encode(changed)[1:-1])
    if now.board is not before.board and now.board != before.board:
        texts.append(b'"board":[%b]' % b",".join([row.text for row in now.board]))
    return b",".join(texts)


def cards(state: Int64Array, seat: int, words: Notation, before: Sight, now: Sight) -> bytes:
    """The seat's hand, if there are fewer cards in it than before, and what is legal, as JSON without braces.

    Redacted for the seat or not, a state says the same here: only the seat's own cards are read, and what is public.
    """
    legal, held = b"", slice(IN_HAND + WORD * seat, IN_HAND + WORD * (seat + 1))
    if state.item(TURN) == seat:
        legal = words.legal_text(seat << 10 | state.item(PHASE) << 6, entries.legal(state, words.setup.rules))
    if now.raw[held] == before.raw[held]:
        return b'"legal":[%b]' % legal
    return b'"hand":[%b],"legal":[%b]' % (words.hand_text(state.item(HAND + seat), state.item(SPARE + seat)), legal)
