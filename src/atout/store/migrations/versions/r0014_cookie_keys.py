"""Fingerprints of the keys that sign cookies."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add a table. The first server that starts notes its key."""
    op.create_table(
        "cookie_keys",
        sa.Column("fingerprint", sa.LargeBinary, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
