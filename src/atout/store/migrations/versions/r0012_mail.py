"""When nudges were sent; mail addresses to be confirmed and refused; ways into accounts by OpenID Connect."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add tables and a column."""
    op.add_column("channels", sa.Column("sent", sa.Double))
    op.execute("UPDATE channels SET sent = delivered")
    op.create_table(
        "unconfirmed_mails",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("known_as", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_index("unconfirmed_mails_guest", "unconfirmed_mails", ["guest"])
    op.create_index("unconfirmed_mails_known_as", "unconfirmed_mails", ["known_as"])
    op.create_table(
        "mail_addresses",
        sa.Column("hash", sa.LargeBinary, primary_key=True),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("refused", sa.Double),
    )
    op.create_table(
        "oidc_identities",
        sa.Column("issuer", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject"),
    )
    op.create_index("oidc_identities_guest", "oidc_identities", ["guest"])
