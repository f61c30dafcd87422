"""A view as text and as a picture: what an environment renders. The cards are drawn as on the page."""

from __future__ import annotations

from collections.abc import Iterable

from atout.drawing.cards import INK, LOOKS, PAPER, DrawnCard, draw_card
from atout.drawing.parts import avatar, symbols, text_line
from atout.editions import edition_name
from atout.game.setup import Setup
from atout.game.view import View

WIDTH, HEIGHT = 960, 600
CARD, CARD_HEIGHT = 100, 140
LETTERS = {"R": "red", "Y": "yellow", "B": "blue", "G": "green", "K": "black", "P": "purple"}


def headline(view: View) -> str:
    rounds = f" of {view['rounds']}" if view["rounds"] else ""
    turn = "" if view["turn"] is None else f", seat {view['turn']} to act"
    table = f"{edition_name(view['edition'])}, {view['players']} players"
    return f"{table}, round {view['round']}{rounds}: {view['phase']}{turn}"


def conditions(view: View) -> str:
    """What the board has decided, or which cells are left on it."""
    if view["conditions"]:
        return ", ".join(f"{name} {value}" for name, value in view["conditions"].items())
    rows = view["board"] or []
    return "; ".join(f"{row['row']} {' '.join(cell['word'] for cell in row['cells'] if cell['free'])}" for row in rows)


def seats(view: View) -> list[str]:
    """A line for each seat."""
    lines = []
    for seat in range(view["players"]):
        parts = [f"{view['hand_sizes'][seat]} cards", f"{view['tricks'][seat]} tricks"]
        if view["loot"]:
            parts.append(f"{view['loot'][seat]} loot")
        if view["piles"]:
            parts.append("piles " + (" ".join(pile[-1] for pile in view["piles"][seat] if pile) or "none"))
        parts.append(f"{view['totals'][seat]} points")
        lines.append(f"{'>' if seat == view['turn'] else ' '} seat {seat}: {', '.join(parts)}")
    return lines


def text(view: View) -> str:
    """The table as lines of text.

    >>> from atout import Game
    >>> print(text(Game.new("nichtig", players=3, seed=1).view(0)).splitlines()[0])
    Null & nichtig, 3 players, round 1 of 3: lay, seat 0 to act
    """
    trick = " ".join(f"{one['seat']}:{one['card']}" for one in view["trick"])
    lines = [headline(view)]
    if view["board"]:
        lines.append(f"  board: {conditions(view)}")
    lines += seats(view)
    lines.append(f"  trick: {trick or 'empty'}")
    if view["seat"] is not None:
        lines.append(f"  hand of seat {view['seat']}: {' '.join(view['hand'])}")
    return "\n".join(lines)


def picture(view: View, setup: Setup) -> str:
    """The table as SVG: the seats on the left, the trick in the middle, the hand at the bottom."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
        symbols(),
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ddcfb3"/><path d="M0 0H{WIDTH}V84H0Z" fill="{INK}"/>',
        text_line(headline(view), 24, 38, 24, PAPER, "b"),
        text_line(conditions(view), 24, 68, 17, PAPER),
    ]
    for seat, line in enumerate(seats(view)):
        y = 122 + 46 * seat
        parts.append(avatar(seat, 44, y, 18))
        parts.append(text_line(line[2:], 74, y + 6, 16, INK, "b" if seat == view["turn"] else ""))
    placed: list[tuple[str, float, float]] = [(one["card"], 560 + 70 * i, 240) for i, one in enumerate(view["trick"])]
    parts += [avatar(one["seat"], 560 + 70 * i, 340, 16) for i, one in enumerate(view["trick"])]
    step = min(96.0, (WIDTH - 130) / max(1, len(view["hand"]) - 1))
    placed += [(card, 65 + step * i, 500) for i, card in enumerate(view["hand"])]
    return "\n".join([*parts, *_cards(placed, view, setup), "</svg>"])


def _cards(placed: Iterable[tuple[str, float, float]], view: View, setup: Setup) -> list[str]:
    highest, low = max(setup.ranks), setup.edition.deck.low
    supers = view["conditions"]["super"] if view["conditions"] else None
    drawn = []
    for card, x, y in placed:
        colour, value = LETTERS[card[0]], int(card[1:])
        shown = DrawnCard(colour, value, highest, value == low, value == low and colour == supers)
        drawn.append(draw_card(shown, f"translate({x:.1f} {y:.1f})"))
    return drawn


assert set(LETTERS.values()) == set(LOOKS), "every colour has a look"
