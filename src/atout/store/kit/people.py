"""Checks of friends, mutes and blocks, the online state, invitations and reports."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from atout.errors import GuestForgotten
from atout.store.kit.opener import Opener, card, opened, raised
from atout.store.model import Guest, PeopleSettings, Report, ReportLine
from atout.store.operations import people
from atout.store.store import Store

WAITING = card(state="waiting")


async def introduce(store: Store, *names: str) -> None:
    for name in names:
        await store.save_guest(Guest(name, 1.0, 2.0, name.title()))


async def relations(store: Store, guest: str) -> list[tuple[str, str]]:
    """The relations of a guest: kind and name."""
    return [(one.kind, one.name) for one in await store.relations(guest, 0.0)]


async def friends_are_friends_by_consent(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "ann", "bob", "cid")
        assert await store.accept_friend("ann", "bob") == "gone", "nobody asked"
        assert await store.ask_friend("ann", "bob") == "asked"
        assert await store.ask_friend("ann", "bob") == "asked", "once"
        assert (await relations(store, "ann"), await relations(store, "bob")) == (
            [("asked", "Bob")],
            [("request", "Ann")],
        )
        assert await store.accept_friend("cid", "ann") == "gone", "it is not their request"
        assert await store.accept_friend("ann", "bob") == "gone", "nobody accepts for somebody else"
        assert await store.accept_friend("bob", "ann") == "friends"
        assert (await relations(store, "ann"), await relations(store, "bob")) == (
            [("friend", "Bob")],
            [("friend", "Ann")],
        )
        assert await store.ask_friend("ann", "bob") == "friends"
        assert await store.part("bob", "ann")
        assert not await store.part("bob", "ann")
        assert (await relations(store, "ann"), await relations(store, "bob")) == ([], [])
        both = await asyncio.gather(store.ask_friend("ann", "cid"), store.ask_friend("cid", "ann"))
        assert sorted(both) == ["asked", "friends"], "who asks and was asked agrees"
        assert await relations(store, "cid") == [("friend", "Ann")]
        assert await store.ask_friend("ann", "nobody") == "gone"


@contextmanager
def limits(**lower: int) -> Iterator[None]:
    """Lower limits, which are reached sooner."""
    before = {name: getattr(people, name) for name in lower}
    for name, value in lower.items():
        setattr(people, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(people, name, value)


async def requests_are_limited(open: Opener) -> None:
    async with opened(open) as store:
        crowd = [f"guest{i}" for i in range(4)]
        await introduce(store, "ann", "bob", *crowd)
        with limits(MAX_ASKED=2, MAX_REQUESTS=3):
            assert [await store.ask_friend("bob", one) for one in crowd[:3]] == ["asked", "asked", "full"]
            for one in crowd:
                assert await store.ask_friend(one, "ann") == "asked"
            assert [name for kind, name in await relations(store, "ann")] == ["Guest3", "Guest2", "Guest1"], "no room"
        with limits(MAX_FRIENDS=1):
            assert await store.accept_friend("ann", "guest3") == "friends"
            assert await store.accept_friend("ann", "guest2") == "full"
            assert await store.ask_friend("guest0", "guest3") == "asked"
            assert await store.accept_friend("guest3", "guest0") == "full"


async def a_block_ends_it_and_shows_nothing(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "ann", "bob", "cid")
        await store.create_table("t", WAITING, [])
        await store.ask_friend("ann", "bob")
        await store.accept_friend("bob", "ann")
        assert await store.invite("t", "bob", "ann") == "invited"
        assert await store.mark("ann", "bob", "muted", True)
        assert await store.mark("ann", "bob", "blocked", True)
        assert await store.has_blocked("ann", "bob")
        assert not await store.has_blocked("bob", "ann")
        assert await relations(store, "ann") == [("blocked", "Bob"), ("muted", "Bob")]
        assert (await relations(store, "bob"), await store.invitations("ann", 0.0)) == ([], [])
        assert await store.ask_friend("bob", "ann") == "asked", "as if nothing was"
        assert await relations(store, "bob") == [("asked", "Ann")]
        assert ("request", "Bob") not in await relations(store, "ann")
        assert await store.accept_friend("ann", "bob") == "blocked"
        assert await store.ask_friend("ann", "bob") == "blocked", "unblock first"
        assert await store.invite("t", "bob", "ann") == "no-friend"
        assert await store.mark("ann", "bob", "blocked", False)
        assert ("request", "Bob") in await relations(store, "ann")
        assert await store.mark("ann", "nobody", "muted", True), "who is gone needs no mute"


async def tables_of_those_who_blocked_a_guest_are_known(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "ann", "bob", "cid")
        for name, people in (("hers", ["ann"]), ("both", ["cid", "ann"]), ("his", ["cid"])):
            await store.create_table(name, card(), [], guests=people)
        await store.create_table("full", card(open_seats=0), [], guests=["ann"])
        await store.create_table("private", card(public=False), [], guests=["ann"])
        await store.mark("ann", "bob", "muted", True)
        assert await store.open_tables_of_blockers("bob") == []
        await store.mark("ann", "bob", "blocked", True)
        assert sorted(await store.open_tables_of_blockers("bob")) == ["both", "hers"]
        assert await store.open_tables_of_blockers("ann") == []


async def marks_are_limited(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "ann", "bob", "cid")
        with limits(MAX_MARKS=1):
            assert await store.mark("ann", "bob", "muted", True)
            assert not await store.mark("ann", "cid", "muted", True)
            assert await store.mark("ann", "bob", "muted", True), "again"
            assert await store.mark("ann", "cid", "blocked", True), "they are counted apart"


async def the_online_state_is_a_choice(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "ann", "bob", "cid")
        await store.ask_friend("ann", "bob")
        await store.accept_friend("bob", "ann")
        await store.saw_online(["bob"], 2e9)
        assert await store.show_online(["ann", "bob"]) == []
        assert [one.is_online for one in await store.relations("ann", 0.0)] == [False], "off, unless chosen"
        await store.set_online("bob", True)
        await store.set_online("cid", True)
        await store.ask_friend("ann", "cid")
        assert await store.show_online(["ann", "bob"]) == ["bob"]
        await store.saw_online(["bob", "ann"], 2e9)
        await store.saw_online(["bob"], 1e9)
        assert {one.name: one.is_online for one in await store.relations("ann", 2e9)} == {"Bob": True, "Cid": False}
        assert not any(one.is_online for one in await store.relations("ann", 2e9 + 1))
        assert not any(one.is_online for one in await store.relations("bob", 0.0))
        await store.set_online("bob", False)
        assert not any(one.is_online for one in await store.relations("ann", 1.0))
        await store.set_friend_link("bob", "first")
        await store.set_friend_link("bob", "second")
        assert await store.people_settings("bob") == PeopleSettings("second", False)
        assert (await store.at_friend_link("first"), await store.at_friend_link("second")) == (None, "bob")
        assert await store.accounts_named("Bob") == [], "a guest without an account is not found by name"
        await store.set_code("bob", b"code")
        assert await store.accounts_named("Bob") == ["bob"]


async def friends_are_invited(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "ann", "bob", "cid", "dan")
        await store.create_table("t", WAITING, [])
        await store.create_table("u", WAITING, [])
        assert await store.invite("t", "ann", "bob") == "no-friend"
        await store.ask_friend("ann", "bob")
        assert await store.invite("t", "ann", "bob") == "no-friend", "asked is not enough"
        await store.accept_friend("bob", "ann")
        assert await store.invite("t", "ann", "bob") == "invited"
        assert await store.invite("none", "ann", "bob") == "gone"
        found = await store.invitations("bob", 0.0)
        assert [(one.by, one.table.table, one.table.card) for one in found] == [("Ann", "t", WAITING)]
        assert await store.invitations("bob", 1e12) == [], "too old"
        assert await store.invitations("ann", 0.0) == []
        await store.invite_again("u", "ann", ["bob", "cid", "nobody"])
        assert {one.table.table for one in await store.invitations("bob", 0.0)} == {"t", "u"}
        assert [one.table.table for one in await store.invitations("cid", 0.0)] == ["u"], "no friend, but they played"
        assert await store.decline_invitation("bob", "u")
        assert not await store.decline_invitation("bob", "u")
        assert await store.invite("u", "ann", "bob") == "again", "they know already"
        assert "u" in {one.table.table for one in await store.invitations("bob", 0.0)}
        assert await store.decline_invitation("bob", "u")
        await store.drop_old_people(1e12, 0.0)
        assert await store.invitations("bob", 0.0) == []
        assert await store.invite("t", "ann", "bob") == "invited", "dropped"
        assert await store.invite("u", "ann", "bob") == "again", "declined, and the table still waits"
        assert await store.decline_invitation("bob", "u")
        await store.invite_again("u", "ann", ["cid"])
        with limits(MAX_INVITED=2):
            await store.invite_again("u", "ann", ["dan"])
            assert await store.invite("u", "ann", "bob") == "full"
        await store.mark("cid", "ann", "blocked", True)
        assert await store.invitations("cid", 0.0) == []
        await store.delete_table("t")
        assert await store.invitations("bob", 0.0) == []
        await store.drop_old_people(1e12, 0.0)
        assert await store.invitations("dan", 0.0) == []


def report(id: str, reporter: str = "ann", at: float = 5.0) -> Report:
    lines = tuple(ReportLine(guest, guest.title(), f"{guest} says", 4.0) for guest in ("bob", "cid", "ann"))
    return Report(id, reporter, "bob", "Bob", "t", "insult", "words", at, lines)


async def reports_are_kept_and_limited(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "ann", "bob", "cid")
        assert await store.report(report("r1"), 0.0, 2)
        assert await store.report(report("r1"), 0.0, 2), "the same again is the same"
        assert await store.report(report("r2", at=6.0), 0.0, 2)
        assert not await store.report(report("r3"), 0.0, 2)
        assert await store.report(report("r4", at=7.0), 6.5, 2), "on another day"
        assert [one.id for one in await store.reports()] == ["r4", "r2", "r1"]
        assert await store.reports(1) == [report("r4", at=7.0)]
        assert await store.reports(10, "cid") == []
        assert await store.remove_report("r2")
        assert not await store.remove_report("r2")
        await store.drop_old_people(0.0, 6.0)
        assert [one.id for one in await store.reports()] == ["r4"]
        await store.delete_guest("cid")
        assert [line.guest for line in (await store.reports())[0].lines] == ["bob", "ann"]
        await store.report(report("r5", at=8.0), 0.0, 9)
        assert [line.guest for line in (await store.reports(1))[0].lines] == ["bob", "ann"], "nor later"
        await store.delete_guest("bob")
        assert await store.reports() == [], "nothing is kept about somebody who was forgotten"
        assert await store.report(report("r6"), 0.0, 9)
        assert await store.reports() == []


async def a_deleted_guest_is_in_nobodys_list(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "ann", "bob", "cid")
        await store.create_table("t", WAITING, [])
        await store.ask_friend("ann", "bob")
        await store.accept_friend("bob", "ann")
        await store.ask_friend("cid", "ann")
        await store.mark("cid", "ann", "muted", True)
        await store.set_friend_link("ann", "link")
        await store.invite("t", "ann", "bob")
        await store.delete_guest("ann")
        assert (await relations(store, "bob"), await relations(store, "cid")) == ([], [])
        assert (await store.at_friend_link("link"), await store.invitations("bob", 0.0)) == (None, [])
        for work in (store.ask_friend("ann", "bob"), store.set_friend_link("ann", "x"), store.set_online("ann", True)):
            assert isinstance(await raised(work), GuestForgotten)
        assert await store.ask_friend("bob", "ann") == "gone"


async def an_account_gets_the_friends_of_a_guest(open: Opener) -> None:
    async with opened(open) as store:
        await introduce(store, "phone", "ann", "bob", "cid", "dan", "eve")
        await store.create_table("t", WAITING, [])
        await store.set_code("ann", b"code")
        for one in ("bob", "cid", "ann"):
            await store.ask_friend("phone", one)
            await store.accept_friend(one, "phone")
        await store.ask_friend("ann", "cid")
        await store.mark("ann", "cid", "muted", True)
        await store.ask_friend("dan", "phone")
        await store.mark("phone", "eve", "blocked", True)
        await store.ask_friend("ann", "eve")
        await store.accept_friend("eve", "ann")
        await store.set_friend_link("phone", "link")
        await store.set_online("phone", True)
        await store.invite("t", "bob", "phone")
        await store.report(report("r", "phone"), 0.0, 9)
        assert await store.join_guest("phone", "ann") == "joined"
        expected = [("friend", "Bob"), ("friend", "Cid"), ("muted", "Cid"), ("blocked", "Eve"), ("request", "Dan")]
        assert sorted(await relations(store, "ann")) == sorted(expected), "a block outweighs a friendship"
        assert (await relations(store, "bob"), await relations(store, "cid")) == (
            [("friend", "Ann")],
            [("friend", "Ann")],
        )
        assert (await relations(store, "dan"), await relations(store, "eve")) == ([("asked", "Ann")], [])
        assert await store.people_settings("ann") == PeopleSettings("link", True)
        assert [one.by for one in await store.invitations("ann", 0.0)] == ["Bob"]
        assert [one.reporter for one in await store.reports()] == ["ann"]
