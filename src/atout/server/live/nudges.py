"""Nudges: a guest who has a decision to make at a table with days per move is told so, once for each decision.

This is for correspondence play: by push notification (Web Push), mail or webhook. Invitations of friends go the same
ways (`people.py:announce`), and tests that a guest asks for (`http/nudges.py:try_channel`); nothing else does.

    a decision is due ─► planned in the store ─► its time has come: one worker claims it ─► still due? away? quiet?
                                                                                    └─► every channel of the guest

A nudge that is claimed by a worker that ends at this moment is lost; nobody is nudged twice. Texts name people and what
is asked, never a card.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from atout.errors import NoTable
from atout.game.view import SECRET_NAMES
from atout.i18n import LANGUAGES, catalogue, fill
from atout.server.errors import ApiError
from atout.server.limits import Buckets
from atout.server.live import deliver
from atout.server.live.loading import table_of
from atout.server.live.mail import DELIVERED, NO_SERVER, Kind, Mailer
from atout.store import Channel, PlannedNudge
from atout.tables import Table
from atout.tables.devices import owner
from atout.tables.forget import is_alias

if TYPE_CHECKING:
    from atout.server.live.hub import Hub

log = logging.getLogger("atout.nudges")

POLL_SECONDS = 5.0
MANY = 100
THERE_SECONDS = 600.0
"""When a guest who wants to be nudged only when away, and is there, is looked at again."""
MAX_FAILURES = 10
"""A channel that failed so often in a row is removed."""
MAX_OPEN = 32
"""Deliveries that are open in a worker."""
VAPID = "vapid"
HOUR = 3600.0
DEFAULT_VAPID_CONTACT = "mailto:nobody@example.com"
"""The `sub` claim for push services where the operator gives no contact."""


class NudgeSettings(Struct, frozen=True):
    """How a guest wants to be nudged."""

    language: str = "en"
    zone: str = "UTC"
    """A time zone, such as Europe/Berlin."""
    quiet_from: int | None = None
    """Minutes after midnight from which they are not nudged; None: at any time."""
    quiet_to: int | None = None


def quiet_until(settings: NudgeSettings, now: float) -> float | None:
    """When the quiet hours end, if they are now; None if they are not."""
    begin, end = settings.quiet_from, settings.quiet_to
    if begin is None or end is None or begin == end:
        return None
    try:
        here = datetime.fromtimestamp(now, ZoneInfo(settings.zone))
    except (ZoneInfoNotFoundError, ValueError):
        here = datetime.fromtimestamp(now, ZoneInfo("UTC"))
    minute = here.hour * 60 + here.minute
    is_quiet = begin <= minute < end if begin < end else minute >= begin or minute < end
    if not is_quiet:
        return None
    ends = here.replace(hour=end // 60, minute=end % 60, second=0, microsecond=0)
    return (ends if ends > here else ends + timedelta(days=1)).timestamp()


def asked_people(table: Table) -> dict[str, int]:
    """The guests who have a decision to make at a table with days per move, each with its number."""
    if table.status != "playing" or table.settings.clock.kind != "days":
        return {}
    found = {}
    for seat in table.asked:
        guest = table.guests[seat]
        if guest is not None and not is_alias(guest) and table.clocks_run_out[seat] is not None:
            found[owner(guest)] = table.turn_number
    return found


class Nudges:
    """Plans and delivers the nudges of a worker."""

    def __init__(self, hub: Hub, mailer: Mailer) -> None:
        self._hub, self.mailer = hub, mailer
        self._key: bytes | None = None
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By guest: their deliveries are made one after the other, so that slow receivers hold up nobody else's."""
        self._open = asyncio.Semaphore(MAX_OPEN)
        rate = hub.settings.mails_per_hour
        self._mails = Buckets(rate / HOUR, rate, hub.now)

    async def key(self) -> bytes:
        """The key that signs push messages, made at the first use and kept in the store for all workers."""
        if self._key is None:
            self._key = await self._hub.store.secret(VAPID, await asyncio.to_thread(deliver.new_key))
        return self._key

    async def settings(self, guest: str) -> NudgeSettings:
        body = await self._hub.store.nudge_settings(guest)
        return NudgeSettings() if body is None else msgspec.json.decode(body, type=NudgeSettings)

    def plan(self, table: Table) -> None:
        """After an event was stored: plan what follows from it."""
        at = self._hub.now() + self._hub.settings.nudge_seconds
        for guest, decision in asked_people(table).items():
            self._hub.start(self._hub.store.plan_nudge(PlannedNudge(table.table, guest, decision, at)))

    async def run(self) -> None:
        while True:
            await asyncio.sleep(min(POLL_SECONDS, max(self._hub.settings.nudge_seconds, 0.2)))
            self._hub.start(self.deliver_due())

    async def deliver_due(self) -> None:
        """Deliver what is due now."""
        for nudge in await self._hub.store.claim_nudges(self._hub.now(), MANY):
            await self._deliver(nudge)

    async def _deliver(self, nudge: PlannedNudge) -> None:
        table = await self._table(nudge.table)
        if table is None:
            return
        if table.status == "paused" and table.turn_number == nudge.decision:
            ends = table.next_deadline() or self._hub.now() + HOUR
            await self._hub.store.postpone_nudge(replace(nudge, at=max(ends, self._hub.now() + THERE_SECONDS)))
            return
        if asked_people(table).get(nudge.guest) != nudge.decision:
            return
        choice = await self._hub.store.nudge_choice(nudge.guest, nudge.table) or "away"
        if choice == "never":
            return
        now, settings = self._hub.now(), await self.settings(nudge.guest)
        seats = [i for i, who in enumerate(table.guests) if who is not None and owner(who) == nudge.guest]
        quiet = quiet_until(settings, now)
        if quiet is not None:
            await self._hub.store.postpone_nudge(replace(nudge, at=quiet))
        elif choice == "away" and not all(map(table.is_away, seats)):
            await self._hub.store.postpone_nudge(replace(nudge, at=now + THERE_SECONDS))
        else:
            message = message_of(table, nudge.guest, settings.language)
            self._hub.start(self.send_everywhere(nudge.guest, "turn", message))

    async def send_everywhere(self, guest: str, kind: Kind, message: dict[str, str]) -> None:
        """Deliver over every channel of a guest."""
        for channel in await self._hub.store.channels(guest):
            await self.send(channel, kind, message)

    async def _table(self, id: str) -> Table | None:
        live = self._hub.tables.get(id)
        try:
            return await live.durable() if live is not None else await table_of(await self._hub.store.events(id))
        except NoTable:
            return None

    def is_sending(self, guest: str) -> bool:
        """Whether something is being delivered to a guest."""
        turn = self._turns.get(guest)
        return turn is not None and turn.locked()

    async def send(self, channel: Channel, kind: Kind, message: dict[str, str]) -> bool:
        """Deliver over one channel; whether it worked. A channel that is gone, or fails too often, is removed."""
        turn = self._turns.setdefault(channel.guest, asyncio.Lock())
        async with turn, self._open:
            return await self._send(channel, kind, message)

    async def _send(self, channel: Channel, kind: Kind, message: dict[str, str]) -> bool:
        store, settings = self._hub.store, self._hub.settings
        address: dict[str, Any] = msgspec.json.decode(channel.address)
        try:
            if channel.type == "mail":
                if self._mails.take(channel.id):
                    log.info("a mail was left out: too many to one address", extra={"kind": kind})
                    return False
                language = (await self.settings(channel.guest)).language
                status = await self.mailer.send(self.mailer.nudge(address["mail"], channel.id, message, language))
            elif channel.type == "push":
                text, key = msgspec.json.encode({**message, "channel": channel.id}), await self.key()
                contact = settings.nudge_contact or DEFAULT_VAPID_CONTACT
                status = await deliver.push(address, text, key, contact, settings.nudge_private)
            else:
                status = await deliver.hook(address["url"], message, settings.nudge_private)
        except Exception as error:  # a receiver's answer may make the libraries raise anything
            log.info("a nudge failed", extra={"kind": kind, "error": type(error).__name__})
            status = 0
        is_sent, now = 200 <= status < 300, self._hub.now()
        await store.note_sent(channel.id, now if is_sent else None)
        if is_sent and channel.type != "push":  # a browser tells itself
            await store.note_delivery(channel.guest, channel.id, now)
        is_gone = channel.type != "webhook" and status in deliver.GONE
        if not is_sent and (is_gone or channel.failures + 1 >= MAX_FAILURES):
            await store.remove_channel(channel.guest, channel.id)
        return is_sent

    async def send_confirmation(self, guest: str, address: str, token: str) -> bool:
        """Ask whether an address is theirs who named it; whether the mail was accepted for that address."""
        language = (await self.settings(guest)).language
        status = await self.mailer.send(self.mailer.confirmation(address, token, language))
        if status == NO_SERVER:
            message = (
                "the mail could not be sent, whatever the address: the operator finds the reason in the server's log"
            )
            raise ApiError(502, "mail-server-failed", message)
        return status == DELIVERED


def message_of(table: Table, guest: str, language: str) -> dict[str, str]:
    """What a guest is told: whose table it is and what is asked of them."""
    texts = _texts(language)
    views = table.views(table.last_at)
    game, seats = views.common_game() or {}, views.common()["seats"]
    others = [
        seat.name
        for seat, who in zip(seats, table.guests, strict=True)
        if who is not None and owner(who) != guest and seat.name
    ]
    phase = str(game.get("phase", ""))
    what = "play" if phase == "play" else "choose" if phase in SECRET_NAMES else "decide"
    body = {
        "edition": _edition(table, texts),
        "round": game.get("round", 1),
        "what": texts[f"nudge.what.{what}"],
    }
    title = fill(texts["nudge.title"], {"who": ", ".join(others) or "Atout"})
    return {"title": title, "body": fill(texts["nudge.body"], body), "path": f"/table/{table.table}"}


def invitation_of(table: Table, by: str, language: str) -> dict[str, str]:
    """What a friend is told who is invited to a table."""
    texts = _texts(language)
    title = fill(texts["nudge.invited"], {"name": by})
    return {"title": title, "body": _edition(table, texts), "path": f"/table/{table.table}"}


def _texts(language: str) -> Mapping[str, str]:
    return catalogue(language if language in LANGUAGES else "en")


def _edition(table: Table, texts: Mapping[str, str]) -> str:
    """The name of the table's edition; house rules have none."""
    edition = table.settings.edition
    return texts.get(f"edition.{edition}", "Atout") if isinstance(edition, str) else "Atout"
