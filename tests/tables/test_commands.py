"""Seats, consent, talk and what a table refuses: every refusal with its code, every command done once."""

from __future__ import annotations

import random
from typing import Any

import pytest

from atout.game.view import OWN_KEYS
from atout.tables import AlreadyDone, Clock, Refused, Table, TableSettings, decode, new_secret
from atout.tables import commands as c
from atout.tables import events as e
from atout.tables.refusals import TEXTS, refuse
from tests.tables.players import SECRET, Driver, people


def refused(table: Driver, command: c.Command, by: str | None) -> str:
    number = table.table.number
    with pytest.raises(Refused) as found:
        table.do(command, by)
    assert table.table.number == number
    assert str(found.value)
    return found.value.code


def waiting(**more: Any) -> Driver:
    """A table with one person of four; the host has no seat."""
    table = Driver(TableSettings("niet-2015", 4, **more), host="host")
    table.do(c.Sit(name="Ann"), "ann")
    return table


# ------------------------------------------------------------------ opening and sitting


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        (TableSettings("poker", 4), "edition"),
        (TableSettings("/etc/passwd", 4), "edition"),
        (TableSettings({"id": "x"}, 4), "game"),
        (TableSettings("niet-2015", 6), "players"),
        (TableSettings("niet-2015", 4, {"teams": True}), "teams"),
        (TableSettings("niet-2015", 4, seats=["open"]), "seats"),
        (TableSettings("niet-2015", 4, seats=["open"] * 3 + ["os:system"]), "seats"),
        (TableSettings("niet-2015", 4, stand_in="guru"), "stand_in"),
        (TableSettings("niet-2015", 4, clock=Clock("decision", 0)), "clock.time"),
        (TableSettings("niet-2015", 4, clock=Clock("decision", 30, 5)), "clock.increment"),
        (TableSettings("niet-2015", 4, grace=-1), "grace"),
        (TableSettings("niet-2015", 4, shared=True, visibility="public"), "shared: true is not allowed"),
    ],
)
def test_settings_that_do_not_fit_are_named(settings: TableSettings, word: str) -> None:
    with pytest.raises(Refused, match=word) as found:
        Table().decide(c.Open(table="t", settings=settings, secret=SECRET), "host", 0.0)
    assert found.value.code == "bad-settings"


def test_opening() -> None:
    settings = TableSettings("niet-2015", 4)
    table = Table()
    assert table.status == "unopened"
    for command in (c.Sit(name="Ann"), c.Tick(), c.Start()):
        with pytest.raises(Refused) as found:
            table.decide(command, "ann", 0.0)
        assert found.value.code == "not-open"
    with pytest.raises(Refused):
        table.view_for("ann", 0.0)
    with pytest.raises(Refused) as found:
        table.decide(c.Open(table="t", settings=settings, secret=SECRET[2:]), "ann", 0.0)
    assert found.value.code == "bad-secret"
    driver = Driver(settings)
    assert refused(driver, c.Open(table="t", settings=settings, secret=new_secret()), "g0") == "is-open"


def test_sitting_down() -> None:
    table = waiting()
    assert refused(table, c.Sit(name="Ann"), "ann") == "already-seated"
    assert refused(table, c.Sit(name="Bob", seat=0), "bob") == "seat-taken"
    assert refused(table, c.Sit(name="Bob", seat=5), "bob") == "no-such-seat"
    assert refused(table, c.Sit(name=" \n", seat=1), "bob") == "bad-name"
    assert refused(table, c.Sit(name="x" * 31, seat=1), "bob") == "bad-name"
    assert refused(table, c.Sit(name="Bob", entropy="ab" * 65), "bob") == "bad-entropy"
    assert refused(table, c.Sit(name="Bob", entropy="xy"), "bob") == "bad-entropy"
    assert refused(table, c.Sit(name="Bob"), None) == "guests-only"
    table.do(c.Sit(name="  Bob\t the   Great "), "bob")
    assert table.view("bob").seats[1].name == "Bob the Great"
    table.do(c.Rename(name="Bobby"), "bob")
    assert table.view(None).seats[1].name == "Bobby"
    assert refused(table, c.Rename(name="x"), "eve") == "no-seat"
    table.do(c.Leave(), "bob")
    assert table.view(None).seats[1].kind == "open"
    assert refused(table, c.Leave(), "bob") == "no-seat"


def test_the_host_gives_seats_to_bots_and_starts() -> None:
    table = waiting(autostart=False)
    assert refused(table, c.SetSeat(seat=1, to="novice"), "ann") == "host-only"
    assert refused(table, c.SetSeat(seat=1, to="os:system"), "host") == "not-level"
    assert refused(table, c.SetSeat(seat=4, to="novice"), "host") == "no-such-seat"
    assert refused(table, c.Start(), "ann") == "host-only"
    assert refused(table, c.Start(), "host") == "seats-open"
    for seat in (1, 2, 3):
        table.do(c.SetSeat(seat=seat, to="random"), "host")
    assert refused(table, c.Sit(name="Bob"), "bob") == "no-free-seat"
    table.do(c.SetSeat(seat=2, to="open"), "host")
    table.do(c.Sit(name="Bob", seat=2), "bob")
    assert table.status == "waiting"
    table.do(c.Start(), "host")
    assert table.status == "playing"
    for command in (c.Start(), c.SetSeat(seat=1, to="open")):
        assert refused(table, command, "host") == "not-waiting"
    assert refused(table, c.Sit(name="Eve"), "eve") == "not-waiting"
    assert refused(table, c.Close(), "host") == "not-waiting"


def test_the_host_may_send_somebody_away_before_the_match() -> None:
    table = waiting()
    table.do(c.SetSeat(seat=0, to="open"), "host")
    assert table.table.seat_of("ann") is None


def test_a_bot_in_the_last_seat_starts_the_match() -> None:
    table = waiting()
    for seat in (1, 2, 3):
        assert table.status == "waiting"
        table.do(c.SetSeat(seat=seat, to="random"), "host")
    assert table.status == "playing"


def test_a_table_of_bots_plays_by_itself() -> None:
    table = Driver(TableSettings("nichtig", 3, seats=["random"] * 3, spectators="public"))
    assert table.status == "playing"
    rng = random.Random(1)
    while table.status == "playing":
        due = rng.choice(table.table.bot_turns())
        table.do(c.Act(action=due.legal[due.seed % len(due.legal)], decision=due.decision), None)
    assert table.table.record() is not None


def test_closing() -> None:
    table = waiting()
    assert refused(table, c.Close(), "ann") == "host-only"
    table.do(c.Close(), "host")
    assert table.status == "closed"
    assert table.table.record() is None
    assert refused(table, c.Close(), "host") == "is-over"
    assert refused(table, c.Sit(name="Bob"), "bob") == "not-waiting"
    running = people()
    with pytest.raises(Refused):
        running.table.record()
    running.do(c.Close(), None)
    record = running.table.record()
    assert record is not None
    assert "totals" not in record
    assert running.view("g0").secret == SECRET
    assert refused(running, c.Act(action="0 veto trump red"), "g0") == "not-playing"


def test_moving_a_seat_to_another_device() -> None:
    table = people()
    assert refused(table, c.MoveSeat(seat=0, guest="new"), "g0") == "server-only"
    assert refused(table, c.MoveSeat(seat=0, guest="g1"), None) == "already-seated"
    table.do(c.MoveSeat(seat=0, guest="new"), None)
    assert table.view("new").seat == 0
    assert table.view("new").is_host
    assert refused(table, c.Act(action="0 play R1"), "g0") == "no-seat"
    assert refused(waiting(), c.MoveSeat(seat=2, guest="new"), None) == "no-seat"


# ------------------------------------------------------------------ decisions


def test_what_is_refused_of_a_decision() -> None:
    table = people()
    seat = table.asked()[0]
    me, other = f"g{seat}", f"g{(seat + 1) % 4}"
    legal = table.legal(me)
    assert refused(table, c.Act(action=legal[0]), other) == "not-your-seat"
    assert refused(table, c.Act(action=legal[0]), "eve") == "no-seat"
    assert refused(table, c.Act(action="hello"), me) == "no-such-action"
    assert refused(table, c.Act(action=legal[0], decision=1), me) == "stale"
    assert refused(table, c.Act(action=f"{seat} play R1"), me) == "wrong-phase"
    assert refused(table, c.Act(action=f"{(seat + 1) % 4}{legal[0][1:]}"), other) == "not-your-turn"
    assert refused(table, c.Act(action=legal[0], decision=table.view(me).decision), None) == "not-a-bot"
    assert refused(table, c.Withdraw(), me) == "nothing-chosen"
    table.act(me, legal[0])
    with pytest.raises(Refused) as found:
        table.do(c.Act(action=f"{(seat + 1) % 4}{legal[0][1:]}"), other)
    assert (found.value.code, found.value.paragraph) == ("covered", "niet-2015 §3.3")
    assert found.value.reason.startswith("that cell is covered already; allowed: veto ")
    assert found.value.parameters == {"action": f"{(seat + 1) % 4}{legal[0][1:]}"}


def test_a_late_answer_of_a_bot_does_no_harm() -> None:
    table = Driver(TableSettings("niet-2015", 4, seats=["open"] + ["random"] * 3)).fill()
    while not table.table.bot_turns():
        table.act("g0", table.legal("g0")[0])
    (due,) = table.table.bot_turns()
    answer = c.Act(action=due.legal[0], decision=due.decision)
    assert refused(table, c.Act(action=due.legal[0]), None) == "stale"
    (event,) = table.do(answer, None)
    assert isinstance(event, e.Acted)
    assert event.bot == "random"
    assert refused(table, answer, None) in ("stale", "not-a-bot")


def test_a_forfeit_is_noted() -> None:
    table = Driver(TableSettings("nichtig", 3, seats=["open", "random", "random"])).fill()
    due = table.table.bot_turns()[0]
    (event,) = table.do(c.Act(action=due.legal[0], decision=due.decision, forfeit="hung"), None)
    assert isinstance(event, e.Chosen)
    assert event.forfeit == "hung"
    (own,) = table.do(c.Act(action=table.legal("g0")[0], forfeit="lie"), "g0")
    assert isinstance(own, e.Chosen)
    assert own.forfeit == ""


def test_hints_where_they_are_allowed() -> None:
    table = people(hints=True)
    seat = table.asked()[0]
    hint = table.table.hint(f"g{seat}")
    assert hint.legal == table.legal(f"g{seat}")
    with pytest.raises(Refused) as found:
        table.table.hint(f"g{(seat + 1) % 4}")
    assert found.value.code == "not-asked"
    with pytest.raises(Refused) as found:
        people().table.hint("g0")
    assert found.value.code == "no-hints"


def test_a_hint_for_two_cards_supposes_the_first() -> None:
    """The second card is asked for as if the first were chosen; the table knows nothing of it."""
    table = people(edition="nichtig", hints=True)
    me = "g0"
    first = table.table.hint(me)
    assert first.view["owed"] > 1
    second = table.table.hint(me, [first.legal[0]])
    assert second.view["owed"] == first.view["owed"] - 1
    assert second.view["chosen"] == [first.legal[0].split()[-1]]
    assert len(second.view["hand"]) == len(first.view["hand"]) - 1
    assert second.decision == first.decision
    assert table.table.hint(me).view == first.view, "nothing was chosen"
    hidden = [key for key in first.view if key not in OWN_KEYS and first.view.get(key) != second.view.get(key)]
    assert hidden == [], "nothing but their own hand and choice is different"


# ------------------------------------------------------------------ the same command twice


def test_a_command_is_carried_out_once() -> None:
    table = people()
    seat = table.asked()[0]
    me = f"g{seat}"
    command = c.Act(id="abc", action=table.legal(me)[0])
    done = table.do(command, me)
    for authority in (table.table, Table.from_events(table.events)):
        with pytest.raises(AlreadyDone) as found:
            authority.decide(command, me, table.now)
        assert list(found.value.numbers) == [event.number for event in done]
        assert found.value.parameters == {"first": done[0].number, "last": done[-1].number}
    table.do(c.Say(id="abc", text="another guest may use the same id"), f"g{(seat + 1) % 4}")
    assert refused(table, c.Say(id="x" * 65, text="hello"), me) == "bad-command-id"
    own = table.table.visible_event(done[0], me)
    assert own is not None
    assert own.command == "abc"
    others = table.table.visible_event(done[0], f"g{(seat + 1) % 4}")
    assert others is not None
    assert others.command == ""


def test_a_command_with_two_events_is_remembered_whole() -> None:
    table = Driver(TableSettings("nichtig", 3, seats=["open", "random", "random"]))
    table.do(c.Sit(id="s", name="Ann"), "ann")
    with pytest.raises(AlreadyDone) as found:
        table.table.decide(c.Sit(id="s", name="Ann"), "ann", 0.0)
    assert list(found.value.numbers) == [2, 3]


def test_only_the_latest_commands_are_remembered() -> None:
    table = people()
    for i in range(20):
        table.now += 10
        table.do(c.Say(id=str(i), text="hello"), "g0")
    with pytest.raises(AlreadyDone):
        table.do(c.Say(id="19", text="hello"), "g0")
    table.now += 10
    assert table.do(c.Say(id="0", text="hello"), "g0")


# ------------------------------------------------------------------ talk


def test_chat_is_limited_in_length_and_rate() -> None:
    table = people()
    assert refused(table, c.Say(text=""), "g0") == "bad-text"
    assert refused(table, c.Say(text="x" * 281), "g0") == "bad-text"
    assert refused(table, c.Say(text="hello"), "stranger") == "no-seat"
    for _ in range(5):
        table.do(c.Say(text="x" * 280), "g0")
    assert refused(table, c.Say(text="hello"), "g0") == "too-fast"
    table.do(c.Say(text="hello"), "g1")
    table.now += 10
    table.do(c.Say(text="good\nmorning"), "g0")
    line = table.view("g2").chat[-1]
    assert (line.seat, line.name, line.text) == (0, "Guest 0", "good morning")
    assert refused(people(chat=False), c.Say(text="hello"), "g0") == "no-chat"


# ------------------------------------------------------------------ completeness


def test_every_refusal_has_its_words() -> None:
    """And every code that has words is raised somewhere."""
    import re
    from pathlib import Path

    import atout.tables

    folder = Path(atout.tables.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    raised = set(re.findall(r'refuse\(\s*"([a-z-]+)"', source)) | {"not-open", "already-done"}
    assert raised == set(TEXTS)
    with pytest.raises(KeyError):
        refuse("no-such-code")


def test_bytes_that_are_no_event_are_told_as_such() -> None:
    from atout.errors import UsageError

    for line in (b"", b"{}", b'{"kind":"exploded","number":1}', b'{"kind":"sat"}', b"[]"):
        with pytest.raises(UsageError, match="event"):
            decode(line)
    opened = people().log[0].replace(b'"kind":"opened"', b'"kind":"opened","version":2')
    with pytest.raises(UsageError, match="version 2"):
        decode(opened)
