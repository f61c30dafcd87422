"""How Alembic runs our migrations: on the connection it is given, in that connection's transaction."""

from alembic import context

from atout.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    transaction_per_migration=False,
)
context.run_migrations()
