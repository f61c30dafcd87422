"""What worlds are drawn from, as one argument: a seat's knowledge and the tables that `sample.py` prepared for it."""

from __future__ import annotations

from typing import Any, NamedTuple

from atout.knowledge import sample
from atout.rules.arrays import as_facts, as_plan, as_rules, as_state
from atout.rules.jit import part


class WorldSource(NamedTuple):
    """Arrays that compiled code draws worlds from. They are made once per decision, by `game.Sampler`."""

    seen: Any
    """The redacted state."""
    facts: Any
    rules: Any
    plan: Any
    """Where unseen cards may be (`layout.PLAN`)."""
    ways: Any
    """In how many ways the rest of the cards can be placed (`counting.py`)."""
    chances: Any
    """How likely each scenario is."""
    log: Any
    """The redacted log of the round."""


@part
def draw_world(source: Any, rng: Any, world: Any, log: Any) -> None:
    """Fill `world`, and the beginning of `log`, with one world that fits the knowledge; all are equally likely."""
    for i in range(source.seen.shape[0]):
        world[i] = source.seen[i]
    length = source.log.shape[0]
    for i in range(length):
        log[i] = source.log[i]
    o, f, r, p = as_state(source.seen), as_facts(source.facts), as_rules(source.rules), as_plan(source.plan)
    sample.draw(o, f, r, p, source.ways, source.chances, rng, as_state(world), log, length)
