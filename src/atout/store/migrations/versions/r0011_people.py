"""People: friends, who is muted or blocked, invitations to tables, reports to the operator."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add tables. Nobody has friends yet, and nobody shows when they are online."""
    op.create_table(
        "relations",
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("other", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("guest", "other", "kind"),
        sqlite_with_rowid=False,
    )
    op.create_index("relations_other", "relations", ["other"])
    op.create_table(
        "people",
        sa.Column("guest", sa.Text, primary_key=True),
        sa.Column("link", sa.Text),
        sa.Column("shows_online", sa.Boolean, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_index("people_link", "people", ["link"], unique=True)
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("inviter", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "guest"),
        sqlite_with_rowid=False,
    )
    op.create_index("invitations_guest", "invitations", ["guest"])
    op.create_index("invitations_inviter", "invitations", ["inviter"])
    op.create_table(
        "reports",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("reporter", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("reports_reporter", "reports", ["reporter"])
    op.create_index("reports_about", "reports", ["about"])
    op.create_table(
        "report_lines",
        sa.Column("report", sa.Text, sa.ForeignKey("reports.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("report", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("report_lines_guest", "report_lines", ["guest"])
    op.create_index("guests_name", "guests", ["name"])
