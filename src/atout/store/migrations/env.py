"""Alembic's environment: migrations run on the connection they are given, in its transaction."""

from alembic import context

from atout.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    transaction_per_migration=False,
)
context.run_migrations()
