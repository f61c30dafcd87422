"""Cards as parts of an SVG picture, drawn as on the page (`web/src/art/Card.svelte`)."""

from __future__ import annotations

from typing import NamedTuple

PAPER, INK, EDGE = "#fbf6ea", "#1f1a17", "#d9ccb4"


class Look(NamedTuple):
    """How the cards of a colour are drawn."""

    symbol: str
    ground: str
    shade: str
    on: str
    """The symbol and the number on the ground."""
    on_paper: str
    glow: str
    """The symbol on the dark ground of a supertrump."""


LOOKS = {
    "black": Look("stone", "#2b2724", "#171412", PAPER, "#2b2724", "#d8cdbb"),
    "blue": Look("wave", "#2f66c4", "#2352a6", PAPER, "#2f66c4", "#7fa8f0"),
    "green": Look("leaf", "#56a765", "#469556", INK, "#2b7340", "#6cc07b"),
    "purple": Look("moon", "#56246a", "#431853", PAPER, "#56246a", "#c994de"),
    "red": Look("flame", "#bc3019", "#9e2411", PAPER, "#bc3019", "#f0664a"),
    "yellow": Look("sun", "#f7c520", "#e9ac0c", INK, "#8a5f00", "#f7c520"),
}
RAYS = (
    "M64 94 58.8 -55.9 102.8 -50.9ZM64 94 145.7 -31.8 178.9 -2.4ZM64 94 203.1 37.8 213.4 80.9Z"
    "M64 94 210.2 127.7 193.9 169.0ZM64 94 164.4 205.5 127.4 229.9ZM64 94 82.3 242.9 38.0 241.7Z"
    "M64 94 -6.4 226.4 -42.1 200.1ZM64 94 -69.7 162.1 -83.7 120.0Z"
)


class DrawnCard(NamedTuple):
    """What is needed to draw a card."""

    colour: str
    value: int
    highest: int
    """The highest value of the deck: the nearer to it, the larger the symbol."""
    is_low: bool = False
    is_supertrump: bool = False


def draw_card(card: DrawnCard, place: str) -> str:
    """One card, 100 × 140; `place` is the transform that puts its centre there."""
    look = LOOKS[card.colour]
    if card.is_supertrump:
        face = (
            f'<rect width="100" height="140" fill="{INK}"/><path d="{RAYS}" fill="{look.ground}"/>'
            f'<circle cx="64" cy="94" r="31" fill="{INK}"/>{_symbol(look, 64, 94, 42, look.glow)}'
        )
        number, small = PAPER, look.glow
    elif card.is_low:
        face = (
            f'<rect x="5.5" y="5.5" width="89" height="129" rx="4" fill="none" stroke="{look.ground}" '
            'stroke-width="4"/>'
            f'<circle cx="62" cy="95" r="28" fill="{look.ground}"/>{_symbol(look, 62, 95, 35, look.on)}'
        )
        number, small = INK, look.on_paper
    else:
        is_wave = look.symbol == "wave"
        size = 34 + card.value / card.highest * (40 if is_wave else 54)
        x, y = 66 if is_wave else 42 + 0.43 * size, (101 if is_wave else 96) + 0.3 * card.value
        face = (
            f'<rect width="100" height="140" fill="{look.ground}"/>'
            f'<path d="M0 140V112L100 58v82Z" fill="{look.shade}"/>{_symbol(look, x, y, size, look.on)}'
        )
        number = small = look.on
    squeezed = ' textLength="29" lengthAdjust="spacingAndGlyphs"' if card.value >= 10 else ""
    frame = f'<rect x="4.5" y="4.5" width="91" height="131" rx="5.5" fill="none" stroke="{INK}" stroke-width="4"/>'
    mark = f'<use href="#i-super" x="9" y="66" width="23" height="11.5" color="{number}"/>'
    return (
        f'<g transform="{place} translate(-50 -70)">'
        f'<rect x=".6" y=".6" width="98.8" height="138.8" rx="8" fill="{PAPER}" stroke="{EDGE}" stroke-width="1.2"/>'
        f'<g clip-path="url(#face)">{face}</g>{frame if card.is_supertrump else ""}'
        f'<text class="d" x="{23 if card.value >= 10 else 20.5}" y="38" font-size="39" text-anchor="middle" '
        f'fill="{number}"{squeezed}>{card.value}</text>'
        f"{_symbol(look, 20.5, 55, 20, small)}{mark if card.is_supertrump else ''}</g>"
    )


def _symbol(look: Look, x: float, y: float, side: float, colour: str) -> str:
    return (
        f'<use href="#s-{look.symbol}" x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:.1f}" '
        f'height="{side:.1f}" color="{colour}"/>'
    )
