"""The deal of the day: its secret, the results of guests, and their choices."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add tables."""
    op.create_table(
        "daily_deals",
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("settings", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "daily_results",
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("started", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("gain", sa.Double),
        sa.Column("gains", sa.LargeBinary),
        sa.PrimaryKeyConstraint("guest", "day"),
        sqlite_with_rowid=False,
    )
    op.create_index("daily_results_day", "daily_results", ["day", "counted", "gain"])
    op.create_table(
        "daily_choices",
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("guest", "day", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("daily_choices_position", "daily_choices", ["day", "position"])
