"""An arena in the process of the test: for bots that behave, or misbehave within Python."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import msgspec

from atout import Setup
from atout.arena import ArenaSettings, Tournament
from atout.arena.duplicate import Duplicate, play_duplicate
from atout.arena.results import Results
from atout.arena.watchdog import Watchdog

MISBEHAVING = "tests.arena.misbehaving_bots:"
NO_ALARM = 86_400.0


class InProcessRunner:
    """A runner without worker processes."""

    def __init__(self, settings: ArenaSettings) -> None:
        self.settings = settings

    def run(self, numbers: Iterable[int]) -> Generator[Duplicate, None, None]:
        for number in numbers:
            yield play_duplicate(self.settings, number, Watchdog([0.0, 0.0]))


def settings_of(edition: str, players: int, bots: list[str], **more: Any) -> ArenaSettings:
    return ArenaSettings.of(
        Setup.of(edition, players, more.pop("options", None)), bots, **{"patience": NO_ALARM, **more}
    )


def run_in_process(path: Path, deals: int, settings: ArenaSettings) -> Results:
    tournament = Tournament(settings, deals, path)
    for _ in tournament.play(InProcessRunner(settings)):
        pass
    return tournament.finish()


def repeatable_part(results: Results | Path) -> dict[str, Any]:
    """Everything that must not differ between two runs."""
    data = results.read_bytes() if isinstance(results, Path) else msgspec.json.encode(results)
    found: dict[str, Any] = msgspec.json.decode(data)
    del found["speed"]
    return found
