"""The situation as text, from what one seat may know: a `Scene` in, lines out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from atout.editions import Edition
from atout.game import Game, View
from atout.game.card import LETTERS
from atout.game.notation import bits_of
from atout.game.view import Row
from atout.terminal.lines import TOGETHER
from atout.terminal.phrases import (
    ROW_TITLES,
    by_colour,
    capital,
    cell_alone,
    colour_name,
    counted,
    giving_sentence,
    listed,
    signed,
)
from atout.terminal.seats import Seating

PHASES = {
    "veto": "veto phase",
    "team": "choice of teams",
    "double": "choice of the ×2 card",
    "discard": "discard",
    "pass": "passing cards",
    "lay": "laying out",
    "play": "tricks",
    "over": "the match is over",
}
Numbers = Mapping[str, int]
"""The number of each choice, by the words after its verb."""


@dataclass(frozen=True)
class Scene:
    """A view that is to be described to one reader, with who sits where and which cards are trumps in this round."""

    view: View
    seating: Seating
    edition: Edition
    trumps: frozenset[str]
    supertrumps: frozenset[str]

    @classmethod
    def of(cls, game: Game, seat: int | None, seating: Seating) -> Scene:
        state, cards = game.state, game.notation.cards
        trumps, supers = ({cards[kind] for kind in bits_of(mask)} for mask in (state.trumps, state.supers))
        return cls(game.view(seat), seating, game.setup.edition, frozenset(trumps), frozenset(supers))

    def read_by(self, seat: int | None) -> Scene:
        """The same view, described to the person at another seat, who is called `you`."""
        return replace(self, view={**self.view, "seat": seat})

    def label(self, seat: int) -> str:
        """What a seat is called for the reader."""
        return self.seating.label(seat, self.view["seat"]).replace(" ", TOGETHER)

    def marked(self, card: str) -> str:
        """A card, marked if it is a trump or supertrump."""
        if card in self.supertrumps:
            return f"{card}{TOGETHER}(supertrump)"
        return f"{card}{TOGETHER}(trump)" if card in self.trumps else card

    def in_hand(self, card: str) -> str:
        """A card within its colour; the heading of the colour says whether it is trump."""
        return self.marked(card) if card in self.supertrumps else card


def situation(scene: Scene) -> list[str]:
    """Everything the seat may know, from the round down to the scores."""
    view = scene.view
    lines = [heading(scene)]
    if view["board"] is not None:
        lines += ["The board:", *board(scene)]
    lines += [*conditions(scene), *teams(scene), *hand(scene), *own_choice(scene)]
    if view["phase"] == "play":
        lines += [*current_trick(scene), *last_trick(scene)]
        lines += [*won(scene), *round_points(scene)]
    return [*lines, *piles(scene), *scores(scene)]


def heading(scene: Scene) -> str:
    view = scene.view
    length = f" of {view['rounds']}" if view["rounds"] else ""
    goal = f", played to {counted(view['target'], 'point')}" if view["target"] else ""
    parts = [f"Round {view['round']}{length}{goal}: {PHASES.get(view['phase'], view['phase'])}."]
    if view["board"] is not None:
        parts.append(f"{capital(scene.label(view['dealer']))} dealt.")
    if view["turn"] is not None:
        parts.append("It is your turn." if view["turn"] == view["seat"] else f"{scene.label(view['turn'])} is to act.")
    return " ".join(parts)


def board(scene: Scene, numbers: Numbers | None = None) -> list[str]:
    """Row by row what is free, with its number where it may be chosen, and who covered the rest."""
    return ["  " + _row(scene, row, numbers or {}) for row in scene.view["board"] or []]


def _row(scene: Scene, row: Row, numbers: Numbers) -> str:
    name = row["row"]
    free = [cell["word"] for cell in row["cells"] if cell["free"]]
    words = [_cell(scene, name, word, numbers.get(f"{name} {word}")) for word in free]
    text = f"{ROW_TITLES[name]}: {', '.join(words)}" + (", settled." if len(free) == 1 else ".")
    covered = [
        f"{_cell(scene, name, cell['word'])} by{TOGETHER}{_short(scene, cell['by'])}"
        for cell in row["cells"]
        if cell["by"] is not None
    ]
    return text + (f" Covered: {', '.join(covered)}." if covered else "")


def _cell(scene: Scene, row: str, word: str, number: int | None = None) -> str:
    text = cell_alone(row, word, scene.label).replace(" ", TOGETHER)
    return text if number is None else f"{number}.{TOGETHER}{text}"


def _short(scene: Scene, seat: int) -> str:
    return "you" if seat == scene.view["seat"] else f"seat{TOGETHER}{seat}"


def conditions(scene: Scene) -> list[str]:
    """The conditions of the round, once the vetoes are over."""
    held = scene.view["conditions"]
    if held is None:
        return []
    low = scene.edition.deck.low
    trump = "no trump" if held["trump"] == "none" else f"trump is {colour_name(held['trump'])}"
    supers = "no supertrump" if held["super"] == "none" else f"the {held['super']} {low}s are supertrumps"
    points = counted(held["points"], "point")
    starts = "you start" if held["start"] == scene.view["seat"] else f"{scene.label(held['start'])} starts"
    return [
        f"This round: {starts}; {giving_sentence(held['discard'])}; {trump}; {supers}; "
        f"each trick and each captured {low} counts {points}."
    ]


def reminder(scene: Scene) -> list[str]:
    """The conditions in short."""
    held, view = scene.view["conditions"], scene.view
    if held is None:
        return []
    supers = "none" if held["super"] == "none" else f"{held['super']} {scene.edition.deck.low}s"
    ours = next((seats for seats in view["sides"] or [] if view["seat"] in seats), [])
    mates = f" Your side: {side(scene, ours)}." if len(ours) > 1 else ""
    return [f"Trump: {held['trump']}. Supertrump: {supers}. Points: {signed(held['points'])}.{mates}"]


def teams(scene: Scene) -> list[str]:
    sides, double = scene.view["sides"], scene.view["double"]
    if sides is None or scene.view["players"] == 2:
        return []
    ours, theirs = sorted(sides, key=lambda side: scene.view["seat"] not in side)
    lines = [f"Teams: {side(scene, ours)} against {side(scene, theirs)}."]
    if double is not None:
        has = "have" if double == scene.view["seat"] else "has"
        lines.append(f"{capital(scene.label(double))} {has} the ×2 card.")
    return [" ".join(lines)]


def side(scene: Scene, seats: list[int]) -> str:
    """Its members, the reader first."""
    return listed(scene.label(seat) for seat in sorted(seats, key=lambda seat: seat != scene.view["seat"]))


def hand(scene: Scene) -> list[str]:
    cards = scene.view["hand"]
    if not cards:
        return []
    return [f"Your hand, {counted(len(cards), 'card')}:", *cards_by_colour(scene, cards)]


def cards_by_colour(scene: Scene, cards: list[str], numbers: Numbers | None = None) -> list[str]:
    """A line for each colour, with a number before each card that has one."""
    lines = []
    for colour, group in by_colour(cards).items():
        held = scene.view["conditions"]
        trump = ", trump" if held is not None and held["trump"] == colour else ""
        words = [scene.in_hand(card) if numbers is None else _choice(scene, card, numbers[card]) for card in group]
        lines.append(f"  {colour_name(colour)}{trump}: {', '.join(words)}")
    return lines


def _choice(scene: Scene, card: str, number: int) -> str:
    held = scene.view["hand"].count(card)
    several = f" (you hold {held})".replace(" ", TOGETHER) if held > 1 else ""
    return f"{number}.{TOGETHER}{scene.in_hand(card)}{several}"


def own_choice(scene: Scene) -> list[str]:
    """What the seat gave away and got this round; only its owner reads this."""
    view, lines = scene.view, []
    if view["chosen"] and view["conditions"] is not None:
        passed = view["conditions"]["discard"].startswith("pass-")
        lines.append(f"You {'passed' if passed else 'discarded'} {listed(view['chosen'])}.")
    if view["received"]:
        right = (view["seat"] or 0) - 1
        lines.append(f"You received {listed(view['received'])} from {scene.label(right % view['players'])}.")
    if view["chosen"] and view["phase"] == "lay":
        lines.append(f"You lay out {listed(view['chosen'])}.")
    return lines


def current_trick(scene: Scene) -> list[str]:
    """The trick so far: who led, what followed, who is winning it."""
    view = scene.view
    if not view["trick"]:
        return []
    words = []
    for i, it in enumerate(view["trick"]):
        verb = "led" if i == 0 else "played"
        holds = ", which is winning" if it["seat"] == view["winning"] else ""
        words.append(f"{scene.label(it['seat'])} {verb} {scene.marked(it['card'])}{holds}")
    return [f"On the table: {'; '.join(words)}."]


def last_trick(scene: Scene) -> list[str]:
    view = scene.view
    if not view["last_trick"] or view["last_winner"] is None:
        return []
    cards = ", ".join(f"{scene.label(it['seat'])} {it['card']}" for it in view["last_trick"])
    return [f"Last trick: {cards}; won by {scene.label(view['last_winner'])}."]


def won(scene: Scene) -> list[str]:
    view = scene.view
    words = []
    for seat in range(view["players"]):
        loot = f" and {view['loot'][seat]} loot" if view["loot"] is not None else ""
        words.append(f"{scene.label(seat)} {counted(view['tricks'][seat], 'trick')}{loot}")
    return [f"Won so far: {'; '.join(words)}."]


def round_points(scene: Scene) -> list[str]:
    """What each seat would score if the round ended now."""
    points = enumerate(scene.view["round_points"])
    seats = ", ".join(f"{scene.label(seat)}{TOGETHER}{signed(scored)}" for seat, scored in points)
    return [f"Points of this round so far: {seats}."]


def piles(scene: Scene) -> list[str]:
    """Null & nichtig: the top card of each pile first, since only it counts, and what it covers."""
    shown = scene.view["piles"] or []
    if not any(shown):
        return []
    seats = [f"  {capital(scene.label(seat))}: {', '.join(map(_pile, own))}" for seat, own in enumerate(shown)]
    return ["Piles, top card first:", *seats]


def tops(scene: Scene) -> list[str]:
    """Null & nichtig: the top cards of every seat."""
    if scene.view["piles"] is None:
        return []
    seats = [TOGETHER.join([scene.label(seat), *_tops(own)]) for seat, own in enumerate(scene.view["piles"])]
    return [f"Top cards: {'; '.join(seats)}."]


def _tops(own: list[list[str]]) -> list[str]:
    return [pile[-1] for pile in own]


def _pile(pile: list[str]) -> str:
    covered = f"{TOGETHER}(on {' '.join(reversed(pile[:-1]))})" if len(pile) > 1 else ""
    return pile[-1] + covered


def scores(scene: Scene) -> list[str]:
    totals = ", ".join(
        f"{scene.label(seat)}{TOGETHER}{signed(total)}" for seat, total in enumerate(scene.view["totals"])
    )
    return [f"Points before this round: {totals}."] if scene.view["phase"] != "over" else [f"Final points: {totals}."]


def letters(edition: Edition) -> str:
    """How the cards of this deck are written."""
    names = [f"{LETTERS[colour]} {colour}" for colour in edition.deck.colours]
    example = f"{LETTERS[edition.deck.colours[0]]}{edition.deck.values[-1]}"
    return f"A card is its colour's letter ({', '.join(names)}) and its value: {example}."
