"""Matches that are played on from a decision of another one: where they begin, and that they tell no secrets."""

from __future__ import annotations

import msgspec
import pytest

from atout import Game
from atout.errors import RecordError
from atout.game.view import SECRET_NAMES
from atout.tables import Table, TableSettings, new_secret
from atout.tables import commands as c
from atout.tables.events import decode, encode
from atout.tables.origin import Origin, origin_of
from tests.records.samples import whole

GAMES = [("niet-2015", 4), ("nichtig", 3)]


def opened(edition: str, players: int, origin: Origin) -> tuple[Table, list[bytes]]:
    """A table of Ann with bots, after she sat down; and its log."""
    table, log = Table(), []
    levels = ["open" if seat == origin.seat else "random" for seat in range(players)]
    settings = TableSettings(edition, players, seats=levels)
    opening = c.Open(table="t", settings=settings, secret=new_secret(), origin=origin)
    for command in (opening, c.Sit(name="Ann", entropy="ab")):
        for event in table.decide(command, "ann", 0.0):
            table.apply(event)
            log.append(encode(event))
    return table, log


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_the_match_begins_at_the_decision(edition: str, players: int) -> None:
    record = whole(edition, players)
    seen = set()
    for round in (0, 1):
        for index, words in enumerate(record["rounds"][round]["actions"]):
            seat = int(words.split()[0])
            origin = origin_of(record, "records/x", round, index)
            game = origin.start(Game.from_record(record).setup, lambda _: pytest.fail("a deal of the record is known"))
            assert origin.seat == seat
            assert game.round == round + 1
            played = game.record()["rounds"]
            assert played[:round] == record["rounds"][:round]
            begun = played[round]["actions"]
            assert record["rounds"][round]["actions"][: len(begun)] == begun
            seen.add(game.phase)
            if game.phase in SECRET_NAMES:
                later = record["rounds"][round]["actions"][len(begun) : index + 1]
                assert game.turn == int(later[0].split()[0])
                assert len({one.split()[1] for one in later}) == 1, "back to where all began to choose, no further"
            else:
                assert (len(begun), game.turn) == (index, seat)
                assert words in map(str, game.legal())
    assert len(seen) > 1


@pytest.mark.parametrize("bad", [(9999, 0), (0, 9999)])
def test_what_is_not_in_the_record_is_named(bad: tuple[int, int]) -> None:
    with pytest.raises(RecordError, match="9999; expected 0 to"):
        origin_of(whole("nichtig", 3), "records/x", *bad)


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_the_table_shows_one_hand_and_keeps_the_rest(edition: str, players: int) -> None:
    record = whole(edition, players)
    actions = record["rounds"][1]["actions"]
    index = len(actions) - 2 * players
    origin = origin_of(record, "records/x", 1, index)
    table, log = opened(edition, players, origin)
    assert table.is_played_on
    view = table.view_for("ann", 0.0)
    assert view.seat == int(actions[index].split()[0])
    assert view.origin is not None
    assert (view.origin.source, view.origin.seat, view.origin.round) == ("records/x", view.seat, 1)
    game = origin.start(Game.from_record(record).setup, lambda _: [])
    assert view.game is not None
    assert view.game["hand"] == game.view(view.seat)["hand"]
    assert view.hands == []
    visible = [table.visible_event(decode(event), "ann") for event in log]
    assert b'"hands"' in log[0]
    assert all(b'"hands"' not in encode(event) and b'"rounds"' not in encode(event) for event in visible if event)
    assert b'"hands":["' not in msgspec.json.encode(view)

    again = Table.from_events(map(decode, log))
    assert again.view_for("ann", 0.0) == view, "the log is all there is to keep"


def test_it_goes_on_with_its_own_deals_and_has_no_proof_of_the_first_ones() -> None:
    record = whole("nichtig", 3)
    table, _ = opened("nichtig", 3, origin_of(record, "records/x", 0, len(record["rounds"][0]["actions"]) - 1))
    now = 1.0
    while not table.is_finished:
        for turn in table.bot_turns():
            events = table.decide(c.Act(action=turn.legal[0], decision=turn.decision), None, now)
            for event in events:
                table.apply(event)
            break
        else:
            view = table.view_for("ann", now)
            assert view.game is not None
            for event in table.decide(c.Act(action=view.game["legal"][0], decision=view.decision), "ann", now):
                table.apply(event)
    kept = table.record()
    assert kept is not None
    assert "fair" not in kept
    assert kept["rounds"][0]["hands"] == record["rounds"][0]["hands"]
    assert Game.from_record(kept).is_over
    for event in table.decide(c.Rematch(table="u", secret=new_secret()), "ann", now):
        table.apply(event)
    opening = table.rematch()
    assert opening is not None
    assert opening[0].origin is not None, "once more from the same decision"
