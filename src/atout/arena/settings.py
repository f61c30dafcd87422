"""What an arena plays: everything the result of a duplicate depends on, and nothing else.

A duplicate is one deal for one pair of bots, played in every seating. Duplicates are numbered deal by deal:

    number = deal × pairs + pair        deal = number // pairs        pair = number % pairs

so a longer run starts with the duplicates of a shorter one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal, get_args

import msgspec

from atout import __version__
from atout.bots import TABLE_SECONDS, Budget, make_bot
from atout.editions import PUBLISHED, from_tree, to_tree
from atout.errors import UsageError
from atout.game import Setup

Span = Literal["round", "match"]
SPANS: tuple[str, ...] = get_args(Span)
Vetoes = Literal["own", "novice", "random"]
VETOES: tuple[str, ...] = get_args(Vetoes)
PATIENCE_SECONDS, PATIENCE_BUDGETS = 10.0, 20.0
"""A decision hangs after this many seconds, or this many times its budget of seconds, whichever is more."""
MAX_NODES, MAX_SECONDS = 10**12, 3600.0


def parse_budget(text: str) -> Budget:
    """The budget for one decision: a time, or nodes.

    >>> parse_budget("200ms"), parse_budget("2s"), parse_budget("5000"), parse_budget("5000n")
    (Budget(nodes=None, seconds=0.2), Budget(nodes=None, seconds=2.0), Budget(nodes=5000, seconds=None), \
Budget(nodes=5000, seconds=None))
    """
    found = re.fullmatch(r"(\d{1,12}(?:\.\d{1,6})?)(ms|s|n|)", text.strip(), re.ASCII)
    if found is not None:
        number, unit = found.groups()
        if unit in ("ms", "s"):
            seconds = float(number) / (1000 if unit == "ms" else 1)
            if 0 < seconds <= MAX_SECONDS:
                return Budget(seconds=seconds)
        elif "." not in number and 0 < int(number) <= MAX_NODES:
            return Budget(nodes=int(number))
    raise UsageError(f"--budget: {text[:40]!r} is not allowed; expected a time (200ms, 0.5s) or nodes (2000)")


class ArenaSettings(msgspec.Struct, frozen=True):
    """Plain data that is sent to workers, written into files and hashed as it is."""

    version: str
    edition: str
    rules: dict[str, Any] | None
    """The whole edition for house rules; None for a published edition."""
    players: int
    options: dict[str, Any]
    bots: tuple[str, ...]
    span: Span
    """What is played from each deal: one round, or a whole match."""
    vetoes: Vetoes
    """Who makes the vetoes of Njet!: the bots themselves, or everywhere `novice` or `random`. The boards that people
    make are not those of one's own kind."""
    budget: Budget
    patience: float
    """Seconds after which a decision counts as hung."""
    seed: int

    @classmethod
    def of(
        cls,
        setup: Setup,
        bots: Sequence[str],
        *,
        span: str = "round",
        vetoes: str = "own",
        budget: Budget | None = None,
        patience: float | None = None,
        seed: int = 0,
    ) -> ArenaSettings:
        """Checked settings; the default budget is what the server gives its bots.

        Every bot is made once, so that a wrong name is an error before the first deal.
        """
        if len(bots) < 2:
            raise UsageError(f"--bots: {len(bots)} is named; expected two or more, by commas: novice,random")
        twice = [name for name in bots if bots.count(name) > 1]
        if twice:
            raise UsageError(f"--bots: {twice[0]!r} is named twice; expected each bot once, a copy under another name")
        if span not in SPANS:
            raise UsageError(f"--span: {span[:40]!r} is not allowed; allowed: {', '.join(SPANS)}")
        if vetoes not in VETOES:
            raise UsageError(f"--vetoes: {vetoes[:40]!r} is not allowed; allowed: {', '.join(VETOES)}")
        if vetoes != "own" and not setup.edition.is_njet:
            raise UsageError(f"--vetoes: {vetoes} is not allowed here; {setup.edition.id} has no vetoes")
        if not -(1 << 63) <= seed < 1 << 63:
            raise UsageError(f"--seed: {seed} is not allowed; allowed: a whole number of 64 bits")
        for name in bots:
            make_bot(name)
        budget = budget or Budget(seconds=TABLE_SECONDS)
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
            span=msgspec.convert(span, Span),
            vetoes=msgspec.convert(vetoes, Vetoes),
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
        """The deal of a duplicate and its pair of bots."""
        deal, pair = divmod(number, len(self.pairs))
        return deal, self.pairs[pair]

    @property
    def digest(self) -> str:
        """A hash that is the same for the same settings on every machine."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()
