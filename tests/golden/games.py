"""Golden games: a random match of each edition and number of players, told so that a person can check it.

The actions are random legal ones from Python's own generator, the deals those of the seed. A change of the rules,
of the shuffle, of the order of legal actions or of the record shows up as a difference in these texts, and the
last line signs the whole record, rounds that are not told included.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from atout import Action, Game
from atout.editions import PUBLISHED, published
from atout.game.record import Record

FOLDER = Path(__file__).parent / "games"
SEED = 20
ROUNDS_IN_FULL = 2
"""Rounds told in full."""


class Match(NamedTuple):
    """One golden game."""

    edition: str
    players: int

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.edition}-{self.players}.txt"

    @property
    def options(self) -> dict[str, Any]:
        return OPTIONS[self]

    def play(self) -> Game:
        game = Game.new(self.edition, self.players, seed=SEED, options=self.options)
        rng = Random(f"{self.edition} {self.players}")
        while not game.is_over:
            game.play(rng.choice(game.legal()))
        return game


OPTIONS: dict[Match, dict[str, Any]] = {
    Match("njet-1997", 3): {"length": "short"},
    Match("njet-1997", 4): {"length": "short", "scoring": "difference"},
    Match("njet-2007", 2): {"length": {"target": 30}},
    Match("njet-2007", 3): {"length": {"target": 30}},
    Match("njet-2007", 4): {"length": {"target": 60}, "scoring": "total"},
    Match("njet-2007", 5): {"length": {"target": 30}},
    Match("niet-2015", 2): {"length": {"target": 30}},
    Match("niet-2015", 3): {"length": {"target": 60}},
    Match("niet-2015", 4): {"length": {"target": 60}},
    Match("niet-2015", 5): {"length": {"target": 20}, "scoring": "difference"},
    Match("nichtig", 3): {},
    Match("nichtig", 4): {"teams": True},
    Match("nichtig", 5): {"length": {"target": 60}},
    Match("nichtig", 6): {"length": {"target": 60}, "teams": True},
}
"""Mostly short matches, and every option somewhere."""


def matches() -> list[Match]:
    """All editions with all their numbers of players."""
    return [Match(edition, players) for edition in PUBLISHED for players in published(edition).counts]


def signature(record: Record) -> str:
    """A number for the whole behaviour: the digest of the record as JSON."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# ------------------------------------------------------------ in sentences


def render(record: Record) -> str:
    """A finished game as text: the first rounds in full, then the results."""
    edition = published(record["edition"])
    options = json.dumps(record["options"])
    lines = [
        f"{edition.name} ({edition.id}) with {record['players']} players",
        f"options {options}, first dealer seat {record['first_dealer']}",
        "",
    ]
    sentences = _Round(record)
    for action, game in Game.steps(record):
        lines += sentences.step(action, game)
    lines += ["results"]
    lines += [f"  round {number:<4}{_row(round['scores'])}" for number, round in enumerate(record["rounds"], 1)]
    lines += [
        f"  totals    {_row(record['totals'])}",
        f"  won by    seat {', '.join(map(str, record['winners']))}",
        f"  signature {signature(record)}",
    ]
    return "\n".join(lines) + "\n"


def _row(numbers: list[int]) -> str:
    return " ".join(f"{number:>4}" for number in numbers)


class _Round:
    """Tells the rounds of a match while it is replayed."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.number = 0
        self.actions: list[Action] = []
        self.loot: list[int] = []

    def step(self, action: Action | None, game: Game) -> Iterator[str]:
        """What there is to say after an action; the record's own results are told, not counted again."""
        if action is None:
            yield from self._begin()
            return
        self.actions.append(action)
        round = self.record["rounds"][self.number - 1]
        if self.number <= ROUNDS_IN_FULL:
            yield from self._render_step(action, game)
        if len(self.actions) == len(round["actions"]) and self.number <= ROUNDS_IN_FULL:
            yield from self._end(game)

    def _begin(self) -> Iterator[str]:
        """The next round's opening, if there is one to tell."""
        self.number += 1
        self.actions = []
        self.loot = [0] * self.record["players"]
        if self.number > min(ROUNDS_IN_FULL, len(self.record["rounds"])):
            return
        round = self.record["rounds"][self.number - 1]
        opening = f"seat {round['dealer']} deals" if "dealer" in round else f"seat {round['leader']} leads"
        yield f"round {self.number}: {opening}"
        for seat, hand in enumerate(round["hands"]):
            yield f"  hand {seat}  {hand}"

    def _render_step(self, action: Action, game: Game) -> Iterator[str]:
        phase = [earlier for earlier in self.actions if earlier.verb == action.verb]
        if action.verb == "veto":
            yield from self._render_vetoes(phase, game)
        elif action.verb == "team":
            others = [seat for seat in range(game.setup.players) if str(seat) not in action.words]
            double = game.view(None)["double"]
            alone = "" if double is None else f"; the ×2 card is with {double}"
            yield f"  team    {' '.join(action.words)} against {' '.join(map(str, others))}{alone}"
        elif action.verb == "double":
            yield f"  double  the ×2 card goes to {action.words[0]}"
        elif action.verb == "play":
            yield from self._render_tricks(phase, game)
        else:
            yield from self._render_choices(phase, game)

    def _render_vetoes(self, phase: list[Action], game: Game) -> Iterator[str]:
        """A line each time round the table, and the conditions."""
        rest = len(phase) % game.setup.players
        over = game.phase != "veto"
        if rest == 0 or over:
            lap = phase[-(rest or game.setup.players) :]
            yield "  veto    " + ", ".join(f"{action.seat} {' '.join(action.words)}" for action in lap)
        if over:
            free = game.view(None)["conditions"]
            assert free is not None
            yield (
                f"  free    start {free['start']}, discard {free['discard']}, trump {free['trump']}, "
                f"super {free['super']}, points {free['points']}"
            )

    def _render_choices(self, phase: list[Action], game: Game) -> Iterator[str]:
        """What a seat discards, passes or lays out, when it is done."""
        action = phase[-1]
        if game.turn != action.seat or game.phase != action.verb:
            cards = [earlier.words[0] for earlier in phase if earlier.seat == action.seat]
            yield f"  {action.verb:<7} {action.seat} {' '.join(cards)}"

    def _render_tricks(self, phase: list[Action], game: Game) -> Iterator[str]:
        """A trick when it is complete: the cards in order of play, who wins it, and the loot."""
        players = game.setup.players
        if len(phase) % players:
            return
        view = game.view(None)
        cards = "  ".join(f"{action.seat} {action.words[0]:<3}" for action in phase[-players:])
        line = f"  trick {len(phase) // players:<2} {cards} seat {view['last_winner']} wins"
        if view["loot"] is not None:
            taken = sum(view["loot"]) - sum(self.loot)
            self.loot = view["loot"]
            line += f", loot {taken}" if taken else ""
        yield line

    def _end(self, game: Game) -> Iterator[str]:
        round = self.record["rounds"][self.number - 1]
        piles = game.view(None)["piles"]
        for seat, own in enumerate(piles or []):
            yield f"  piles {seat} " + " | ".join(" ".join(pile) for pile in own)
        for name, numbers in (
            ("tricks", round.get("tricks")),
            ("loot", round.get("loot")),
            ("scores", round["scores"]),
        ):
            if numbers is not None:
                yield f"  {name:<7} {_row(numbers)}"
        yield ""
