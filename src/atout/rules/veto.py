"""The veto phase of Njet! (rules §3): players cover cells until every row has one free cell left."""

from __future__ import annotations

from typing import Any

from atout.rules import team
from atout.rules.bits import ctz
from atout.rules.jit import rule
from atout.rules.layout import (
    COLUMNS,
    DISCARD_ROW,
    POINTS_ROW,
    ROWS,
    START_ROW,
    SUPER_ROW,
    TRUMP_ROW,
    VETO,
)

ROW_CELLS = (1 << COLUMNS) - 1


@rule
def has_one_free(free: int, row: int) -> bool:
    cells = free & (ROW_CELLS << (COLUMNS * row))
    return cells & (cells - 1) == 0


@rule
def begin(s: Any, r: Any) -> None:
    """§3.2: the dealer vetoes first; in the edition of 1997, the seat on its left."""
    s.phase = VETO
    s.turn = (s.dealer + r.first_veto) % r.players
    s.free = r.board
    s.shut = 0
    for row in range(ROWS):
        if has_one_free(s.free, row):
            s.shut |= ROW_CELLS << (COLUMNS * row)
    if legal_veto(s) == 0:
        end_veto(s, r)


@rule
def legal_veto(s: Any) -> int:
    """§3.3, §3.4: any free cell, but never the last free one of its row."""
    return s.free & ~s.shut


@rule
def apply_veto(s: Any, r: Any, cell: int) -> None:
    s.free ^= 1 << cell
    row = cell // COLUMNS
    if has_one_free(s.free, row):
        s.shut |= ROW_CELLS << (COLUMNS * row)
    s.turn += 1
    if s.turn == r.players:
        s.turn = 0
    if legal_veto(s) == 0:
        end_veto(s, r)


@rule
def free_column(s: Any, row: int) -> int:
    return ctz((s.free >> (COLUMNS * row)) & ROW_CELLS)


@rule
def end_veto(s: Any, r: Any) -> None:
    """§3.5: the free cells become the conditions of the round; §6.2: which cards are trumps then."""
    s.start = free_column(s, START_ROW)
    s.giving = free_column(s, DISCARD_ROW)
    s.trump = r.trump_cells[free_column(s, TRUMP_ROW)]
    s.super = r.super_cells[free_column(s, SUPER_ROW)]
    s.points = r.points_cells[free_column(s, POINTS_ROW)]
    s.supers = r.suit[s.super] & r.low
    s.trumps = r.suit[s.trump]
    if r.super_joins_trump != 0:
        s.trumps |= s.supers
    team.begin(s, r)
