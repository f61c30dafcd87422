"""My matches: the list with conditions and pages, and the statistics, from summaries of new and old records."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from atout.game import Game
from atout.protocol import rest
from atout.search.gain import gain
from atout.server.matches.mine import (
    MatchFilter,
    error_rate,
    error_weeks,
    errors_by_match,
    match_of,
    statistics_of,
    week_of,
)
from atout.server.matches.summary import completed, summary_of
from atout.store import ListedRecord, ReviewErrors
from tests.records.samples import whole
from tests.server.background import Background
from tests.server.client import Party
from tests.server.scenarios import alone, together


def listed(
    edition: str = "niet-2015", seat: int = 0, bots: list[str | None] | None = None, at: float = 1e9, **changes: Any
) -> ListedRecord:
    """A match of a guest who sat there."""
    record = whole(edition, 4)
    record |= {"names": ["Ann", "Bo", "Cy", "Di"], "bots": bots or [None, None, "club", "club"]}
    game = Game.from_record(whole(edition, 4))
    summary = msgspec.json.decode(summary_of(record, game.totals, game.winners, game.past()))
    return ListedRecord(f"{edition} {at} {seat}", edition, at, msgspec.json.encode(summary | changes), (seat,))


def test_a_summary_has_the_rounds_of_the_match() -> None:
    record = whole("niet-2015", 4)
    game = Game.from_record(record)
    match = match_of(listed(seat=2))
    summary = match.summary
    assert summary.round_points == [one["scores"] for one in game.past()]
    assert [sum(column) for column in zip(*summary.round_points, strict=True)] == summary.totals == game.totals
    expected = [round(gain(one["scores"], game.setup, 2), 2) for one in game.past()]
    assert match.gains == pytest.approx(expected)
    assert summary.sides == [one["sides"] for one in game.past()]
    assert sorted(summary.places) == [1, 2, 3, 4]
    assert summary.totals[summary.places.index(1)] == max(summary.totals)


def test_an_old_summary_is_completed_from_the_record() -> None:
    record = whole("niet-2015", 4) | {"names": ["Ann", "Bo", "Cy", "Di"], "bots": [None] * 4}
    game = Game.from_record(whole("niet-2015", 4))
    new = summary_of(record, game.totals, game.winners, game.past())
    fields = ("players", "names", "totals", "winners", "rounds", "bots")
    old = msgspec.json.encode({key: value for key, value in msgspec.json.decode(new).items() if key in fields})
    assert msgspec.json.decode(old, type=rest.RecordSummary).round_points is None
    assert msgspec.json.decode(completed(old, msgspec.json.encode(record))) == msgspec.json.decode(new)


def test_matches_that_do_not_count_say_why() -> None:
    winner = match_of(listed()).summary.winners[0]
    assert match_of(listed(seat=winner)).tag == ""
    assert (match_of(listed(seat=winner)).place, match_of(listed(seat=winner)).margin > 0) == (1, True)
    assert match_of(listed(seat=winner, stand_ins=[winner])).tag == "stand-in"
    given_up = match_of(listed(winners=[], places=[], margins=[]))
    assert (given_up.tag, given_up.place) == ("given-up", 0)


def test_conditions() -> None:
    won = match_of(listed(seat=match_of(listed()).summary.winners[0]))
    loser = (won.seats[0] + 1) % 4
    lost = match_of(listed(seat=loser))
    up = match_of(listed("nichtig", winners=[], places=[], margins=[], bots=[None, "learned", "learned", "learned"]))
    cases = {
        MatchFilter(): [won, lost, up],
        MatchFilter(edition="nichtig"): [up],
        MatchFilter(players=4): [won, lost, up],
        MatchFilter(players=3): [],
        MatchFilter(against="bot:club"): [won, lost],
        MatchFilter(against="name:Bo"): [one for one in (won, lost) if one.seats != [1]],
        MatchFilter(against="people"): [won, lost],
        MatchFilter(against="bots"): [up],
        MatchFilter(result="won"): [won],
        MatchFilter(result="lost"): [lost],
        MatchFilter(result="uncounted"): [up],
    }
    for conditions, expected in cases.items():
        assert [one for one in (won, lost, up) if conditions.fit(one)] == expected, conditions


def test_statistics_add_up() -> None:
    week = 7 * 86_400.0
    matches = [
        match_of(listed(at=1e9)),
        match_of(listed(at=1e9 + week)),
        match_of(listed(at=1e9 + week, seat=0, bots=[None, "club", "club", "learned"])),
        match_of(listed(at=1e9 + 2 * week, winners=[], places=[], margins=[])),
    ]
    found = statistics_of(matches, MatchFilter(), 0)
    counted = matches[:3]
    assert (found.listed, found.sums.matches) == (4, 3)
    assert found.sums.wins == sum(one.place == 1 for one in counted)
    assert found.sums.gain == pytest.approx(sum(sum(one.gains) for one in counted), abs=0.01)
    assert [(one.start, one.matches) for one in found.weeks] == [(week_of(1e9), 1), (week_of(1e9 + week), 2)]
    groups = {(group.by, group.key): group for group in found.groups}
    assert groups["edition", "niet-2015"].sums == found.sums
    assert groups["level", "learned"].sums.matches == 1
    assert groups["level", "club"].sums.matches == 3
    partners = [group for group in found.groups if group.by == "partner"]
    assert {(group.key, group.is_bot) for group in partners} <= {
        ("Bo", False), ("club", True), ("learned", True),
    }  # fmt: skip
    sides = [next(side for side in sides if 0 in side) for one in counted for sides in one.summary.sides]
    alone_or_not = sum(len(side) > 1 for side in sides)
    assert sum(group.sums.rounds for group in partners) == alone_or_not > 0
    assert found.against == ["bot:club", "bot:learned", "name:Bo"]
    assert statistics_of(matches, MatchFilter(against="bot:learned"), 7).left == 7


def test_the_list_over_rest(lone: Background) -> None:
    async def play() -> None:
        async with Party(lone.url) as party:
            ann, bob, table = await together(party)
            [match] = (await ann.get("/api/matches"))["matches"]
            assert (match["id"], match["seats"], match["summary"]["names"][:2]) == (table, [0], ["Ann", "Bob"])
            [his] = (await bob.get("/api/matches?edition=nichtig&players=3&against=name%3AAnn"))["matches"]
            assert (his["seats"], his["points"]) == ([1], match["summary"]["totals"][1])
            assert (await bob.get("/api/matches?against=name%3ABob"))["matches"] == []
            sums = await ann.get("/api/matches/statistics")
            assert (sums["sums"]["matches"], sums["players"], sums["against"]) == (1, [3], ["bot:random", "name:Bob"])
            assert (await party.people[0].http.get("/api/matches?players=x")).json()["code"] == "bad-query"
            assert (await party.people[0].http.get("/api/matches?after=x")).json()["code"] == "bad-query"
            cid, _ = await alone(party, "Cid")
            assert len((await cid.get("/api/matches?against=bots"))["matches"]) == 1

    asyncio.run(play())


def test_pages_of_the_list_have_every_match_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the handler itself, with a list that is longer than a page."""
    from types import SimpleNamespace

    from atout.server.http import matches

    entries = [listed(at=1e9 - i, seat=i % 2) for i in range(3 * matches.PAGE - 5)]

    async def records(_guest: str, after: ListedRecord | None, limit: int) -> list[ListedRecord]:
        first = 0 if after is None else [one.id for one in entries].index(after.id) + 1
        return entries[first : first + limit]

    async def review_errors(_guest: str) -> list[ReviewErrors]:
        return []

    async def ask(**query: str) -> list[str]:
        seen: list[str] = []
        after = ""
        while True:
            request = SimpleNamespace(query_params={**query, "after": after})
            store = SimpleNamespace(records=records, review_errors=review_errors)
            call: Any = SimpleNamespace(store=store, guest="ann", request=request)
            page = await matches.my_matches(call)
            assert len(page.matches) <= matches.PAGE
            seen += [one.id for one in page.matches]
            after = page.next
            if not after:
                return seen

    monkeypatch.setattr(matches, "SCANNED", 7)
    assert asyncio.run(ask()) == [one.id for one in entries]
    won = [one.id for one in entries if match_of(one).place == 1]
    assert asyncio.run(ask(result="won")) == won


def test_errors_of_reviews_are_summed_by_week() -> None:
    """Of all own seats together; a phase without decisions that count is left out."""
    first, later, unknown = (match_of(listed(at=1e9 + days * 86_400.0)) for days in (0, 1, 21))
    errors = {
        "tricks": {"decisions": 4, "obvious": 3, "lost": 2.0, "rate": 0.5},
        "veto": {"decisions": 0, "obvious": 5, "lost": 0.0, "rate": None},
        "all": {"decisions": 4, "obvious": 8, "lost": 2.0, "rate": 0.5},
    }
    body = msgspec.json.encode(errors)
    found = errors_by_match(ReviewErrors(id, seat, body) for id, seat in [(first.id, 0), (later.id, 0), (later.id, 2)])
    assert [error_rate(match, found) for match in (first, unknown)] == [0.5, None]
    weeks = error_weeks([first, later, unknown], found)
    assert sum(week.errors["tricks"].decisions for week in weeks) == 12
    assert sum(week.errors["all"].lost for week in weeks) == 6.0
    assert all("veto" not in week.errors for week in weeks)
