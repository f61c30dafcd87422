"""Reviews of finished matches: one for each seat that somebody asked about, with the decisions judged so far."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add two tables. Nothing has been reviewed yet."""
    op.create_table(
        "reviews",
        sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("evaluator", sa.Text, nullable=False),
        sa.Column("outline", sa.LargeBinary, nullable=False),
        sa.Column("ledger", sa.LargeBinary),
        sa.Column("errors", sa.LargeBinary),
        sa.PrimaryKeyConstraint("record_id", "seat", "evaluator"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reviewed",
        sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("evaluator", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("record_id", "seat", "evaluator", "number"),
        sqlite_with_rowid=False,
    )
