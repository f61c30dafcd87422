"""What players said about showing their finished matches to everybody, and the addresses of those matches."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add two tables. Nobody has been asked about the matches stored so far, so none of them is public."""
    op.create_table(
        "addresses",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("addresses_record", "addresses", ["record_id"], unique=True)
    op.create_table(
        "agreed",
        sa.Column("record_id", sa.Text, sa.ForeignKey("records.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("shows", sa.Text, nullable=False),
        sa.Column("named", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("record_id", "guest"),
        sqlite_with_rowid=False,
    )
    op.create_index("agreed_guest", "agreed", ["guest"])
