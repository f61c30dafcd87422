"""From `Knowledge` to a `View`: every field, and the numbers it is made of.

Each public field names the words of the redacted state and facts it depends on: where these have not changed, neither
has the field (`news.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from types import SimpleNamespace
from typing import Any, NamedTuple

from atout.editions import PUBLISHED, to_tree
from atout.game.knowledge import Knowledge
from atout.game.notation import PHASES, ROW_NAMES, SECRET, Notation, bits_of
from atout.game.setup import Setup
from atout.game.view import PastRound, Row, View, conditions, lanes, seat_or_none, sides
from atout.rules import entries
from atout.rules.layout import COLUMNS, DEAL, FACTS, LAY, NOBODY, OVER, STATE, STATE_WORDS, VETO

WORD = 8
"""Bytes of one."""
_PLACES: dict[str, slice] = {
    name: slice(first + at, first + at + kind.itemsize)
    for first, record in ((0, STATE), (STATE_WORDS * WORD, FACTS))
    for name, (kind, at, *_) in (record.fields or {}).items()
}
"""Where the fields of both lie, as bytes."""
_WORD: dict[str, int] = {name: place.start // WORD for name, place in _PLACES.items()}
PHASE, TURN, TODO, FINISHED = itemgetter("phase", "turn", "todo", "finished")(_WORD)
BEST, PLAYED, PASSED = itemgetter("best", "played", "passed")(_WORD)
HAND, SPARE, GONE, GONE_SPARE = itemgetter("hand", "spare", "gone", "gone_spare")(_WORD)
IN_HAND = _PLACES["in_hand"].start
"""As bytes: the number of cards in every hand."""


class Seen:
    """What one seat knows, as lists of numbers, and the words to tell it in."""

    __slots__ = ("knowledge", "log", "n", "numbers", "raw", "setup", "words")

    def __init__(self, knowledge: Knowledge, words: Notation) -> None:
        self.knowledge, self.words, self.setup = knowledge, words, knowledge.setup
        self.n = knowledge.setup.players
        self.raw = knowledge.redacted.tobytes() + knowledge.facts.tobytes()
        self.numbers = memoryview(self.raw).cast("q")
        """The words of the redacted state, then those of the facts."""
        self.log: list[int] = knowledge.log.tolist()

    def word(self, name: str) -> int:
        return self.numbers[_WORD[name]]

    def by_seat(self, name: str) -> list[int]:
        first = _WORD[name]
        return self.numbers[first : first + self.n].tolist()


def make_view(knowledge: Knowledge, words: Notation, past: list[PastRound], public: View | None = None) -> View:
    """The view of a seat; the `public` part of the same moment spares making it again."""
    seen = Seen(knowledge, words)
    view: Any = _public(seen, past) if public is None else public.copy()
    view.update(_own(seen))
    made: View = view
    return made


def make_own(knowledge: Knowledge, words: Notation) -> dict[str, Any]:
    """The fields of a seat's view that differ from seat to seat (`OWN_KEYS`)."""
    return _own(Seen(knowledge, words))


def _own(seen: Seen) -> dict[str, Any]:
    seat, numbers = seen.knowledge.seat, seen.numbers
    own: dict[str, Any] = {
        "seat": seat,
        "turn": seat_or_none(numbers[TURN]),
        "hand_sizes": seen.by_seat("in_hand"),
        "owed": numbers[TODO] if numbers[PHASE] in SECRET else 0,
        "chosen": [],
        "chosen_counts": seen.by_seat("given"),
        "received": [],
        "actions": list(map(seen.words.shown_as.__getitem__, seen.log)),
        "hand": [],
        "legal": [],
    }
    if seat is not None:
        here = seat << 10 | numbers[PHASE] << 6
        own["hand"] = seen.words.cards_of(numbers[HAND + seat], numbers[SPARE + seat])
        own["legal"] = [seen.words.text_of[here | i] for i in bits_of(seen.knowledge.legal)]
        own["chosen"] = seen.words.cards_of(numbers[GONE + seat], numbers[GONE_SPARE + seat])
        if numbers[PASSED]:
            right = (seat - 1) % seen.n
            own["received"] = seen.words.cards_of(numbers[GONE + right], numbers[GONE_SPARE + right])
    return own


def _public(seen: Seen, past: list[PastRound]) -> dict[str, Any]:
    view: Any = _template(seen.setup)
    for _, group in GROUPS:
        view |= {key: make(seen) for key, (_, make) in group.items()}
    view["actions"] = [seen.words.shown_as[entry] for entry in seen.log]
    view["board"] = board_of(seen.words, seen.log)
    view["past"] = past
    made: dict[str, Any] = view | shown_progress(progress(seen), seen.words)
    return made


def _template(setup: Setup) -> View:
    """What never changes at a table; everything else is filled in."""
    edition = setup.edition
    view: Any = dict.fromkeys(View.__annotations__)
    view |= {"hand": [], "chosen": [], "received": [], "legal": []}
    view["edition"], view["game"], view["players"] = edition.id, edition.game, setup.players
    view["rules"] = None if edition.id in PUBLISHED else to_tree(edition)
    view["options"] = setup.options.written(edition, setup.players)
    view["rounds"], view["target"] = setup.options.rounds or None, setup.options.target or None
    made: View = view
    return made


class Progress(NamedTuple):
    """What most moves change: whose turn it is, the trick on the table, the last finished one; tricks as in a log."""

    round: int
    turn: int | None
    owed: int
    trick: list[int]
    last_trick: list[int]
    winning: int | None
    last_winner: int | None


_NOTHING = (object(),) * len(Progress._fields)
"""What was known of it before anything was."""


def progress(seen: Seen) -> Progress:
    """A log is ordered by phase, and tricks come last."""
    numbers, log, n = seen.numbers, seen.log, seen.n
    phase, best, lying = numbers[PHASE], seat_or_none(numbers[BEST]), numbers[PLAYED]
    whole = len(log) - lying
    has_last = whole >= n and log[whole - n] in seen.words.played_as
    return Progress(
        numbers[FINISHED] + (0 if phase == OVER or (phase == DEAL and log) else 1),
        seat_or_none(numbers[TURN]),
        numbers[TODO] if phase in SECRET else 0,
        log[whole:],
        log[whole - n : whole] if has_last else [],
        best if lying else None,
        None if not has_last else log[whole] >> 10 if lying else best,
    )


def shown_progress(now: Progress, words: Notation, before: Progress | None = None) -> dict[str, Any]:
    """As a view shows it; given an earlier moment, what has changed since then."""
    fields = zip(Progress._fields, now, before or _NOTHING, strict=True)
    shown: dict[str, Any] = {key: value for key, value, known in fields if value != known}
    for key in ("trick", "last_trick"):
        if key in shown:
            shown[key] = [words.played_as[entry] for entry in shown[key]]
    return shown


def stamps(log: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Row and column of the cells these actions covered, and by whom."""
    for entry in log:
        if (entry >> 6) & 15 == VETO:
            yield *divmod(entry & 63, COLUMNS), entry >> 10


def board_of(words: Notation, log: list[int]) -> list[Row] | None:
    """The board after these actions."""
    if not words.cells:
        return None
    rows = [[cell[None] for cell in cells] for cells in words.cells]
    for row, column, by in stamps(log):
        rows[row][column] = words.cells[row][column][by]
    return [{"row": name, "cells": cells} for name, cells in zip(ROW_NAMES, rows, strict=True)]


def _conditions(seen: Seen) -> Any:
    """Once somebody starts no cell is covered any more, so it does not follow from the free ones besides."""
    if seen.word("start") == NOBODY:
        return None
    names = ("free", "start", "giving", "trump", "super", "points")
    return conditions(SimpleNamespace(**{name: seen.word(name) for name in names}), seen.words)


def _round_points(seen: Seen) -> list[int]:
    """The round scored as it stands, by the rules; nobody has points from cards that are not laid open yet."""
    if seen.numbers[PHASE] == LAY:
        return [0] * seen.n
    scored = seen.knowledge.redacted.copy()
    entries.score_round(scored, seen.setup.rules)
    first = _WORD["scores"]
    points: list[int] = scored[first : first + seen.n].tolist()
    return points


def _piles(seen: Seen) -> list[list[list[str]]] | None:
    if seen.setup.edition.is_njet:
        return None
    piles: list[dict[int, list[str]]] = [{} for _ in range(seen.n)]
    colour_of, first = seen.setup.rules_record.colour_of, _WORD["laid"]
    for code in seen.numbers[first : first + seen.word("laid_count")].tolist():
        seat, kind = code >> 6, code & 63
        piles[seat].setdefault(colour_of[kind], []).append(seen.words.cards[kind])
    return [[pile[colour] for colour in sorted(pile)] for pile in piles]


def _span(first: str, last: str) -> slice:
    return slice(_PLACES[first].start, _PLACES[last].stop)


Fields = dict[str, tuple[slice, Callable[[Seen], Any]]]
_PHASE: Fields = {"phase": (_PLACES["phase"], lambda seen: PHASES[seen.word("phase")])}
_BEFORE_ROUND: Fields = {
    "dealer": (_PLACES["dealer"], lambda seen: seen.word("dealer")),
    "totals": (_PLACES["totals"], lambda seen: seen.by_seat("totals")),
}
_BEFORE_TRICKS: Fields = {
    "leader": (_PLACES["start"], lambda seen: seat_or_none(seen.word("start"))),
    "conditions": (_span("start", "points"), _conditions),
    "sides": (_PLACES["side"], lambda seen: sides(seen.word("side"), seen.n)),
    "double": (_PLACES["doubler"], lambda seen: seat_or_none(seen.word("doubler"))),
}
_WON: Fields = {
    "tricks": (_PLACES["tricks"], lambda seen: lanes(seen.word("tricks"), seen.n)),
    "loot": (_PLACES["loot"], lambda seen: lanes(seen.word("loot"), seen.n) if seen.setup.edition.is_njet else None),
}
_REMEMBERED: Fields = {
    "hand_sizes": (_PLACES["in_hand"], lambda seen: seen.by_seat("in_hand")),
    "chosen_counts": (_PLACES["given"], lambda seen: seen.by_seat("given")),
    "cannot_hold": (
        _PLACES["cannot"],
        lambda seen: [seen.words.cards_of(kinds, 0) for kinds in seen.by_seat("cannot")],
    ),
}
_POINTS: Fields = {"round_points": (_span("points", "tops"), _round_points)}
_PILES: Fields = {"piles": (_span("laid", "laid_count"), _piles)}
GROUPS = (
    (_PLACES["phase"], _PHASE),
    (_span("dealer", "totals"), _BEFORE_ROUND),
    (_span("start", "doubler"), _BEFORE_TRICKS),
    (_span("tricks", "loot"), _WON),
    (_span("points", "tops"), _POINTS),
    (_span("in_hand", "cannot"), _REMEMBERED),
    (_span("laid", "laid_count"), _PILES),
)
"""The public fields that follow from some of the numbers alone, with where these lie; a group where nothing has changed
is passed over as a whole."""
