"""A record as something to watch: every step with what it changed on an open table.

A record has no secrets left, so all hands are told; who watches may close some of them. Nothing is worked out here:
each step is what the game's own views say, and only what is different from the step before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct

from atout.editions import Edition
from atout.errors import RecordError
from atout.game import Game, View
from atout.game.view import OWN_KEYS, Row
from atout.records.verify import Verifier

MOST_MOVES = 5000
"""A long match has less than half of that."""
MAX_NAME = 30
PUBLIC_OF_OWN = ("turn", "hand_sizes", "owed", "chosen_counts")
"""Told in the view of each seat, and the same in all of them."""
LEFT_OUT = frozenset(OWN_KEYS) | {"rules", "cannot_hold", "board", "last_round"}


class ReplayStep(Struct, omit_defaults=True):
    """Cards dealt, or an action, and what it changed."""

    move: int
    """Actions of the match so far, as `atout show --move` counts them."""
    round: int
    action: str = ""
    """In the words of a record; empty: the round was dealt."""
    trick: int = 0
    """Number of the trick the card was played to, from 1."""
    view: dict[str, Any] = {}
    """Fields of `View` that changed. The board comes apart."""
    board: list[Row] = []
    """Rows of the board that changed."""
    hands: dict[str, str] = {}
    """Hands that changed, by seat."""
    chosen: dict[str, str] = {}
    """Discarded, passed or laid-out cards of the round that changed, by seat."""


class Replay(Struct):
    """A whole record, checked, to be stepped through."""

    edition: str
    name: str
    game: Literal["njet", "nichtig"]
    players: int
    colours: list[str]
    """Of the deck, in their order."""
    low: int
    """Value of the low cards: loot in Njet!, zeros in Null & nichtig."""
    high: int
    names: list[str]
    """Who sat there; empty where the record does not say."""
    bots: list[str]
    """Their levels; empty for a person."""
    options: dict[str, Any]
    winners: list[int]
    """Empty: the match was not finished."""
    steps: list[ReplayStep]


def make_replay(text: str) -> Replay:
    """The replay of one record in JSON; one that breaks the rules raises `RecordError`."""
    line = text.strip().encode("utf-8", "surrogatepass")
    recorded = Verifier().decode(line)
    moves = sum(len(told.actions) for told in recorded.rounds)
    if moves > MOST_MOVES:
        raise RecordError(f"{moves} actions are too many to show; right would be {MOST_MOVES} at most")
    told: dict[str, Any] = msgspec.json.decode(line)
    steps, game = [], None
    for step, after in _Teller().steps(recorded):
        steps.append(step)
        game = after
    assert game is not None, "a game has at least its beginning"
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
        names=_words(told.get("names"), players),
        bots=_words(told.get("bots"), players),
        options=game.setup.options.written(edition, players),
        winners=game.winners,
        steps=steps,
    )


def _words(given: Any, players: int) -> list[str]:
    """A list of names as a stranger wrote it: of the right length and with printable texts, or none at all."""
    if not isinstance(given, list) or len(given) != players:
        return [""] * players
    return [name[:MAX_NAME] if isinstance(name, str) and name.isprintable() else "" for name in given]


class _Teller:
    """Remembers what the step before showed."""

    def __init__(self) -> None:
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
        return ReplayStep(
            move=move,
            round=game.round,
            action=action,
            trick=sum(public["tricks"]) + bool(public["trick"]) if plays else 0,
            view=self._changed(self._view, self._shown(public, own)),
            board=list(self._changed(self._rows, {row["row"]: row for row in public["board"] or ()}).values()),
            hands=self._changed(self._hands, {str(i): " ".join(view["hand"]) for i, view in enumerate(own)}),
            chosen=self._changed(self._chosen, {str(i): " ".join(view["chosen"]) for i, view in enumerate(own)}),
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
