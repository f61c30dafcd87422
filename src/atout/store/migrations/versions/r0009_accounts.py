"""Accounts: passkeys, recovery codes, sessions, guests who joined; nudges and the ways to deliver them."""

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
    op.create_table(
        "server_secrets",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "channels",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("address", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("delivered", sa.Double),
        sa.Column("failures", sa.Integer, nullable=False),
    )
    op.create_index("channels_guest", "channels", ["guest"])
    op.create_table(
        "nudge_settings",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "nudge_choices",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("choice", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest"),
        sqlite_with_rowid=False,
    )
    op.create_index("nudge_choices_guest", "nudge_choices", ["guest"])
    op.create_table(
        "nudges",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("decision", sa.BigInteger, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("is_due", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest"),
        sqlite_with_rowid=False,
    )
    op.create_index("nudges_guest", "nudges", ["guest"])
    op.create_index("nudges_due", "nudges", ["at"], sqlite_where=sa.text("is_due"), postgresql_where=sa.text("is_due"))
