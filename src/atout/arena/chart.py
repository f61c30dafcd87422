"""A chart of ratings as SVG: a dot with its interval for each bot, on a common scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from atout.arena.labels import labels
from atout.arena.ratings import Rating

PAPER, INK, FAINT, GREEN = "#fbf7ef", "#2b2620", "#d9cdb8", "#2f6b5e"
ROW, LEFT, WIDTH, RIGHT, TOP = 30, 190, 760, 130, 48
STEPS = (1, 2, 5, 10, 20, 50, 100)


def ratings_svg(ratings: Sequence[Rating], title: str) -> str:
    """An SVG document, best bot on top."""
    step, low, high = scale(min(it.low for it in ratings), max(it.high for it in ratings))
    names = labels([it.bot for it in ratings])
    bottom = TOP + len(ratings) * ROW

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 34}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        f'<text x="16" y="26" font-size="15" font-weight="600" fill="{INK}">{escape(title)}</text>',
    ]
    for tick in range(low, high + 1, step):
        parts += [
            f'<line x1="{x(tick):.1f}" y1="{TOP - 6}" x2="{x(tick):.1f}" y2="{bottom}" stroke="{FAINT}"/>',
            f'<text x="{x(tick):.1f}" y="{bottom + 18}" text-anchor="middle" fill="{INK}">{tick}</text>',
        ]
    for i, rating in enumerate(ratings):
        y = TOP + i * ROW + ROW // 2
        parts += [
            f'<text x="{LEFT - 14}" y="{y + 4}" text-anchor="end" fill="{INK}">{escape(names[rating.bot])}</text>',
            f'<line x1="{x(rating.low):.1f}" y1="{y}" x2="{x(rating.high):.1f}" y2="{y}" stroke="{GREEN}" '
            'stroke-width="3" stroke-linecap="round" stroke-opacity="0.45"/>',
            f'<circle cx="{x(rating.mu):.1f}" cy="{y}" r="6" fill="{GREEN}"/>',
            f'<text x="{WIDTH - RIGHT + 20}" y="{y + 4}" fill="{INK}">{rating.mu:.1f} '
            f"± {(rating.high - rating.low) / 2:.1f}</text>",
        ]
    return "\n".join(parts) + "\n</svg>\n"


def scale(lowest: float, highest: float) -> tuple[int, int, int]:
    """The step of the axis (at most eight of them) and round ends that include everything.

    >>> scale(7.3, 31.0)
    (5, 5, 35)
    """
    step = next((it for it in STEPS if (highest - lowest) / it <= 7), STEPS[-1])
    low, high = math.floor(lowest / step) * step, math.ceil(highest / step) * step
    return step, low, max(high, low + step)
