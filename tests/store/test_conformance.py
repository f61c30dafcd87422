"""The conformance kit on both databases."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from atout.store import kit, open_store
from atout.store.kit import CHECKS, Opener


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conformance(check: Callable[[Opener], Awaitable[None]], url: str) -> None:
    async def conform() -> None:
        await check(lambda: open_store(url))

    asyncio.run(conform())


def test_no_check_is_left_out() -> None:
    """Told from the text of the kit: every coroutine function that is given an opener, and is no context manager."""
    written = [
        node.name
        for file in Path(kit.__file__).parent.glob("*.py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.AsyncFunctionDef) and not node.decorator_list
        if [ast.unparse(one.annotation) for one in node.args.args if one.annotation] == ["Opener"]
    ]
    assert sorted(written) == sorted(check.__name__ for check in CHECKS)
    assert len(written) == len(set(written)) > 40, "a name that comes twice would hide one of the two in reports"
