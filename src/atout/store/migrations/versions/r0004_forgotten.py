"""Guests who were forgotten, and where a guest's id and name are: tables that they visited, records of their matches.

For what is stored already, tables are found by the ids in their events. Of records only the lists of guests are known,
not the seats.
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

GUEST = re.compile(rb'"(?:by|guest)":"([A-Za-z0-9_-]+)')


def upgrade() -> None:
    """Add three tables, and fill two of them."""
    op.create_table(
        "forgotten",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("guest", sa.Text),
    )
    op.create_table(
        "visitors",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest"),
        sqlite_with_rowid=False,
    )
    op.create_index("visitors_guest", "visitors", ["guest"])
    op.create_table(
        "played",
        sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("record_id", "guest", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("played_guest", "played", ["guest"])
    op.execute("INSERT INTO played (record_id, guest, seat) SELECT record_id, guest, -1 FROM listings")
    _fill_visitors()


def _fill_visitors() -> None:
    connection = op.get_bind()
    found: set[tuple[str, str]] = set()
    names = ["events", "recent"] if op.get_context().dialect.name == "sqlite" else ["events"]
    for name in names:
        for table, body in connection.execute(sa.text(f"SELECT table_id, body FROM {name}")):  # noqa: S608
            found.update((table, guest.decode()) for guest in GUEST.findall(bytes(body)))
    if found:
        visitors = sa.table("visitors", sa.column("table_id", sa.Text), sa.column("guest", sa.Text))
        op.bulk_insert(visitors, [{"table_id": table, "guest": guest} for table, guest in sorted(found)])
