"""Write measurements into bench/results.md: each bench owns the section between its two markers."""

from __future__ import annotations

import datetime
from pathlib import Path

from bench.timing import machine

RESULTS = Path(__file__).parent / "results.md"


def write_section(name: str, title: str, command: str, body: str, where: str | None = None) -> None:
    """Replace the section or append it; it starts with date, machine and command."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    opening = f"## {title}\n\n{today} · {where or machine()} · `{command}`\n\n"
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    section = f"{begin}\n{opening}{body.strip()}\n{end}"
    text = RESULTS.read_text(encoding="utf-8")
    if begin in text:
        head, _, rest = text.partition(begin)
        text = head + section + rest.partition(end)[2]
    else:
        text = text.rstrip() + "\n\n" + section + "\n"
    RESULTS.write_text(text, encoding="utf-8")


def markdown_table(header: list[str], rows: list[list[str]]) -> str:
    """A Markdown table; every column but the first is right-aligned."""
    rule = ["---"] + ["---:"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, rule, *rows))


def bars(path: Path, title: str, rows: list[tuple[str, float, bool]], unit: str) -> None:
    """A bar chart as SVG: our bars filled, those of peers hatched."""
    height, left, width = 26, 190, 760
    most = max(value for _, value, _ in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {len(rows) * height + 52}" '
        'font-family="system-ui, sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#fbf7ef"/>',
        '<defs><pattern id="peer" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="6" height="6" fill="#d9cdb8"/>'
        '<line x1="0" y1="0" x2="0" y2="6" stroke="#8c7b5f" stroke-width="2"/></pattern></defs>',
        f'<text x="16" y="26" font-size="15" font-weight="600" fill="#2b2620">{title}</text>',
    ]
    for i, (label, value, is_peer) in enumerate(rows):
        y = 44 + i * height
        length = (width - left - 90) * value / most
        fill = "url(#peer)" if is_peer else "#2f6b5e"
        parts += [
            f'<text x="{left - 10}" y="{y + 14}" text-anchor="end" fill="#2b2620">{label}</text>',
            f'<rect x="{left}" y="{y}" width="{length:.1f}" height="18" rx="3" fill="{fill}"/>',
            f'<text x="{left + length + 8:.1f}" y="{y + 14}" fill="#2b2620">{value:.1f} {unit}</text>',
        ]
    path.write_text("\n".join(parts) + "\n</svg>\n", encoding="utf-8")
