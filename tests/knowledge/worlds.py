"""Every world a seat may be in, counted the long way: by placing each unseen card everywhere.

Unseen cards are placed in others' hands, in others' secret choices, or among the undealt; passed cards the giver
has not seen since lie in its neighbour's hand. A placement counts if the round, told with it, is legal from the
deal on; that is asked of the referee, action by action. After a pass, what others passed among themselves comes on
top: any cards of those the receiver had.

A world weighs as much as there are deals with it: cards are physical, the three red 1s are three cards, and so are
the cards chosen in secret. Which copy of a kind was played nobody sees, so it does not tell worlds apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import comb, factorial, prod

from tests.properties.expected_views import World, hands_and_actions, has_arrived, secretly_chosen, shown_by
from tests.properties.referee import Book, Foul, Referee

Cards = tuple[str, ...]
Key = tuple[tuple[Cards, ...], tuple[Cards, ...]]
"""Hands now, and choices: laid-out cards in their order, for it decides the piles; others as sets."""


class Possible:
    """All worlds consistent with what the seat knows, by kinds, with the number of physical worlds of each."""

    def __init__(self, referee: Referee, seat: int) -> None:
        self.referee, self.seat, self.n = referee, seat, referee.n
        self.others = [other for other in range(self.n) if other != seat]
        self.left = referee.left(seat)
        now = referee.now
        self.kept: Counter[str] = Counter()
        if has_arrived(referee):
            self.kept = Counter(now.chosen[seat]) - Counter(shown_by(referee, self.left))
        seen = Counter(now.hands[seat]) + self.kept
        if secretly_chosen(referee):
            seen += Counter(now.chosen[seat])
        for other in range(self.n):
            seen += Counter(shown_by(referee, other))
        assert seen <= referee.book.deck
        self.unseen = list((referee.book.deck - seen).elements())
        self.rooms = self._rooms()
        assert sum(self.rooms) == len(self.unseen)

    def _rooms(self) -> list[int]:
        """Room in the others' hands, then in their secret choices, then among the undealt."""
        now, apart = self.referee.now, secretly_chosen(self.referee)
        hands = [len(now.hands[other]) - (self.kept.total() if other == self.left else 0) for other in self.others]
        choices = [len(now.chosen[other]) if apart else 0 for other in self.others]
        return [*hands, *choices, self.referee.book.undealt]

    @property
    def physical(self) -> int:
        """How many placements there would be if nothing were known but sizes."""
        left, ways = len(self.unseen), 1
        for room in self.rooms:
            ways *= comb(left, room)
            left -= room
        return ways

    def placements(self) -> Counter[tuple[Cards, ...]]:
        """Legal placements by kinds, with the number of physical ones of each."""
        every = Counter(self._place(tuple(range(len(self.unseen))), self.rooms))
        return Counter({place: count for place, count in every.items() if self._is_legal(place)})

    def _place(self, cards: tuple[int, ...], rooms: list[int]) -> Iterator[tuple[Cards, ...]]:
        if not rooms:
            yield ()
            return
        for chosen in combinations(cards, rooms[0]):
            here = tuple(sorted(self.unseen[card] for card in chosen))
            rest = tuple(card for card in cards if card not in chosen)
            for others in self._place(rest, rooms[1:]):
                yield (here, *others)

    def _world(self, place: tuple[Cards, ...]) -> World:
        world = World.of(self.referee)
        for i, other in enumerate(self.others):
            world.hands[other] = list(place[i]) + (list(self.kept.elements()) if other == self.left else [])
            if secretly_chosen(self.referee):
                world.chosen[other] = list(place[len(self.others) + i])
        world.undealt = list(place[-1])
        return world

    def _is_legal(self, place: tuple[Cards, ...]) -> bool:
        """Whether some order of the secret choices makes the whole round legal."""
        world = self._world(place)
        if has_arrived(self.referee):
            return any(self._replays(passed) for passed, _ in self._passes(world))
        mine = world.chosen[self.seat]
        orders = [set(permutations(world.chosen[other])) for other in self.others]
        for order in product(*orders):
            for other, cards in zip(self.others, order, strict=True):
                world.chosen[other] = list(cards)
            assert world.chosen[self.seat] is mine
            if self._replays(world):
                return True
        return False

    def _replays(self, world: World) -> bool:
        hands, actions = hands_and_actions(self.referee, world)
        again = fresh(self.referee)
        again.deal(hands)
        try:
            for words in actions:
                again.play(words)
        except Foul:
            return False
        return True

    def _passes(self, world: World) -> Iterator[tuple[World, int]]:
        """The world with every possible pass among others, by kinds, and how many physical passes each is."""
        givers = [giver for giver in self.others if self.referee.left(giver) != self.seat]
        choices: list[list[tuple[Cards, int]]] = []
        for giver in givers:
            taker = self.referee.left(giver)
            could = world.hands[taker] + shown_by(self.referee, taker)
            count = len(self.referee.now.chosen[giver])
            ways = Counter(tuple(sorted(could[i] for i in pick)) for pick in combinations(range(len(could)), count))
            choices.append(list(ways.items()))
        for passed in product(*choices):
            for giver, (cards, _) in zip(givers, passed, strict=True):
                world.chosen[giver] = list(cards)
            yield world, prod(ways for _, ways in passed)

    def deals(self, world: World) -> int:
        """How many physical deals with physical secret choices the world is: copies of a kind told apart."""
        hands, _ = hands_and_actions(self.referee, world)
        dealt = [Counter(hand.split(" ") if isinstance(hand, str) else hand) for hand in hands]
        ways = 1
        for kind, copies in self.referee.book.deck.items():
            ways *= factorial(copies) // factorial(copies - sum(hand[kind] for hand in dealt))
            for hand, chosen in zip(dealt, world.chosen, strict=True):
                count = chosen.count(kind)
                ways //= factorial(hand[kind] - count) * factorial(count)
        return ways

    def worlds(self) -> Counter[Key]:
        """Worlds by kinds with their weight, the number of deals: equal weights are equally likely."""
        result: Counter[Key] = Counter()
        for place in self.placements():
            world = self._world(place)
            if has_arrived(self.referee):
                for passed, _ in self._passes(world):
                    result[key(passed.hands, passed.chosen, in_order=False)] += self.deals(passed)
                    assert self._replays(passed), "a pass nobody could have made"
            elif self.referee.phase == "lay":
                orders = [list(permutations(world.chosen[other])) for other in self.others]
                for order in product(*orders):
                    for other, cards in zip(self.others, order, strict=True):
                        world.chosen[other] = list(cards)
                    result[key(world.hands, world.chosen, in_order=True)] += self.deals(world)
            else:
                result[key(world.hands, world.chosen, in_order=False)] += self.deals(world)
        return result


def key(hands: list[list[str]], chosen: list[list[str]], in_order: bool) -> Key:
    choices = tuple(tuple(cards if in_order else sorted(cards)) for cards in chosen)
    return tuple(tuple(sorted(hand)) for hand in hands), choices


def fresh(referee: Referee) -> Referee:
    """A referee right before the deal of the round in play."""
    now = referee.now
    again = Referee(referee.book, 0)
    again.rounds = referee.rounds[:-1]
    again.totals = [sum(one.scores[seat] for one in again.rounds) for seat in range(referee.n)]
    again.next_dealer, again.next_leader = now.dealer, now.leader or 0
    return again


def house(book: Book) -> dict[str, object]:
    """A house edition with the rules of a book, as plain data."""
    sides: dict[int, list[int]] = {2: [], 3: [1, 2], 4: [2], 5: [2, 3]}
    seats: dict[str, object] = {"hand": book.hand, "rounds": book.rounds}
    deck: dict[str, object] = {"colours": list(book.colours), "values": list(book.values)}
    tree: dict[str, object] = {"id": "house", "game": book.game, "name": "House rules", "deck": deck}
    tree["players"] = {str(book.players): seats}
    if not book.is_njet:
        seats["lay"] = book.lay
        return tree | {"trick": {"ties": "first"}, "match": {"target": "exceeded"}}
    seats["sides"] = sides[book.players]
    deck["low"] = book.low
    suit = "trump" if book.supertrump_is_trump else "printed"
    tree["trick"] = {"ties": "last", "supertrump_suit": suit, "void": "trump" if book.must_trump else "any"}
    dealer = "left-of-start" if book.next_dealer_left_of_start else "left-of-dealer"
    scoring = "difference" if book.difference else "total"
    tree["match"] = {"next_dealer": dealer, "scoring": scoring, "double": True}
    tree["board"] = {
        "first": "dealer" if book.dealer_vetoes_first else "left-of-dealer",
        "discard": list(book.discard),
        "trump": list(book.trump),
        "super": list(book.super),
        "points": list(book.points),
    }
    return tree
