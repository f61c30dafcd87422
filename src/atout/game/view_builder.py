"""From `Knowledge` to a `View`: every field, and the numbers it is made of.

A view has two parts: fields that are the same for everybody at a moment (`common_fields`), and the few that differ from
seat to seat (`own_fields`, the `OWN_KEYS`). Views may share parts: do not change them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from operator import itemgetter
from types import SimpleNamespace
from typing import Any, cast

from atout.game.knowledge import Knowledge
from atout.game.log_entry import action_of, logged, phase_of, seat_of
from atout.game.notation import PHASES, SECRET, Notation, bits_of
from atout.game.view import MadeOf, PastRound, Row, Team, View, conditions, lanes, made_of, seat_or_none, sides, teams
from atout.rules import entries
from atout.rules.layout import DEAL, FACTS, LAY, NOBODY, OVER, PLAY, STATE, STATE_WORDS, VETO

_WORD: dict[str, int] = {
    name: first + at // 8
    for first, record in ((0, STATE), (STATE_WORDS, FACTS))
    for name, (_, at, *_) in (record.fields or {}).items()
}
"""Where the fields of both arrays begin."""
PHASE, TURN, TODO, FINISHED = itemgetter("phase", "turn", "todo", "finished")(_WORD)
BEST, PLAYED, FOLLOW, TRUMPS = itemgetter("best", "played", "follow", "trumps")(_WORD)
HAND, SPARE, GONE, GONE_SPARE = itemgetter("hand", "spare", "gone", "gone_spare")(_WORD)
PASSED, IN_HAND, GIVEN = (_WORD[name] - STATE_WORDS for name in ("passed", "in_hand", "given"))
"""Counted from the beginning of the facts."""


class Snapshot:
    """What one viewer knows at one moment, as plain numbers, and the notation to write it in."""

    __slots__ = ("knowledge", "log", "n", "notation", "numbers", "setup")

    def __init__(self, knowledge: Knowledge, notation: Notation) -> None:
        self.knowledge, self.notation, self.setup = knowledge, notation, knowledge.setup
        self.n = knowledge.setup.players
        self.numbers: list[int] = knowledge.redacted.tolist() + knowledge.facts.tolist()
        """The words of the redacted state, then those of the facts."""
        self.log: list[int] = knowledge.log.tolist()

    def word(self, name: str) -> int:
        return self.numbers[_WORD[name]]

    def by_seat(self, name: str) -> list[int]:
        first = _WORD[name]
        return self.numbers[first : first + self.n]


def make_view(knowledge: Knowledge, notation: Notation, past: list[PastRound]) -> View:
    """The whole view of a seat, or of a spectator."""
    return cast("View", {**common_fields(knowledge, notation, past), **own_fields(knowledge, notation)})


def own_fields(knowledge: Knowledge, notation: Notation) -> dict[str, Any]:
    """The fields that differ from seat to seat (`OWN_KEYS`)."""
    redacted, n, seat = knowledge.redacted, knowledge.setup.players, knowledge.seat
    phase: int = redacted.item(PHASE)
    own: dict[str, Any] = {
        "seat": seat,
        "turn": seat_or_none(redacted.item(TURN)),
        "hand": [],
        "hand_sizes": knowledge.facts[IN_HAND : IN_HAND + n].tolist(),
        "owed": redacted.item(TODO) if phase in SECRET else 0,
        "chosen": [],
        "chosen_counts": knowledge.facts[GIVEN : GIVEN + n].tolist(),
        "received": [],
        "actions": [notation.shown_as[entry] for entry in knowledge.log.tolist()],
        "legal": [],
        "must": None,
    }
    if seat is not None:
        here = logged(seat, phase, 0)
        own["hand"] = notation.cards_of(redacted.item(HAND + seat), redacted.item(SPARE + seat))
        own["legal"] = [notation.text_of[here | i] for i in bits_of(knowledge.legal)]
        own["must"] = _must(knowledge, seat) if phase == PLAY else None
        own["chosen"] = notation.cards_of(redacted.item(GONE + seat), redacted.item(GONE_SPARE + seat))
        if knowledge.facts.item(PASSED):
            right = (seat - 1) % n
            own["received"] = notation.cards_of(redacted.item(GONE + right), redacted.item(GONE_SPARE + right))
    return own


def _must(knowledge: Knowledge, seat: int) -> str | None:
    """Why the seat in turn may not play every card of its hand, by the masks that the rules decide it with."""
    redacted, setup = knowledge.redacted, knowledge.setup
    played: int = redacted.item(PLAYED)
    if redacted.item(TURN) != seat or not played or not setup.rules_record.must_follow:
        return None
    hand: int = redacted.item(HAND + seat)
    if hand & redacted.item(FOLLOW):
        led = action_of(knowledge.log.item(len(knowledge.log) - played))
        is_trump = redacted.item(TRUMPS) >> led & 1
        return f"follow {'trump' if is_trump else setup.edition.deck.colours[setup.rules_record.colour_of[led]]}"
    return None if knowledge.legal == hand else "trump"


def common_fields(knowledge: Knowledge, notation: Notation, past: list[PastRound]) -> dict[str, Any]:
    """The fields that are the same in every view of one moment."""
    snapshot = Snapshot(knowledge, notation)
    fields: dict[str, Any] = {**notation.setup_fields, "past": past}
    for name, make in _COMMON.items():
        fields[name] = make(snapshot)
    fields |= _trick_fields(snapshot)
    return fields


def _trick_fields(snapshot: Snapshot) -> dict[str, Any]:
    """The trick on the table and the last finished one. A log is ordered by phase, and tricks come last."""
    log, n, notation = snapshot.log, snapshot.n, snapshot.notation
    best, lying = seat_or_none(snapshot.numbers[BEST]), snapshot.numbers[PLAYED]
    whole = len(log) - lying
    has_last = whole >= n and log[whole - n] in notation.played_as
    last_winner = None if not has_last else seat_of(log[whole]) if lying else best
    first = whole - n * sum(lanes(snapshot.word("tricks"), n))
    return {
        "trick": [notation.played_as[entry] for entry in log[whole:]],
        "winning": best if lying else None,
        "last_trick": [notation.played_as[entry] for entry in log[whole - n : whole]] if has_last else [],
        "last_winner": last_winner,
        # whoever wins a trick leads the next one
        "trick_winners": [] if last_winner is None else [*map(seat_of, log[first + n : whole : n]), last_winner],
    }


def _round(snapshot: Snapshot) -> int:
    """The number of the current round. After its last trick it is current until the next one is dealt."""
    finished: int = snapshot.numbers[FINISHED]
    phase = snapshot.numbers[PHASE]
    is_finished = phase == OVER or (phase == DEAL and snapshot.log)
    return finished if is_finished else finished + 1


def _board(snapshot: Snapshot) -> list[Row] | None:
    if not snapshot.notation.cells:
        return None
    return snapshot.notation.board(takewhile(lambda entry: phase_of(entry) == VETO, snapshot.log))


def _conditions(snapshot: Snapshot) -> Any:
    """Known once somebody is the start player: no cell is covered after that."""
    if snapshot.word("start") == NOBODY:
        return None
    names = ("free", "start", "giving", "trump", "super", "points")
    return conditions(SimpleNamespace(**{name: snapshot.word(name) for name in names}), snapshot.notation)


def _round_points(snapshot: Snapshot) -> list[int]:
    """The round scored as it stands, by the rules; nobody has points from cards that are not laid open yet."""
    if snapshot.numbers[PHASE] == LAY:
        return [0] * snapshot.n
    scored = snapshot.knowledge.redacted.copy()
    entries.score_round(scored, snapshot.setup.rules)
    first = _WORD["scores"]
    points: list[int] = scored[first : first + snapshot.n].tolist()
    return points


def _teams(snapshot: Snapshot) -> list[Team] | None:
    if snapshot.setup.teams is None:
        return None
    return teams(snapshot.setup, snapshot.by_seat("totals"), _round_points(snapshot))


def _made_of(snapshot: Snapshot) -> MadeOf | None:
    """The terms of the points so far."""
    if not snapshot.setup.edition.is_njet or snapshot.word("side") == 0:
        return None
    names = ("tricks", "loot", "points", "doubler", "side")
    return made_of(SimpleNamespace(**{name: snapshot.word(name) for name in names}), snapshot.setup)


def _piles(snapshot: Snapshot) -> list[list[list[str]]] | None:
    if snapshot.setup.edition.is_njet:
        return None
    piles: list[dict[int, list[str]]] = [{} for _ in range(snapshot.n)]
    colour_of, first = snapshot.setup.rules_record.colour_of, _WORD["laid"]
    for code in snapshot.numbers[first : first + snapshot.word("laid_count")]:
        seat, kind = code >> 6, code & 63
        piles[seat].setdefault(colour_of[kind], []).append(snapshot.notation.cards[kind])
    return [[pile[colour] for colour in sorted(pile)] for pile in piles]


def _loot(snapshot: Snapshot) -> list[int] | None:
    return lanes(snapshot.word("loot"), snapshot.n) if snapshot.setup.edition.is_njet else None


_COMMON: dict[str, Callable[[Snapshot], Any]] = {
    "phase": lambda snapshot: PHASES[snapshot.numbers[PHASE]],
    "round": _round,
    "dealer": lambda snapshot: snapshot.word("dealer"),
    "leader": lambda snapshot: seat_or_none(snapshot.word("start")),
    "totals": lambda snapshot: snapshot.by_seat("totals"),
    "board": _board,
    "conditions": _conditions,
    "sides": lambda snapshot: sides(snapshot.word("side"), snapshot.n),
    "double": lambda snapshot: seat_or_none(snapshot.word("doubler")),
    "tricks": lambda snapshot: lanes(snapshot.word("tricks"), snapshot.n),
    "loot": _loot,
    "round_points": _round_points,
    "teams": _teams,
    "made_of": _made_of,
    "cannot_hold": lambda snapshot: [snapshot.notation.cards_of(kinds, 0) for kinds in snapshot.by_seat("cannot")],
    "piles": _piles,
}
"""The common fields that follow from the numbers one by one."""
