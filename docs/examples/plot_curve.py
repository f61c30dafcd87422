"""Draw the curve of learn_nichtig.py: `python docs/examples/plot_curve.py curve.csv > curve.svg`.

The picture names the version of the script, so that a test can say when it is stale.
"""

import csv
import hashlib
import sys
from pathlib import Path

LEFT, TOP, WIDTH, HEIGHT = 56, 36, 520, 220

version = hashlib.sha256(Path(__file__).with_name("learn_nichtig.py").read_bytes()).hexdigest()[:12]
rows = [
    {key: float(value) for key, value in row.items()}
    for row in csv.DictReader(Path(sys.argv[1]).read_text().splitlines())
]
low = min(0, *(row["gain"] - row["error"] for row in rows)) // 1
high = max(0, *(row["gain"] + row["error"] for row in rows)) // 1 + 1
last = rows[-1]


def x(row):
    return LEFT + WIDTH * row["decisions"] / last["decisions"]


def y(gain):
    return TOP + HEIGHT * (high - gain) / (high - low)


print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 304" font-family="sans-serif" font-size="12">')
print(f"<!-- learn_nichtig.py {version} -->")
print('<rect width="600" height="304" fill="white"/>')
print(f'<text x="{LEFT}" y="20" font-weight="bold">Points a round ahead of two novices, with the standard error</text>')
for gain in range(int(low), int(high) + 1):
    colour = "#ddd" if gain else "#666"
    print(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y(gain):.1f}" y2="{y(gain):.1f}" stroke="{colour}"/>')
    print(f'<text x="{LEFT - 6}" y="{y(gain) + 4:.1f}" text-anchor="end">{gain:+d}</text>')
print(f'<text x="{LEFT}" y="276">no decisions</text>')
words = f"{last['decisions'] / 1e6:.2f} M decisions, {last['minutes']:.1f} minutes of processor time"
print(f'<text x="{LEFT + WIDTH}" y="276" text-anchor="end">{words}</text>')
points = " ".join(f"{x(row):.1f},{y(row['gain']):.1f}" for row in rows)
print(f'<polyline points="{points}" fill="none" stroke="#0b6e4f" stroke-width="2"/>')
for row in rows:
    ends = f'y1="{y(row["gain"] - row["error"]):.1f}" y2="{y(row["gain"] + row["error"]):.1f}"'
    print(f'<line x1="{x(row):.1f}" x2="{x(row):.1f}" {ends} stroke="#0b6e4f"/>')
    print(f'<circle cx="{x(row):.1f}" cy="{y(row["gain"]):.1f}" r="3" fill="#0b6e4f"/>')
print("</svg>")
