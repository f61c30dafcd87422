"""Nudges: ways to reach a guest, quiet hours, and when to be nudged for a table."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from atout.errors import NoTable, UsageError
from atout.i18n import catalogue
from atout.protocol import rest
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.identity import hashed
from atout.server.live import deliver
from atout.store import Channel

MAX_CHANNELS = 10


async def nudges(call: Call) -> rest.NudgesAnswer:
    hub = call.context.hub
    try:
        key = deliver.public_key(await hub.nudges.key())
    except UsageError:  # the package is not installed
        key = ""
    channels = [_entry(channel) for channel in await call.store.channels(call.guest)]
    chosen = msgspec.convert(msgspec.to_builtins(await hub.nudges.settings(call.guest)), rest.NudgeChoices)
    return rest.NudgesAnswer(key, channels, chosen)


def _entry(channel: Channel) -> rest.ChannelEntry:
    address = msgspec.json.decode(channel.address)
    host = urlsplit(address.get("endpoint") or address.get("url") or "").hostname or ""
    return rest.ChannelEntry(
        channel.id,
        "push" if channel.type == "push" else "webhook",
        host,
        channel.created,
        channel.delivered,
        channel.failures,
    )


async def set_choices(call: Call) -> None:
    choices: rest.NudgeChoices = call.body
    try:
        ZoneInfo(choices.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        message = f"zone: {choices.zone[:40]!r} is not known; expected a time zone such as Europe/Berlin"
        raise ApiError(422, "bad-zone", message) from None
    await call.store.set_nudge_settings(call.guest, msgspec.json.encode(choices))


async def add_channel(call: Call) -> rest.ChannelEntry:
    """Add a way to reach me. The same one again renews it, as browsers do at each start."""
    new: rest.NewChannel = call.body
    guest, settings = call.guest, call.context.settings
    try:
        deliver.check_url(new.url, settings.nudge_private)
    except UsageError as error:
        raise ApiError(422, "bad-address", str(error)) from None
    id = hashed(f"channel {guest} {new.url}").hex()[:32]
    known = await call.store.channels(guest)
    if id not in [channel.id for channel in known] and len(known) >= MAX_CHANNELS:
        raise ApiError(409, "too-many-channels", f"you have {MAX_CHANNELS} already; remove some", most=MAX_CHANNELS)
    if new.keys is None:
        kind, address = "webhook", {"url": new.url}
    else:
        kind, address = "push", {"endpoint": new.url, "keys": msgspec.to_builtins(new.keys)}
    channel = Channel(id, guest, kind, msgspec.json.encode(address), call.context.now())
    await call.store.add_channel(channel)
    return _entry(await _channel(call, id))


async def _channel(call: Call, id: str) -> Channel:
    for channel in await call.store.channels(call.guest):
        if channel.id == id:
            return channel
    raise ApiError(404, "no-channel", "you have no such way to be reached")


async def remove_channel(call: Call) -> None:
    if not await call.store.remove_channel(call.guest, call.path("channel")):
        raise ApiError(404, "no-channel", "you have no such way to be reached")


async def try_channel(call: Call) -> rest.Delivered:
    """Send a test over a channel; the answer says whether it arrived."""
    channel = await _channel(call, call.path("channel"))
    call.context.check_new_table(call.guest)  # as seldom as new tables: it calls other machines
    language = (await call.context.hub.nudges.settings(call.guest)).language
    message = {"title": "Atout", "body": catalogue(language)["nudge.test"], "path": "/settings"}
    return rest.Delivered(await asyncio.shield(call.context.hub.nudges.send(channel, message)))


async def table_nudges(call: Call) -> rest.TableNudges:
    choice = await call.store.nudge_choice(call.guest, call.path("table")) or "away"
    return msgspec.convert({"choice": choice}, rest.TableNudges)


async def choose_nudges(call: Call) -> None:
    if not await call.store.choose_nudges(call.guest, call.path("table"), call.body.choice):
        raise NoTable(call.path("table"))


NUDGE_OPERATIONS = (
    Operation("GET", "/api/nudges", nudges, "How I am nudged when it is my turn", rest.NudgesAnswer, tag="nudges"),
    Operation("POST", "/api/nudges", set_choices, "Language, time zone and quiet hours of my nudges", None,
              rest.NudgeChoices, 204, "nudges"),
    Operation("POST", "/api/nudges/channels", add_channel, "Nudge me there", rest.ChannelEntry, rest.NewChannel, 201,
              "nudges"),
    Operation("DELETE", "/api/nudges/channels/{channel}", remove_channel, "Nudge me there no more", status=204,
              tag="nudges"),
    Operation("POST", "/api/nudges/channels/{channel}/test", try_channel, "Send a test", rest.Delivered, tag="nudges"),
    Operation("GET", "/api/tables/{table}/nudges", table_nudges, "When I am nudged for a table", rest.TableNudges,
              tag="nudges"),
    Operation("POST", "/api/tables/{table}/nudges", choose_nudges, "Choose when I am nudged for a table", None,
              rest.TableNudges, 204, "nudges"),
)  # fmt: skip
