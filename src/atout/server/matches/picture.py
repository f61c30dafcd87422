"""The picture of a public match that messengers show beside its link: 1200 × 630, drawn from `picture.svg`.

Symbols, cards and fonts are those of `atout.drawing`. `resvg` renders it, without looking at fonts of the system: names
of people are escaped text and nothing else. It does so in a process of its own, because it would stop the worker for
about a fifth of a second otherwise.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from atout.drawing.cards import INK, PAPER
from atout.drawing.parts import CHARACTERS, avatar, font_files, symbols, text_line
from atout.editions import edition_name
from atout.protocol.rest import SharedMatch
from atout.server.errors import ApiError
from atout.server.matches.cards import draw_cards

Language = Literal["en", "fr", "de"]
LANGUAGES: tuple[Language, ...] = ("en", "fr", "de")
FOLDER = Path(__file__).parent
SYMBOLS_MARK, MATCH_MARK = "<!-- the symbols -->", "<!-- the match -->"
BOT_NAMES: dict[Language, tuple[str, ...]] = {
    "en": ("Ada", "Jonas", "Ines", "Bruno", "Selma", "Otto"),
    "fr": ("Ada", "Jonas", "Inès", "Bruno", "Selma", "Otto"),
    "de": ("Ada", "Jonas", "Ines", "Bruno", "Selma", "Otto"),
}
"""What the page calls a bot, by its seat."""
LAST_LETTER = 0x24F
"""The last letter that the fonts have: they are Latin only."""
MAX_LETTERS = 11
"""A longer name is cut in the list of players."""
KEPT = 128
"""How many pictures a worker keeps; each takes some tens of kilobytes."""
MAX_SECONDS = 20.0
PROGRAM = """
import sys, resvg_py
svg = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=sys.argv[1:]))
"""
WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "player": "Player {n}", "about": "{edition}, {players} players, {rounds}", "round": "1 round",
        "rounds": "{n} rounds", "wins": "{name} wins", "win": "{name} win", "by-one": "by 1 point",
        "by": "by {n} points", "tie": "on equal points", "and": " and ", "bars": "round by round",
    },
    "fr": {
        "player": "Joueur {n}", "about": "{edition}, {players} joueurs, {rounds}", "round": "1 manche",
        "rounds": "{n} manches", "wins": "{name} gagne", "win": "{name} gagnent", "by-one": "de 1 point",
        "by": "de {n} points", "tie": "à égalité", "and": " et ", "bars": "manche par manche",
    },
    "de": {
        "player": "Spieler {n}", "about": "{edition}, {players} Spieler, {rounds}", "round": "1 Runde",
        "rounds": "{n} Runden", "wins": "{name} gewinnt", "win": "{name} gewinnen", "by-one": "mit 1 Punkt Vorsprung",
        "by": "mit {n} Punkten Vorsprung", "tie": "punktgleich", "and": " und ", "bars": "Runde für Runde",
    },
}  # fmt: skip


class Pictures:
    """Draws one picture at a time, and keeps those that were asked for last."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    async def of(self, match: SharedMatch, language: Language) -> bytes:
        """The picture of a match, as PNG."""
        drawing = draw(match, language)
        async with self._lock:
            if drawing not in self._kept:
                self._kept[drawing] = await render(drawing)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(drawing)
            return self._kept[drawing]


async def render(drawing: str) -> bytes:
    """The parts that belong to a match, laid over the template, as PNG; `ApiError` if that fails or takes long."""
    template = (FOLDER / "picture.svg").read_text(encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, *font_files(), stdin=PIPE, stdout=PIPE
    )
    try:
        svg = template.replace(SYMBOLS_MARK, symbols()).replace(MATCH_MARK, drawing).encode()
        picture, _ = await asyncio.wait_for(process.communicate(svg), MAX_SECONDS)
    except TimeoutError:
        raise ApiError(503, "no-picture", "the picture takes too long") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise ApiError(503, "no-picture", "the picture cannot be drawn")
    return picture


def names_of(match: SharedMatch, language: Language) -> list[str]:
    """What the players are called: bots as on the page, people as they agreed."""
    bots = match.summary.bots or [None] * match.summary.players
    nobody = WORDS[language]["player"]
    return [
        BOT_NAMES[language][seat % len(CHARACTERS)] if bots[seat] else name or nobody.format(n=seat + 1)
        for seat, name in enumerate(match.summary.names)
    ]


def headline(match: SharedMatch, language: Language, names: Sequence[str]) -> tuple[str, str]:
    """Who won, and by how much."""
    words, summary = WORDS[language], match.summary
    winners = [names[seat] for seat in summary.winners]
    who = words["wins" if len(winners) == 1 else "win"].format(name=words["and"].join(winners[:3]))
    margin = summary.margins[summary.winners[0]] if summary.margins else 0
    if margin <= 0:
        return who, words["tie"]
    return who, words["by-one" if margin == 1 else "by"].format(n=margin)


def about(match: SharedMatch, language: Language) -> str:
    """Edition, players and rounds."""
    words, played = WORDS[language], len(match.summary.round_points or ()) or match.summary.rounds
    rounds = words["round" if played == 1 else "rounds"].format(n=played)
    return words["about"].format(edition=edition_name(match.edition), players=match.summary.players, rounds=rounds)


def draw(match: SharedMatch, language: Language = "en") -> str:
    """The parts of a match's picture, to be laid over the template."""
    summary = match.summary
    names = [name if _has_letters(name) else WORDS[language]["player"].format(n=seat + 1)
             for seat, name in enumerate(names_of(match, language))]  # fmt: skip
    lines = headline(match, language, names)
    sizes = [min(104.0, 1160 / max(len(line), 1)) for line in lines]
    first = 172 + 0.79 * sizes[0]
    second = first + 0.15 * sizes[0] + 0.79 * sizes[1]
    champion = summary.winners[0]
    parts = [
        *draw_cards(match.edition, summary.players),
        text_line(about(match, language), 56, 138, 26, PAPER),
        text_line(lines[0], 52, first, sizes[0], PAPER, "d", -0.04 * sizes[0]),
        text_line(lines[1], 52, second, sizes[1], PAPER, "d", -0.04 * sizes[1]),
        f'<circle cx="866" cy="308" r="126" fill="{PAPER}"/>',
        avatar(champion, 866, 308, 118),
    ]
    order = sorted(range(summary.players), key=lambda seat: -summary.totals[seat])
    rows = (len(order) + 1) // 2
    for i, seat in enumerate(order):
        x, y = 82 + 252 * (i % 2), 560 - 66 * (rows - 1 - i // 2)
        parts.append(f'<circle cx="{x}" cy="{y}" r="29" fill="{PAPER}"/>')
        parts.append(avatar(seat, x, y, 26))
        name = _short(names[seat])
        parts.append(text_line(name, x + 38, y + 8, min(25.0, 160 / len(name)), PAPER, "b"))
        parts.append(
            text_line(str(summary.totals[seat]).replace("-", "−"), x + 196, y + 15, 40, PAPER, "d", anchor="end")
        )
    return "\n".join([*parts, *_bars([row[champion] for row in summary.gains], WORDS[language]["bars"])])


def _bars(gains: Sequence[float], caption: str) -> list[str]:
    """One bar per round: dark and upwards for a gain, light and downwards for a loss."""
    if not gains:
        return []
    step = min(36.0, 288 / len(gains))
    width, left, line = step * 0.72, 1148 - step * len(gains), 532
    scale = 60 / max(1.0, *map(abs, gains))
    parts = [f'<path d="M{left - 6:.1f} {line}H1148" stroke="{INK}" stroke-width="3"/>']
    for i, gain in enumerate(gains):
        x, height = left + i * step, max(abs(gain) * scale, 3.0)
        top, slant = (line - height, 0.21 * height) if gain >= 0 else (line, 0.21 * height)
        shape = f"M{x:.1f} {top + height:.1f}l{slant:.1f} {-height:.1f}h{width:.1f}l{-slant:.1f} {height:.1f}Z"
        look = f'fill="{INK}"' if gain >= 0 else f'fill="{PAPER}" stroke="{INK}" stroke-width="3"'
        parts.append(f'<path d="{shape}" {look}/>')
    return [*parts, text_line(caption, 1148, 618, 19, INK, anchor="end")]


def _short(name: str) -> str:
    return name if len(name) <= MAX_LETTERS else name[: MAX_LETTERS - 1] + "…"


def _has_letters(name: str) -> bool:
    """Whether the fonts can write a name."""
    return all(ord(letter) <= LAST_LETTER for letter in name)
