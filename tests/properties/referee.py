"""An independent referee: both games in plain, slow Python on card words, written from the rule page alone.

It shares nothing with `atout`: no masks, no numbering, no edition files. A `Book` holds what one edition says
for one number of players; a `Referee` follows a match word by word, knows who may do what now, and counts
what was won. Tests compare it with `Game`; where the two disagree, one of them misread the rules.

    referee = Referee(book("niet-2015", 4, {}), first_dealer=2)
    referee.deal(["R1 R1 …", …])
    referee.legal()                    # "2 veto start 0", …
    referee.play("2 veto trump red")
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

LETTERS = {"red": "R", "black": "K", "blue": "B", "green": "G", "yellow": "Y", "purple": "P"}
TAKES = {
    "none": 0,
    "one": 1,
    "two": 2,
    "one-not-0": 1,
    "one-not-1": 1,
    "two-not-0": 2,
    "two-not-1": 2,
    "pass-one": 1,
    "pass-two": 2,
}


@dataclass(frozen=True)
class Book:
    """What the rules say for one edition, one number of players and one choice of options."""

    game: str
    players: int
    colours: tuple[str, ...]
    values: tuple[int, ...]
    """The cards of each colour, without those left in the box."""
    hand: int
    rounds: int
    target: int | None = None
    low: int | None = None
    discard: tuple[str, ...] = ()
    trump: tuple[str, ...] = ()
    super: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    dealer_vetoes_first: bool = True
    next_dealer_left_of_start: bool = False
    supertrump_is_trump: bool = True
    must_trump: bool = False
    difference: bool = False
    lay: int = 0
    teams: bool = False

    @property
    def is_njet(self) -> bool:
        return self.game == "njet"

    @property
    def deck(self) -> Counter[str]:
        return Counter(LETTERS[colour] + str(value) for colour in self.colours for value in self.values)

    @property
    def undealt(self) -> int:
        return self.deck.total() - self.players * self.hand

    def ascending(self, card: str) -> tuple[int, int]:
        """Colour by colour in the edition's order, low to high."""
        letters = [LETTERS[colour] for colour in self.colours]
        return letters.index(card[0]), int(card[1:])

    def sorted(self, cards: Any) -> list[str]:
        return sorted(cards, key=self.ascending)


def book(edition: str, players: int, options: dict[str, Any]) -> Book:
    """The rule page's tables."""
    length, scoring = options.get("length", "full"), options.get("scoring")
    target = length["target"] if isinstance(length, dict) else None
    if edition == "njet-1997":
        rounds = {3: (6, 3), 4: (8, 4)}[players][length == "short"]
        return Book(
            game="njet",
            players=players,
            colours=("red", "black", "blue", "green"),
            values=(1, 1, 3, 4, 5, 6, 7, 8, 9) if players == 3 else (1, 1, 2, 3, 4, 5, 6, 7, 8, 9),
            hand={3: 12, 4: 10}[players],
            rounds=rounds,
            low=1,
            discard=("none", "one", "two"),
            trump=("red", "black", "blue", "green"),
            super=("red", "black", "blue", "green", "none"),
            points=(1, 2, 3, 4),
            dealer_vetoes_first=False,
            next_dealer_left_of_start=True,
            must_trump=True,
            difference=scoring == "difference",
        )
    if edition == "njet-2007":
        return Book(
            game="njet",
            players=players,
            colours=("red", "black", "blue", "yellow"),
            values=(0, 0, 0, 1, 2, 3, 4, 5, 6, 7, *((7, 7, 7) if players != 3 else ()), 8, 9),
            hand={2: 15, 3: 16, 4: 15, 5: 12}[players],
            rounds={2: 8, 3: 9, 4: 8, 5: 10}[players],
            target=target,
            low=0,
            discard=("none", "one", "two", "two-not-0", "pass-two"),
            trump=("red", "black", "blue", "yellow", "none"),
            super=("red", "black", "blue", "yellow", "none"),
            points=(1, 2, 3, 4, -2),
            supertrump_is_trump=False,
            difference=scoring != "total",
        )
    if edition == "niet-2015":
        return Book(
            game="njet",
            players=players,
            colours=("red", "yellow", "blue", "green"),
            values=(1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, *((11, 12, 13) if players != 3 else ())),
            hand={2: 15, 3: 16, 4: 15, 5: 12}[players],
            rounds={2: 8, 3: 9, 4: 8, 5: 10}[players],
            target=target,
            low=1,
            discard=("none", "one", "two", "one-not-1", "pass-one"),
            trump=("red", "yellow", "blue", "green"),
            super=("red", "yellow", "blue", "green", "none"),
            points=(1, 2, 3, 4, -2),
            difference=scoring == "difference",
        )
    assert edition == "nichtig"
    return Book(
        game="nichtig",
        players=players,
        colours=("blue", "green", "purple", "red", "yellow"),
        values=(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
        hand=10 if players == 6 else 13,
        rounds=players,
        target=target,
        lay=2 if players == 6 else 3,
        teams=options.get("teams", False),
    )


class Foul(Exception):
    """An action the referee does not allow."""


@dataclass
class Round:
    """Everything that happened in one round, in words."""

    dealer: int
    leader: int | None
    """Null & nichtig: who leads the first trick."""
    dealt: list[list[str]]
    hands: list[list[str]]
    actions: list[str] = field(default_factory=list)
    vetoes: list[tuple[int, str, str]] = field(default_factory=list)
    """Seat, row, cell."""
    start: int | None = None
    discard: str = ""
    trump: str = ""
    super: str = ""
    points: int = 0
    side: list[int] = field(default_factory=list)
    """The start player's; empty before it is chosen."""
    double: int | None = None
    chosen: list[list[str]] = field(default_factory=list)
    """Discarded, passed or laid out by each seat, in order."""
    received: list[list[str]] = field(default_factory=list)
    finished: list[list[tuple[int, str]]] = field(default_factory=list)
    """Finished tricks: seat and card in the order of play."""
    trick: list[tuple[int, str]] = field(default_factory=list)
    won_by: list[int] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    loot: list[int] = field(default_factory=list)
    piles: list[dict[str, list[str]]] = field(default_factory=list)
    """By colour letter, bottom to top."""
    scores: list[int] = field(default_factory=list)


class Referee:
    """A match, followed by somebody who only knows the rule page."""

    def __init__(self, book: Book, first_dealer: int) -> None:
        self.book = book
        self.n = book.players
        self.phase = "deal"
        self.turn: int | None = None
        self.totals = [0] * self.n
        self.winners: list[int] = []
        self.rounds: list[Round] = []
        self.next_dealer = first_dealer
        self.next_leader = (first_dealer + 1) % self.n

    @property
    def now(self) -> Round:
        return self.rounds[-1]

    def left(self, seat: int, steps: int = 1) -> int:
        return (seat + steps) % self.n

    # ---------------------------------------------------------------- the deal

    def deal(self, hands: Sequence[str]) -> None:
        assert self.phase == "deal"
        dealt = [hand.split() for hand in hands]
        assert [len(hand) for hand in dealt] == [self.book.hand] * self.n, "hand sizes"
        every = Counter(card for hand in dealt for card in hand)
        assert every <= self.book.deck, "cards that are not in the deck"
        empty: list[list[str]] = [[] for _ in range(self.n)]
        self.rounds.append(
            Round(
                dealer=self.next_dealer,
                leader=None if self.book.is_njet else self.next_leader,
                dealt=dealt,
                hands=[list(hand) for hand in dealt],
                chosen=[list(hand) for hand in empty],
                received=[list(hand) for hand in empty],
                tricks=[0] * self.n,
                loot=[0] * self.n,
                piles=[{} for _ in range(self.n)],
            )
        )
        if self.book.is_njet:
            self.phase = "veto"
            self.turn = self.next_dealer if self.book.dealer_vetoes_first else self.left(self.next_dealer)
            if not self._legal_veto():
                self._end_veto()
        elif self.book.lay:
            self.phase, self.turn = "lay", self.next_leader
        else:
            self.phase, self.turn = "play", self.next_leader

    # ---------------------------------------------------------------- who may do what

    def legal(self) -> list[str]:
        """Every legal action in words, in the documented order."""
        if self.turn is None:
            return []
        choices = {
            "veto": self._legal_veto,
            "team": self._legal_team,
            "double": self._legal_double,
            "discard": self._legal_choice,
            "pass": self._legal_choice,
            "lay": self._legal_choice,
            "play": self._legal_play,
        }[self.phase]()
        return [f"{self.turn} {self.phase} {words}" for words in choices]

    def _rows(self) -> list[tuple[str, list[str]]]:
        book = self.book
        return [
            ("start", [str(seat) for seat in range(self.n)]),
            ("discard", list(book.discard)),
            ("trump", list(book.trump)),
            ("super", list(book.super)),
            ("points", [str(points) for points in book.points]),
        ]

    def _free(self, row: str, cells: list[str]) -> list[str]:
        covered = [cell for _, where, cell in self.now.vetoes if where == row]
        return [cell for cell in cells if cell not in covered]

    def _legal_veto(self) -> list[str]:
        """Any free cell, never the last free one of its row."""
        result: list[str] = []
        for row, cells in self._rows():
            free = self._free(row, cells)
            if len(free) > 1:
                result += [f"{row} {cell}" for cell in free]
        return result

    def _legal_team(self) -> list[str]:
        assert self.now.start is not None
        sizes = {3: (1, 2), 4: (2,), 5: (2, 3)}[self.n]
        sides = [side for size in sizes for side in combinations(range(self.n), size) if self.now.start in side]
        sides.sort(key=lambda side: sum(2**seat for seat in side))
        return [" ".join(map(str, side)) for side in sides]

    def _smaller_side(self) -> list[int]:
        side = self.now.side
        others = [seat for seat in range(self.n) if seat not in side]
        if len(side) == len(others):
            return []
        return min(side, others, key=len)

    def _legal_double(self) -> list[str]:
        return [str(seat) for seat in self._smaller_side()]

    def _own(self) -> list[str]:
        assert self.turn is not None
        return self.now.hands[self.turn]

    def _legal_choice(self) -> list[str]:
        cards = set(self._own())
        if "-not-" in self.now.discard:
            others = {card for card in cards if not self._is_low(card)}
            cards = others or cards
        return self.book.sorted(cards)

    def _legal_play(self) -> list[str]:
        hand = set(self._own())
        trick = self.now.trick
        if not trick or not self.book.is_njet:
            return self.book.sorted(hand)
        led = self._suit(trick[0][1])
        same = {card for card in hand if self._suit(card) == led}
        if same:
            return self.book.sorted(same)
        ruffs = {card for card in hand if self._is_trump(card) or self._is_super(card)}
        if self.book.must_trump and ruffs:
            return self.book.sorted(ruffs)
        return self.book.sorted(hand)

    def _is_low(self, card: str) -> bool:
        return int(card[1:]) == self.book.low

    def _is_super(self, card: str) -> bool:
        return self._is_low(card) and card[0] == LETTERS.get(self.now.super)

    def _is_trump(self, card: str) -> bool:
        return card[0] == LETTERS.get(self.now.trump)

    def _suit(self, card: str) -> str:
        """A colour's letter, or `trump`."""
        if self.book.supertrump_is_trump and self._is_super(card):
            return "trump"
        if self._is_trump(card):
            return "trump"
        return card[0]

    # ---------------------------------------------------------------- what it does

    def play(self, words: str) -> None:
        if words not in self.legal():
            raise Foul(f"{words}; legal: {self.legal()}")
        seat, verb, rest = words.split(" ", 2)
        assert int(seat) == self.turn
        self.now.actions.append(words)
        if verb == "veto":
            self._veto(rest)
        elif verb == "team":
            self._team([int(member) for member in rest.split()])
        elif verb == "double":
            self.now.double = int(rest)
            self._begin_choice()
        elif verb in ("discard", "pass", "lay"):
            self._choose(rest)
        else:
            self._card(rest)

    def _veto(self, words: str) -> None:
        assert self.turn is not None
        row, cell = words.split(" ")
        self.now.vetoes.append((self.turn, row, cell))
        self.turn = self.left(self.turn)
        if not self._legal_veto():
            self._end_veto()

    def _end_veto(self) -> None:
        left = {row: self._free(row, cells) for row, cells in self._rows()}
        assert all(len(free) == 1 for free in left.values())
        now = self.now
        now.start = int(left["start"][0])
        now.discard, now.trump, now.super = left["discard"][0], left["trump"][0], left["super"][0]
        now.points = int(left["points"][0])
        self.turn = now.start
        if self.n == 2:
            now.side = [now.start]
            self._begin_choice()
        else:
            self.phase = "team"

    def _team(self, side: list[int]) -> None:
        self.now.side = side
        small = self._smaller_side()
        if len(small) == 2:
            self.phase = "double"
        else:
            self.now.double = small[0] if small else None
            self._begin_choice()

    def _begin_choice(self) -> None:
        self.turn = self.now.start
        if TAKES[self.now.discard] == 0:
            self.phase = "play"
        else:
            self.phase = "pass" if self.now.discard.startswith("pass") else "discard"

    def _choose(self, card: str) -> None:
        """Discard, pass or lay out: each seat all of its cards, from the first player on."""
        assert self.turn is not None
        now, seat = self.now, self.turn
        count = TAKES[now.discard] if self.book.is_njet else self.book.lay
        now.hands[seat].remove(card)
        now.chosen[seat].append(card)
        if self.phase == "lay":
            now.piles[seat].setdefault(card[0], []).append(card)
        if len(now.chosen[seat]) < count:
            return
        self.turn = self.left(seat)
        if len(now.chosen[self.turn]) == count:
            if self.phase == "pass":
                for giver in range(self.n):
                    now.received[self.left(giver)] = list(now.chosen[giver])
                    now.hands[self.left(giver)] += now.chosen[giver]
            self.phase = "play"

    def _card(self, card: str) -> None:
        assert self.turn is not None
        now = self.now
        now.hands[self.turn].remove(card)
        now.trick.append((self.turn, card))
        if len(now.trick) < self.n:
            self.turn = self.left(self.turn)
            return
        winner = self.holder()
        now.won_by.append(winner)
        now.tricks[winner] += 1
        if self.book.is_njet:
            ours = winner in now.side
            now.loot[winner] += sum(self._is_low(card) and (seat in now.side) != ours for seat, card in now.trick)
        else:
            cards = dict(now.trick)
            for step in range(self.n):
                taken = cards[self.left(winner, step)]
                now.piles[winner].setdefault(taken[0], []).append(taken)
        now.finished.append(now.trick)
        now.trick = []
        self.turn = winner
        if not now.hands[winner]:
            self._end_round()

    def holder(self) -> int:
        """Who holds the trick on the table."""
        trick = self.now.trick
        if not self.book.is_njet:
            best = max(int(card[1:]) for _, card in trick)
            return next(seat for seat, card in trick if int(card[1:]) == best)
        led = self._suit(trick[0][1])
        for matters in (self._is_super, self._is_trump, lambda card: self._suit(card) == led):
            able = [(seat, card) for seat, card in trick if matters(card)]
            if able:
                # all supertrumps are equal; of equal cards the last one wins
                best = max(int(card[1:]) for _, card in able)
                return [seat for seat, card in able if int(card[1:]) == best][-1]
        raise AssertionError("the led card itself is of the led suit")

    # ---------------------------------------------------------------- the score

    def round_points(self) -> list[int]:
        """What each seat would score if the round ended now; cards that are not laid open yet count nothing."""
        if self.phase == "lay":
            return [0] * self.n
        return self._njet_scores() if self.book.is_njet else self._nichtig_scores()

    def _end_round(self) -> None:
        now = self.now
        now.scores = self.round_points()
        self.totals = [total + score for total, score in zip(self.totals, now.scores, strict=True)]
        self.turn = None
        if self._is_match_over():
            self.phase = "over"
            self.winners = self._winners()
            return
        self.phase = "deal"
        if self.book.is_njet:
            assert now.start is not None
            last = now.start if self.book.next_dealer_left_of_start else now.dealer
            self.next_dealer = self.left(last)
        else:
            assert now.leader is not None
            after = [self.left(now.leader, step) for step in range(1, self.n + 1)]
            self.next_leader = min(after, key=lambda seat: now.scores[seat])

    def _njet_scores(self) -> list[int]:
        now = self.now
        own = [(now.tricks[seat] + now.loot[seat]) * now.points for seat in range(self.n)]
        if now.double is not None:
            own[now.double] *= 2
        ours = sum(own[seat] for seat in range(self.n) if seat in now.side)
        theirs = sum(own[seat] for seat in range(self.n) if seat not in now.side)
        if self.book.difference:
            if ours > theirs:
                ours, theirs = ours - theirs, 0
            else:
                ours, theirs = 0, theirs - ours
        return [ours if seat in now.side else theirs for seat in range(self.n)]

    def _nichtig_scores(self) -> list[int]:
        return [sum(int(pile[-1][1:]) for pile in piles.values()) for piles in self.now.piles]

    def _is_match_over(self) -> bool:
        if self.book.target is None:
            return len(self.rounds) == self.book.rounds
        if self.book.is_njet:
            return any(total >= self.book.target for total in self.totals)
        return any(total > self.book.target for total in self.totals)

    def _winners(self) -> list[int]:
        standing = list(self.totals)
        if self.book.teams:
            teams = sum(self.totals[0::2]), sum(self.totals[1::2])
            standing = [teams[seat % 2] for seat in range(self.n)]
        return [seat for seat in range(self.n) if standing[seat] == max(standing)]
