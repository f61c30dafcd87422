"""The database schema. Migrations create it (`migrations/versions`); a test compares the two.

tables ─┬─ events      the event log, numbered from 1 without a gap; tables.head is the last number in it
        ├─ recent      only in SQLite: the events after that one, not moved to `events` yet (`sqlite/appends.py`)
        ├─ sitting     the guests who play at a table
        ├─ visitors    the guests whom its event log names, now or before
        ├─ links       links to seats, by the hash of their token
        └─ recorded    the records of a table that were saved and counted, so that each counts once
records ┬─ (imported_by names the guest who sent a record to have it reviewed: nobody else has it, and no list)
        ├─ listings    the guests' lists that a record is in
        ├─ played      the seats of the guests whose names a record has
        ├─ named       the same for seats that somebody else had at the end: the name stayed when they were handed over
        ├─ agreed      what its players show of it to everybody, each for themselves
        ├─ addresses   the public address of a record, used once all of them agreed
        ├─ reviews     what is known of a seat's review, by evaluator: an outline, and the ledger once it is complete
        ├─ reviewed    the decisions of a review that were judged so far
        └─ mistakes    decisions that a guest gets back to try again, and when
guests, statistics     by the guest's id; deleting a guest is a transaction, not a cascade
solvers, attempts      likewise: a guest's rating at puzzles, and the first attempts at each of them
puzzles                the rating of each puzzle that was tried, and how many solved it
forgotten              hashes of the ids of deleted guests, and of those who joined an account: their cookies are void
accounts ┬ passkeys    what signs a guest in on any device; an account is its guest's id, which all its cookies have
         └ sessions    the devices that are signed in, by the hash of what is in their cookies
server_secrets         secrets that all workers share: the key that signs push messages
cookie_keys            fingerprints of the keys that sign cookies, numbered as they came into use; negative: retired
channels               ways to reach a guest who is not at the page
unconfirmed_mails, mail_addresses          addresses to be confirmed; hashes of addresses, with how often each was asked
oidc_identities        ways into accounts by a provider of OpenID Connect
nudge_settings, nudge_choices, nudges      when a guest wants to be told that it is their turn, and what is planned
challenges             those that passkeys have answered, so that no answer counts twice
relations, people      a guest's friends, requests, and whom they muted or blocked; their link, and the online state
invitations            to tables, by friends or for a rematch
reports ─ report_lines what guests reported to the operator, and what was said before
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("head", sa.BigInteger, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("due", sa.Double),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("open_seats", sa.Integer, nullable=False),
    sa.Column("edition", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("active", sa.Double, nullable=False),
    sa.Column("detail", sa.LargeBinary, nullable=False),
)
sa.Index("tables_due", tables.c.due, sqlite_where=tables.c.due.is_not(None), postgresql_where=tables.c.due.is_not(None))
OPEN = sa.text("public AND open_seats > 0")
sa.Index("tables_open", tables.c.open_seats, sqlite_where=OPEN, postgresql_where=OPEN)


def _table_id() -> sa.Column[str]:
    return sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False)


events = sa.Table(
    "events",
    metadata,
    _table_id(),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.PrimaryKeyConstraint("table_id", "number"),
    sqlite_with_rowid=False,
)

recent = sa.Table(
    "recent",
    metadata,
    _table_id(),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    info={"only": "sqlite"},
)

sitting = sa.Table(
    "sitting",
    metadata,
    _table_id(),
    sa.Column("guest", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("table_id", "guest"),
    sqlite_with_rowid=False,
)
sa.Index("sitting_guest", sitting.c.guest)

visitors = sa.Table(
    "visitors",
    metadata,
    _table_id(),
    sa.Column("guest", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("table_id", "guest"),
    sqlite_with_rowid=False,
)
sa.Index("visitors_guest", visitors.c.guest)

links = sa.Table(
    "links",
    metadata,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    _table_id(),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("revoked", sa.Boolean, nullable=False),
)
sa.Index("links_table", links.c.table_id)

recorded = sa.Table(
    "recorded",
    metadata,
    _table_id(),
    sa.Column("record_id", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("table_id", "record_id"),
    sqlite_with_rowid=False,
)

records = sa.Table(
    "records",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("edition", sa.Text, nullable=False),
    sa.Column("finished", sa.Double, nullable=False),
    sa.Column("summary", sa.LargeBinary, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("imported_by", sa.Text),
)
IMPORTED = records.c.imported_by.is_not(None)
sa.Index("records_imported_by", records.c.imported_by, sqlite_where=IMPORTED, postgresql_where=IMPORTED)

listings = sa.Table(
    "listings",
    metadata,
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("finished", sa.Double, nullable=False),
    sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
    sa.PrimaryKeyConstraint("guest", "finished", "record_id"),
    sqlite_with_rowid=False,
)
sa.Index("listings_record", listings.c.record_id)

played = sa.Table(
    "played",
    metadata,
    sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.PrimaryKeyConstraint("record_id", "guest", "seat"),
    sqlite_with_rowid=False,
)
sa.Index("played_guest", played.c.guest)

named = sa.Table(
    "named",
    metadata,
    sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.PrimaryKeyConstraint("record_id", "guest", "seat"),
    sqlite_with_rowid=False,
)
sa.Index("named_guest", named.c.guest)

addresses = sa.Table(
    "addresses",
    metadata,
    sa.Column("address", sa.Text, primary_key=True),
    sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
)
sa.Index("addresses_record", addresses.c.record_id, unique=True)

agreed = sa.Table(
    "agreed",
    metadata,
    sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("shows", sa.Text, nullable=False),
    sa.Column("named", sa.Boolean, nullable=False),
    sa.PrimaryKeyConstraint("record_id", "guest"),
    sqlite_with_rowid=False,
)
sa.Index("agreed_guest", agreed.c.guest)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("evaluator", sa.Text, nullable=False),
    sa.Column("outline", sa.LargeBinary, nullable=False),
    sa.Column("ledger", sa.LargeBinary),
    sa.Column("errors", sa.LargeBinary),
    sa.PrimaryKeyConstraint("record_id", "seat", "evaluator"),
    sqlite_with_rowid=False,
)

reviewed = sa.Table(
    "reviewed",
    metadata,
    sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("evaluator", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.PrimaryKeyConstraint("record_id", "seat", "evaluator", "number"),
    sqlite_with_rowid=False,
)

mistakes = sa.Table(
    "mistakes",
    metadata,
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("due", sa.Double, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("card", sa.LargeBinary, nullable=False),
    sa.PrimaryKeyConstraint("guest", "record_id", "seat", "number"),
    sqlite_with_rowid=False,
)
sa.Index("mistakes_record", mistakes.c.record_id)

attempts = sa.Table(
    "attempts",
    metadata,
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("puzzle", sa.Text, nullable=False),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.PrimaryKeyConstraint("guest", "puzzle", "day"),
    sqlite_with_rowid=False,
)

solvers = sa.Table(
    "solvers",
    metadata,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
)

puzzles = sa.Table(
    "puzzles",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("tried", sa.BigInteger, nullable=False),
    sa.Column("solved", sa.BigInteger, nullable=False),
)

forgotten = sa.Table(
    "forgotten",
    metadata,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("guest", sa.Text),
    sa.Column("joins", sa.Text),
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("code", sa.LargeBinary),
    sa.Column("code_made", sa.Double),
    sa.Column("code_used", sa.Double),
)
sa.Index("accounts_code", accounts.c.code, unique=True)

passkeys = sa.Table(
    "passkeys",
    metadata,
    sa.Column("id", sa.LargeBinary, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("public_key", sa.LargeBinary, nullable=False),
    sa.Column("sign_count", sa.BigInteger, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("used", sa.Double),
)
sa.Index("passkeys_guest", passkeys.c.guest)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("seen", sa.Double, nullable=False),
    sa.Column("device", sa.Text, nullable=False),
)
sa.Index("sessions_guest", sessions.c.guest)

challenges = sa.Table(
    "challenges",
    metadata,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("used", sa.Double, nullable=False),
)

server_secrets = sa.Table(
    "server_secrets",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

cookie_keys = sa.Table(
    "cookie_keys",
    metadata,
    sa.Column("fingerprint", sa.LargeBinary, primary_key=True),
    sa.Column("number", sa.BigInteger, nullable=False),
)

channels = sa.Table(
    "channels",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("address", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("delivered", sa.Double),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("sent", sa.Double),
)
sa.Index("channels_guest", channels.c.guest)

unconfirmed_mails = sa.Table(
    "unconfirmed_mails",
    metadata,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("channel", sa.Text, nullable=False),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("known_as", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
)
sa.Index("unconfirmed_mails_guest", unconfirmed_mails.c.guest)
sa.Index("unconfirmed_mails_known_as", unconfirmed_mails.c.known_as)

mail_addresses = sa.Table(
    "mail_addresses",
    metadata,
    sa.Column("hash", sa.LargeBinary, primary_key=True),
    sa.Column("since", sa.Double, nullable=False),
    sa.Column("asked", sa.Integer, nullable=False),
    sa.Column("refused", sa.Double),
)

oidc_identities = sa.Table(
    "oidc_identities",
    metadata,
    sa.Column("issuer", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("issuer", "subject"),
)
sa.Index("oidc_identities_guest", oidc_identities.c.guest)

nudge_settings = sa.Table(
    "nudge_settings",
    metadata,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

nudge_choices = sa.Table(
    "nudge_choices",
    metadata,
    _table_id(),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("choice", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("table_id", "guest"),
    sqlite_with_rowid=False,
)
sa.Index("nudge_choices_guest", nudge_choices.c.guest)

nudges = sa.Table(
    "nudges",
    metadata,
    _table_id(),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("decision", sa.BigInteger, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("is_due", sa.Boolean, nullable=False),
    sa.PrimaryKeyConstraint("table_id", "guest"),
    sqlite_with_rowid=False,
)
sa.Index("nudges_guest", nudges.c.guest)
DUE = sa.text("is_due")
sa.Index("nudges_due", nudges.c.at, sqlite_where=DUE, postgresql_where=DUE)

daily_deals = sa.Table(
    "daily_deals",
    metadata,
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("settings", sa.LargeBinary, nullable=False),
)

daily_results = sa.Table(
    "daily_results",
    metadata,
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("started", sa.Double, nullable=False),
    sa.Column("finished", sa.Double),
    sa.Column("counted", sa.Boolean, nullable=False),
    sa.Column("gain", sa.Double),
    sa.Column("gains", sa.LargeBinary),
    sa.PrimaryKeyConstraint("guest", "day"),
    sqlite_with_rowid=False,
)
sa.Index("daily_results_day", daily_results.c.day, daily_results.c.counted, daily_results.c.gain)

daily_choices = sa.Table(
    "daily_choices",
    metadata,
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("day", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.PrimaryKeyConstraint("guest", "day", "number"),
    sqlite_with_rowid=False,
)
sa.Index("daily_choices_position", daily_choices.c.day, daily_choices.c.position)

guests = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("seen", sa.Double, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("settings", sa.LargeBinary, nullable=False),
)
sa.Index("guests_name", guests.c.name)

relations = sa.Table(
    "relations",
    metadata,
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("other", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("guest", "other", "kind"),
    sqlite_with_rowid=False,
)
sa.Index("relations_other", relations.c.other)

people = sa.Table(
    "people",
    metadata,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("link", sa.Text),
    sa.Column("shows_online", sa.Boolean, nullable=False),
    sa.Column("seen", sa.Double, nullable=False),
)
sa.Index("people_link", people.c.link, unique=True)

invitations = sa.Table(
    "invitations",
    metadata,
    _table_id(),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("inviter", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("table_id", "guest"),
    sqlite_with_rowid=False,
)
sa.Index("invitations_guest", invitations.c.guest)
sa.Index("invitations_inviter", invitations.c.inviter)

reports = sa.Table(
    "reports",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("reporter", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("table_id", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
)
sa.Index("reports_reporter", reports.c.reporter)
sa.Index("reports_about", reports.c.about)

report_lines = sa.Table(
    "report_lines",
    metadata,
    sa.Column("report", sa.Text, sa.ForeignKey("reports.id", ondelete="CASCADE"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("report", "number"),
    sqlite_with_rowid=False,
)
sa.Index("report_lines_guest", report_lines.c.guest)

statistics = sa.Table(
    "statistics",
    metadata,
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("edition", sa.Text, nullable=False),
    sa.Column("matches", sa.BigInteger, nullable=False),
    sa.Column("wins", sa.BigInteger, nullable=False),
    sa.Column("rounds", sa.BigInteger, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.PrimaryKeyConstraint("guest", "edition"),
    sqlite_with_rowid=False,
)
