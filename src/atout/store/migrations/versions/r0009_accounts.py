"""Accounts: passkeys, recovery codes, sessions; guests who were joined to an account."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add tables. No guest has an account yet."""
    op.create_table(
        "accounts",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("code", sa.LargeBinary),
        sa.Column("code_made", sa.Double),
        sa.Column("code_used", sa.Double),
    )
    op.create_index("accounts_code", "accounts", ["code"], unique=True)
    op.create_table(
        "passkeys",
        sa.Column("id", sa.LargeBinary, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("used", sa.Double),
    )
    op.create_index("passkeys_guest", "passkeys", ["guest"])
    op.create_table(
        "sessions",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
    )
    op.create_index("sessions_guest", "sessions", ["guest"])
    op.create_table(
        "challenges",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("used", sa.Double, nullable=False),
    )
    op.add_column("forgotten", sa.Column("joins", sa.Text))
