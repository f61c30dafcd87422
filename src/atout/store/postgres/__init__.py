"""The store in PostgreSQL: for several worker processes, on one machine or many."""

from atout.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
