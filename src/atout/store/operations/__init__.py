"""What is asked of either database, written once.

An operation is a generator: it yields statements and is sent their rows, so that the same lines run in a thread on
sqlite3 and in the event loop on asyncpg. The SQL is what both databases understand; parameters are named. Whoever
runs an operation puts it in a transaction, and may run it again: what it writes it writes once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Rows: TypeAlias = Sequence[Sequence[Any]]
Statement: TypeAlias = tuple[str, dict[str, Any]]
Operation: TypeAlias = Generator[Statement, Rows, T]
Plan: TypeAlias = Callable[[], Operation[T]]


def run(operation: Operation[T], execute: Callable[[str, dict[str, Any]], Rows]) -> T:
    """Run an operation on a connection that answers at once."""
    try:
        statement = next(operation)
        while True:
            statement = operation.send(execute(*statement))
    except StopIteration as end:
        answer: T = end.value
        return answer
    finally:
        operation.close()
