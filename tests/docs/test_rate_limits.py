"""The table of rate limits names every limit among the settings, and files that exist."""

from __future__ import annotations

import re
from typing import get_type_hints

from atout.server.settings import Many, ServerSettings
from tests.docs.test_docs import ROOT

PAGE = ROOT / "docs" / "decisions" / "2026-11-15-rate-limits.md"
ROWS = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
LIMIT = re.compile(r"_per_(second|hour|day|guest|table|address)$|_bytes$")


def limits() -> set[str]:
    """The settings that limit a rate, a number or a size."""
    types = get_type_hints(ServerSettings, include_extras=True)
    return {name for name in ServerSettings.__struct_fields__ if types[name] == Many or LIMIT.search(name)}


def test_every_limit_has_a_row() -> None:
    named = {name for row in ROWS for name in re.findall(r"`(\w+)`", row[0])}
    assert named == limits()
    assert {"sign_ins_per_hour", "requests_per_second", "mail_asks_in_all", "unread_bytes"} <= named


def test_every_file_of_a_row_exists() -> None:
    files = {name for row in ROWS for name in re.findall(r"`(\S+\.py)`", row[2])}
    assert len(files) > 10
    assert [name for name in sorted(files) if not (ROOT / "src" / "atout" / name).is_file()] == []
