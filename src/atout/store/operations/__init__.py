"""The SQL that both databases understand, written once.

An operation is a generator: it yields statements and is sent their rows, so that the same lines run in a thread on
sqlite3 and in the event loop on asyncpg. Parameters are named. The store runs each operation in a transaction and may
run it again after a failure, so an operation must be idempotent.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Rows: TypeAlias = Sequence[Sequence[Any]]
Statement: TypeAlias = tuple[str, dict[str, Any]]
Operation: TypeAlias = Generator[Statement, Rows, T]
OperationFactory: TypeAlias = Callable[[], Operation[T]]
"""Makes the operation; called once per attempt, because a generator runs only once."""


def run(operation: Operation[T], execute: Callable[[str, dict[str, Any]], Rows]) -> T:
    """Run an operation on a connection whose calls block."""
    try:
        statement = next(operation)
        while True:
            statement = operation.send(execute(*statement))
    except StopIteration as end:
        answer: T = end.value
        return answer
    finally:
        operation.close()
