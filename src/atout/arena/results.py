"""Results: margins, wins, ratings, forfeits and speed, computed from the finished duplicates in their order.

All but `speed` is the same whenever the duplicates are the same; with a budget of nodes that is on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from atout.arena.duplicate import Duplicate, MatchResult, Work
from atout.arena.ratings import Rating, rate
from atout.arena.settings import ArenaSettings
from atout.arena.statistics import Estimate, estimate


class Pair(msgspec.Struct, frozen=True):
    """Two bots. A margin above 0 is in favour of the first."""

    bots: tuple[str, str]
    matches: int
    margin: Estimate
    """Mean points per round and player: the first bot's less the second's. In teams: team against team."""
    wins: Estimate | None
    """The share of matches the first bot has won; a shared win counts in parts. None when rounds were played."""
    margins: list[float]
    """The margin of every deal, over its seatings."""
    win_shares: list[float] | None


class Count(msgspec.Struct, frozen=True):
    """What a bot did."""

    bot: str
    decisions: int
    forfeits: dict[str, int]
    errors: dict[str, str] = {}
    """What went wrong first, by the kind of forfeit; results of earlier versions have nothing here."""


class Speed(msgspec.Struct, frozen=True):
    """How long a bot took for its decisions. This differs from run to run."""

    bot: str
    seconds: float
    decisions_per_second: float | None
    milliseconds: float | None
    """Mean time per decision."""


class Results(msgspec.Struct, frozen=True):
    """The file of results."""

    arena: int
    settings: ArenaSettings
    deals: int
    pairs: list[Pair]
    ratings: list[Rating]
    """Best first."""
    bots: list[Count]
    speed: list[Speed]


def margin(match: MatchResult) -> float:
    """Mean points per round and player by which `a` was better than `b`.

    >>> margin(MatchResult("abb", [4, 1, 2], 1, []))
    2.5
    """
    a, b = ([s for s, letter in zip(match.scores, match.seating, strict=True) if letter == it] for it in "ab")
    return (sum(a) / len(a) - sum(b) / len(b)) / match.rounds


def win_share(match: MatchResult) -> float:
    """The part of the win that goes to `a`.

    >>> win_share(MatchResult("aabb", [7, 7, 7, 0], 8, [0, 1, 2]))
    0.6666666666666666
    """
    return sum(match.seating[seat] == "a" for seat in match.winners) / len(match.winners)


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def results(settings: ArenaSettings, duplicates: Sequence[Duplicate]) -> Results:
    """The results of all duplicates, in the order of their numbers."""
    return Results(
        arena=2,
        settings=settings,
        deals=len(duplicates) // len(settings.pairs),
        pairs=[_pair(settings, pair, duplicates[i :: len(settings.pairs)]) for i, pair in enumerate(settings.pairs)],
        ratings=rate(
            settings.bots,
            [(*settings.place(duplicate.number)[1], _better(settings, duplicate)) for duplicate in duplicates],
        ),
        bots=[_count(name, duplicates) for name in settings.bots],
        speed=[_speed(name, duplicates) for name in settings.bots],
    )


def _better(settings: ArenaSettings, duplicate: Duplicate) -> float:
    """By how much the first bot of a duplicate was better than the second."""
    if settings.span == "match":
        return mean([win_share(match) for match in duplicate.matches]) - 0.5
    return mean([margin(match) for match in duplicate.matches])


def _pair(settings: ArenaSettings, pair: tuple[str, str], duplicates: Sequence[Duplicate]) -> Pair:
    margins = [mean([margin(match) for match in duplicate.matches]) for duplicate in duplicates]
    shares = None
    if settings.span == "match":
        shares = [mean([win_share(match) for match in duplicate.matches]) for duplicate in duplicates]
    return Pair(
        bots=pair,
        matches=sum(len(duplicate.matches) for duplicate in duplicates),
        margin=estimate(margins),
        wins=None if shares is None else estimate(shares, within=(0.0, 1.0)),
        margins=margins,
        win_shares=shares,
    )


def _count(name: str, duplicates: Sequence[Duplicate]) -> Count:
    work = [duplicate.work[name] for duplicate in duplicates if name in duplicate.work]
    forfeits: Counter[str] = Counter()
    for it in work:
        forfeits.update(it.forfeits)
    errors = {why: next(it.errors[why] for it in work if why in it.errors) for why in sorted(_kinds(work))}
    return Count(name, sum(it.decisions for it in work), dict(sorted(forfeits.items())), errors)


def _kinds(work: Sequence[Work]) -> set[str]:
    """The kinds of forfeit that have an error; duplicates in a journal of an earlier version have none."""
    return {why for it in work for why in it.errors}


def _speed(name: str, duplicates: Sequence[Duplicate]) -> Speed:
    work = [duplicate.work[name] for duplicate in duplicates if name in duplicate.work]
    decisions, seconds = sum(it.decisions for it in work), math.fsum(it.seconds for it in work)
    if not decisions or not seconds:
        return Speed(name, seconds, None, None)
    return Speed(name, seconds, decisions / seconds, 1000 * seconds / decisions)
