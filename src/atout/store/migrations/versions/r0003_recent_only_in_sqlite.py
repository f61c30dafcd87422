"""Drop `recent` from PostgreSQL, where it was always empty: only SQLite writes events there first."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Keep SQLite as it is."""
    if op.get_context().dialect.name != "sqlite":
        op.drop_table("recent")
