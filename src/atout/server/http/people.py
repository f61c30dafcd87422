"""Other people: friends by consent, mutes and blocks, invitations to a table, reports to the operator.

Nobody learns a guest's id. A person in my lists has an id that is made for me alone (`person_id`); a person at a table
is named by the seat. Nobody is told that they were muted, blocked or reported: a blocked person's requests are taken
like anybody's, and are shown to nobody.
"""

from __future__ import annotations

import logging

from atout.protocol import people as p
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.http.cards import card_of
from atout.server.identity import hashed, new_id
from atout.server.live.hub import DAY, INVITATION_DAYS
from atout.server.live.people import announce
from atout.server.live.presence import ONLINE_SECONDS
from atout.store import Relation, Report, ReportLine
from atout.store.operations.people import MAX_ASKED, MAX_FRIENDS, MAX_INVITED, MAX_MARKS
from atout.tables import Table, decode
from atout.tables import events as e
from atout.tables.devices import owner
from atout.tables.forget import is_alias
from atout.tables.guards import tidied

log = logging.getLogger("atout.people")

LINES = 30
"""What was said last at a table, as far as a report has it."""


def person_id(me: str, other: str) -> str:
    """What I call somebody in my lists: for anybody else it names nobody."""
    return hashed(f"person {me} {other}").hex()[:32]


async def _relations(call: Call) -> list[Relation]:
    return await call.store.relations(call.guest, call.context.now() - ONLINE_SECONDS)


async def _known(call: Call, person: str) -> Relation:
    """Somebody of my lists."""
    for one in await _relations(call):
        if person_id(call.guest, one.other) == person:
            return one
    raise ApiError(404, "no-person", "there is nobody like that in your lists")


async def _table(call: Call, id: str) -> Table:
    """A table that I may look at."""
    table = await (await call.context.hub.table(id)).durable()
    if call.guest not in table.members:
        table.views(table.last_at).own(call.guest)
    return table


def _at_seat(call: Call, table: Table, seat: int) -> str:
    """The guest at a seat: somebody else than me, and no bot."""
    guest = table.guests[seat] if seat < len(table.guests) else None
    if guest is None or is_alias(guest):
        raise ApiError(404, "no-person", "nobody sits there")
    if owner(guest) == call.guest:
        raise ApiError(422, "yourself", "that is you")
    return owner(guest)


# ---------------------------------------------------------------- friends


async def people(call: Call) -> p.People:
    settings, relations = await call.store.people_settings(call.guest), await _relations(call)

    def entries(kind: str) -> list[p.PersonEntry]:
        found = [one for one in relations if one.kind == kind]
        return [p.PersonEntry(person_id(call.guest, one.other), one.name, one.at) for one in found]

    friends = sorted((one for one in relations if one.kind == "friend"), key=lambda one: not one.is_online)
    return p.People(
        link=settings.link,
        shows_online=settings.shows_online,
        friends=[p.Friend(person_id(call.guest, one.other), one.name, one.is_online) for one in friends],
        requests=entries("request"),
        asked=entries("asked"),
        muted=entries("muted"),
        blocked=entries("blocked"),
    )


async def show_online(call: Call) -> None:
    await call.store.set_online(call.guest, call.body.on)


async def make_link(call: Call) -> p.FriendLink:
    """A new link of mine; the one before it leads nowhere from now on."""
    call.context.check_asking(call.guest)
    link = new_id()
    await call.store.set_friend_link(call.guest, link)
    return p.FriendLink(link)


async def _owner_of(call: Call, link: str) -> str:
    found = await call.store.at_friend_link(link) if link.isprintable() else None
    if found is None:
        raise ApiError(404, "no-link", "this link is invalid or was replaced; ask for a new one")
    return found


async def link_owner(call: Call) -> p.LinkOwner:
    guest = await _owner_of(call, call.path("link"))
    profile = await call.store.guest(guest)
    return p.LinkOwner("" if profile is None else profile.name, guest == call.known)


async def _asked_person(call: Call, body: p.AskFriend) -> str:
    if sum(map(bool, (body.link, body.name, body.table))) != 1:
        raise ApiError(422, "bad-request", "say whom: expected one of link, name, table (with seat)")
    if body.link:
        return await _owner_of(call, body.link)
    if body.table:
        return _at_seat(call, await _table(call, body.table), body.seat)
    found = await call.store.accounts_named(tidied(body.name))
    if not found:
        raise ApiError(404, "no-name", "nobody keeps this name here; send them your link")
    if len(found) > 1:
        raise ApiError(409, "many-names", "several people keep this name; send them your link")
    return found[0]


async def ask(call: Call) -> p.Asked:
    """Ask somebody to be friends: they are, once the other agrees."""
    call.context.check_asking(call.guest)
    other = await _asked_person(call, call.body)
    if other == call.guest:
        raise ApiError(422, "yourself", "that is you")
    return _asked_of(await call.store.ask_friend(call.guest, other))


def _asked_of(state: str) -> p.Asked:
    """The response to a request or to an agreement, by what the store made of it."""
    if state in ("asked", "friends"):
        return p.Asked("asked" if state == "asked" else "friends")
    if state == "blocked":
        raise ApiError(409, "is-blocked", "you have blocked them; unblock them first")
    if state == "full":
        message = f"nobody has more than {MAX_FRIENDS} friends, or {MAX_ASKED} requests without an answer"
        raise ApiError(409, "too-many-friends", message, most=MAX_FRIENDS, asked=MAX_ASKED)
    raise ApiError(404, "no-person", "they are not here any more")


async def accept(call: Call) -> p.Asked:
    """Agree to be friends with somebody who asked me."""
    person = await _known(call, call.body.person)
    return _asked_of(await call.store.accept_friend(call.guest, person.other))


async def remove(call: Call) -> None:
    """End a friendship, refuse a request or withdraw one."""
    person = await _known(call, call.body.person)
    if not await call.store.part(call.guest, person.other):
        raise ApiError(404, "no-person", "there is nobody like that in your lists")


# ---------------------------------------------------------------- mutes, blocks, reports


async def table_people(call: Call) -> p.TablePeople:
    """The other people at a table, and what they are to me."""
    table, relations = await _table(call, call.path("table")), await _relations(call)
    kinds = {(one.kind, one.other) for one in relations}
    found = []
    for number, seat in enumerate(table.views(table.last_at).common()["seats"]):
        guest = table.guests[number]
        if guest is None or is_alias(guest) or owner(guest) == call.guest:
            continue
        one = owner(guest)
        found.append(
            p.SeatPerson(
                seat=number,
                name=seat.name,
                is_friend=("friend", one) in kinds,
                is_asked=("asked", one) in kinds,
                is_muted=("muted", one) in kinds,
                is_blocked=("blocked", one) in kinds,
            )
        )
    return p.TablePeople(found)


async def _marked(call: Call) -> str:
    body: p.Mark = call.body
    if bool(body.person) == bool(body.table):
        raise ApiError(422, "bad-request", "say whom: expected person, or table (with seat)")
    if body.person:
        return (await _known(call, body.person)).other
    return _at_seat(call, await _table(call, body.table), body.seat)


async def mute(call: Call) -> None:
    if not await call.store.mark(call.guest, await _marked(call), "muted", call.body.on):
        raise ApiError(409, "too-many-marks", f"nobody mutes more than {MAX_MARKS} people", most=MAX_MARKS)


async def block(call: Call) -> None:
    if not await call.store.mark(call.guest, await _marked(call), "blocked", call.body.on):
        raise ApiError(409, "too-many-marks", f"nobody blocks more than {MAX_MARKS} people", most=MAX_MARKS)


async def _lines(call: Call, table: Table) -> list[ReportLine]:
    """What was said last at a table, each line with the guest who said it, whoever has the seat now."""
    chat = table.views(table.last_at).common()["chat"][-LINES:]
    events = [decode(body) for body in await call.store.events(table.table)]
    said = [event for event in events if isinstance(event, e.Said) and event.number <= table.number]
    return [
        ReportLine(owner(event.by), line.name, line.text, line.at)
        for event, line in zip(said[len(said) - len(chat) :], chat, strict=True)
        if event.by is not None and not is_alias(event.by)
    ]


async def report(call: Call) -> None:
    """Report somebody at a table to the operator, with what was said last as I could see it."""
    new: p.NewReport = call.body
    table, now = await _table(call, new.table), call.context.now()
    about = _at_seat(call, table, new.seat)
    call.context.check_report(call.request)
    seats = table.views(table.last_at).common()
    lines = await _lines(call, table)
    most = call.context.settings.reports_per_day
    kept = Report(
        new_id(), call.guest, about, seats["seats"][new.seat].name, new.table, new.kind, tidied(new.text), now,
        tuple(lines),
    )  # fmt: skip
    if not await call.store.report(kept, now - DAY, most):
        raise ApiError(429, "too-many-reports", f"you can report {most} times a day", most=most, seconds=3600)
    log.warning("somebody was reported; see `atout reports`", extra={"kind": new.kind})


# ---------------------------------------------------------------- invitations


async def news(call: Call) -> p.News:
    """Invitations to tables with a seat for me, and how many would like to be friends."""
    found = []
    for one in await call.store.invitations(call.guest, call.context.now() - INVITATION_DAYS * DAY):
        card = card_of(one.table)
        if any(seat.kind in ("open", "kept") for seat in card.detail.seats):
            found.append(p.InvitationEntry(one.by, card))
    return p.News(found, sum(one.kind == "request" for one in await _relations(call)))


async def invite(call: Call) -> None:
    """Invite a friend to a table of mine that waits for players.

    They are nudged once for each table, and never by somebody they muted. Whoever invites is told the same.
    """
    call.context.check_asking(call.guest)
    table = await (await call.context.hub.table(call.path("table"))).durable()
    if call.guest not in table.members:
        raise ApiError(403, "no-seat", "you have no seat at this table")
    seats = table.views(table.last_at).common()["seats"]
    if table.status != "waiting" or not any(seat.kind == "open" for seat in seats):
        raise ApiError(409, "no-free-seat", "no seat is free at this table")
    friend = await _known(call, call.body.person)
    done = await call.store.invite(table.table, call.guest, friend.other)
    if done == "full":
        raise ApiError(409, "too-many-invited", f"{MAX_INVITED} people are invited already", most=MAX_INVITED)
    if done not in ("invited", "again"):
        raise ApiError(409, "no-friend", "you can invite your friends only")
    if done == "again" or await call.store.has_muted(friend.other, call.guest):
        return
    profile = await call.store.guest(call.guest)
    call.context.hub.start(announce(call.context.hub, table, "" if profile is None else profile.name, friend.other))


async def decline(call: Call) -> None:
    if not await call.store.decline_invitation(call.guest, call.path("table")):
        raise ApiError(404, "no-invitation", "you are not invited to this table")


PEOPLE_OPERATIONS: tuple[Operation, ...] = (
    Operation("GET", "/api/people", people, "My friends, requests, and whom I muted or blocked", p.People,
              tag="people"),
    Operation("GET", "/api/people/news", news, "Invitations and requests that wait for me", p.News, tag="people"),
    Operation("POST", "/api/people/online", show_online, "Choose whether friends see when I am here", None,
              p.ShowOnline, 204, "people"),
    Operation("POST", "/api/people/link", make_link, "A new link of mine to send to friends", p.FriendLink, None, 201,
              "people"),
    Operation("GET", "/api/people/link/{link}", link_owner, "Whose link it is", p.LinkOwner, tag="people",
              needs_guest=False),
    Operation("POST", "/api/people/ask", ask, "Ask somebody to be friends", p.Asked, p.AskFriend, tag="people"),
    Operation("POST", "/api/people/accept", accept, "Be friends with somebody who asked", p.Asked, p.Whom,
              tag="people"),
    Operation("POST", "/api/people/remove", remove, "End a friendship, refuse a request or withdraw one", None, p.Whom,
              204, "people"),
    Operation("POST", "/api/people/mute", mute, "Do not show me what somebody says, or show it again", None, p.Mark,
              204, "people"),
    Operation("POST", "/api/people/block", block, "Have nothing to do with somebody, or end that", None, p.Mark, 204,
              "people"),
    Operation("POST", "/api/people/report", report, "Report somebody at a table to the operator", None, p.NewReport,
              204, "people"),
    Operation("GET", "/api/tables/{table}/people", table_people, "The other people at a table, and what they are to me",
              p.TablePeople, tag="people"),
    Operation("POST", "/api/tables/{table}/invitations", invite, "Invite a friend to a table", None, p.Whom, 204,
              "people"),
    Operation("DELETE", "/api/invitations/{table}", decline, "Decline an invitation", status=204, tag="people"),
)  # fmt: skip
