"""A guest's finished matches as they went for that guest, conditions on them, and sums over them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from msgspec import Struct

from atout.editions import PUBLISHED, published
from atout.protocol import rest
from atout.store import ListedRecord, ReviewErrors
from atout.study.model import ErrorRate

DAY, WEEK = 86_400.0, 604_800.0
MONDAY = 4 * DAY
"""The first Monday of 1970, which began on a Thursday."""
BOT, NAME = "bot:", "name:"
MAX_GROUPS = 40
MAX_OPPONENTS = 60
"""Names and levels among which a query may choose."""


class MatchFilter(Struct, frozen=True):
    """Which matches a query asks for; what is empty does not matter."""

    edition: str = ""
    players: int = 0
    against: str = ""
    """`bot:` and a level, `name:` and a name, `people` or `bots` (nobody else)."""
    result: str = ""
    """`won`, `lost`, or `uncounted`: given up, or finished by a bot."""

    def fit(self, match: rest.MyMatch) -> bool:
        return (
            self.edition in ("", match.edition)
            and self.players in (0, match.summary.players)
            and (not self.against or _is_against(match, self.against))
            and self.result in ("", _result(match))
        )


def match_of(listed: ListedRecord) -> rest.MyMatch:
    """A record of a guest's list as their match."""
    summary = msgspec.json.decode(listed.summary, type=rest.RecordSummary)
    match = rest.MyMatch(listed.id, listed.edition, listed.finished, summary, seats_of(listed.seats, summary))
    if not summary.winners:
        match.tag = "given-up"
    if not match.seats:
        return match
    seat, totals = match.seats[0], summary.totals
    match.points = sum(totals[one] for one in _counted_with(match, seat))
    match.gains = [row[seat] for row in summary.gains]
    if seat in summary.stand_ins:
        match.tag = "stand-in"
    if summary.winners:
        match.place = summary.places[seat] if summary.places else 1 + (seat not in summary.winners)
        match.margin = summary.margins[seat] if summary.margins else 0
    return match


def seats_of(noted: tuple[int, ...], summary: rest.RecordSummary) -> list[int]:
    """The seats of a guest. If they were not noted, they are known only where there was one person."""
    if noted and -1 not in noted:
        return list(noted)
    people = people_of(summary)
    return people if len(people) == 1 else []


def people_of(summary: rest.RecordSummary) -> list[int]:
    """The seats of people."""
    bots = summary.bots or [None] * summary.players
    return [seat for seat, bot in enumerate(bots) if bot is None]


def _partners(summary: rest.RecordSummary, number: int, seat: int) -> list[int]:
    """Who is on the side of a seat in a round, itself included."""
    return next((side for side in summary.sides[number] if seat in side), [seat])


def _counted_with(match: rest.MyMatch, seat: int) -> list[int]:
    """The seats whose points count together in the end: a team of Null & nichtig, or the seat alone.

    The summary does not tell a team from a side of Njet!, which lasts one round; under house rules nobody has partners.
    """
    has_teams = match.edition in PUBLISHED and not published(match.edition).is_njet and match.summary.sides
    return _partners(match.summary, 0, seat) if has_teams else [seat]


def _result(match: rest.MyMatch) -> Literal["won", "lost", "uncounted"]:
    if match.tag or not match.seats:
        return "uncounted"
    return "won" if match.seats[0] in match.summary.winners else "lost"


def _is_against(match: rest.MyMatch, against: str) -> bool:
    has_people = any(is_name for is_name, _ in opponents_of(match))
    if against in ("people", "bots"):
        return has_people == (against == "people")
    return any(_key(*opponent) == against for opponent in opponents_of(match))


def opponents_of(match: rest.MyMatch) -> set[tuple[bool, str]]:
    """Everybody else at the table: whether it is a person, and the name or the level."""
    return {_who(match.summary, seat) for seat in range(match.summary.players) if seat not in match.seats}


def _who(summary: rest.RecordSummary, seat: int) -> tuple[bool, str]:
    bot = summary.bots[seat] if summary.bots else None
    return bot is None, bot or summary.names[seat]


def _key(is_name: bool, word: str) -> str:
    return (NAME if is_name else BOT) + word


def week_of(time: float) -> float:
    """When the week of a time began: Monday at midnight, UTC.

    >>> week_of(1_794_841_200.0)  # Monday 16 November 2026, 15:00
    1794787200.0
    """
    return math.floor((time - MONDAY) / WEEK) * WEEK + MONDAY


class _Counter:
    """Sums over matches, and the same by week."""

    def __init__(self) -> None:
        self.sums = rest.Sums()
        self._weeks: dict[float, rest.Week] = {}

    def add(self, match: rest.MyMatch, gains: Iterable[float]) -> None:
        start = week_of(match.finished)
        week = self._weeks.setdefault(start, rest.Week(start=start))
        numbers = list(gains)
        for sums in (self.sums, week):
            sums.matches += 1
            sums.wins += match.seats[0] in match.summary.winners
            sums.rounds += len(numbers)
            sums.gain = round(sums.gain + sum(numbers), 2)

    @property
    def weeks(self) -> list[rest.Week]:
        return [self._weeks[start] for start in sorted(self._weeks)]


Errors = dict[str, list[dict[str, ErrorRate]]]
"""By match: the errors of each own seat that was reviewed, by phase."""


def errors_by_match(found: Iterable[ReviewErrors]) -> Errors:
    """Complete reviews of a guest's seats, by match."""
    errors: Errors = {}
    for one in found:
        errors.setdefault(one.record, []).append(msgspec.json.decode(one.errors, type=dict[str, ErrorRate]))
    return errors


def error_rate(match: rest.MyMatch, errors: Errors) -> float | None:
    """Points lost per decision of a match; None if it was not reviewed."""
    sums = _error_sums(errors.get(match.id, ())).get("all")
    return None if sums is None or not sums.decisions else round(sums.lost / sums.decisions, 3)


def _error_sums(found: Iterable[dict[str, ErrorRate]]) -> dict[str, rest.ErrorSums]:
    sums: dict[str, rest.ErrorSums] = {}
    for errors in found:
        for phase, rate in errors.items():
            if rate.decisions:
                one = sums.setdefault(phase, rest.ErrorSums(0.0, 0))
                one.lost, one.decisions = round(one.lost + rate.lost, 3), one.decisions + rate.decisions
    return sums


def error_weeks(matches: Iterable[rest.MyMatch], errors: Errors) -> list[rest.ErrorWeek]:
    """Errors week by week, from the matches that were reviewed."""
    weeks: dict[float, list[dict[str, ErrorRate]]] = {}
    for match in matches:
        if match.id in errors:
            weeks.setdefault(week_of(match.finished), []).extend(errors[match.id])
    return [rest.ErrorWeek(start, _error_sums(weeks[start])) for start in sorted(weeks)]


def statistics_of(
    matches: Iterable[rest.MyMatch], wanted: MatchFilter, left: int, errors: Errors | None = None
) -> rest.MatchStatistics:
    """Sums over the matches that meet the conditions, and what a query may ask for."""
    matches = list(matches)
    whole, listed = _Counter(), 0
    groups: dict[tuple[Literal["edition", "level", "partner"], str, bool], _Counter] = {}
    editions, players, against = set(), set(), set()
    for match in matches:
        editions.add(match.edition)
        players.add(match.summary.players)
        against |= opponents_of(match)
        if not wanted.fit(match):
            continue
        listed += 1
        if _result(match) == "uncounted":
            continue
        whole.add(match, match.gains)
        groups.setdefault(("edition", match.edition, False), _Counter()).add(match, match.gains)
        for level in {word for is_name, word in opponents_of(match) if not is_name}:
            groups.setdefault(("level", level, True), _Counter()).add(match, match.gains)
        by_partner: dict[tuple[bool, str], list[float]] = {}
        for gain, partner in _rounds_with(match):
            by_partner.setdefault(partner, []).append(gain)
        for (is_name, word), gains in by_partner.items():
            groups.setdefault(("partner", word, not is_name), _Counter()).add(match, gains)
    found = [
        rest.MatchGroup(by, key, is_bot, counter.sums, counter.weeks) for (by, key, is_bot), counter in groups.items()
    ]
    found.sort(key=lambda group: (-group.sums.matches, -group.sums.rounds, group.key))
    return rest.MatchStatistics(
        listed=listed,
        sums=whole.sums,
        weeks=whole.weeks,
        groups=found[:MAX_GROUPS],
        editions=sorted(editions),
        players=sorted(players),
        against=[_key(*one) for one in sorted(against)][:MAX_OPPONENTS],
        left=left,
        errors=error_weeks(filter(wanted.fit, matches), errors or {}),
    )


def _rounds_with(match: rest.MyMatch) -> Iterator[tuple[float, tuple[bool, str]]]:
    """What each round with a partner was worth, and who that was; two partners of the same kind count once."""
    if not match.summary.sides:
        return
    for number, gain in enumerate(match.gains):
        partners = _partners(match.summary, number, match.seats[0])
        for who in {_who(match.summary, seat) for seat in partners if seat != match.seats[0]}:
            yield gain, who
