"""Rules of thumb for Njet!: a rating for every legal action of every phase, from the view alone.

    phase          rule of thumb
    veto           cover what hurts: trumps it is short of, supertrumps others hold, points that do not suit the hand
    team, double   a player who covered the other colours wanted this board; alone only with a strong hand
    discard, pass  the least useful card of a short suit; when tricks cost points, the most dangerous one
    play           win cheaply, feed a winning partner, keep low cards from the other side; at −2 duck and shed

Which card beats which is judged roughly, as a beginner would; the rules themselves are in `rules/`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from atout.editions import from_tree, published
from atout.game import Card, View

Arguments = Sequence[str]
"""The words after the verb of an action."""


class Hand:
    """Njet!: the seat's cards under the conditions of the round, and a rating for each phase."""

    def __init__(self, view: View) -> None:
        self.view, self.seat = view, view["seat"]
        self.cards = [Card.parse(word) for word in view["hand"]]
        self.lengths = Counter(card.colour for card in self.cards)
        self.low, self.top = _range_of_values(view)
        conditions = view["conditions"]
        self.trump = conditions["trump"] if conditions else "none"
        self.super = conditions["super"] if conditions else "none"
        self.tricks_cost = conditions is not None and conditions["points"] < 0
        self.mates = next((set(side) for side in view["sides"] or [] if self.seat in side), {self.seat})

    # ---------------------------------------------------------------- what a card is worth

    def is_super(self, card: Card) -> bool:
        return card == (self.super, self.low)

    def is_loot(self, card: Card) -> bool:
        """A low card that the other side would like to capture."""
        return card.value == self.low and not self.is_super(card)

    def worth(self, card: Card) -> float:
        """About how likely it is to win a trick, with something added for trumps."""
        if self.is_super(card):
            return 2.5
        return card.value / self.top + (1 if card.colour == self.trump else 0)

    @cached_property
    def strength(self) -> float:
        """Above 0: better than an average hand on the colours that may still be trump."""
        board = {
            row["row"]: [cell["word"] for cell in row["cells"] if cell["free"]] for row in self.view["board"] or []
        }
        trumps = [self.lengths[colour] for colour in board["trump"] if colour != "none"] or [0]
        supers = [self.cards.count(Card(colour, self.low)) for colour in board["super"] if colour != "none"] or [0]
        highs = sum(card.value / self.top for card in self.cards) / len(self.cards)
        average = len(self.cards) / 4
        return (sum(trumps) / len(trumps) / average - 1) + (sum(supers) / len(supers) - 0.7) / 2 + 4 * (highs - 0.48)

    # ---------------------------------------------------------------- before the tricks

    def veto(self, words: Arguments) -> float:
        """How much the cell would hurt if it stayed free."""
        row, cell = words
        if row == "start":
            return -2 if cell == str(self.seat) else 0.3
        if row == "trump":
            return self._average_colour - self._as_trump(cell)
        if row == "super":
            held = 0.3 if cell == "none" else self.cards.count(Card(cell, self.low))
            return 1.5 * (0.7 - held)
        if row == "points":
            return -self.strength * (int(cell) - 1.5)
        return 0.2 if cell == "none" else 0.1

    def _as_trump(self, colour: str) -> float:
        return sum(0.4 + card.value / self.top for card in self.cards if card.colour == colour)

    @property
    def _average_colour(self) -> float:
        return sum(0.4 + card.value / self.top for card in self.cards) / 4

    def team(self, words: Arguments) -> float:
        mates = [int(word) for word in words if int(word) != self.seat]
        if not mates:
            return 3 * self.strength * (-1 if self.tricks_cost else 1)
        size = len(mates) * (-0.5 if self.tricks_cost else 0.5)
        return size + sum(self._promise(seat) for seat in mates) / len(mates)

    def _promise(self, seat: int) -> float:
        """How much a seat likes the board: it covered other trumps. A partner with few points is better."""
        rows = [row for row in self.view["board"] or [] if row["row"] in ("trump", "super")]
        covered = sum(cell["by"] == seat for row in rows for cell in row["cells"])
        return covered - (self.view["totals"][seat] - min(self.view["totals"])) / 100

    def double(self, words: Arguments) -> float:
        seat = int(words[0])
        mine = 1 if seat in self.mates else -1
        promise = self._promise(seat) + (self.strength if seat == self.seat else 0)
        return mine * promise * (-1 if self.tricks_cost else 1)

    def discard(self, words: Arguments) -> float:
        card = Card.parse(words[0])
        if self.tricks_cost:
            return self.worth(card)
        loot = 0.4 if self.is_loot(card) else 0
        return loot - self.worth(card) - 0.1 * self.lengths[card.colour]

    # ---------------------------------------------------------------- tricks

    def play(self, words: Arguments) -> float:
        card = Card.parse(words[0])
        if not self.view["trick"]:
            return self._lead_ducking(card) if self.tricks_cost else self._lead(card)
        return self._duck(card) if self.tricks_cost else self._follow(card)

    def _lead(self, card: Card) -> float:
        """Sure winners first, then small cards; low cards last, because they can be captured."""
        if self.is_loot(card):
            return -1
        if self.is_super(card):
            return 0.4
        if card.value >= self.top - 1:
            return 1.0 if card.colour != self.trump or self.lengths[self.trump] > 3 else 0.5
        return 0.4 - self.worth(card) / 4

    def _lead_ducking(self, card: Card) -> float:
        return -self.worth(card)

    def _follow(self, card: Card) -> float:
        loss = 0.4 * self.worth(card)
        if self.view["winning"] in self.mates:
            return self._safe(self._held) * (1 if self.is_loot(card) else 0) - loss - (0.5 if self._takes(card) else 0)
        if self._takes(card):
            return self._safe(card) * (1.6 + self._loot_on_table) - loss
        return -loss - (1 if self.is_loot(card) else 0)

    def _duck(self, card: Card) -> float:
        if not self._takes(card):
            return self.worth(card) + (1 if self.is_loot(card) else 0)
        last = len(self.view["trick"]) == self.view["players"] - 1
        return -4 + self.worth(card) * (1 if last else -1)

    @property
    def _held(self) -> Card:
        """The card that wins the trick so far."""
        return next(Card.parse(it["card"]) for it in self.view["trick"] if it["seat"] == self.view["winning"])

    @property
    def _loot_on_table(self) -> int:
        played = [it for it in self.view["trick"] if it["seat"] not in self.mates]
        return sum(Card.parse(it["card"]).value == self.low for it in played)

    def _takes(self, card: Card) -> bool:
        return self._power(card) >= self._power(self._held)

    def _power(self, card: Card) -> int:
        if self.is_super(card):
            return 200
        if card.colour == self.trump:
            return 100 + card.value
        led = Card.parse(self.view["trick"][0]["card"])
        return card.value if card.colour == led.colour else -1

    def _safe(self, card: Card) -> float:
        """A guess at the chance that no later seat wins the trick from it."""
        behind = [seat for seat in self._seats_behind if seat not in self.mates]
        power = self._power(card)
        chance = 0.95 if power >= 200 else 0.5 + card.value / self.top / 2 if power >= 100 else card.value / self.top
        return float(chance ** len(behind))

    @property
    def _seats_behind(self) -> list[int]:
        players, played = self.view["players"], len(self.view["trick"])
        first = self.view["trick"][0]["seat"]
        return [(first + i) % players for i in range(played + 1, players)]


def _range_of_values(view: View) -> tuple[int, int]:
    """The low card's value and the highest value of the deck."""
    edition = published(view["edition"]) if view["rules"] is None else from_tree(view["rules"], "view")
    assert edition.deck.low is not None, "Njet! has low cards"
    return edition.deck.low, max(edition.deck.values)
