"""Scores of a sheet by the rules themselves: the entered counts become a state at the end of a round."""

from __future__ import annotations

from typing import Any

import numpy as np

from atout.rules import entries
from atout.rules.layout import NOBODY, STATE, STATE_WORDS
from atout.sheet import facts
from atout.sheet.model import NjetRound, PlainRound, Round, Sheet, TopsRound


def _lanes(counts: list[int]) -> int:
    return sum(count << (8 * seat) for seat, count in enumerate(counts))


def score_round(sheet: Sheet, one: Round) -> list[int]:
    """Scores of all players in a round (Njet! §7, Null & nichtig §5)."""
    if isinstance(one, PlainRound):
        return list(one.scores)
    setup = sheet.setup
    state = np.zeros(STATE_WORDS, np.int64)
    s: Any = state.view(STATE)[0]
    if isinstance(one, TopsRound):
        for seat, tops in enumerate(one.tops):
            s.tops[seat] = _lanes([value + 1 for value in tops])
    else:
        s.tricks, s.loot, s.points = _lanes(one.tricks), _lanes(one.loot), one.points
        s.doubler = NOBODY if one.double is None else one.double
        s.side = sum(1 << seat for seat in one.side)
    entries.score_round(state, setup.rules)
    return [int(points) for points in s.scores[: setup.players]]


def score_rounds(sheet: Sheet) -> list[list[int]]:
    return [score_round(sheet, one) for one in sheet.rounds]


def totals_of(sheet: Sheet) -> list[int]:
    scores = score_rounds(sheet)
    return [sum(points[seat] for points in scores) for seat in range(len(sheet.names))]


def winners_of(sheet: Sheet) -> list[int]:
    """Seats that win with the totals as they stand; a tie is a shared win."""
    setup = sheet.setup
    state = np.zeros(STATE_WORDS, np.int64)
    s: Any = state.view(STATE)[0]
    s.totals[: setup.players] = totals_of(sheet)
    mask = int(entries.winners(state, setup.rules))
    return [seat for seat in range(setup.players) if (mask >> seat) & 1]


def is_over(sheet: Sheet) -> bool:
    """Whether the match is over: its rounds are played, or the target score is reached or exceeded."""
    setup, played = sheet.setup, len(sheet.rounds)
    if setup.options.target:
        best = max(totals_of(sheet), default=0)
        exceeded = setup.edition.match.target == "exceeded"
        return played > 0 and (best > setup.options.target if exceeded else best >= setup.options.target)
    return played >= setup.options.rounds


def problems_of(sheet: Sheet, one: Round) -> list[str]:
    """Mistakes in a round, as codes and figures of the catalogues: `sheet.problem.…`; empty when it can be saved."""
    if not isinstance(one, NjetRound):
        return []
    texts, players = [], len(sheet.names)
    expected, found = facts.tricks(sheet.setup, one.discard), sum(one.tricks)
    if found != expected:
        texts.append(f"tricks-sum expected={expected} found={found}")
    most = facts.lows(sheet.setup)
    if sum(one.loot) > most:
        texts.append(f"loot-many most={most} found={sum(one.loot)}")
    splits = facts.splits(sheet.setup)
    sizes = sorted([len(one.side), players - len(one.side)])
    split = next((split for split in splits if split["sizes"] == sizes), None)
    if splits and split is None:
        allowed = ", ".join(" : ".join(map(str, split["sizes"])) for split in splits)
        texts.append(f"sides sizes={allowed}")
    if split is not None and one.double not in double_holders(sheet, one.side):
        texts.append("double")
    return texts


def double_holders(sheet: Sheet, side: list[int]) -> list[int | None]:
    """Seats that may hold the ×2 card with these sides; `[None]` when nobody may."""
    others = [seat for seat in range(len(sheet.names)) if seat not in side]
    sizes = sorted([len(side), len(others)])
    split = next((one for one in facts.splits(sheet.setup) if one["sizes"] == sizes), None)
    if split is None or split["double"] is None:
        return [None]
    return list(side if len(side) == split["double"] else others)
