"""`Replay`: a record as steps, each with what it changed on a table with open cards.

A record has no secrets left, so all hands are in it; a reader may hide some of them. No rule is written here: each
step is what the views of the game say, reduced to what differs from the step before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from atout.editions import Edition
from atout.errors import RecordError
from atout.game import Game
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
    seen: dict[str, str] = {}
    """The action by seat, for the seats that by the end of the round do not know all of it: unknown cards are `?`."""
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
    low_copies: int
    """How many low cards a colour has."""
    high: int
    names: list[str]
    """Names by seat; empty where the record has none."""
    bots: list[str]
    """Levels of the bots by seat; empty for a person."""
    options: dict[str, Any]
    winners: list[int]
    """Empty if the match was not finished."""
    steps: list[ReplayStep]


class _Players(Struct):
    """What a record says of its players, beside what is checked. Other fields, which anybody may add, are not read."""

    names: Any = None
    bots: Any = None


def make_replay(text: str, seat: int | None = None, most: int = MAX_MOVES) -> Replay:
    """The replay of one record in JSON; one that breaks the rules or has too many actions raises `RecordError`.

    With a seat, it holds only what that seat saw: its own hand, and no card that others discarded or passed.
    """
    line = text.strip().encode("utf-8", "surrogatepass")
    recorded = Verifier().decode(line)
    moves = sum(len(one.actions) for one in recorded.rounds)
    if moves > most:
        raise RecordError(f"{moves} actions are too many to show; expected at most {most}")
    try:
        people = msgspec.json.decode(line, type=_Players)
    except msgspec.DecodeError as error:
        raise RecordError(f"names, bots: {error}") from None
    steps, game = [], None
    for step, after in _steps_of(recorded, seat):
        steps.append(step)
        game = after
    assert game is not None, "a record has at least one step"
    players = game.setup.players
    names, bots = _names(people.names, players), _names(people.bots, players)
    return replay_of(game, names, bots, game.winners, steps)


def replay_of(game: Game, names: list[str], bots: list[str], winners: list[int], steps: list[ReplayStep]) -> Replay:
    """The steps with what is the same in all of them; `game` is any moment of the match."""
    edition: Edition = game.setup.edition
    players, deck = game.setup.players, game.setup.deck
    return Replay(
        edition=edition.id,
        name=edition.name,
        game=edition.game,
        players=players,
        colours=list(deck.colours),
        low=deck.low,
        low_copies=deck.low_copies,
        high=deck.high,
        names=names,
        bots=bots,
        options=game.setup.options.written(edition, players),
        winners=winners,
        steps=steps,
    )


def _names(given: Any, players: int) -> list[str]:
    """Names from an untrusted record: a list of the right length with printable texts, or empty ones."""
    if not isinstance(given, list) or len(given) != players:
        return [""] * players
    return [name[:MAX_NAME] if isinstance(name, str) and name.isprintable() else "" for name in given]


class Steps:
    """Makes steps, each with what it changes; remembers what the step before showed."""

    def __init__(self) -> None:
        self._before: dict[str, dict[str, Any]] = {name: {} for name in ("view", "board", "hands", "chosen")}

    def step(
        self,
        move: int,
        number: int,
        action: str,
        view: Mapping[str, Any],
        hands: dict[str, str],
        chosen: dict[str, str],
    ) -> ReplayStep:
        """The step to a view, with the hands and the chosen cards that are open; `action` is empty for a deal."""
        plays = action.split(" ")[1:2] == ["play"]
        fields = {key: value for key, value in view.items() if key not in LEFT_OUT or key in PUBLIC_OF_OWN}
        return ReplayStep(
            move=move,
            round=number,
            action=action,
            trick=sum(view["tricks"]) + bool(view["trick"]) if plays else 0,
            view=self._changed("view", fields),
            board=list(self._changed("board", {row["row"]: row for row in view["board"] or ()}).values()),
            hands=self._changed("hands", hands),
            chosen=self._changed("chosen", chosen),
        )

    def _changed(self, part: str, now: dict[str, Any]) -> dict[str, Any]:
        before = self._before[part]
        changed = {key: value for key, value in now.items() if key not in before or before[key] != value}
        before |= changed
        return changed


def _steps_of(record: Any, seat: int | None) -> Iterator[tuple[ReplayStep, Game]]:
    """All steps of a match with open cards, or as a seat saw them."""
    steps, moves = Steps(), 0
    played: list[ReplayStep] = []
    own: list[dict[str, Any]] = []
    for action, game in Game.steps(record):
        if action is None:
            _show_as_seen(played, own, seat)
            played = []
        moves += action is not None
        own = [game.own(one) for one in range(game.setup.players)]
        shown = {str(i): view for i, view in enumerate(own) if seat in (None, i)}
        hands = {i: " ".join(view["hand"]) for i, view in shown.items()}
        chosen = {i: " ".join(view["chosen"]) for i, view in shown.items()}
        view = {**game.public(), **{key: own[0][key] for key in PUBLIC_OF_OWN}}
        step = steps.step(moves, game.round, "" if action is None else str(action), view, hands, chosen)
        if action is not None:
            played.append(step)
        yield step, game
    _show_as_seen(played, own, seat)


def _show_as_seen(played: list[ReplayStep], own: list[dict[str, Any]], seat: int | None) -> None:
    """Put the actions of a round into its steps as the seats, or the only seat that is shown, know them at its end.

    Passed cards have arrived by then and lay-outs are public; which cards stay hidden, the views say.
    """
    for i, step in enumerate(played):
        if seat is not None:
            step.action = own[seat]["actions"][i]
        else:
            step.seen = {str(one): own[one]["actions"][i] for one in range(len(own))}
            step.seen = {one: seen for one, seen in step.seen.items() if seen != step.action}
