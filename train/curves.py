"""Learning curves as SVG: strength against fixed opponents over decisions, one panel per game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

WIDTH, HEIGHT, LEFT, TOP = 420, 220, 56, 36
COLOURS = {"policy": "#b3261e", "random": "#1f6f8b", "past": "#6b6b6b"}
"""The opponents: the playout policy, random actions, a past version."""


def draw(log: Path, picture: Path) -> None:
    """Draw the curves of a log; each opponent is a line, the mean over setups."""
    lines: list[dict[str, Any]] = [msgspec.json.decode(line) for line in log.read_bytes().splitlines()]
    games: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        if "against" in line and "decisions" in line:
            games.setdefault(line["game"], []).append(line)
    width = max(1, len(games)) * (WIDTH + LEFT + 24)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT + TOP + 48}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{HEIGHT + TOP + 48}" fill="white"/>',
    ]
    for number, (game, measured) in enumerate(games.items()):
        parts += _panel(game, measured, LEFT + number * (WIDTH + LEFT + 24))
    picture.write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")


def _panel(game: str, measured: list[dict[str, Any]], left: int) -> list[str]:
    series = {
        name: [
            (line["decisions"], sum(mean for mean, _ in line["against"][name].values()) / len(line["against"][name]))
            for line in measured
            if name in line["against"]
        ]
        for name in COLOURS
    }
    heights = [y for points in series.values() for _, y in points]
    most, low, high = max(1, measured[-1]["decisions"]), min(0.0, *heights), max(1.0, *heights)
    parts = [
        f'<text x="{left}" y="20" font-weight="bold">{game}: points per seat and round ahead, mean over setups</text>',
        f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>',
        f'<text x="{left + WIDTH}" y="{TOP + HEIGHT + 18}" text-anchor="end">{most / 1e6:,.1f} M decisions</text>',
    ]
    for mark in (low, 0.0, high):
        y = TOP + HEIGHT * (high - mark) / (high - low)
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:.1f}</text>')
        parts.append(f'<line x1="{left}" x2="{left + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
    for number, (name, points) in enumerate(series.items()):
        places = " ".join(
            f"{left + WIDTH * x / most:.1f},{TOP + HEIGHT * (high - y) / (high - low):.1f}" for x, y in points
        )
        parts.append(f'<polyline points="{places}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        x, y = left + 110 * number, TOP + HEIGHT + 38
        parts.append(f'<text x="{x}" y="{y}" fill="{COLOURS[name]}">against {name}</text>')
    return parts
