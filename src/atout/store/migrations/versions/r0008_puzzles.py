"""Puzzles: ratings and attempts; and the mistakes of complete reviews, which come back as puzzles."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
WRONG = ("mistake", "blunder")


def upgrade() -> None:
    """Add four tables. Reviews that are complete give their mistakes, due at once."""
    op.create_table(
        "mistakes",
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
    op.create_index("mistakes_record", "mistakes", ["record_id"])
    op.create_table(
        "attempts",
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guest", "puzzle", "day"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "solvers",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
    )
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("tried", sa.BigInteger, nullable=False),
        sa.Column("solved", sa.BigInteger, nullable=False),
    )
    connection = op.get_bind()
    found = connection.execute(
        sa.text(
            "SELECT p.guest, d.record_id, d.seat, d.number, d.body FROM reviewed d "
            "JOIN reviews r ON r.record_id = d.record_id AND r.seat = d.seat AND r.evaluator = d.evaluator "
            "JOIN played p ON p.record_id = d.record_id AND p.seat = d.seat WHERE r.ledger IS NOT NULL"
        )
    ).all()
    for guest, record, seat, number, body in found:
        if json.loads(bytes(body))["label"] in WRONG:
            connection.execute(
                sa.text(
                    "INSERT INTO mistakes (guest, record_id, seat, number, due, attempts, card) "
                    "VALUES (:guest, :record, :seat, :number, 0, 0, :card) ON CONFLICT DO NOTHING"
                ),
                {"guest": guest, "record": record, "seat": seat, "number": number, "card": b""},
            )
