"""The schema of an edition. Every field cites its rule in docs/rules: § in the Njet! pages, N§ in those of Null &
nichtig.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

GameName = Literal["njet", "nichtig"]
Colour = Literal["red", "black", "blue", "green", "yellow", "purple"]
Value = Annotated[int, Meta(ge=0, le=99)]
Count = Annotated[int, Meta(ge=0, le=20)]
DiscardCell = Literal["none", "one", "two", "one-not-0", "one-not-1", "two-not-0", "two-not-1", "pass-one", "pass-two"]
PlayerCount = Literal["2", "3", "4", "5", "6"]


class Deck(Struct, frozen=True, forbid_unknown_fields=True):
    """§2.1: the same values in every colour; a value written twice is two equal cards."""

    colours: Annotated[tuple[Colour, ...], Meta(min_length=1, max_length=5)]
    values: Annotated[tuple[Value, ...], Meta(min_length=1, max_length=20)]
    low: Value | None = None
    """§6.6: the value that is loot, and that the supertrump row promotes (Njet! only)."""


class Seats(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes with the number of players."""

    hand: Annotated[int, Meta(ge=1, le=20)]
    """§2.3, N§2.2: cards dealt to each player."""
    rounds: Annotated[int, Meta(ge=1, le=99)]
    """§8.1, N§6.2: rounds of a match."""
    short: Annotated[int, Meta(ge=1, le=99)] | None = None
    """§8.2: rounds of a short match, where there is one."""
    remove: tuple[Value, ...] = ()
    """§2.2: values removed from every colour."""
    sides: tuple[Annotated[int, Meta(ge=1, le=5)], ...] = ()
    """§4.2: allowed sizes of the start player's side, start player included; empty if there are no sides."""
    lay: Count = 0
    """N§3.1: cards laid out before play."""
    teams: bool = False
    """N§6.4: whether it may be played in two teams, seated alternately."""


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """§3.1: the rows of the veto board, except the first, which has a cell for each player."""

    first: Literal["dealer", "left-of-dealer"]
    """§3.2: who places the first marker."""
    discard: Annotated[tuple[DiscardCell, ...], Meta(min_length=1, max_length=8)]
    trump: Annotated[tuple[Colour | Literal["none"], ...], Meta(min_length=1, max_length=8)]
    super: Annotated[tuple[Colour | Literal["none"], ...], Meta(min_length=1, max_length=8)]
    points: Annotated[tuple[Annotated[int, Meta(ge=-20, le=20)], ...], Meta(min_length=1, max_length=8)]


class Trick(Struct, frozen=True, forbid_unknown_fields=True):
    """How tricks are played."""

    ties: Literal["first", "last"]
    """§6.5, N§4.3: which of two equal cards wins."""
    supertrump_suit: Literal["trump", "printed"] = "trump"
    """§6.2: the suit a supertrump belongs to."""
    void: Literal["any", "trump"] = "any"
    """§6.4: what to play when one cannot follow."""


class Match(Struct, frozen=True, forbid_unknown_fields=True):
    """How a match is scored and how it goes on."""

    next_dealer: Literal["left-of-dealer", "left-of-start"] = "left-of-dealer"
    """§2.5: who deals the next round (Njet!)."""
    scoring: Literal["total", "difference"] = "total"
    """§7.4: what a side scores (Njet!)."""
    double: bool = False
    """§4.3: the smaller side gets the ×2 card (Njet!)."""
    target: Literal["reached", "exceeded"] | None = None
    """§8.2, N§6.3: whether a match may be played to a target score, and when that ends it."""


class Edition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A rule set. Its id is permanent, because records outlive code."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    game: GameName
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    deck: Deck
    players: dict[PlayerCount, Seats]
    trick: Trick
    match: Match = field(default_factory=Match)
    board: Board | None = None
    subtitle: Annotated[str, Meta(max_length=120)] = ""
    author: Annotated[str, Meta(max_length=60)] = ""

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of players it can be played with."""
        return tuple(sorted(int(count) for count in self.players))

    def at(self, players: int) -> Seats:
        """What changes with the number of players, for one of `counts`."""
        return next(seats for count, seats in self.players.items() if int(count) == players)

    @property
    def is_njet(self) -> bool:
        return self.game == "njet"
