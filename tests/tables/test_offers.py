"""What the people at a table agree on: taking back, pausing, giving up; and who may watch; and a rematch."""

from __future__ import annotations

import random
from typing import Literal

import pytest

from atout.tables import Clock, Refused, Table, TableSettings, check_fair, new_secret
from atout.tables import commands as c
from atout.tables import events as e
from atout.tables.chat import MAX_ASKED
from tests.tables.players import Driver, as_json, people


def code(table: Driver, command: c.Command, by: str | None) -> str:
    with pytest.raises(Refused) as found:
        table.do(command, by)
    return found.value.code


def played(table: Driver) -> int:
    """The seat in turn acts; which one it was."""
    seat = table.asked()[0]
    table.act(f"g{seat}", table.legal(f"g{seat}")[0])
    return seat


# ------------------------------------------------------------------ taking back


def test_all_people_have_to_agree_to_a_takeback() -> None:
    table = people(seats=["open", "open", "open", "random"])
    while table.asked()[0] != 0:
        table.step(random.Random(1))
    before = table.view("g1").game
    seat = played(table)
    assert table.view(f"g{seat}").may_take_back
    table.do(c.Offer(what="takeback"), f"g{seat}")
    assert code(table, c.Offer(what="pause"), "g1") == "offer-open"
    assert code(table, c.Answer(yes=True), f"g{seat}") == "has-answered"
    assert code(table, c.Answer(yes=True), "stranger") == "no-seat"
    assert [type(event) for event in table.do(c.Answer(yes=True), "g1")] == [e.Answered]
    offer = table.view("g2").offer
    assert offer is not None
    assert (offer.what, offer.seat, offer.agreed) == ("takeback", 0, [0, 1])
    assert [type(event) for event in table.do(c.Answer(yes=True), "g2")] == [e.Answered, e.TakenBack]
    assert table.view("g1").game == before
    assert table.view("g1").offer is None
    assert code(table, c.Offer(what="takeback"), f"g{seat}") == "nothing-to-take-back"


def test_one_no_is_enough() -> None:
    table = people()
    seat = played(table)
    table.do(c.Offer(what="takeback"), f"g{seat}")
    table.do(c.Answer(yes=False), f"g{(seat + 2) % 4}")
    assert table.view("g0").offer is None
    assert code(table, c.Answer(yes=True), f"g{(seat + 1) % 4}") == "no-offer"
    assert code(table, c.Offer(what="takeback"), f"g{seat}") == "was-declined"
    played(table)
    table.do(c.Offer(what="takeback"), f"g{(seat + 1) % 4}")


def test_nothing_is_taken_back_after_the_next_action() -> None:
    table = people()
    seat = played(table)
    table.do(c.Offer(what="takeback"), f"g{seat}")
    played(table)
    assert table.view("g0").offer is None
    assert code(table, c.Offer(what="takeback"), f"g{seat}") == "nothing-to-take-back"
    assert code(people(takeback=False), c.Offer(what="takeback"), "g0") == "no-takebacks"


def test_nothing_is_taken_back_after_cards_were_uncovered() -> None:
    """Not after the reveal of choices, not after the last card of a round: both show new cards."""
    table = people("nichtig", 3)
    while table.phase == "lay":
        seat = table.asked()[0]
        table.act(f"g{seat}", table.legal(f"g{seat}")[0])
    assert code(table, c.Offer(what="takeback"), f"g{seat}") == "nothing-to-take-back"
    while True:
        seat = played(table)
        view = table.view("g0").game
        assert view is not None
        if view["round"] == 2:
            break
    assert not table.view(f"g{seat}").may_take_back
    assert code(table, c.Offer(what="takeback"), f"g{seat}") == "nothing-to-take-back"


def test_bots_wait_while_a_takeback_is_offered() -> None:
    table = people(seats=["open", "open", "random", "random"])
    rng = random.Random(1)
    while table.asked() != [1]:
        table.step(rng)
    played(table)
    assert [due.seat for due in table.table.bot_turns()] == [2]
    table.do(c.Offer(what="takeback"), "g1")
    assert table.table.bot_turns() == []
    deadline = table.table.next_deadline()
    assert deadline == table.now + 60
    table.now += 60
    assert [type(event) for event in table.do(c.Tick(), None)] == [e.OfferEnded]
    assert [due.seat for due in table.table.bot_turns()] == [2]


def test_alone_one_agrees_with_oneself() -> None:
    table = people(seats=["open", "random", "random", "random"])
    while table.asked() != [0]:
        table.step(random.Random(1))
    played(table)
    assert [type(event) for event in table.do(c.Offer(what="takeback"), "g0")] == [e.Offered, e.TakenBack]
    assert table.asked() == [0]


def test_who_is_gone_need_not_agree() -> None:
    table = people()
    seat = played(table)
    table.do(c.Offer(what="takeback"), f"g{seat}")
    others = [other for other in range(4) if other != seat]
    table.do(c.Answer(yes=True), f"g{others[0]}")
    table.do(c.StandIn(), f"g{others[1]}")
    assert code(table, c.Answer(yes=True), f"g{others[1]}") == "stood-in"
    assert code(table, c.Offer(what="pause"), f"g{others[1]}") == "stood-in"
    assert [type(event) for event in table.do(c.Away(seat=others[2]), None)] == [e.WentAway]
    assert [type(event) for event in table.do(c.Leave(), f"g{others[2]}")] == [e.Left, e.TakenBack]


def test_who_is_away_does_not_hinder_a_pause() -> None:
    table = people("nichtig", 3)
    table.do(c.Offer(what="pause"), "g0")
    table.do(c.Answer(yes=True), "g1")
    assert [type(event) for event in table.do(c.Away(seat=2), None)] == [e.WentAway, e.Paused]
    table.do(c.Offer(what="resume"), "g1")
    assert [type(event) for event in table.do(c.Answer(yes=True), "g0")] == [e.Answered, e.Resumed]
    table.do(c.Offer(what="abort"), "g1")
    assert [type(event) for event in table.do(c.Answer(yes=True), "g0")] == [e.Answered]


def test_an_offer_ends_when_its_author_leaves() -> None:
    table = people()
    seat = played(table)
    table.do(c.Offer(what="pause"), f"g{seat}")
    assert [type(event) for event in table.do(c.Leave(), f"g{seat}")] == [e.Left, e.OfferEnded]


# ------------------------------------------------------------------ pausing, giving up


def test_pausing_and_going_on() -> None:
    table = people("nichtig", 3)
    assert code(table, c.Offer(what="resume"), "g0") == "not-paused"
    table.do(c.Offer(what="pause"), "g0")
    table.do(c.Answer(yes=True), "g1")
    table.do(c.Answer(yes=True), "g2")
    assert table.status == "paused"
    assert code(table, c.Act(action=table.legal("g0")[0]), "g0") == "is-paused"
    assert code(table, c.Offer(what="pause"), "g0") == "is-paused"
    table.do(c.Offer(what="resume"), "g1")
    table.do(c.Answer(yes=True), "g0")
    table.do(c.Answer(yes=True), "g2")
    assert table.status == "playing"
    table.act("g0", table.legal("g0")[0])


def test_a_match_is_given_up_by_consent() -> None:
    table = people("nichtig", 3)
    table.do(c.Offer(what="abort"), "g0")
    table.do(c.Answer(yes=True), "g1")
    assert table.status == "playing"
    table.do(c.Answer(yes=True), "g2")
    assert table.status == "closed"
    record = table.table.record()
    assert record is not None
    assert check_fair(record) == 1
    assert code(table, c.Offer(what="pause"), "g0") == "not-playing"
    assert code(table, c.Leave(), "g0") == "not-playing"
    table.do(c.Rematch(table="t2", secret=new_secret()), "g0")
    opening = table.table.rematch()
    assert opening is not None, "the same people may play again"
    assert [kept.guest for kept in opening[0].kept if kept is not None] == ["g0", "g1", "g2"]


# ------------------------------------------------------------------ spectators


def test_where_nobody_may_watch() -> None:
    table = Driver(TableSettings("nichtig", 3))
    assert table.view("stranger").status == "waiting"
    table.fill()
    with pytest.raises(Refused) as found:
        table.view("stranger")
    assert found.value.code == "no-spectators"
    assert [table.table.visible_event(event, "stranger") for event in table.events] == [None] * len(table.events)
    assert code(table, c.Watch(seat=0, name="Eve"), "eve") == "no-spectators"
    table.playout(random.Random(1))
    with pytest.raises(Refused) as found:
        table.view("stranger")
    assert found.value.code == "is-private"
    assert table.view("g0").status == "over"


@pytest.mark.parametrize("visibility", ["private", "public"])
def test_who_may_look_after_the_end(visibility: Literal["private", "public"]) -> None:
    """At a private table those who had a part or watched, and whoever looks already; not who finds it later."""
    table = people("nichtig", 3, spectators="leave", visibility=visibility)
    for guest in ("g0", "watcher", "watcher+1", "watcher"):
        table.do(c.Admit(guest=guest), None)
    admitted = [event for event in table.events if isinstance(event, e.Admitted)]
    assert [event.guest for event in admitted] == ["watcher"] * (visibility == "private"), "once, and no player"
    assert [table.table.visible_event(event, guest) for event in admitted for guest in ("g0", "watcher")] in (
        [],
        [None, None],
    )
    assert code(table, c.Admit(guest="stranger"), "stranger") == "server-only"
    table.do(c.Watch(seat=0, name="Eve"), "eve")
    table.do(c.MoveSeat(seat=2, guest="phone"), None)
    assert table.view("stranger").status == "playing"
    table.playout(random.Random(1))
    for guest in ("g0", "g2", "phone", "eve", "watcher"):
        assert table.view(guest).hands, guest
    late = len(table.events)
    table.do(c.Admit(guest="stranger"), None)
    assert len(table.events) == late, "nobody is admitted after the end"
    views = table.table.views(table.now)
    assert views.own("stranger", is_new=False)["seat"] is None, "they stay"
    if visibility == "public":
        assert table.view("stranger").hands
    else:
        with pytest.raises(Refused) as found:
            table.view("stranger")
        assert found.value.code == "is-private"


def test_public_spectators_see_no_hand() -> None:
    table = people("nichtig", 3, spectators="public")
    view = table.view("stranger")
    assert view.game is not None
    assert (view.seat, view.game["seat"], view.game["hand"], view.game["turn"]) == (None, None, [], None)
    assert (view.choice, view.decision, view.hands, view.secret) == ([], None, [], "")
    assert code(table, c.Watch(seat=0, name="Eve"), "eve") == "no-leave"


def test_a_seat_gives_leave_to_watch_and_withdraws_it() -> None:
    table = people("nichtig", 3, spectators="leave")
    table.do(c.Watch(seat=1, name="Eve"), "eve")
    assert code(table, c.Watch(seat=1, name="Eve"), "eve") == "asks-already"
    assert code(table, c.Watch(seat=2, name="Eve"), "eve") == "asks-already", "one request at a time"
    assert code(table, c.Watch(seat=2, name="Eve"), "eve+1") == "asks-already", "and one for a device"
    table.do(c.Show(watcher=0, yes=False), "g1")
    assert code(table, c.Watch(seat=1, name="Eve"), "eve") == "watch-declined", "nobody is asked twice"
    assert code(table, c.Watch(seat=1, name="Eva"), "eve+1") == "watch-declined", "nor under another name"
    assert table.view("g1").watchers == []
    assert [(one.seat, one.declined) for one in table.view("eve").watchers] == [(1, True)]
    table.do(c.Watch(seat=2, name="Eve"), "eve")
    assert code(table, c.Watch(seat=1, name="Ann"), "g0") == "is-seated"
    assert table.view("eve").seat is None
    assert table.view("g0").watchers == []
    assert code(table, c.Show(watcher=0, yes=True), "g0") == "no-such-watcher"
    table.do(c.Show(watcher=0, yes=True), "g1")
    mine, hers = table.view("g1"), table.view("eve")
    assert hers.game == mine.game
    assert (hers.seat, hers.is_yours) == (1, False)
    assert code(table, c.Show(watcher=1, yes=True), "g2") == "has-watched"
    table.do(c.Show(watcher=0, yes=False), "g1")
    assert table.view("eve").seat is None
    assert code(table, c.Show(watcher=1, yes=True), "g2") == "has-watched"
    assert code(table, c.MoveSeat(seat=2, guest="eve"), None) == "one-hand"
    assert code(table, c.Act(action=table.legal("g1")[0]), "eve") == "no-seat"
    asked_event = next(event for event in table.events if isinstance(event, e.WatchAsked))
    assert table.table.visible_event(asked_event, "g0") is None
    assert table.table.visible_event(asked_event, "eve") is not None


def test_only_so_many_may_ask() -> None:
    table = people("nichtig", 3, spectators="leave")
    for i in range(20):
        table.do(c.Watch(seat=0, name="Eve"), f"eve{i}")
    assert code(table, c.Watch(seat=0, name="Eve"), "eve") == "too-many-spectators"
    table.do(c.Show(watcher=7, yes=True), "g0")
    assert code(table, c.Watch(seat=0, name="Eve"), "eve") == "too-many-spectators"
    table.do(c.Show(watcher=8, yes=False), "g0")
    table.do(c.Watch(seat=0, name="Eve"), "eve")


def test_a_table_remembers_only_so_many_requests() -> None:
    table = people("nichtig", 3, spectators="leave")
    for i in range(MAX_ASKED):
        asked = table.do(c.Watch(seat=0, name="Eve"), f"eve{i}")
        assert [event.watcher for event in asked if isinstance(event, e.WatchAsked)] == [i]
        table.do(c.Show(watcher=i, yes=False), "g0")
        table.now += 2
    assert code(table, c.Watch(seat=0, name="Eve"), "eve") == "too-many-spectators"
    table.do(c.TakeRequests(yes=False), "g0")
    table.do(c.TakeRequests(yes=True), "g0")
    again = table.do(c.Watch(seat=0, name="Eve"), "eve7")
    assert [event.watcher for event in again if isinstance(event, e.WatchAsked)] == [7], "the place they had"
    assert code(table, c.Watch(seat=0, name="Eve"), "eve") == "too-many-spectators"
    assert len(Table.from_events(table.events).view_for("g0", table.now).watchers) == 1


def test_leave_ends_when_the_seat_changes_hands_before_the_match() -> None:
    """Whoever sits down shows their cards to nobody to whom they did not agree."""
    table = Driver(TableSettings("nichtig", 3, spectators="leave"))
    table.do(c.Sit(name="Bob", seat=1), "bob")
    table.do(c.Watch(seat=1, name="Eve"), "eve")
    table.do(c.Show(watcher=0, yes=True), "bob")
    table.do(c.Watch(seat=1, name="Fay"), "fay")
    table.do(c.TakeRequests(yes=False), "bob")
    table.do(c.Leave(), "bob")
    table.fill()
    assert [table.view(guest).seat for guest in ("eve", "fay")] == [None, None]
    assert (table.view("g1").watchers, table.view("g1").seats[1].takes_requests) == ([], True)
    table.do(c.Watch(seat=1, name="Fay"), "fay")
    assert [one.name for one in table.view("g1").watchers] == ["Fay"], "whom the one before declined may ask"


def test_open_hands_after_the_end() -> None:
    table = people("nichtig", 3).playout(random.Random(1))
    view = table.view("g0")
    record = table.table.record()
    assert record is not None
    assert view.hands == record["rounds"][-1]["hands"]
    assert view.secret == record["fair"]["secret"]
    assert view.entropy == record["fair"]["entropy"]
    assert code(table, c.Act(action="0 play R1"), "g0") == "is-over"
    assert code(table, c.Rename(name="Ann"), "g0") == "is-over"
    assert code(table, c.Watch(seat=0, name="Eve"), "eve") == "no-spectators"
    assert table.table.next_deadline() is None


# ------------------------------------------------------------------ rematch


def test_a_rematch_keeps_the_seats_and_shuffles_again() -> None:
    table = people("nichtig", 3, seats=["open", "open", "random"])
    assert code(table, c.Rematch(table="t2", secret=new_secret()), "g0") == "not-over"
    assert table.table.rematch() is None
    table.playout(random.Random(1))
    assert code(table, c.Rematch(table="t2", secret=new_secret()), "stranger") == "no-seat"
    secret = new_secret()
    table.do(c.Rematch(table="t2", secret=secret), "g1")
    assert code(table, c.Rematch(table="t3", secret=new_secret()), "g0") == "rematch-made"
    assert table.view("g0").rematch == "t2"
    again = Table.from_events(table.events).rematch()
    assert again == table.table.rematch()
    assert again is not None
    opening, host = again
    assert host == "g0"
    second = Table()
    for event in second.decide(opening, host, 5.0):
        second.apply(event)
    view = second.view_for("g0", 5.0)
    assert [(seat.kind, seat.name) for seat in view.seats] == [("kept", "Guest 0"), ("kept", "Guest 1"), ("bot", "")]
    assert view.previous == "t1"
    assert view.commitment != table.view("g0").commitment
    with pytest.raises(Refused) as found:
        second.decide(c.Sit(name="Eve", seat=1), "eve", 5.0)
    assert found.value.code == "seat-kept"
    with pytest.raises(Refused):
        second.decide(c.Sit(name="Eve"), "eve", 5.0)
    for guest in ("g1", "g0"):
        for event in second.decide(c.Sit(name="Again", entropy="aa"), guest, 5.0):
            second.apply(event)
    assert second.status == "playing"
    assert [second.seat_of("g0"), second.seat_of("g1")] == [0, 1]
    assert second.view_for("g0", 5.0).entropy == ["aa", "aa", ""]
    assert secret not in as_json(second.view_for("g0", 5.0)).decode()


def test_a_seat_kept_for_somebody_who_does_not_come_can_be_opened() -> None:
    table = people("nichtig", 3).playout(random.Random(1))
    table.do(c.Rematch(table="t2", secret=new_secret()), "g0")
    again = table.table.rematch()
    assert again is not None
    second = Table()
    for command, by in [
        (again[0], again[1]),
        (c.SetSeat(seat=2, to="open"), "g0"),
        (c.Sit(name="Eve"), "eve"),
        (c.SetSeat(seat=1, to="random"), "g0"),
        (c.Sit(name="Ann"), "g0"),
    ]:
        for event in second.decide(command, by, 5.0):
            second.apply(event)
    assert second.status == "playing"
    assert second.seat_of("eve") == 2


# ------------------------------------------------------------------ vacations


def test_a_vacation_at_a_table_with_days_per_move_ends_by_itself() -> None:
    table = people(clock=Clock("days", 3))
    seat = table.asked()[0]
    table.now += 86_400
    table.do(c.Offer(what="pause", days=7), "g0")
    offer = table.view("g1").offer
    assert offer is not None
    assert (offer.days, offer.ends - table.now) == (7, 3 * 86_400), "as much time for an answer as for a move"
    for other in ("g1", "g2"):
        table.do(c.Answer(yes=True), other)
    assert table.table.status == "playing", "all people are asked"
    table.do(c.Answer(yes=True), "g3")
    view = table.view("g2")
    assert (view.status, view.paused_until) == ("paused", table.now + 7 * 86_400)
    assert table.table.next_deadline() == view.paused_until
    table.now += 7 * 86_400
    assert [type(event) for event in table.do(c.Tick(), None)] == [e.Resumed]
    view = table.view("g2")
    assert (view.status, view.paused_until) == ("playing", None)
    assert view.seats[seat].clock == 2 * 86_400, "the clock stood still"


def test_a_vacation_can_end_earlier_by_consent() -> None:
    table = people(clock=Clock("days", 1))
    table.do(c.Offer(what="pause", days=30), "g0")
    for other in ("g1", "g2", "g3"):
        table.do(c.Answer(yes=True), other)
    for guest in ("g0", "g1", "g2", "g3"):
        table.do(c.Offer(what="resume") if guest == "g0" else c.Answer(yes=True), guest)
    assert table.table.status == "playing"
    assert table.table.next_deadline() == table.now + 86_400


def test_only_tables_with_days_per_move_have_vacations() -> None:
    assert code(people(), c.Offer(what="pause", days=7), "g0") == "no-vacation"
    assert code(people(clock=Clock("days", 1)), c.Offer(what="abort", days=7), "g0") == "no-vacation"
