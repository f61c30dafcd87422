"""Records that guests import to have them reviewed."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add a column. All records so far are of matches that were played here."""
    op.add_column("records", sa.Column("imported_by", sa.Text))
    where = sa.text("imported_by IS NOT NULL")
    op.create_index("records_imported_by", "records", ["imported_by"], sqlite_where=where, postgresql_where=where)
