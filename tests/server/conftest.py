"""A server for all tests that need nothing special of it.

The store's conformance tests prove the databases equal, and two workers of `test_processes.py` share a PostgreSQL; so
`make test` starts this server on SQLite, and `make check-all` on PostgreSQL too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.background import Background, serve_in_background
from tests.store.conftest import postgres, url

__all__ = ["postgres", "url"]


@pytest.fixture(scope="session", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    folder = tmp_path_factory.mktemp(request.param)
    database = f"sqlite:///{folder}/atout.db"
    if request.param == "postgresql":
        database = asyncio.run(request.getfixturevalue("postgres").new_url())
    with serve_in_background(database, folder) as server:
        yield server


@pytest.fixture(scope="session")
def lone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    """On SQLite alone: for tests that do not depend on the database."""
    folder: Path = tmp_path_factory.mktemp("lone")
    with serve_in_background(f"sqlite:///{folder}/atout.db", folder) as server:
        yield server
