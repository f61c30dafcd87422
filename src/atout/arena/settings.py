"""What an arena is to play: everything the result of a unit depends on, and nothing else.

A unit is one deal for one pair of bots, played in every seating; units are numbered deal by deal:

    number = deal × pairs + pair        deal = number // pairs        pair = number % pairs

so a longer run starts with the units of a shorter one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal, get_args

import msgspec

from atout import __version__
from atout.bots import Budget, make_bot
from atout.editions import PUBLISHED, from_tree, to_tree
from atout.errors import UsageError
from atout.game import Setup

UnitKind = Literal["round", "match"]
KINDS: tuple[str, ...] = get_args(UnitKind)
PATIENCE_SECONDS, PATIENCE_BUDGETS = 10.0, 20.0
"""A decision is a hang after so many seconds, or so many budgets of seconds, whichever is more."""
MAX_NODES, MAX_SECONDS = 10**12, 3600.0


def parse_budget(text: str | None) -> Budget:
    """How much a bot may think about a decision: a time, or nodes; none is the bot's own measure.

    >>> parse_budget("200ms"), parse_budget("2s"), parse_budget("5000"), parse_budget("5000n")
    (Budget(nodes=None, seconds=0.2), Budget(nodes=None, seconds=2.0), Budget(nodes=5000, seconds=None), \
Budget(nodes=5000, seconds=None))
    """
    if text is None:
        return Budget()
    told = re.fullmatch(r"(\d{1,12}(?:\.\d{1,6})?)(ms|s|n|)", text.strip(), re.ASCII)
    if told is not None:
        number, unit = told.groups()
        if unit in ("ms", "s"):
            seconds = float(number) / (1000 if unit == "ms" else 1)
            if 0 < seconds <= MAX_SECONDS:
                return Budget(seconds=seconds)
        elif "." not in number and 0 < int(number) <= MAX_NODES:
            return Budget(nodes=int(number))
    raise UsageError(f"--budget: {text[:40]!r} is not allowed; right would be a time (200ms, 0.5s) or nodes (2000)")


class Settings(msgspec.Struct, frozen=True):
    """Plain data: it goes to workers, into files and into a digest as it is."""

    version: str
    edition: str
    rules: dict[str, Any] | None
    """House rules in full; None for a published edition."""
    players: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    unit: UnitKind
    budget: Budget
    patience: float
    """Seconds after which a decision is a hang."""
    seed: int

    @classmethod
    def of(
        cls,
        setup: Setup,
        bots: Sequence[str],
        *,
        unit: str = "round",
        budget: Budget | None = None,
        patience: float | None = None,
        seed: int = 0,
    ) -> Settings:
        """Checked settings; every bot is made once, so that a wrong name is told before the first deal."""
        if len(bots) < 2:
            raise UsageError(f"--bots: {len(bots)} is named; right would be two or more, by commas: novice,random")
        twice = [name for name in bots if bots.count(name) > 1]
        if twice:
            raise UsageError(
                f"--bots: {twice[0]!r} is named twice; right would be each bot once, a twin by another name"
            )
        if unit not in KINDS:
            raise UsageError(f"--unit: {unit[:40]!r} is not allowed; allowed: {', '.join(KINDS)}")
        if not -(1 << 63) <= seed < 1 << 63:
            raise UsageError(f"--seed: {seed} is not allowed; allowed: a whole number of 64 bits")
        for name in bots:
            make_bot(name)
        budget = budget or Budget()
        if patience is None:
            patience = max(PATIENCE_SECONDS, PATIENCE_BUDGETS * (budget.seconds or 0))
        edition = setup.edition
        return cls(
            version=__version__,
            edition=edition.id,
            rules=None if edition.id in PUBLISHED else to_tree(edition),
            players=setup.players,
            options=setup.options.written(edition, setup.players),
            bots=tuple(bots),
            unit="match" if unit == "match" else "round",
            budget=budget,
            patience=patience,
            seed=seed,
        )

    @property
    def setup(self) -> Setup:
        edition = self.edition if self.rules is None else from_tree(self.rules, "settings")
        return Setup.of(edition, self.players, self.options)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Every two bots, in the order they were named."""
        return list(combinations(self.bots, 2))

    def place(self, number: int) -> tuple[int, tuple[str, str]]:
        """The deal of a unit and its pair of bots."""
        deal, pair = divmod(number, len(self.pairs))
        return deal, self.pairs[pair]

    @property
    def digest(self) -> str:
        """The same for the same settings, on every machine."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()
