"""What both stores share: appends go through group commit, every other call is an operation that is read or written."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from atout.errors import Conflict
from atout.store.group import GroupCommit, Job, Outcome
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
    Tried,
    UnconfirmedMail,
)
from atout.store.operations import (
    OperationFactory,
    accounts,
    daily,
    guests,
    keys,
    mistakes,
    nudges,
    people,
    puzzles,
    records,
    reviews,
    sharing,
    tables,
)
from atout.store.operations import mail as mails
from atout.store.operations.accounts import Belonging, CookieState, Joined
from atout.store.operations.mail import MailAsked
from atout.store.operations.people import Asked, Invited, Mark
from atout.store.operations.puzzles import Rate
from atout.store.operations.records import Renamed
from atout.store.store import PAGE
from atout.store.watch import Subscription, Subscriptions

T = TypeVar("T")


class BaseStore(ABC):
    """The calls of `Store` that are the same on every database."""

    def __init__(self) -> None:
        self._subscriptions = Subscriptions()
        self._group_commit = GroupCommit(self._commit)

    @abstractmethod
    async def _commit(self, group: Sequence[Job]) -> Sequence[Outcome]:
        """Write a group in one transaction; return one outcome per job when it is durable."""

    @abstractmethod
    async def _read(self, make: OperationFactory[T]) -> T:
        """Run an operation that only reads, on what is committed."""

    @abstractmethod
    async def _write(self, make: OperationFactory[T]) -> T:
        """Run an operation in a transaction; return when it is durable."""

    async def append(self, append: Append) -> None:
        await self._group_commit.write(append)

    def watch(self) -> Subscription:
        return self._subscriptions.add()

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
        create = partial(tables.create, table, time.time(), card, tuple(events), due, tuple(guests), tuple(visitors))
        if not await self._write(create):
            raise Conflict(table, 1, await self.head(table))

    async def rewrite(self, rewrite: Rewrite) -> None:
        await self._write(partial(tables.rewrite, rewrite))

    async def events(self, table: str, after: int = 0) -> list[bytes]:
        return await self._read(partial(tables.events_of, table, after))

    async def head(self, table: str) -> int:
        return await self._read(partial(tables.head_of, table))

    async def table(self, table: str) -> ListedTable | None:
        return await self._read(partial(tables.find, table))

    async def open_tables(self, limit: int = PAGE) -> list[ListedTable]:
        return await self._read(partial(tables.in_lobby, limit))

    async def tables_of(self, guest: str, limit: int = PAGE) -> list[ListedTable]:
        return await self._read(partial(tables.of_guest, guest, limit))

    async def due(self, now: float, limit: int = 1000) -> list[ListedTable]:
        return await self._read(partial(tables.due_by, now, limit))

    async def idle_tables(self, before: float, limit: int = 1000) -> list[ListedTable]:
        return await self._read(partial(tables.idle_since, before, limit))

    async def delete_table(self, table: str) -> bool:
        return await self._write(partial(tables.delete, table))

    async def save_guest(self, guest: Guest) -> None:
        await self._write(partial(guests.save, guest))

    async def guest(self, guest: str) -> Guest | None:
        return await self._read(partial(guests.find, guest))

    async def saw_guest(self, guest: str, when: float) -> bool:
        return await self._write(partial(guests.mark_seen, guest, when))

    async def delete_guest(self, guest: str) -> bool:
        return await self._write(partial(guests.delete, guest, time.time()))

    async def is_forgotten(self, guest: str) -> bool:
        return await self._read(partial(guests.is_forgotten, guest))

    async def forgotten_since(self, when: float) -> list[bytes]:
        return await self._read(partial(guests.forgotten_since, when))

    async def half_forgotten(self) -> list[tuple[str, str]]:
        return await self._read(guests.half_forgotten)

    async def visited(self, guest: str) -> list[str]:
        return await self._read(partial(guests.visited, guest))

    async def leave_table(self, guest: str, table: str) -> None:
        await self._write(partial(guests.leave_table, guest, table))

    async def finish_deletion(self, guest: str) -> None:
        await self._write(partial(guests.finish_deletion, guest))

    async def drop_forgotten(self, before: float) -> None:
        await self._write(partial(guests.drop_forgotten, before))

    async def add_link(self, link: SeatLink) -> None:
        await self._write(partial(guests.add_link, link))

    async def link(self, hash: bytes) -> SeatLink | None:
        return await self._read(partial(guests.find_link, hash))

    async def links(self, table: str) -> list[SeatLink]:
        return await self._read(partial(guests.links_of, table))

    async def revoke_link(self, hash: bytes) -> bool:
        return await self._write(partial(guests.revoke_link, hash))

    async def cookie_state(self, guest: str, session: bytes) -> CookieState:
        return await self._read(partial(accounts.cookie_state, guest, session))

    async def account(self, guest: str) -> Account | None:
        return await self._read(partial(accounts.find, guest))

    async def add_passkey(self, passkey: Passkey) -> bool:
        return await self._write(partial(accounts.add_passkey, passkey))

    async def passkey(self, id: bytes) -> Passkey | None:
        return await self._read(partial(accounts.passkey, id))

    async def passkeys(self, guest: str) -> list[Passkey]:
        return await self._read(partial(accounts.passkeys_of, guest))

    async def rename_passkey(self, guest: str, id: bytes, name: str) -> bool:
        return await self._write(partial(accounts.rename_passkey, guest, id, name))

    async def remove_passkey(self, guest: str, id: bytes) -> bool:
        return await self._write(partial(accounts.remove_passkey, guest, id))

    async def used_passkey(self, id: bytes, sign_count: int) -> bool:
        return await self._write(partial(accounts.used_passkey, id, sign_count, time.time()))

    async def use_challenge(self, hash: bytes) -> bool:
        return await self._write(partial(accounts.use_challenge, hash, time.time()))

    async def set_code(self, guest: str, code: bytes | None) -> bool:
        return await self._write(partial(accounts.set_code, guest, code, time.time()))

    async def use_code(self, code: bytes) -> str | None:
        return await self._write(partial(accounts.use_code, code, time.time()))

    async def add_identity(self, identity: OidcIdentity) -> bool:
        return await self._write(partial(accounts.add_identity, identity))

    async def identified(self, issuer: str, subject: str) -> str | None:
        return await self._read(partial(accounts.identified, issuer, subject))

    async def identities(self, guest: str) -> list[OidcIdentity]:
        return await self._read(partial(accounts.identities_of, guest))

    async def remove_identities(self, guest: str) -> bool:
        return await self._write(partial(accounts.remove_identities, guest))

    async def kept_since(self, when: float) -> list[str]:
        return await self._read(partial(accounts.kept_since, when))

    async def begin_session(self, session: AccountSession) -> None:
        await self._write(partial(accounts.begin_session, session))

    async def sessions(self, guest: str) -> list[AccountSession]:
        return await self._read(partial(accounts.sessions_of, guest))

    async def saw_session(self, hash: bytes, when: float) -> None:
        await self._write(partial(accounts.saw_session, hash, when))

    async def end_session(self, guest: str, hash: bytes) -> bool:
        return await self._write(partial(accounts.end_session, guest, hash))

    async def ended_sessions(self, hashes: Sequence[bytes]) -> list[bytes]:
        return await self._read(partial(accounts.ended_sessions, tuple(hashes)))

    async def drop_old_sign_ins(self, challenges: float, sessions: float) -> None:
        await self._write(partial(accounts.drop_challenges, challenges))
        await self._write(partial(accounts.drop_sessions, sessions))

    async def belongings(self, guest: str) -> list[Belonging]:
        return await self._read(partial(accounts.belongings, guest))

    async def join_guest(self, guest: str, into: str) -> Joined:
        return await self._write(partial(accounts.join, guest, into, time.time()))

    async def use_keys(self, fingerprints: Sequence[bytes], is_new: bool, lost: str = "") -> KeyCheck:
        return await self._write(partial(keys.use, tuple(fingerprints), is_new, lost))

    async def secret(self, name: str, fresh: bytes) -> bytes:
        return await self._write(partial(nudges.secret, name, fresh))

    async def add_channel(self, channel: Channel) -> None:
        await self._write(partial(nudges.add_channel, channel))

    async def channels(self, guest: str) -> list[Channel]:
        return await self._read(partial(nudges.channels_of, guest))

    async def remove_channel(self, guest: str, id: str) -> bool:
        return await self._write(partial(nudges.remove_channel, guest, id))

    async def note_sent(self, id: str, sent: float | None) -> None:
        await self._write(partial(nudges.note_sent, id, sent))

    async def note_delivery(self, guest: str, id: str, delivered: float) -> bool:
        return await self._write(partial(nudges.note_delivery, guest, id, delivered))

    async def ask_mail(self, mail: UnconfirmedMail) -> MailAsked:
        return await self._write(partial(mails.ask, mail))

    async def unconfirmed_mails(self, guest: str, since: float) -> list[str]:
        return await self._read(partial(mails.unconfirmed_of, guest, since))

    async def confirm_mail(self, hash: bytes, since: float, now: float) -> Channel | None:
        return await self._write(partial(mails.confirm, hash, since, now))

    async def stop_mail(self, channel: str) -> bool:
        return await self._write(partial(mails.stop, channel))

    async def refuse_mail(self, known_as: bytes, now: float) -> None:
        await self._write(partial(mails.refuse, known_as, now))

    async def drop_old_mails(self, unconfirmed: float, now: float) -> None:
        await self._write(partial(mails.drop_old, unconfirmed, now))

    async def set_nudge_settings(self, guest: str, body: bytes) -> None:
        await self._write(partial(nudges.set_settings, guest, body))

    async def nudge_settings(self, guest: str) -> bytes | None:
        return await self._read(partial(nudges.settings_of, guest))

    async def choose_nudges(self, guest: str, table: str, choice: str) -> bool:
        return await self._write(partial(nudges.choose, guest, table, choice))

    async def nudge_choice(self, guest: str, table: str) -> str:
        return await self._read(partial(nudges.choice_of, guest, table))

    async def plan_nudge(self, nudge: PlannedNudge) -> None:
        await self._write(partial(nudges.plan, nudge))

    async def claim_nudges(self, now: float, limit: int) -> list[PlannedNudge]:
        return await self._write(partial(nudges.claim, now, limit))

    async def postpone_nudge(self, nudge: PlannedNudge) -> None:
        await self._write(partial(nudges.postpone, nudge))

    async def save_record(self, record: StoredRecord, results: Sequence[Result], address: str = "") -> bool:
        return await self._write(partial(records.save, record, tuple(results), address))

    async def import_record(self, guest: str, record: StoredRecord, most: int) -> None:
        await self._write(partial(records.add_import, guest, record, most))

    async def imports(self, guest: str) -> list[ListedRecord]:
        return await self._read(partial(records.imports_of, guest))

    async def drop_imports(self, before: float) -> None:
        await self._write(partial(records.drop_imports, before))

    async def records(self, guest: str, after: ListedRecord | None = None, limit: int = PAGE) -> list[ListedRecord]:
        return await self._read(partial(records.of_guest, guest, after, limit))

    async def record(self, id: str) -> StoredRecord | None:
        return await self._read(partial(records.find, id))

    async def played_by(self, guest: str) -> list[str]:
        return await self._read(partial(records.played_by, guest))

    async def rename_in_record(self, guest: str, id: str, renamed: Renamed) -> None:
        await self._write(partial(records.rename, guest, id, renamed))

    async def replace_summary(self, id: str, before: bytes, after: bytes) -> bool:
        return await self._write(partial(records.replace_summary, id, before, after))

    async def agree(self, guest: str, record: str, shows: str, named: bool, address: str) -> bool:
        return await self._write(partial(sharing.agree, guest, record, shows, named, address))

    async def sharing(self, record: str) -> Sharing:
        return await self._read(partial(sharing.sharing_of, record))

    async def at_address(self, address: str) -> str | None:
        return await self._read(partial(sharing.at_address, address))

    async def has_record(self, guest: str, id: str) -> bool:
        return await self._read(partial(records.is_of, guest, id))

    async def delete_record(self, guest: str, id: str) -> bool:
        return await self._write(partial(records.remove_from_list, guest, id))

    async def statistics(self, guest: str) -> list[Statistics]:
        return await self._read(partial(records.statistics_of, guest))

    async def begin_review(self, record: str, seat: int, evaluator: str, outline: bytes) -> bool:
        return await self._write(partial(reviews.begin, record, seat, evaluator, outline))

    async def replace_outline(self, record: str, seat: int, evaluator: str, outline: bytes) -> bool:
        return await self._write(partial(reviews.replace_outline, record, seat, evaluator, outline))

    async def add_reviewed(self, record: str, seat: int, evaluator: str, number: int, body: bytes) -> bool:
        return await self._write(partial(reviews.add, record, seat, evaluator, number, body))

    async def finish_review(
        self, record: str, seat: int, evaluator: str, ledger: bytes, errors: bytes, wrong: Sequence[int] = ()
    ) -> None:
        await self._write(partial(reviews.finish, record, seat, evaluator, ledger, errors, tuple(wrong), time.time()))

    async def review(self, record: str, seat: int, evaluator: str) -> ReviewHead | None:
        return await self._read(partial(reviews.head, record, seat, evaluator))

    async def reviewed(self, record: str, seat: int, evaluator: str, after: int = 0) -> dict[int, bytes]:
        return await self._read(partial(reviews.decisions, record, seat, evaluator, after))

    async def review_errors(self, guest: str) -> list[ReviewErrors]:
        return await self._read(partial(reviews.errors_of, guest))

    async def try_puzzle(
        self, guest: str, tried: Attempt, guest_start: SkillNumbers, puzzle_start: SkillNumbers, rate: Rate
    ) -> Tried:
        return await self._write(partial(puzzles.attempt, guest, tried, guest_start, puzzle_start, rate))

    async def puzzle_rating(self, guest: str) -> SkillNumbers | None:
        return await self._read(partial(puzzles.skill_of, guest))

    async def attempts(self, guest: str) -> list[Attempt]:
        return await self._read(partial(puzzles.attempts_of, guest))

    async def puzzle_skill(self, puzzle: str) -> PuzzleSkill | None:
        return await self._read(partial(puzzles.puzzle_skill, puzzle))

    async def mistakes_due(self, guest: str, now: float, limit: int = PAGE) -> list[MistakeAt]:
        return await self._read(partial(mistakes.due_of, guest, now, limit))

    async def mistake_counts(self, guest: str, now: float) -> MistakeCounts:
        return await self._read(partial(mistakes.counts_of, guest, now))

    async def mistake(self, guest: str, record: str, seat: int, number: int) -> Mistake | None:
        return await self._read(partial(mistakes.find, guest, record, seat, number))

    async def schedule_mistake(self, guest: str, record: str, seat: int, number: int, due: float, card: bytes) -> bool:
        return await self._write(partial(mistakes.schedule, guest, record, seat, number, due, card))

    async def daily_deal(self, made: DailyDeal) -> DailyDeal:
        return await self._write(partial(daily.deal, made))

    async def find_daily_deal(self, day: str) -> DailyDeal | None:
        return await self._read(partial(daily.find, day))

    async def begin_daily(self, guest: str, day: str, table: str) -> str:
        return await self._write(partial(daily.begin, guest, day, table, time.time()))

    async def finish_daily(self, result: DailyResult, choices: Sequence[DailyChoice]) -> bool:
        return await self._write(partial(daily.finish, result, tuple(choices)))

    async def daily_results(self, guest: str, day: str = "") -> list[DailyResult]:
        return await self._read(partial(daily.results_of, guest, day))

    async def daily_field(self, day: str) -> list[tuple[float, int]]:
        return await self._read(partial(daily.field, day))

    async def daily_choices(self, guest: str, day: str) -> list[DailyChoice]:
        return await self._read(partial(daily.own_choices, guest, day))

    async def field_choices(self, guest: str, day: str) -> list[FieldChoice]:
        return await self._read(partial(daily.field_choices, guest, day))

    async def relations(self, guest: str, since: float) -> list[Relation]:
        return await self._read(partial(people.relations_of, guest, since))

    async def ask_friend(self, guest: str, other: str) -> Asked:
        return await self._write(partial(people.ask, guest, other, time.time()))

    async def accept_friend(self, guest: str, other: str) -> Asked:
        return await self._write(partial(people.accept, guest, other, time.time()))

    async def part(self, guest: str, other: str) -> bool:
        return await self._write(partial(people.part, guest, other))

    async def mark(self, guest: str, other: str, kind: Mark, on: bool) -> bool:
        return await self._write(partial(people.mark, guest, other, kind, on, time.time()))

    async def has_blocked(self, guest: str, other: str) -> bool:
        return await self._read(partial(people.is_related, guest, other, "blocked"))

    async def has_muted(self, guest: str, other: str) -> bool:
        return await self._read(partial(people.is_related, guest, other, "muted"))

    async def open_tables_of_blockers(self, guest: str) -> list[str]:
        return await self._read(partial(people.open_tables_of_blockers, guest))

    async def people_settings(self, guest: str) -> PeopleSettings:
        return await self._read(partial(people.settings_of, guest))

    async def set_friend_link(self, guest: str, link: str) -> None:
        await self._write(partial(people.set_link, guest, link))

    async def set_online(self, guest: str, on: bool) -> None:
        await self._write(partial(people.set_online, guest, on, time.time()))

    async def show_online(self, guests: Sequence[str]) -> list[str]:
        return await self._read(partial(people.show_online, tuple(guests)))

    async def saw_online(self, guests: Sequence[str], when: float) -> None:
        await self._write(partial(people.saw_online, tuple(guests), when))

    async def at_friend_link(self, link: str) -> str | None:
        return await self._read(partial(people.at_link, link))

    async def accounts_named(self, name: str) -> list[str]:
        return await self._read(partial(people.named, name))

    async def invite(self, table: str, guest: str, other: str) -> Invited:
        return await self._write(partial(people.invite, table, guest, other, time.time()))

    async def invite_again(self, table: str, guest: str, others: Sequence[str]) -> None:
        await self._write(partial(people.invite_again, table, guest, tuple(others), time.time()))

    async def invitations(self, guest: str, since: float) -> list[Invitation]:
        return await self._read(partial(people.invitations_of, guest, since))

    async def decline_invitation(self, guest: str, table: str) -> bool:
        return await self._write(partial(people.decline, guest, table))

    async def report(self, report: Report, since: float, most: int) -> bool:
        return await self._write(partial(people.report, report, since, most))

    async def reports(self, limit: int = PAGE, reporter: str = "") -> list[Report]:
        return await self._read(partial(people.reports, limit, reporter))

    async def remove_report(self, id: str) -> bool:
        return await self._write(partial(people.remove_report, id))

    async def drop_old_people(self, invitations: float, reports: float) -> None:
        await self._write(partial(people.drop_invitations, invitations))
        await self._write(partial(people.drop_reports, reports))

    async def check(self) -> None:
        await self._read(partial(tables.in_lobby, 1))
