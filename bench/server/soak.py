"""The server's memory over many minutes of play, while matches end and new ones begin."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable

import msgspec
from msgspec import Struct

from atout.server.settings import ServerSettings
from bench.server.ours import LIMITS, loaded, percentiles
from bench.server.process import resident_bytes

EVERY_SECONDS = 10.0
DEFAULTS = ServerSettings()
AS_SHIPPED = {
    name: getattr(DEFAULTS, name)
    for name in (
        "requests_per_second",
        "commands_per_second",
        "guests_per_hour",
        "tables_per_hour",
        "bot_pace",
        "bot_seconds",
    )
}
"""The limits of a server that is attacked, where the tests' own are wider."""
MB = 1 << 20


class Soak(Struct):
    tables: int
    moves: int
    refusals: int
    latency: tuple[float, float]
    memory: list[tuple[float, float]]
    """Pairs of minutes and MiB of the server."""
    attacks: dict[str, int] = {}
    """How often each attack was carried out meanwhile."""

    @property
    def growth(self) -> float:
        """MiB per hour: the slope of a line fitted to the second half, after the caches have filled."""
        half = self.memory[len(self.memory) // 2 :]
        n = len(half)
        x, y = sum(at for at, _ in half) / n, sum(much for _, much in half) / n
        spread = sum((at - x) ** 2 for at, _ in half)
        return 60 * sum((at - x) * (much - y) for at, much in half) / spread if spread else 0.0


async def soak(tables: int, minutes: float, attacked: bool, report: Callable[[str], None]) -> Soak:
    settings = {**LIMITS, **AS_SHIPPED} if attacked else LIMITS
    async with loaded(tables, report, settings=settings) as load:
        playing = [asyncio.create_task(table.play()) for table in load.tables]
        attackers = await _start_attackers(load.server.url, 60 * minutes) if attacked else None
        began, memory = time.monotonic(), []  # type: float, list[tuple[float, float]]
        while (passed := time.monotonic() - began) < 60 * minutes:
            memory.append((passed / 60, resident_bytes(load.process) / MB))
            report(f"{memory[-1][0]:5.1f} min  {memory[-1][1]:7.1f} MiB  {load.figures.moves:,} moves")
            await asyncio.sleep(EVERY_SECONDS)
        for task in playing:
            task.cancel()
        figures, attacks = load.figures, {}
        if attackers is not None:
            attacks = msgspec.json.decode((await attackers.communicate())[0], type=dict[str, int])
        latency = percentiles(figures.acknowledged)
        return Soak(tables, figures.moves, len(figures.refusals), latency, memory, attacks)


async def _start_attackers(url: str, seconds: float) -> asyncio.subprocess.Process:
    """In a process of their own: the driver has to answer to the players."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.server.attacks", url, str(seconds), stdout=asyncio.subprocess.PIPE
    )


def picture(soak: Soak) -> str:
    """A line chart as SVG: minutes to the right, MiB upwards from zero."""
    width, height, left, top, bottom = 760, 260, 70, 44, 34
    last, most = soak.memory[-1][0], 1.15 * max(much for _, much in soak.memory)

    def place(at: float, much: float) -> str:
        across = left + (width - left - 20) * at / last
        return f"{across:.1f},{height - bottom - (height - top - bottom) * much / most:.1f}"

    marks = []
    for step in range(5):
        y = height - bottom - (height - top - bottom) * step / 4
        marks.append(
            f'<line x1="{left}" x2="{width - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#d9cdb8"/>'
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#2b2620">{most * step / 4:.0f}</text>'
        )
        across, minutes = left + (width - left - 20) * step / 4, last * step / 4
        marks.append(
            f'<text x="{across:.1f}" y="{height - 12}" text-anchor="middle" fill="#2b2620">{minutes:.0f} min</text>'
        )
    points = " ".join(place(at, much) for at, much in soak.memory)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="system-ui, sans-serif" font-size="13">',
            '<rect width="100%" height="100%" fill="#fbf7ef"/>',
            f'<text x="16" y="26" font-size="15" font-weight="600" fill="#2b2620">'
            f"Memory of the server in MiB, {soak.tables} tables in play</text>",
            *marks,
            f'<polyline points="{points}" fill="none" stroke="#2f6b5e" stroke-width="2"/>',
            "</svg>\n",
        ]
    )
