"""Connections to PostgreSQL, and operations on them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeVar

import asyncpg

from atout.store.operations import Operation

T = TypeVar("T")

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 10.0
OPTIONS: dict[str, Any] = {
    "timeout": CONNECT_SECONDS,
    "command_timeout": ANSWER_SECONDS,
    "server_settings": {"application_name": "atout", "synchronous_commit": "on"},
}


async def connect(url: str) -> Any:
    """A connection whose COMMIT waits for the disk."""
    return await asyncpg.connect(url, **OPTIONS)


async def run(connection: Any, operation: Operation[T]) -> T:
    """Run an operation, one statement after the other."""
    try:
        statement, parameters = next(operation)
        while True:
            text, names = numbered(statement)
            rows = await connection.fetch(text, *[parameters[name] for name in names])
            statement, parameters = operation.send(rows)
    except StopIteration as end:
        answer: T = end.value
        return answer
    finally:
        operation.close()


@cache
def numbered(statement: str) -> tuple[str, tuple[str, ...]]:
    """A statement with PostgreSQL's numbered parameters in place of named ones, and the names in order.

    >>> numbered("SELECT :b, :a, :b")
    ('SELECT $1, $2, $1', ('b', 'a'))
    """
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    return re.sub(r":([a-z_]+)", number, statement), tuple(names)
