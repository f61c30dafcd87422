"""The names that stayed in a record after their seats were handed over to somebody else."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add a table. Of the records stored so far it is not known whose names they are, if not the players'."""
    op.create_table(
        "named",
        sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("record_id", "guest", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("named_guest", "named", ["guest"])
