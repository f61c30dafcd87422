"""Environments for research: the same matches behind the interfaces that learning libraries use.

    atout.envs.pettingzoo    one table, all seats: PettingZoo's AEC interface
    atout.envs.gymnasium     one seat against bots
    atout.envs.batched       thousands of matches at once, with Pgx's field names; CPU threads or a GPU
    atout.envs.torchrl       the batched one as a TorchRL `EnvBase`
    atout.envs.openspiel     `pyspiel.load_game("atout(edition=niet-2015,players=4)")`

Each module is imported by itself and needs only its own library (`pip install 'atout[research]'` has all of them).
All have the same observation and the same flat action space (`docs/observation.md`), and the same seed gives the same
match in every one.
"""

from __future__ import annotations

from atout.errors import AtoutError


class MissingPackage(AtoutError, ImportError):
    """A library that an environment is made for is not installed."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"this part of atout.envs needs the package {package}; install it with: pip install 'atout[research]'",
            name=package,
        )
