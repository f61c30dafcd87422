"""The interface of a store: everything the table server keeps, and what it may rely on.

    durable     a call that writes returns when what it wrote survives a crash of the process and of the machine
    numbered    event n is written once, by one caller; no number is left out; a batch is there whole or not at all
    grouped     concurrent appends share a transaction and its one fsync; one that is refused fails alone
    uncertain   `Unavailable` leaves open whether an append was written: read `events` again before going on

`Conflict` and `NoTable` are answers; `Unavailable` and `StoreFull` are temporary errors. A store retries by itself for
a while before it raises `Unavailable`. A call that returns whether something existed may therefore return False about
what its own first attempt removed. A call that is cancelled may still be carried out.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Protocol

from atout.store.model import (
    Account,
    AccountSession,
    Append,
    Attempt,
    Channel,
    DailyChoice,
    DailyDeal,
    DailyResult,
    FieldChoice,
    Guest,
    Invitation,
    KeyCheck,
    ListedRecord,
    ListedTable,
    LobbyCard,
    Mistake,
    MistakeAt,
    MistakeCounts,
    OidcIdentity,
    Passkey,
    PeopleSettings,
    PlannedNudge,
    PuzzleSkill,
    Relation,
    Report,
    Result,
    ReviewErrors,
    ReviewHead,
    Rewrite,
    SeatLink,
    Sharing,
    SkillNumbers,
    Statistics,
    StoredRecord,
    TableChanged,
    Tried,
    UnconfirmedMail,
)
from atout.store.operations.accounts import Belonging, CookieState, Joined
from atout.store.operations.mail import MailAsked
from atout.store.operations.people import Asked, Invited, Mark
from atout.store.operations.puzzles import Rate
from atout.store.operations.records import Renamed

PAGE = 50
"""Entries of a list that come at once, unless the caller asks for another number."""


class Store(Protocol):
    """Keeps tables, guests and records."""

    @property
    def shared(self) -> bool:
        """Whether several processes may use it at once; if not, `watch` reports this process's appends only."""
        ...

    async def close(self) -> None:
        """Finish the calls that have begun, and refuse later ones."""
        ...

    # Tables and their events

    async def create_table(
        self,
        table: str,
        card: LobbyCard,
        events: Sequence[bytes],
        *,
        due: float | None = None,
        guests: Sequence[str] = (),
        visitors: Sequence[str] = (),
    ) -> None:
        """Add a table with its first events; `Conflict` if its id is taken, `GuestForgotten` if a visitor was."""
        ...

    async def append(self, append: Append) -> None:
        """Write the events; `Conflict` if `first` does not follow the last event, `NoTable` if the table is gone.

        `GuestForgotten` if one of the visitors was forgotten.
        """
        ...

    async def rewrite(self, rewrite: Rewrite) -> None:
        """Replace bodies of events and append others, so that the log names a guest no more; errors as for `append`."""
        ...

    async def events(self, table: str, after: int = 0) -> list[bytes]:
        """The events after number `after`, in order; `NoTable` if there is no such table."""
        ...

    async def head(self, table: str) -> int:
        """The number of the last event; `NoTable` if there is no such table."""
        ...

    async def table(self, table: str) -> ListedTable | None:
        """A table with its lobby card, if it exists."""
        ...

    async def open_tables(self, limit: int = PAGE) -> list[ListedTable]:
        """Public tables with open seats, the most recently active first."""
        ...

    async def tables_of(self, guest: str, limit: int = PAGE) -> list[ListedTable]:
        """The tables a guest plays at: unfinished ones before others, the most recently active first."""
        ...

    async def due(self, now: float, limit: int = 1000) -> list[ListedTable]:
        """Tables whose deadline has passed at `now`, the earliest first."""
        ...

    async def idle_tables(self, before: float, limit: int = 1000) -> list[ListedTable]:
        """Tables without activity since `before`, the longest idle first: candidates for deletion."""
        ...

    async def delete_table(self, table: str) -> bool:
        """Remove a table with its events and links; its records stay. False if it was not there."""
        ...

    def watch(self) -> AsyncIterator[TableChanged | None]:
        """Notifications of appends that are durable, from this call on; of several for one table only the latest.

        None means that notifications may have been missed: read again the tables that matter. It may come at any time,
        for example when a worker process starts. `FORGOTTEN_GUESTS` in place of a table says that guests were deleted.
        The iterator ends when the store is closed.
        """
        ...

    # Guests and links to seats

    async def save_guest(self, guest: Guest) -> None:
        """Add a guest, or replace name, settings and when they were last seen; `GuestForgotten` if they were."""
        ...

    async def guest(self, guest: str) -> Guest | None:
        """A guest, if known."""
        ...

    async def saw_guest(self, guest: str, when: float) -> bool:
        """Set when a guest was last seen; False if unknown."""
        ...

    async def delete_guest(self, guest: str) -> bool:
        """Delete a guest: name, settings, list of records, statistics. False if unknown.

        The id is forgotten from now on: nothing is accepted under it, and `watch` tells all processes of it. Then what
        names the guest elsewhere is to be changed (`visited`, `rewrite`, `played_by`, `rename_in_record`), and
        `finish_deletion` called.
        """
        ...

    async def is_forgotten(self, guest: str) -> bool:
        """Whether a guest was deleted."""
        ...

    async def forgotten_since(self, when: float) -> list[bytes]:
        """The guests deleted since a time, by the hashes of their ids (`hash_of`)."""
        ...

    async def half_forgotten(self) -> list[tuple[str, str]]:
        """Guests who were deleted or joined an account, but for whom `finish_deletion` was not called yet.

        The second of each pair is the account; empty for a guest who was deleted.
        """
        ...

    async def visited(self, guest: str) -> list[str]:
        """The tables whose event logs name a guest."""
        ...

    async def leave_table(self, guest: str, table: str) -> None:
        """A table's event log turned out not to name a guest."""
        ...

    async def finish_deletion(self, guest: str) -> None:
        """Nothing names a deleted guest any more. Only the hash of the id is kept, and deleted bytes are erased."""
        ...

    async def drop_forgotten(self, before: float) -> None:
        """Drop the hashes of guests who were deleted before a time: their cookies are too old by now."""
        ...

    async def add_link(self, link: SeatLink) -> None:
        """Add a link to a seat; `NoTable` if there is no such table."""
        ...

    async def link(self, hash: bytes) -> SeatLink | None:
        """The link with this hash, revoked or not."""
        ...

    async def links(self, table: str) -> list[SeatLink]:
        """All links of a table, the oldest first."""
        ...

    async def revoke_link(self, hash: bytes) -> bool:
        """Make a link useless; False if there was none to revoke."""
        ...

    # Accounts

    async def cookie_state(self, guest: str, session: bytes) -> CookieState:
        """Whether a cookie is good: the guest was not forgotten, and the session of an account goes on."""
        ...

    async def account(self, guest: str) -> Account | None:
        """A guest's account, if they have one."""
        ...

    async def add_passkey(self, passkey: Passkey) -> bool:
        """Add a passkey, and the account with the first; False if its id is known. `GuestForgotten` as always."""
        ...

    async def passkey(self, id: bytes) -> Passkey | None:
        """The passkey with this id."""
        ...

    async def passkeys(self, guest: str) -> list[Passkey]:
        """A guest's passkeys, the oldest first."""
        ...

    async def rename_passkey(self, guest: str, id: bytes, name: str) -> bool:
        """Change the name of a passkey; False if the guest has no such one."""
        ...

    async def remove_passkey(self, guest: str, id: bytes) -> bool:
        """Remove a passkey; False if the guest has no such one, or no other way into the account."""
        ...

    async def used_passkey(self, id: bytes, sign_count: int) -> bool:
        """Note that a passkey was used; False if it was removed."""
        ...

    async def use_challenge(self, hash: bytes) -> bool:
        """Note that a challenge was answered; False if it was before, on any worker."""
        ...

    async def set_code(self, guest: str, code: bytes | None) -> bool:
        """Replace or remove the recovery code, by its hash; False if nothing else would lead into the account."""
        ...

    async def use_code(self, code: bytes) -> str | None:
        """The guest whose recovery code has this hash."""
        ...

    async def add_identity(self, identity: OidcIdentity) -> bool:
        """Add an identity of OpenID Connect, and the account if need be. False if it is somebody else's way in."""
        ...

    async def identified(self, issuer: str, subject: str) -> str | None:
        """The guest whose way in this identity is, if there is one."""
        ...

    async def identities(self, guest: str) -> list[OidcIdentity]:
        """A guest's identities, the oldest first."""
        ...

    async def remove_identities(self, guest: str) -> bool:
        """Remove a guest's identities; False if they are the only way into the account, or if there are none."""
        ...

    async def kept_since(self, when: float) -> list[str]:
        """The guests whose accounts were made since a time: cookies without a session are void for them."""
        ...

    async def begin_session(self, session: AccountSession) -> None:
        """Begin a session, and tell all processes (`FORGOTTEN_GUESTS`); `GuestForgotten` if the guest was."""
        ...

    async def sessions(self, guest: str) -> list[AccountSession]:
        """A guest's sessions, the one seen last first."""
        ...

    async def saw_session(self, hash: bytes, when: float) -> None:
        """Note when a session was last seen."""
        ...

    async def end_session(self, guest: str, hash: bytes) -> bool:
        """End a session, and tell all processes (`FORGOTTEN_GUESTS`); False if the guest has no such one."""
        ...

    async def ended_sessions(self, hashes: Sequence[bytes]) -> list[bytes]:
        """Which of these sessions have ended."""
        ...

    async def drop_old_sign_ins(self, challenges: float, sessions: float) -> None:
        """Drop challenges answered before a time, and sessions begun before another: nobody can use them any more."""
        ...

    async def belongings(self, guest: str) -> list[Belonging]:
        """What a guest has that would be lost if they were forgotten."""
        ...

    async def join_guest(self, guest: str, into: str) -> Joined:
        """Give an account what a guest has. The guest's id is forgotten from now on, as by `delete_guest`.

        What names the guest in event logs is to be changed then (`visited`, `rewrite`), and `finish_deletion` called.
        """
        ...

    # Keys and secrets of the server

    async def use_keys(self, fingerprints: Sequence[bytes], is_new: bool, lost: str = "") -> KeyCheck:
        """Check the keys that sign cookies, by their fingerprints; if they are accepted, the first signs from now on.

        They are accepted if the database knows one of them, or knows none yet; but a key that was made just now
        (`is_new`) not beside guests who came before it. `lost` names the key that is given up (`KeyCheck.name`): then
        any are accepted. Without fingerprints it says whether a new key would be, and stores nothing.
        """
        ...

    async def secret(self, name: str, fresh: bytes) -> bytes:
        """A secret of this server, the same for all workers: what is stored, else the fresh one, which is stored."""
        ...

    # Nudges

    async def add_channel(self, channel: Channel) -> None:
        """Add a way to reach a guest, or renew the one with its id."""
        ...

    async def channels(self, guest: str) -> list[Channel]:
        """The ways to reach a guest, the oldest first."""
        ...

    async def remove_channel(self, guest: str, id: str) -> bool:
        """Remove a way to reach a guest; False if they have no such one."""
        ...

    async def note_sent(self, id: str, sent: float | None) -> None:
        """Note when something was sent; None: that it failed."""
        ...

    async def note_delivery(self, guest: str, id: str, delivered: float) -> bool:
        """Note when something arrived; False if the guest has no such way to be reached."""
        ...

    async def ask_mail(self, mail: UnconfirmedMail) -> MailAsked:
        """Note that an address is to be confirmed, unless its owner refused or was asked too often today."""
        ...

    async def unconfirmed_mails(self, guest: str, since: float) -> list[str]:
        """The addresses that a guest named since a time, and that nobody has confirmed yet."""
        ...

    async def confirm_mail(self, hash: bytes, since: float, now: float) -> Channel | None:
        """The address with this link becomes a channel; None if there is no such link, or it is older than `since`."""
        ...

    async def stop_mail(self, channel: str) -> bool:
        """Remove a channel by mail, without asking whose it is; False if it was removed before."""
        ...

    async def refuse_mail(self, known_as: bytes, now: float) -> None:
        """Send no more requests to confirm this address."""
        ...

    async def drop_old_mails(self, unconfirmed: float, now: float) -> None:
        """Drop what was not confirmed since a time, and what is known of addresses that nobody refused lately."""
        ...

    async def set_nudge_settings(self, guest: str, body: bytes) -> None:
        """Replace how a guest wants to be nudged."""
        ...

    async def nudge_settings(self, guest: str) -> bytes | None:
        """How a guest wants to be nudged; None if they never said."""
        ...

    async def choose_nudges(self, guest: str, table: str, choice: str) -> bool:
        """Note when a guest wants to be nudged for a table; False if there is no such table."""
        ...

    async def nudge_choice(self, guest: str, table: str) -> str:
        """When a guest wants to be nudged for a table; empty if they never said."""
        ...

    async def plan_nudge(self, nudge: PlannedNudge) -> None:
        """Plan a nudge for a decision, once. Nothing is planned for a guest whom nothing reaches."""
        ...

    async def claim_nudges(self, now: float, limit: int) -> list[PlannedNudge]:
        """Take nudges whose time has come: each is given to one caller, on one worker."""
        ...

    async def postpone_nudge(self, nudge: PlannedNudge) -> None:
        """Plan a claimed nudge again, for its new time."""
        ...

    # Records and statistics

    async def save_record(self, record: StoredRecord, results: Sequence[Result], address: str = "") -> bool:
        """Save the record of a match, list it for each guest of `results` and, if it counts, add to their statistics.

        Saving the same record of a table again does nothing and returns False, even after everybody deleted it.
        `NoTable` if the table is gone. `address` is where those show it whose results say so; it must be new.
        """
        ...

    async def import_record(self, guest: str, record: StoredRecord, most: int) -> None:
        """Keep a record that a guest imported, for them alone. `GuestForgotten` if they were.

        Of more than `most`, those imported first are deleted. The same again is kept once, and counts as the latest.
        """
        ...

    async def imports(self, guest: str) -> list[ListedRecord]:
        """The records that a guest imported, the latest first; `finished` is when."""
        ...

    async def drop_imports(self, before: float) -> None:
        """Delete the records that were imported before a time, with their reviews."""
        ...

    async def records(self, guest: str, after: ListedRecord | None = None, limit: int = PAGE) -> list[ListedRecord]:
        """A guest's records, the latest first; `after` is the last one of the page before."""
        ...

    async def record(self, id: str) -> StoredRecord | None:
        """A record with its body, if it exists."""
        ...

    async def played_by(self, guest: str) -> list[str]:
        """The records that have a guest's name, listed or not."""
        ...

    async def rename_in_record(self, guest: str, id: str, renamed: Renamed) -> None:
        """Take a deleted guest's name out of a record."""
        ...

    async def replace_summary(self, id: str, before: bytes, after: bytes) -> bool:
        """Replace the summary of a record, if it is still as it was `before`; False if it is not."""
        ...

    async def agree(self, guest: str, record: str, shows: str, named: bool, address: str) -> bool:
        """Note what a guest shows of a record to everybody (`Agreement`); False if it is not in their list.

        `address` becomes the record's, unless it has one already. `GuestForgotten` if the guest was forgotten.
        """
        ...

    async def sharing(self, record: str) -> Sharing:
        """A record's address, and what its players agreed to."""
        ...

    async def at_address(self, address: str) -> str | None:
        """The id of the record with this address. It is public only if its players agreed: see `sharing`."""
        ...

    async def has_record(self, guest: str, id: str) -> bool:
        """Whether a record is in a guest's list, or was imported by them."""
        ...

    async def delete_record(self, guest: str, id: str) -> bool:
        """Remove a record from a guest's list, and delete it if it is in no other. False if it was not listed.

        What the guest agreed to show of it is withdrawn. One that they imported is deleted.
        """
        ...

    async def statistics(self, guest: str) -> list[Statistics]:
        """A guest's statistics, one entry per edition."""
        ...

    # Reviews of records, by seat and by what judged them

    async def begin_review(self, record: str, seat: int, evaluator: str, outline: bytes) -> bool:
        """Note that a review was begun, once; False if the record is gone."""
        ...

    async def replace_outline(self, record: str, seat: int, evaluator: str, outline: bytes) -> bool:
        """Replace what is told of a review before it is complete; False if it is gone."""
        ...

    async def add_reviewed(self, record: str, seat: int, evaluator: str, number: int, body: bytes) -> bool:
        """Keep a decision of a review, once; False if the record is gone."""
        ...

    async def finish_review(
        self, record: str, seat: int, evaluator: str, ledger: bytes, errors: bytes, wrong: Sequence[int] = ()
    ) -> None:
        """Complete a review. Reviews of the same seat by other evaluators are dropped.

        `wrong` are the numbers of the decisions that those who played the seat get back as puzzles.
        """
        ...

    async def review(self, record: str, seat: int, evaluator: str) -> ReviewHead | None:
        """A review that was begun, if there is one."""
        ...

    async def reviewed(self, record: str, seat: int, evaluator: str, after: int = 0) -> dict[int, bytes]:
        """The decisions judged so far, by number, from number `after` on."""
        ...

    async def review_errors(self, guest: str) -> list[ReviewErrors]:
        """The errors of all complete reviews of a guest's own seats."""
        ...

    # Puzzles, and own mistakes as puzzles

    async def try_puzzle(
        self, guest: str, tried: Attempt, guest_start: SkillNumbers, puzzle_start: SkillNumbers, rate: Rate
    ) -> Tried:
        """Keep an attempt; the first at a puzzle changes both ratings. `GuestForgotten` if there is no such guest."""
        ...

    async def puzzle_rating(self, guest: str) -> SkillNumbers | None:
        """The rating of a guest, if they tried a puzzle."""
        ...

    async def attempts(self, guest: str) -> list[Attempt]:
        """The attempts of a guest, the first first."""
        ...

    async def puzzle_skill(self, puzzle: str) -> PuzzleSkill | None:
        """What is known of a puzzle that was tried."""
        ...

    async def mistakes_due(self, guest: str, now: float, limit: int = PAGE) -> list[MistakeAt]:
        """The mistakes of a guest that are due, the longest due first."""
        ...

    async def mistake_counts(self, guest: str, now: float) -> MistakeCounts:
        """How many mistakes a guest has, and when the next is due that is not due yet."""
        ...

    async def mistake(self, guest: str, record: str, seat: int, number: int) -> Mistake | None:
        """A mistake of a guest, with its decision and the record."""
        ...

    async def schedule_mistake(self, guest: str, record: str, seat: int, number: int, due: float, card: bytes) -> bool:
        """Note an attempt at a mistake, and when it comes back; False if it is gone."""
        ...

    # The deal of the day

    async def daily_deal(self, made: DailyDeal) -> DailyDeal:
        """The deal of a day at this server; `made` becomes it if there is none yet."""
        ...

    async def find_daily_deal(self, day: str) -> DailyDeal | None:
        """The deal of a day, if anybody asked for it on that day."""
        ...

    async def begin_daily(self, guest: str, day: str, table: str) -> str:
        """The table of a guest's only try at the deal of a day: `table`, unless there is one. `GuestForgotten`."""
        ...

    async def finish_daily(self, result: DailyResult, choices: Sequence[DailyChoice]) -> bool:
        """Keep the result of a try, once; False if it was not begun, or is finished."""
        ...

    async def daily_results(self, guest: str, day: str = "") -> list[DailyResult]:
        """The tries of a guest, the latest day first; with `day`, that of this day."""
        ...

    async def daily_field(self, day: str) -> list[tuple[float, int]]:
        """The field of a day: how many had each result, the lowest first."""
        ...

    async def daily_choices(self, guest: str, day: str) -> list[DailyChoice]:
        """What a guest chose, in order."""
        ...

    async def field_choices(self, guest: str, day: str) -> list[FieldChoice]:
        """What the field chose at the decisions of a guest, the most frequent first."""
        ...

    # People

    async def relations(self, guest: str, since: float) -> list[Relation]:
        """Everybody a guest has to do with: friends, requests, people they muted or blocked."""
        ...

    async def ask_friend(self, guest: str, other: str) -> Asked:
        """Ask somebody to be friends; `friends` if they asked before. `GuestForgotten` if the guest was."""
        ...

    async def accept_friend(self, guest: str, other: str) -> Asked:
        """Be friends with somebody who asked; `gone` if they did not."""
        ...

    async def part(self, guest: str, other: str) -> bool:
        """End a friendship, or refuse or withdraw a request; False if there is none."""
        ...

    async def mark(self, guest: str, other: str, kind: Mark, on: bool) -> bool:
        """Mute or block somebody, or undo it; False if there would be too many. A block ends a friendship."""
        ...

    async def has_blocked(self, guest: str, other: str) -> bool:
        """Whether a guest has blocked another."""
        ...

    async def has_muted(self, guest: str, other: str) -> bool:
        """Whether a guest has muted another."""
        ...

    async def open_tables_of_blockers(self, guest: str) -> list[str]:
        """The public tables with open seats where somebody plays, or is the host, who has blocked a guest."""
        ...

    async def people_settings(self, guest: str) -> PeopleSettings:
        """A guest's link, and whether they show when they are online."""
        ...

    async def set_friend_link(self, guest: str, link: str) -> None:
        """Replace a guest's link."""
        ...

    async def set_online(self, guest: str, on: bool) -> None:
        """Note whether a guest shows when they are online. It is not kept of those who do not."""
        ...

    async def show_online(self, guests: Sequence[str]) -> list[str]:
        """Those of these guests who show when they are online."""
        ...

    async def saw_online(self, guests: Sequence[str], when: float) -> None:
        """Note that guests are online, for those who show it."""
        ...

    async def at_friend_link(self, link: str) -> str | None:
        """Whose link this is."""
        ...

    async def accounts_named(self, name: str) -> list[str]:
        """The accounts that keep a name: two at most."""
        ...

    async def invite(self, table: str, guest: str, other: str) -> Invited:
        """Invite a friend to a table."""
        ...

    async def invite_again(self, table: str, guest: str, others: Sequence[str]) -> None:
        """Invite those who played together to their rematch."""
        ...

    async def invitations(self, guest: str, since: float) -> list[Invitation]:
        """Invitations to tables that wait for players, since a time, the latest first."""
        ...

    async def decline_invitation(self, guest: str, table: str) -> bool:
        """Drop an invitation; False if there is none."""
        ...

    async def report(self, report: Report, since: float, most: int) -> bool:
        """Keep a report; False if the reporter made `most` since a time."""
        ...

    async def reports(self, limit: int = PAGE, reporter: str = "") -> list[Report]:
        """Reports, the latest first; of one reporter, if one is named."""
        ...

    async def remove_report(self, id: str) -> bool:
        """Remove a report; False if there is none."""
        ...

    async def drop_old_people(self, invitations: float, reports: float) -> None:
        """Drop invitations made before a time, and reports made before another."""
        ...

    # The whole

    async def check(self) -> None:
        """Return if the database answers; raise `Unavailable` if it does not. For health checks."""
        ...

    async def backup(self, path: Path) -> None:
        """Write a consistent copy to a new file while the store stays in use; only for SQLite."""
        ...
