"""The functions on a seat's knowledge that Python calls; compiled once, they take flat arrays."""

from __future__ import annotations

from typing import Any

from atout.knowledge import counting, sample
from atout.knowledge import encode as encoding
from atout.knowledge import rebuild as rebuilding
from atout.knowledge import redact as redaction
from atout.knowledge.world_source import draw_world
from atout.rules import step
from atout.rules.arrays import as_facts, as_plan, as_rules, as_state
from atout.rules.jit import entry


@entry
def redact(
    state: Any, rules: Any, log: Any, length: int, seat: int, redacted: Any, facts: Any, redacted_log: Any
) -> None:
    redaction.redact(
        as_state(state), as_rules(rules), log, length, seat, as_state(redacted), as_facts(facts), redacted_log
    )


@entry
def encode(redacted: Any, facts: Any, rules: Any, observation: Any) -> int:
    """Fill the features of a seat (`features.py`); returns its legal actions as a mask over their block."""
    o, r = as_state(redacted), as_rules(rules)
    encoding.encode(o, as_facts(facts), r, observation)
    return encoding.legal_places(o, r, step.legal(o, r))


@entry
def action_at(redacted: Any, rules: Any, place: int) -> int:
    """The action of the seat in turn for an index of its block (`features.py`)."""
    o, r = as_state(redacted), as_rules(rules)
    return encoding.action_at(o, r, step.legal(o, r), place)


@entry
def rebuild(redacted: Any, rules: Any, log: Any, length: int, seat: int, hand: int, spare: int, facts: Any) -> None:
    """The redacted state and the facts from a redacted log and the seat's dealt hand."""
    o, r = as_state(redacted), as_rules(rules)
    rebuilding.rebuild(o, r, log, length, seat, hand, spare)
    redaction.fill_facts(o, r, log, length, seat, as_facts(facts))


@entry
def sample_size(redacted: Any, facts: Any, rules: Any, plan: Any) -> int:
    """The length of `ways` that `sample_plan` needs."""
    return counting.lookup_size(as_state(redacted), as_facts(facts), as_rules(rules), as_plan(plan))


@entry
def sample_plan(redacted: Any, facts: Any, rules: Any, plan: Any, ways: Any, chances: Any) -> float:
    """Prepare to draw worlds; returns in how many ways the unseen cards can lie."""
    return counting.plan(as_state(redacted), as_facts(facts), as_rules(rules), as_plan(plan), ways, chances)


@entry
def sample_draw(source: Any, rng: Any, world: Any, log: Any) -> None:
    """Fill `world` and `log` with one consistent world and its whole log."""
    draw_world(source, rng, world, log)


@entry
def rewind(state: Any, rules: Any, log: Any, length: int) -> None:
    """The hands as they were dealt; nothing else of the state is meaningful afterwards."""
    sample.rewind(as_state(state), as_rules(rules), log, length)
