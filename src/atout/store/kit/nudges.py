"""Checks of nudges, mail addresses, and identities of OpenID Connect."""

from __future__ import annotations

from atout.store.kit.opener import CARD, Opener, opened
from atout.store.model import Channel, Guest, OidcIdentity, PlannedNudge, UnconfirmedMail
from atout.store.operations.nudges import MAX_CHANNELS


async def a_mail_address_is_used_once_it_is_confirmed(open: Opener) -> None:
    def mail(link: bytes, guest: str = "ann", at: float = 100.0) -> UnconfirmedMail:
        return UnconfirmedMail(link, guest, f"c {guest}", "a@mail.example", b"known as", at)

    async with opened(open) as store:
        for guest in ("ann", "bob"):
            await store.save_guest(Guest(guest, 1.0, 1.0, guest, b"{}"))
        assert [await store.ask_mail(mail(link)) for link in (b"1", b"2")] == ["asked", "asked"]
        assert await store.ask_mail(mail(b"3", "bob")) == "asked"
        assert await store.ask_mail(mail(b"4", "bob")) == "too-many", "whoever asks"
        assert await store.unconfirmed_mails("ann", 0.0) == ["a@mail.example"], "a later link replaces an earlier one"
        assert await store.confirm_mail(b"1", 0.0, 101.0) is None
        assert await store.confirm_mail(b"2", 101.0, 101.0) is None, "too old"
        channel = await store.confirm_mail(b"2", 0.0, 101.0)
        assert channel is not None
        assert (channel.guest, channel.type, channel.id) == ("ann", "mail", "c ann")
        assert await store.channels("ann") == [channel]
        assert await store.confirm_mail(b"2", 0.0, 101.0) is None, "once"
        await store.note_sent("c ann", 102.0)
        assert not await store.note_delivery("bob", "c ann", 103.0)
        assert await store.note_delivery("ann", "c ann", 103.0)
        found = (await store.channels("ann"))[0]
        assert (found.sent, found.delivered) == (102.0, 103.0)
        assert await store.stop_mail("c ann")
        assert not await store.stop_mail("c ann")
        await store.refuse_mail(b"known as", 104.0)
        assert await store.confirm_mail(b"3", 0.0, 105.0) is None, "what was asked is void"
        later = 104.0 + 2 * 86_400.0
        assert await store.ask_mail(mail(b"5", at=later)) == "refused"
        await store.drop_old_mails(later, later + 2 * 86_400.0)
        assert await store.ask_mail(mail(b"6", at=later)) == "refused", "a refusal is kept"


async def an_account_gets_the_addresses_that_a_guest_has_to_confirm(open: Opener) -> None:
    def mail(link: bytes, guest: str, address: str) -> UnconfirmedMail:
        return UnconfirmedMail(link, guest, f"{guest} {address}", address, address.encode(), 100.0)

    async with opened(open) as store:
        for guest in ("ann", "phone"):
            await store.save_guest(Guest(guest, 1.0, 1.0, guest, b"{}"))
        await store.set_code("ann", b"hash")
        for number in range(MAX_CHANNELS - 2):
            await store.add_channel(Channel(f"ann {number}", "ann", "webhook", b"{}", 1.0))
        await store.ask_mail(mail(b"1", "ann", "a@mail.example"))
        for link, address in ((b"2", "a@mail.example"), (b"3", "b@mail.example"), (b"4", "c@mail.example")):
            await store.ask_mail(mail(link, "phone", address))
        assert await store.join_guest("phone", "ann") == "joined"
        assert await store.unconfirmed_mails("ann", 0.0) == ["a@mail.example", "b@mail.example"], "as there is room"
        assert await store.unconfirmed_mails("phone", 0.0) == []
        channel = await store.confirm_mail(b"3", 0.0, 101.0)
        assert channel is not None
        assert channel.guest == "ann", "the link in the mail stays good"


async def an_identity_is_one_guests_way_in(open: Opener) -> None:
    async with opened(open) as store:
        for guest in ("ann", "bob"):
            await store.save_guest(Guest(guest, 1.0, 1.0, guest, b"{}"))
        hers = OidcIdentity("https://id.example", "1", "ann", 2.0)
        assert await store.add_identity(hers)
        assert await store.add_identity(hers), "once more is the same"
        assert not await store.add_identity(OidcIdentity("https://id.example", "1", "bob", 3.0))
        assert await store.add_identity(OidcIdentity("https://other.example", "1", "bob", 3.0))
        assert await store.identified("https://id.example", "1") == "ann"
        assert await store.identified("https://id.example", "2") is None
        assert await store.identities("ann") == [hers]
        assert not await store.remove_identities("ann"), "the only way in"
        assert await store.set_code("ann", b"hash")
        assert await store.remove_identities("ann")
        assert not await store.set_code("ann", None), "the only way in"
        await store.delete_guest("bob")
        assert await store.identified("https://other.example", "1") is None


async def a_nudge_is_claimed_once_and_postponed_ones_come_earlier(open: Opener) -> None:
    async with opened(open) as store:
        await store.create_table("t", CARD, [])
        await store.save_guest(Guest("ann", 1.0, 1.0, "ann", b"{}"))
        await store.plan_nudge(PlannedNudge("t", "ann", 1, 10.0))
        assert await store.claim_nudges(20.0, 9) == [], "nothing reaches them"
        await store.add_channel(Channel("c", "ann", "webhook", b"{}", 1.0))
        await store.plan_nudge(PlannedNudge("t", "ann", 1, 10.0))
        await store.plan_nudge(PlannedNudge("t", "ann", 1, 15.0))
        assert await store.claim_nudges(20.0, 9) == [PlannedNudge("t", "ann", 1, 10.0)]
        assert await store.claim_nudges(20.0, 9) == []
        await store.plan_nudge(PlannedNudge("t", "ann", 1, 21.0))
        assert await store.claim_nudges(30.0, 9) == [], "one for each turn"
        await store.postpone_nudge(PlannedNudge("t", "ann", 1, 100.0))
        await store.plan_nudge(PlannedNudge("t", "ann", 1, 31.0))
        assert await store.claim_nudges(40.0, 9) == [PlannedNudge("t", "ann", 1, 31.0)]
        await store.plan_nudge(PlannedNudge("t", "ann", 2, 41.0))
        assert await store.claim_nudges(50.0, 9) == [PlannedNudge("t", "ann", 2, 41.0)]


async def an_account_has_room_for_so_many_channels(open: Opener) -> None:
    async with opened(open) as store:
        for guest in ("ann", "phone", "tablet"):
            await store.save_guest(Guest(guest, 1.0, 1.0, guest, b"{}"))
        await store.set_code("ann", b"hash")
        for number in range(MAX_CHANNELS - 2):
            await store.add_channel(Channel(f"ann {number}", "ann", "webhook", b"{}", 1.0))
        for guest in ("phone", "tablet"):
            for number in range(MAX_CHANNELS):
                await store.add_channel(Channel(f"{guest} {number}", guest, "webhook", b"{}", float(number)))
            assert await store.join_guest(guest, "ann") == "joined"
            found = [channel.id for channel in await store.channels("ann")]
            assert len(found) == MAX_CHANNELS
            assert {f"phone {MAX_CHANNELS - 1}", f"phone {MAX_CHANNELS - 2}"} <= set(found), "the newest"
            assert await store.channels(guest) == []
