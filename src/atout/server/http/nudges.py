"""Nudges: ways to reach a guest, quiet hours, and when to be nudged for a table."""

from __future__ import annotations

import asyncio
from typing import Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from atout.errors import NoTable, UsageError
from atout.i18n import catalogue
from atout.protocol import accounts as p
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.identity import hashed, new_id
from atout.server.live import deliver
from atout.server.live.mail import CONFIRM_SECONDS, STOP, known_as, tidied_address
from atout.store import Channel, UnconfirmedMail
from atout.store.operations.nudges import MAX_CHANNELS


async def nudges(call: Call) -> p.NudgesAnswer:
    hub = call.context.hub
    try:
        key = deliver.public_key(await hub.nudges.key())
    except UsageError:  # the package is not installed
        key = ""
    channels = [_entry(channel) for channel in await call.store.channels(call.guest)]
    chosen = msgspec.convert(msgspec.to_builtins(await hub.nudges.settings(call.guest)), p.NudgeChoices)
    waiting = await call.store.unconfirmed_mails(call.guest, call.context.now() - CONFIRM_SECONDS)
    return p.NudgesAnswer(key, channels, chosen, hub.nudges.mailer.is_on, waiting)


def _entry(channel: Channel) -> p.ChannelEntry:
    address = msgspec.json.decode(channel.address)
    host = urlsplit(address.get("endpoint") or address.get("url") or "").hostname or ""
    return p.ChannelEntry(
        channel.id,
        msgspec.convert(channel.type, Literal["push", "webhook", "mail"]),
        address.get("mail") or host,
        channel.created,
        channel.sent,
        channel.delivered,
        channel.failures,
    )


async def set_choices(call: Call) -> None:
    choices: p.NudgeChoices = call.body
    try:
        ZoneInfo(choices.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        message = f"zone: {choices.zone[:40]!r} is not known; expected a time zone such as Europe/Berlin"
        raise ApiError(422, "bad-zone", message) from None
    await call.store.set_nudge_settings(call.guest, msgspec.json.encode(choices))


async def add_channel(call: Call) -> p.ChannelEntry:
    """Add a way to reach me. The same one again renews it, as browsers do at each start."""
    new: p.NewChannel = call.body
    guest, settings = call.guest, call.context.settings
    try:
        deliver.check_url(new.url, settings.nudge_private)
    except UsageError as error:
        raise ApiError(422, "bad-address", str(error)) from None
    id = hashed(f"channel {guest} {new.url}").hex()[:32]
    await _check_room(call, id)
    if new.keys is None:
        kind, address = "webhook", {"url": new.url}
    else:
        kind, address = "push", {"endpoint": new.url, "keys": msgspec.to_builtins(new.keys)}
    channel = Channel(id, guest, kind, msgspec.json.encode(address), call.context.now())
    await call.store.add_channel(channel)
    return _entry(await _channel(call, id))


async def _check_room(call: Call, id: str, address: str = "") -> None:
    """Addresses that can still be confirmed count, too: with a link each becomes a channel."""
    known = {channel.id for channel in await call.store.channels(call.guest)}
    waiting = set(await call.store.unconfirmed_mails(call.guest, call.context.now() - CONFIRM_SECONDS)) - {address}
    if id not in known and len(known) + len(waiting) >= MAX_CHANNELS:
        raise ApiError(409, "too-many-channels", f"you have {MAX_CHANNELS} already; remove some", most=MAX_CHANNELS)


async def _channel(call: Call, id: str) -> Channel:
    for channel in await call.store.channels(call.guest):
        if channel.id == id:
            return channel
    raise ApiError(404, "no-channel", "you have no such way to be reached")


async def remove_channel(call: Call) -> None:
    if not await call.store.remove_channel(call.guest, call.path("channel")):
        raise ApiError(404, "no-channel", "you have no such way to be reached")


async def try_channel(call: Call) -> p.Delivered:
    """Send a test over a channel; the answer says whether it arrived."""
    channel = await _channel(call, call.path("channel"))
    if call.context.hub.nudges.is_sending(call.guest):
        raise ApiError(
            429, "too-many-deliveries", "something is being sent to you already; try again", seconds=deliver.SECONDS
        )
    call.context.check_new_table(call.guest)  # as seldom as new tables: it calls other machines
    language = (await call.context.hub.nudges.settings(call.guest)).language
    message = {"title": "Atout", "body": catalogue(language)["nudge.test"], "path": "/settings"}
    return p.Delivered(await asyncio.shield(call.context.hub.nudges.send(channel, "test", message)))


async def received(call: Call) -> None:
    """A browser has shown a push message that came over a channel of its guest."""
    if not await call.store.note_delivery(call.guest, call.path("channel"), call.context.now()):
        raise ApiError(404, "no-channel", "you have no such way to be reached")


# ---------------------------------------------------------------- mail


async def add_mail(call: Call) -> None:
    """Ask by mail whether an address is mine. Nothing else is sent there before somebody opened the link in it."""
    guest, now, mailer = call.guest, call.context.now(), call.context.hub.nudges.mailer
    if not mailer.is_on:
        raise ApiError(409, "no-mail", "this server sends no mails; its operator may set ATOUT_SMTP")
    try:
        address = tidied_address(call.body.address)
    except UsageError as error:
        raise ApiError(422, "bad-mail", str(error)) from None
    token, id = new_id(), hashed(f"channel {guest} mailto:{address}").hex()[:32]
    await _check_room(call, id, address)
    call.context.check_mail(guest, call.request)
    asked = await call.store.ask_mail(UnconfirmedMail(hashed(token), guest, id, address, known_as(address), now))
    if asked == "refused":
        raise ApiError(409, "mail-refused", "the owner of this address wants no mail from here")
    if asked == "too-many":
        raise ApiError(429, "too-many-mails", "this address was asked several times today; try again tomorrow")
    if not await asyncio.shield(call.context.hub.nudges.send_confirmation(guest, address, token)):
        raise ApiError(502, "mail-failed", "the mail could not be sent; check the address, or try again later")


async def confirm_mail(call: Call) -> p.MailConfirmed:
    """The link was opened, on whatever device: the address belongs to whoever named it."""
    call.context.check_sign_in(call.request)
    now = call.context.now()
    channel = await call.store.confirm_mail(hashed(call.body.token), now - CONFIRM_SECONDS, now)
    if channel is None:
        raise ApiError(404, "no-mail-link", "this link was used, or is older than a day")
    return p.MailConfirmed(_entry(channel).to)


async def stop_mail(call: Call) -> None:
    """A link that stops mails, without being signed in. Mail programs post to it, too (RFC 8058)."""
    found = call.context.hub.nudges.mailer.stop_link(call.path("token"))
    if found is None:
        raise ApiError(404, "no-mail-link", "this link is not good; copy all of it from the mail")
    what, id = found
    if what == STOP:
        await call.store.stop_mail(id)
    else:
        await call.store.refuse_mail(bytes.fromhex(id), call.context.now())


# ---------------------------------------------------------------- tables


async def table_nudges(call: Call) -> p.TableNudges:
    choice = await call.store.nudge_choice(call.guest, call.path("table")) or "away"
    return msgspec.convert({"choice": choice}, p.TableNudges)


async def choose_nudges(call: Call) -> None:
    if not await call.store.choose_nudges(call.guest, call.path("table"), call.body.choice):
        raise NoTable(call.path("table"))


NUDGE_OPERATIONS = (
    Operation("GET", "/api/nudges", nudges, "How I am told of turns and invitations", p.NudgesAnswer, tag="nudges"),
    Operation("POST", "/api/nudges", set_choices, "Language, time zone and quiet hours of my nudges", None,
              p.NudgeChoices, 204, "nudges"),
    Operation("POST", "/api/nudges/channels", add_channel, "Nudge me there", p.ChannelEntry, p.NewChannel, 201,
              "nudges"),
    Operation("DELETE", "/api/nudges/channels/{channel}", remove_channel, "Nudge me there no more", status=204,
              tag="nudges"),
    Operation("POST", "/api/nudges/channels/{channel}/test", try_channel, "Send a test", p.Delivered, tag="nudges"),
    Operation("POST", "/api/nudges/channels/{channel}/received", received, "Something arrived", status=204,
              tag="nudges"),
    Operation("POST", "/api/nudges/mail", add_mail, "Ask by mail whether an address is mine", None, p.NewMail, 204,
              "nudges"),
    Operation("POST", "/api/mail/confirm", confirm_mail, "Confirm an address by the link in a mail",
              p.MailConfirmed, p.MailToken, tag="nudges", needs_guest=False),
    Operation("POST", "/api/mail/stop/{token}", stop_mail, "Stop mails by the link in one", status=204, tag="nudges",
              needs_guest=False),
    Operation("GET", "/api/tables/{table}/nudges", table_nudges, "When I am nudged for a table", p.TableNudges,
              tag="nudges"),
    Operation("POST", "/api/tables/{table}/nudges", choose_nudges, "Choose when I am nudged for a table", None,
              p.TableNudges, 204, "nudges"),
)  # fmt: skip
