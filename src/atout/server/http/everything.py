"""Give me everything: one file with all that the server keeps of a guest, line by line.

It is long work that anybody may ask for, so it is done in pieces: one table's event log at a time, in the thread for
event logs, whose exports they may be. A reader who is slow holds up only their own export.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from atout.errors import NoTable
from atout.server.http.call import Call, Operation
from atout.server.live.loading import in_log_thread
from atout.store import ListedRecord
from atout.tables import decode
from atout.tables import events as e
from atout.tables.devices import owner

PAGE = 20
REPORTS = 10_000


async def everything(call: Call) -> StreamingResponse:
    """JSON Lines: each line says its `kind`. Keys and hashes that only the server can use are left out."""
    return Export(call)


class Export(StreamingResponse):
    """The file. While it is sent, the guest gets no other."""

    def __init__(self, call: Call) -> None:
        headers = {"Content-Disposition": 'attachment; filename="atout-everything.jsonl"'}
        super().__init__(_lines(call, call.guest), headers=headers, media_type="application/x-ndjson")
        self._call = call

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._call.context.export(self._call.request, self._call.guest):
            await super().__call__(scope, receive, send)


async def _lines(call: Call, guest: str) -> AsyncIterator[bytes]:
    async for kind, body in _parts(call, guest):
        yield msgspec.json.encode({"kind": kind, **body}) + b"\n"


async def _parts(call: Call, guest: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    store = call.store
    profile = await store.guest(guest)
    if profile is not None:
        settings = msgspec.json.decode(profile.settings)
        yield "profile", {"name": profile.name, "created": profile.created, "seen": profile.seen, "settings": settings}
    async for part in _ways_in(call, guest):
        yield part
    async for part in _nudges(call, guest):
        yield part
    async for part in _people(call, guest):
        yield part
    for sums in await store.statistics(guest):
        yield "statistics", msgspec.structs.asdict(sums)
    async for record in _records(call, guest):
        yield "record", record
    for one in await store.imports(guest):
        imported = await store.record(one.id)
        if imported is not None:
            yield "imported", {"id": one.id, "at": one.finished, "record": msgspec.Raw(imported.body)}
    for errors in await store.review_errors(guest):
        body = msgspec.json.decode(errors.errors)
        yield "review", {"record": errors.record, "seat": errors.seat, "errors": body}
    for daily in await store.daily_results(guest):
        chosen = [choice.action for choice in await store.daily_choices(guest, daily.day)]
        gains = msgspec.json.decode(daily.gains or b"[]")
        yield "deal", {**msgspec.structs.asdict(daily), "gains": gains, "choices": chosen}
    for table in await store.visited(guest):
        yield "table", await _table(call, guest, table)


async def _ways_in(call: Call, guest: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """The account, its passkeys and providers, and the devices that are signed in."""
    store = call.store
    account = await store.account(guest)
    if account is not None:
        yield "account", {"created": account.created, "code_made": account.code_made, "code_used": account.code_used}
    for passkey in await store.passkeys(guest):
        yield "passkey", {"name": passkey.name, "created": passkey.created, "used": passkey.used}
    for identity in await store.identities(guest):
        yield "oidc", {"issuer": identity.issuer, "subject": identity.subject, "created": identity.created}
    for session in await store.sessions(guest):
        yield "session", {"device": session.device, "created": session.created, "seen": session.seen}


async def _nudges(call: Call, guest: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Where nudges go, and when."""
    store = call.store
    for channel in await store.channels(guest):
        yield "channel", {"type": channel.type, "address": msgspec.Raw(channel.address), "delivered": channel.delivered}
    for address in await store.unconfirmed_mails(guest, 0.0):
        yield "channel", {"type": "mail", "address": {"mail": address}, "unconfirmed": True}
    choices = await store.nudge_settings(guest)
    if choices is not None:
        yield "nudges", {"choices": msgspec.Raw(choices)}


async def _people(call: Call, guest: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Friends, requests, people muted or blocked, invitations, and reports by the guest; not what others reported."""
    store = call.store
    people = await store.people_settings(guest)
    yield "people", {"link": people.link, "shows_online": people.shows_online}
    for one in await store.relations(guest, call.context.now()):
        yield one.kind, {"name": one.name, "at": one.at}
    for invitation in await store.invitations(guest, 0.0):
        yield "invitation", {"by": invitation.by, "table": invitation.table.table}
    for report in await store.reports(REPORTS, guest):
        yield "report", {"about": report.name, "type": report.kind, "text": report.text, "at": report.at}


async def _records(call: Call, guest: str) -> AsyncIterator[dict[str, Any]]:
    last: ListedRecord | None = None
    while page := await call.store.records(guest, last, PAGE):
        for listed in page:
            found = await call.store.record(listed.id)
            if found is not None:
                yield {
                    "id": listed.id,
                    "seats": listed.seats,
                    "finished": listed.finished,
                    "record": msgspec.Raw(found.body),
                }
        last = page[-1]


async def _table(call: Call, guest: str, table: str) -> dict[str, Any]:
    """A table whose log names the guest: what they said and did there, and nothing of others."""
    async with call.context.exporting:
        try:
            bodies = await call.store.events(table)
        except NoTable:
            bodies = []
        return await in_log_thread(own_part, guest, table, bodies)


def own_part(guest: str, table: str, bodies: Sequence[bytes]) -> dict[str, Any]:
    """What a guest said and did, out of a table's event log."""
    mine = guest.encode()
    events = [decode(body) for body in bodies if mine in body]
    own = [event for event in events if event.by is not None and owner(event.by) == guest]
    said = [{"at": event.at, "text": event.text} for event in own if isinstance(event, e.Said)]
    names = [event.name for event in own if isinstance(event, e.Sat | e.Renamed | e.WatchAsked)]
    acted = [{"at": event.at, "action": event.action} for event in own if isinstance(event, e.Acted | e.Chosen)]
    return {"table": table, "names": names, "said": said, "acted": acted}


EVERYTHING_OPERATIONS = (
    Operation("GET", "/api/guest/everything", everything, "All that is kept of me, in one file", dict[str, Any],
              tag="account", media="application/x-ndjson"),
)  # fmt: skip
