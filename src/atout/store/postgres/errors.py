"""PostgreSQL's errors: which are temporary, which leave no trace, and which error of Atout each of them means."""

from __future__ import annotations

import asyncpg

from atout.errors import AtoutError, GuestForgotten, StoreError, StoreFull, Unavailable

TEMPORARY = (
    OSError,  # refused, reset, unreachable; TimeoutError is one
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shutting down, starting up
    asyncpg.TransactionRollbackError,  # deadlock
    asyncpg.InsufficientResourcesError,  # too many connections
    asyncpg.ReadOnlySQLTransactionError,  # a standby that will be promoted
    asyncpg.InternalClientError,
)
WRONG_ADDRESS = (
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
)


def is_temporary(error: Exception) -> bool:
    """Whether a retry may help."""
    if isinstance(error, asyncpg.DiskFullError):
        return False
    if isinstance(error, asyncpg.InterfaceError):  # "connection is closed"; wrong values are `DataError`
        return not isinstance(error, asyncpg.DataError | asyncpg.ClientConfigurationError)
    return isinstance(error, TEMPORARY)


def was_rolled_back(error: Exception) -> bool:
    """Whether the statement surely did nothing: its values could not be sent, or the database itself refused it."""
    if isinstance(error, asyncpg.PostgresConnectionError | asyncpg.OperatorInterventionError):
        return False
    return isinstance(error, asyncpg.PostgresError | ValueError | TypeError | GuestForgotten)


def as_store_error(error: Exception) -> Exception:
    """The error of Atout that an error of PostgreSQL means; any other error as it is."""
    if isinstance(error, AtoutError):
        return error
    if isinstance(error, asyncpg.DiskFullError):
        return StoreFull("PostgreSQL: the disk is full")
    if isinstance(error, WRONG_ADDRESS):
        return StoreError(f"PostgreSQL refuses: {error}; expected an address whose user may use its database")
    if is_temporary(error):
        return Unavailable(f"PostgreSQL cannot be used now: {error or type(error).__name__}")
    if isinstance(error, asyncpg.PostgresError | ValueError | TypeError):
        return StoreError(f"PostgreSQL cannot keep this: {error}")
    return error
