"""`Replay`: a record as steps, each with what it changed on a table with open cards.

A record has no secrets left, so all hands are in it; a reader may hide some of them. No rule is written here: each
step is what the views of the game say, reduced to what differs from the step before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct

from atout.editions import Edition
from atout.errors import RecordError
from atout.game import Game, View
from atout.game.record import MAX_NAME
from atout.game.view import OWN_KEYS, Row
from atout.records.verify import Verifier

MAX_MOVES = 2500
"""Actions a replay may have; a full match of a published edition has less than half of that."""
PUBLIC_OF_OWN = ("turn", "hand_sizes", "owed", "chosen_counts")
"""Own fields of a view that are nevertheless the same for all seats once cards are open."""
LEFT_OUT = frozenset(OWN_KEYS) | {"rules", "cannot_hold", "board", "last_round", "made_of", "trick_winners"}


class ReplayStep(Struct, omit_defaults=True):
    """A deal or an action, and what it changed."""

    move: int
    """Actions of the match so far, as `atout show --move` counts them."""
    round: int
    action: str = ""
    """As in a record; empty for a deal."""
    trick: int = 0
    """Number of the trick the card was played to, from 1."""
    view: dict[str, Any] = {}
    """Fields of `View` that changed, except the board."""
    board: list[Row] = []
    """Rows of the board that changed."""
    hands: dict[str, str] = {}
    """Hands that changed, by seat."""
    chosen: dict[str, str] = {}
    """Discarded, passed or laid-out cards of the round that changed, by seat."""


class Replay(Struct):
    """A whole record, verified, to be stepped through."""

    edition: str
    name: str
    game: Literal["njet", "nichtig"]
    players: int
    colours: list[str]
    """Colours of the deck, in order."""
    low: int
    """Value of the low cards: loot in Njet!, zeros in Null & nichtig."""
    high: int
    names: list[str]
    """Names by seat; empty where the record has none."""
    bots: list[str]
    """Levels of the bots by seat; empty for a person."""
    options: dict[str, Any]
    winners: list[int]
    """Empty if the match was not finished."""
    steps: list[ReplayStep]


def make_replay(text: str, seat: int | None = None) -> Replay:
    """The replay of one record in JSON; one that breaks the rules raises `RecordError`.

    With a seat, it holds only what that seat saw: its own hand, and no card that others discarded or passed.
    """
    line = text.strip().encode("utf-8", "surrogatepass")
    recorded = Verifier().decode(line)
    moves = sum(len(told.actions) for told in recorded.rounds)
    if moves > MAX_MOVES:
        raise RecordError(f"{moves} actions are too many to show; expected at most {MAX_MOVES}")
    told: dict[str, Any] = msgspec.json.decode(line)
    steps, game = [], None
    for step, after in _Steps(seat).steps(recorded):
        steps.append(step)
        game = after
    assert game is not None, "a record has at least one step"
    edition: Edition = game.setup.edition
    players = game.setup.players
    return Replay(
        edition=edition.id,
        name=edition.name,
        game=edition.game,
        players=players,
        colours=list(edition.deck.colours),
        low=min(edition.deck.values) if edition.deck.low is None else edition.deck.low,
        high=max(edition.deck.values),
        names=_names(told.get("names"), players),
        bots=_names(told.get("bots"), players),
        options=game.setup.options.written(edition, players),
        winners=game.winners,
        steps=steps,
    )


def _names(given: Any, players: int) -> list[str]:
    """Names from an untrusted record: a list of the right length with printable texts, or empty ones."""
    if not isinstance(given, list) or len(given) != players:
        return [""] * players
    return [name[:MAX_NAME] if isinstance(name, str) and name.isprintable() else "" for name in given]


class _Steps:
    """Makes the steps; remembers what the step before showed."""

    def __init__(self, seat: int | None = None) -> None:
        self._seat = seat
        self._view: dict[str, Any] = {}
        self._rows: dict[str, Row] = {}
        self._hands: dict[str, str] = {}
        self._chosen: dict[str, str] = {}

    def steps(self, record: Any) -> Iterator[tuple[ReplayStep, Game]]:
        moves = 0
        for action, game in Game.steps(record):
            moves += action is not None
            yield self._step(game, moves, "" if action is None else str(action)), game

    def _step(self, game: Game, move: int, action: str) -> ReplayStep:
        public = game.public()
        own = [game.own(seat) for seat in range(game.setup.players)]
        plays = action.split(" ")[1:2] == ["play"]
        shown = {str(i): view for i, view in enumerate(own) if self._seat in (None, i)}
        if self._seat is not None and action:
            action = own[self._seat]["actions"][-1]
        return ReplayStep(
            move=move,
            round=game.round,
            action=action,
            trick=sum(public["tricks"]) + bool(public["trick"]) if plays else 0,
            view=self._changed(self._view, self._shown(public, own)),
            board=list(self._changed(self._rows, {row["row"]: row for row in public["board"] or ()}).values()),
            hands=self._changed(self._hands, {i: " ".join(view["hand"]) for i, view in shown.items()}),
            chosen=self._changed(self._chosen, {i: " ".join(view["chosen"]) for i, view in shown.items()}),
        )

    @staticmethod
    def _shown(public: View, own: list[dict[str, Any]]) -> dict[str, Any]:
        shared = {key: value for key, value in public.items() if key not in LEFT_OUT}
        return shared | {key: own[0][key] for key in PUBLIC_OF_OWN}

    @staticmethod
    def _changed(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
        changed = {key: value for key, value in now.items() if key not in before or before[key] != value}
        before |= changed
        return changed
