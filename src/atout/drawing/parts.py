"""Parts of SVG pictures: the symbols that they use, avatars, lines of text, and the fonts to render them with."""

from __future__ import annotations

from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent
FONTS = FOLDER / "fonts"
"""Karla and League Spartan, the fonts of the page."""
CHARACTERS = {
    "bear": "#5a3520",
    "wolf": "#7b858e",
    "crane": "#a82a5e",
    "tiger": "#cf6512",
    "eagle": "#0b6e74",
    "owl": "#3d3f8f",
}
"""The characters by seat, each with the colour of the circle it is drawn on."""


def font_files() -> list[str]:
    """The fonts as resvg takes them."""
    return sorted(str(path) for path in FONTS.glob("*.ttf"))


def symbols() -> str:
    """The style and the symbols, to be put at the beginning of a picture."""
    text = (FOLDER / "symbols.svg").read_text(encoding="utf-8")
    return text[text.index("<style>") : text.rindex("</svg>")].rstrip()


def avatar(seat: int, x: float, y: float, radius: float) -> str:
    """The character of a seat in a circle."""
    character, ground = list(CHARACTERS.items())[seat % len(CHARACTERS)]
    side = 1.4 * radius
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{ground}"/>'
        f'<use href="#c-{character}" x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:.1f}" '
        f'height="{side:.1f}"/>'
    )


def text_line(
    text: str,
    x: float,
    y: float,
    size: float,
    colour: str,
    kind: str = "",
    spacing: float = 0.0,
    anchor: str = "start",
) -> str:
    """A line of text, escaped. `kind` is a class of the style: `b` for bold, `d` for the display font."""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" letter-spacing="{spacing:.2f}" '
        f'text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
    )
