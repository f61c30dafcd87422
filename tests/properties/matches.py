"""Random matches for the property tests: every edition, number of players and combination of options."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from atout import Game
from tests.properties.referee import Book, Referee, book

COUNTS = {"njet-1997": (3, 4), "njet-2007": (2, 3, 4, 5), "niet-2015": (2, 3, 4, 5), "nichtig": (3, 4, 5, 6)}
PLACES = [(edition, players) for edition, counts in COUNTS.items() for players in counts]


class Setting(NamedTuple):
    edition: str
    players: int
    options: dict[str, Any]

    @property
    def id(self) -> str:
        words = [self.edition, str(self.players)]
        for name, value in self.options.items():
            words.append(
                f"target{value['target']}" if isinstance(value, dict) else str(value if name != "teams" else name)
            )
        return "-".join(words)

    @property
    def book(self) -> Book:
        return book(self.edition, self.players, self.options)


def _options(edition: str, players: int) -> Iterator[dict[str, Any]]:
    """Every combination; what equals the default is left out, as in a record."""
    if edition == "nichtig":
        lengths: list[Any] = [None, {"target": 40}]
        others: list[dict[str, Any]] = [{}, {"teams": True}] if players in (4, 6) else [{}]
    else:
        lengths = [None, "short"] if edition == "njet-1997" else [None, {"target": 60}]
        others = [{}, {"scoring": "total" if edition == "njet-2007" else "difference"}]
    for length in lengths:
        for other in others:
            yield ({} if length is None else {"length": length}) | other


SETTINGS = [Setting(edition, players, options) for edition, players in PLACES for options in _options(edition, players)]


QUICK = {("njet-1997", 3), ("njet-2007", 5), ("niet-2015", 2), ("niet-2015", 4), ("nichtig", 6)}
"""Setups that have every phase and rule together: `make test` tries these where one match takes seconds."""


def is_quick(setting: Setting) -> bool:
    """Whether `make test` tries a setting where `make check-all` tries all."""
    if setting.options:
        return setting.players == 4 and setting.options == {"teams": True}
    return (setting.edition, setting.players) in QUICK


def chance(*seed: object) -> random.Random:
    """A source of chance for tests: the same for the same words."""
    return random.Random(" ".join(map(str, seed)))


def new_game(setting: Setting, seed: int, deals: Callable[[int], list[str]] | None = None) -> Game:
    return Game.new(setting.edition, setting.players, seed=seed, options=setting.options, deals=deals)


def play_on(game: Game, rng: random.Random, actions: int = 100_000) -> Game:
    """At most so many uniformly random actions."""
    for _ in range(actions):
        if game.is_over:
            break
        game.play(rng.choice(game.legal()))
    return game


def new_referee(game: Game, setting: Setting) -> Referee:
    """A referee who has seen the game's first deal."""
    referee = Referee(setting.book, game.first_dealer)
    referee.deal(game.record()["rounds"][0]["hands"])
    return referee


def play_both(game: Game, referee: Referee, words: str) -> None:
    """One action at both tables; the referee is shown what the game deals next."""
    game.play(words)
    referee.play(words)
    if referee.phase == "deal":
        referee.deal(game.record()["rounds"][-1]["hands"])


def hands_of(game: Game) -> list[list[str]]:
    state = game.state
    return [game.notation.cards_of(state.hand[seat], state.spare[seat]) for seat in range(game.setup.players)]


def chosen_of(game: Game) -> list[list[str]]:
    state = game.state
    return [game.notation.cards_of(state.gone[seat], state.gone_spare[seat]) for seat in range(game.setup.players)]


def lopsided(setting: Setting, seed: int) -> Callable[[int], list[str]]:
    """Deals in which everybody is long in one colour and short in others, or holds nearly all low cards."""

    def deals(number: int) -> list[str]:
        book, rng = setting.book, chance(setting.id, seed, number)
        cards = list(book.deck.elements())
        rng.shuffle(cards)
        if rng.random() < 0.3:
            cards.sort(key=lambda card: int(card[1:]))
            if rng.random() < 0.5:
                cards[0], cards[-1] = cards[-1], cards[0]
        else:
            order = rng.sample("RKBGYP", 6)
            cards.sort(key=lambda card: order.index(card[0]) + rng.choice((0, 0, 0, 0, 1)))
        hands = [cards[seat * book.hand : (seat + 1) * book.hand] for seat in range(book.players)]
        rng.shuffle(hands)
        return [" ".join(hand) for hand in hands]

    return deals


def counted(cards: list[list[str]]) -> Counter[str]:
    return Counter(card for hand in cards for card in hand)
