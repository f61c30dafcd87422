"""The first schema: tables, events, guests, links, records, statistics."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create all tables."""
    _tables()
    _children_of_tables()
    _records()
    _guests()


def _tables() -> None:
    op.create_table(
        "tables",
        _text("id", primary_key=True),
        _big("head"),
        _time("created"),
        sa.Column("due", sa.Double),
        _flag("public"),
        _small("open_seats"),
        _text("edition"),
        _text("state"),
        _time("active"),
        _bytes("detail"),
    )
    waiting, open = sa.text("due IS NOT NULL"), sa.text("public AND open_seats > 0")
    op.create_index("tables_due", "tables", ["due"], sqlite_where=waiting, postgresql_where=waiting)
    op.create_index("tables_open", "tables", ["open_seats"], sqlite_where=open, postgresql_where=open)


def _children_of_tables() -> None:
    _keyed("events", _table(), _big("number"), _bytes("body"), key=["table_id", "number"])
    _keyed("sitting", _table(), _text("guest"), key=["table_id", "guest"])
    op.create_index("sitting_guest", "sitting", ["guest"])
    _keyed("recorded", _table(), _text("record_id"), key=["table_id", "record_id"])
    op.create_table(
        "links", _bytes("hash", primary_key=True), _table(), _small("seat"), _time("created"), _flag("revoked")
    )
    op.create_index("links_table", "links", ["table_id"])


def _records() -> None:
    op.create_table(
        "records",
        _text("id", primary_key=True),
        _text("table_id"),
        _text("edition"),
        _time("finished"),
        _bytes("summary"),
        _bytes("body"),
    )
    record = sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False)
    _keyed("listings", _text("guest"), _time("finished"), record, key=["guest", "finished", "record_id"])
    op.create_index("listings_record", "listings", ["record_id"])


def _guests() -> None:
    op.create_table(
        "guests", _text("id", primary_key=True), _time("created"), _time("seen"), _text("name"), _bytes("settings")
    )
    sums = [_big(name) for name in ("matches", "wins", "rounds", "points")]
    _keyed("statistics", _text("guest"), _text("edition"), *sums, key=["guest", "edition"])


def _keyed(name: str, *columns: sa.Column[Any], key: list[str]) -> None:
    """A table that SQLite stores in the order of its primary key."""
    op.create_table(name, *columns, sa.PrimaryKeyConstraint(*key), sqlite_with_rowid=False)


def _text(name: str, **options: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, **options)


def _bytes(name: str, **options: Any) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False, **options)


def _big(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False)


def _small(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False)


def _time(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=False)


def _table() -> sa.Column[str]:
    return sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False)
