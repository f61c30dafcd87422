"""Checks of guests, links, records and statistics."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from atout.errors import Conflict, GuestForgotten, NoTable
from atout.store.kit.opener import CARD, Opener, card, opened, raised
from atout.store.model import (
    MAX_IMPORTS,
    Agreement,
    Append,
    Attempt,
    Guest,
    OidcIdentity,
    Passkey,
    Result,
    Rewrite,
    SeatLink,
    Sharing,
    Statistics,
    StoredRecord,
)
from atout.store.operations.guests import hash_of

ANN = Guest("ann", 1.0, 2.0, "Änn 🂡", b'{"colours":"dark"}')


def record(id: str, finished: float = 5.0, table: str = "t") -> StoredRecord:
    return StoredRecord(id, table, "niet-2015", finished, b'{"players":["Ann"]}', b'{"game":1}')


async def guests_are_kept(open: Opener) -> None:
    async with opened(open) as store:
        assert await store.guest("ann") is None
        assert not await store.saw_guest("ann", 3.0)
        await store.save_guest(ANN)
        assert await store.guest("ann") == ANN
        await store.save_guest(Guest("ann", 99.0, 3.0, "Anna"))
        assert await store.guest("ann") == Guest("ann", 1.0, 3.0, "Anna"), "the time of creation stays"
        assert await store.saw_guest("ann", 4.5)
        assert await store.saw_guest("ann", 4.0), "an earlier time changes nothing"
        assert await store.guest("ann") == Guest("ann", 1.0, 4.5, "Anna")


async def links_are_kept_and_revoked(open: Opener) -> None:
    links = [SeatLink(bytes([i]) * 32, "t", i, float(i)) for i in range(3)]
    async with opened(open) as store:
        assert isinstance(await raised(store.add_link(links[0])), NoTable)
        await store.create_table("t", CARD, [])
        for link in reversed(links):
            await store.add_link(link)
        assert await store.links("t") == links
        assert await store.link(links[1].hash) == links[1]
        assert await store.link(b"other") is None
        assert await store.revoke_link(links[1].hash)
        assert not await store.revoke_link(links[1].hash)
        assert not await store.revoke_link(b"other")
        assert [link.revoked for link in await store.links("t")] == [False, True, False]


async def a_record_counts_once(open: Opener) -> None:
    results = [Result("ann", True, 6, 14), Result("bob", False, 6, -3)]
    async with opened(open) as store:
        assert isinstance(await raised(store.save_record(record("r"), results)), NoTable)
        await store.create_table("t", CARD, [])
        saved = await asyncio.gather(*[store.save_record(record("r"), results) for _ in range(4)])
        assert sorted(saved) == [False, False, False, True]
        assert await store.save_record(record("rematch"), results)
        assert await store.record("r") == record("r")
        assert await store.statistics("ann") == [Statistics("niet-2015", 2, 2, 12, 28)]
        assert await store.statistics("bob") == [Statistics("niet-2015", 2, 0, 12, -6)]
        assert await store.statistics("cid") == []


async def statistics_do_not_mix_editions(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        await store.save_record(record("r"), [Result("ann", True, 1, 1)])
        other = StoredRecord("s", "t", "nichtig", 6.0, b"{}", b"{}")
        await store.save_record(other, [Result("ann", False, 2, 30)])
        expected = [Statistics("nichtig", 1, 0, 2, 30), Statistics("niet-2015", 1, 1, 1, 1)]
        assert sorted(await store.statistics("ann"), key=lambda sums: sums.matches + sums.rounds) == expected[::-1]


async def a_match_given_up_is_listed_but_not_counted(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        assert await store.save_record(record("r"), [Result("ann", False, 1, 7, is_counted=False)])
        assert [entry.id for entry in await store.records("ann")] == ["r"]
        assert await store.record("r") == record("r")
        assert await store.statistics("ann") == []


async def a_list_of_records_has_pages(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        for i in range(7):
            await store.save_record(record(f"r{i}", finished=float(i // 3)), [Result("ann", False, 1, 1)])
        seen = []
        page = await store.records("ann", limit=2)
        while page:
            assert len(page) <= 2
            seen += page
            page = await store.records("ann", after=page[-1], limit=2)
        assert [entry.id for entry in seen] == ["r6", "r5", "r4", "r3", "r2", "r1", "r0"]
        assert seen[0].summary == record("r6").summary
        assert await store.records("bob") == []


async def a_record_is_deleted_with_its_last_listing(open: Opener) -> None:
    results = [Result("ann", True, 1, 1), Result("bob", False, 1, 0)]
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        await store.save_record(record("r"), results)
        assert not await store.delete_record("cid", "r"), "it is not in this list"
        assert await store.delete_record("ann", "r")
        assert not await store.delete_record("ann", "r")
        assert await store.records("ann") == []
        assert not await store.has_record("ann", "r")
        assert await store.has_record("bob", "r")
        assert await store.record("r") is not None
        assert await store.delete_record("bob", "r")
        assert await store.record("r") is None
        assert not await store.save_record(record("r"), results), "a deleted record does not come back"
        assert await store.record("r") is None
        await store.save_record(record("s"), results)
        await asyncio.gather(store.delete_record("ann", "s"), store.delete_record("bob", "s"))
        assert await store.record("s") is None, "nor does it stay when two guests delete it at once"


def passkey(guest: str, id: bytes = b"key") -> Passkey:
    return Passkey(id, guest, "Phone", b"public", 0, 3.0)


def identity(guest: str) -> OidcIdentity:
    return OidcIdentity("https://id.example", "1", guest, 3.0)


async def a_refused_way_in_changes_nothing(open: Opener) -> None:
    async with opened(open) as store:

        async def is_as_before(guest: str) -> bool:
            """No account: with one that nothing leads into, their cookie would be void for ever."""
            return await store.account(guest) is None and await store.cookie_state(guest, b"") == "good"

        for guest in ("ann", "bob", "cid", "dan"):
            await store.save_guest(replace(ANN, id=guest))
        assert await store.add_passkey(passkey("ann"))
        assert not await store.add_passkey(passkey("bob"))
        assert await is_as_before("bob")
        assert await store.add_identity(identity("ann"))
        assert not await store.add_identity(identity("bob"))
        assert await is_as_before("bob")
        assert not await store.set_code("bob", None)
        assert not await store.remove_passkey("bob", b"key")
        assert not await store.remove_identities("bob")
        assert await is_as_before("bob")
        assert await store.cookie_state("ann", b"") == "ended", "whose account was made"
        assert await store.add_passkey(passkey("ann")), "the same call again, after an answer that was lost"
        both = await asyncio.gather(*(store.add_passkey(passkey(guest, b"new")) for guest in ("cid", "dan")))
        assert sorted(both) == [False, True], "of two at once one is refused"
        assert await is_as_before("dan" if both[0] else "cid")


async def the_last_way_in_stays_when_two_are_removed_at_once(open: Opener) -> None:
    """Many guests, because on some databases only a few of the pairs meet."""
    async with opened(open) as store:

        async def remove_both(number: int) -> None:
            guest, key = f"guest{number}", b"%d" % number
            await store.save_guest(replace(ANN, id=guest))
            await store.add_passkey(passkey(guest, key))
            await store.set_code(guest, key)
            removals = store.set_code(guest, None), store.remove_passkey(guest, key)
            assert sorted(await asyncio.gather(*removals)) == [False, True]
            found = await store.account(guest)
            assert found is not None
            assert len(await store.passkeys(guest)) + (found.code_made is not None) == 1

        for first in range(0, 80, 8):
            await asyncio.gather(*map(remove_both, range(first, first + 8)))


async def what_a_guest_has_is_known(open: Opener) -> None:
    async with opened(open) as store:
        for guest in ("ann", "bob", "cid"):
            await store.save_guest(replace(ANN, id=guest))
        await store.mark("bob", "ann", "blocked", True)
        assert await store.belongings("ann") == [], "nobody is told that they were blocked"
        await store.ask_friend("cid", "ann")
        assert await store.belongings("ann") == ["people"]
        await store.set_nudge_settings("ann", b"{}")
        await store.try_puzzle("ann", Attempt("p", "", 1.0, True), (0.0, 1.0), (0.0, 1.0), lambda one, two: (one, two))
        await store.import_record("ann", replace(record("i"), table=""), MAX_IMPORTS)
        assert await store.belongings("ann") == ["imports", "puzzles", "people", "nudges"]
        await store.create_table("t", CARD, [], guests=["ann"], visitors=["ann"])
        await store.save_record(record("r"), [Result("ann", True, 1, 1)])
        await store.begin_daily("ann", "2026-11-19", "t")
        everything = await store.belongings("ann")
        assert everything == ["tables", "matches", "imports", "puzzles", "deals", "people", "nudges"]
        await store.set_code("bob", b"code")
        assert await store.join_guest("ann", "bob") == "joined"
        assert await store.belongings("bob") == everything, "all of it is the account's"
        await store.leave_table("ann", "t")
        await store.rename_in_record("ann", "r", lambda summary, body, _seats: (summary, body))
        assert await store.belongings("ann") == []


async def a_guest_can_be_deleted(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [], guests=["ann", "bob"])
        await store.save_guest(ANN)
        await store.save_record(record("own"), [Result("ann", True, 1, 1)])
        await store.save_record(record("both"), [Result("ann", True, 1, 1), Result("bob", False, 1, 0)])
        assert await store.delete_guest("ann")
        assert not await store.delete_guest("ann")
        assert await store.guest("ann") is None
        assert await store.records("ann") == []
        assert await store.statistics("ann") == []
        assert await store.tables_of("ann") == []
        assert await store.record("own") is None
        assert [entry.id for entry in await store.records("bob")] == ["both"]


async def a_deleted_guest_does_not_come_back(open: Opener) -> None:
    async with opened(open) as store:
        await store.save_guest(ANN)
        await store.create_table("t", CARD, [b"1"], guests=["ann"], visitors=["ann"])
        await store.create_table("u", CARD, [b"1"])
        assert not await store.is_forgotten("ann")
        await store.delete_guest("ann")
        assert await store.is_forgotten("ann")
        assert not await store.is_forgotten("bob")
        assert await store.forgotten_since(0.0) == [hash_of("ann")]
        refused = [
            store.save_guest(ANN),
            store.create_table("v", CARD, [b"1"], visitors=["ann"]),
            store.append(Append("u", 2, (b"2",), visitors=("ann",))),
            store.save_record(record("r"), [Result("ann", True, 1, 1)]),
        ]
        for work in refused:
            assert isinstance(await raised(work), GuestForgotten)
        assert (await store.events("u"), await store.table("v")) == ([b"1"], None), "and nothing of it is there"
        refusal, written = await asyncio.gather(
            raised(store.append(Append("u", 2, (b"2",), visitors=("ann",)))), store.append(Append("t", 2, (b"2",)))
        )
        assert isinstance(refusal, GuestForgotten)
        assert written is None, "one that is refused fails alone"
    async with opened(open) as store:
        assert await store.half_forgotten() == [("ann", "")]
        await store.finish_deletion("ann")
        assert await store.half_forgotten() == []
        assert await store.is_forgotten("ann")
        await store.drop_forgotten(1e12)
        assert not await store.is_forgotten("ann")


async def event_logs_are_rewritten_for_a_deleted_guest(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [b"1", b"ann"], due=5.0, guests=["ann", "bob"], visitors=["ann", "bob"])
        await store.append(Append("t", 3, (b"ann", b"4"), visitors=("cid",)))
        assert await store.visited("ann") == await store.visited("cid") == ["t"]
        append = Append("t", 5, (b"5",), card(state="on"), 7.0, ("bob",))
        late = Append("t", 4, (b"5",), card(state="on"), 7.0, ("bob",))
        assert isinstance(await raised(store.rewrite(Rewrite("ann", {2: b"x", 3: b"x"}, late))), Conflict)
        assert await store.events("t") == [b"1", b"ann", b"ann", b"4"]
        await store.rewrite(Rewrite("ann", {2: b"x", 3: b"x"}, append))
        assert await store.events("t") == [b"1", b"x", b"x", b"4", b"5"]
        assert await store.head("t") == 5
        listed = await store.table("t")
        assert listed is not None
        assert (listed.card, listed.due) == (card(state="on"), 7.0)
        assert (await store.visited("ann"), await store.tables_of("ann")) == ([], [])
        assert await store.visited("bob") == ["t"]
        await store.append(Append("t", 6, (b"6",)))
        assert await store.events("t", 4) == [b"5", b"6"]


async def records_lose_the_names_of_a_deleted_guest(open: Opener) -> None:
    def renamed(summary: bytes, body: bytes, seats: object) -> tuple[bytes, bytes]:
        return summary + b"!", body + str(seats).encode()

    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        results = [Result("ann", True, 1, 1, (0, 2)), Result("bob", False, 1, 0, (1,))]
        await store.save_record(record("r"), results)
        assert await store.delete_record("ann", "r")
        assert await store.played_by("ann") == ["r"], "also when it is in their list no more"
        for _ in range(2):
            await store.rename_in_record("ann", "r", renamed)
        found = await store.record("r")
        assert found is not None
        assert (found.summary, found.body) == (record("r").summary + b"!", record("r").body + b"[0, 2]")
        assert (await store.played_by("ann"), await store.played_by("bob")) == ([], ["r"])


async def players_agree_to_show_a_match(open: Opener) -> None:
    ann, bob = Result("ann", True, 1, 1, (0, 2)), Result("bob", False, 1, 0, (1,))
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        await store.save_record(record("r"), [ann, bob])
        assert (await store.sharing("r")).address == ""
        assert (await store.sharing("r")).agreements == (Agreement("ann", (0, 2)), Agreement("bob", (1,)))
        assert not await store.agree("cid", "r", "open", True, "a"), "it is not in this list"
        assert await store.at_address("a") is None
        assert await store.agree("ann", "r", "open", True, "a")
        assert await store.agree("bob", "r", "own", False, "b")
        agreements = (Agreement("ann", (0, 2), "open", True), Agreement("bob", (1,), "own", False))
        assert await store.sharing("r") == Sharing("r", "a", agreements), "the address stays"
        assert (await store.at_address("a"), await store.at_address("b")) == ("r", None)
        assert await store.agree("ann", "r", "no", False, "c")
        assert (await store.sharing("r")).agreements[0] == Agreement("ann", (0, 2), "no", False)
        assert await store.delete_record("bob", "r")
        assert (await store.sharing("r")).agreements[1] == Agreement("bob", (1,)), "who deletes it shows nothing"
        assert await store.delete_record("ann", "r")
        assert await store.at_address("a") is None


async def who_plays_with_bots_shares_at_once(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        await store.save_record(record("r"), [Result("ann", True, 1, 1, (0,), shares=True)], "a")
        assert await store.sharing("r") == Sharing("r", "a", (Agreement("ann", (0,), "open", False),))
        assert [entry.seats for entry in await store.records("ann")] == [(0,)]


async def a_deleted_guest_shows_nothing(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        results = [Result("ann", True, 1, 1, (0,)), Result("bob", False, 1, 0, (1,))]
        await store.save_record(record("r"), results)
        assert await store.agree("ann", "r", "open", True, "a")
        assert await store.agree("bob", "r", "open", True, "a")
        await store.delete_guest("ann")
        assert (await store.sharing("r")).agreements[0] == Agreement("ann", (0,)), "until the name is out of the record"
        await store.rename_in_record("ann", "r", lambda summary, body, _seats: (summary, body))
        assert (await store.sharing("r")).agreements == (Agreement("bob", (1,), "open", True),)
        assert isinstance(await raised(store.agree("ann", "r", "open", True, "a")), GuestForgotten)


async def a_summary_is_replaced_unless_it_changed(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        await store.save_record(record("r"), [Result("ann", True, 1, 1)])
        assert not await store.replace_summary("r", b"other", b"more")
        assert await store.replace_summary("r", record("r").summary, b"more")
        assert [entry.summary for entry in await store.records("ann")] == [b"more"]


async def an_imported_record_is_of_its_guest_alone(open: Opener) -> None:
    async with opened(open) as store:

        async def imports(guest: str) -> list[str]:
            return [one.id for one in await store.imports(guest)]

        for guest in ("ann", "bob"):
            await store.save_guest(replace(ANN, id=guest))
        for number in range(4):
            await store.import_record("ann", replace(record(f"i{number}"), table="", finished=float(number)), 3)
        assert await imports("ann") == ["i3", "i2", "i1"], "the latest stay"
        assert await store.record("i0") is None
        await store.import_record("ann", replace(record("i1"), table="", finished=9.0), 3)
        assert await imports("ann") == ["i1", "i3", "i2"], "the same again is kept once"
        found = await store.record("i1")
        assert found is not None
        assert (found.imported_by, found.table) == ("ann", "")
        assert (await store.has_record("ann", "i1"), await store.has_record("bob", "i1")) == (True, False)
        assert (await store.records("ann"), await store.statistics("ann")) == ([], []), "it is in no list"
        assert not await store.agree("ann", "i1", "open", True, "a")
        assert await store.begin_review("i1", 0, "e", b"outline")
        await store.finish_review("i1", 0, "e", b"ledger", b"{}", [0])
        assert await store.review_errors("ann") == []
        assert not await store.delete_record("bob", "i1")
        assert await store.delete_record("ann", "i1")
        assert (await store.record("i1"), await store.review("i1", 0, "e")) == (None, None)
        await store.drop_imports(3.0)
        assert await imports("ann") == ["i3"]
        assert await store.join_guest("ann", "bob") == "joined"
        assert (await imports("ann"), await imports("bob")) == ([], ["i3"])
        assert isinstance(await raised(store.import_record("ann", record("i5"), 3)), GuestForgotten)
        await store.save_guest(replace(ANN, id="cid"))
        for number in range(MAX_IMPORTS):
            one = replace(record(f"c{number}"), table="", finished=float(10 + number))
            await store.import_record("cid", one, MAX_IMPORTS)
        assert await store.join_guest("bob", "cid") == "joined"
        assert len(await imports("cid")) == MAX_IMPORTS, "no more are kept of two guests than of one"
        assert await store.record("i3") is None
        await store.delete_guest("cid")
        assert await store.record("c9") is None
