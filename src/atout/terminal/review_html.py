"""A review as one HTML page without any other file: it can be sent to a friend and opened offline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from atout.i18n import Texts
from atout.study import Decision, Review
from atout.study.model import WRONG
from atout.terminal.review import ReviewText
from atout.terminal.review_cards import drawings, position

WIDTH, HEIGHT = 720, 260
"""The size of the chart as it is drawn; a screen may show it smaller."""
LEFT, RIGHT, TOP, BOTTOM = 56, 10, 14, 34
"""The margins of the chart, for its numbers."""
STEPS = (1, 2, 5, 10, 20, 50, 100)
"""Distances of the lines of the chart, in points: the first with which there are few enough of them."""
LINES = 5
STYLE = """
:root { color-scheme: light dark; --ink: #2b2620; --paper: #fbf7ef; --line: #d9cdb8; --good: #2f6b5e; --bad: #a3402b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0e9dc; --paper: #211e1a; --line: #4d463c; --good: #6fb8a6; --bad: #e08a72; }
}
body { margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
h1, h2, summary, thead { break-after: avoid; }
.wide { overflow-x: auto; } td + td { white-space: nowrap; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line); }
th { vertical-align: bottom; font-weight: 600; line-height: 1.25; hyphens: auto; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
tr.best td { color: var(--good); font-weight: 600; }
svg { width: 100%; height: auto; }
.curve text { font-size: 12px; fill: currentColor; }
details { border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.8rem; margin: 0.6rem 0; }
summary { cursor: pointer; } .label { font-weight: 600; } .wrong { color: var(--bad); } .right { color: var(--good); }
small { opacity: 0.8; }
.held { display: flex; flex-wrap: wrap; gap: 0.4rem 1.5rem; margin: 0.6rem 0; }
figure { margin: 0; min-width: 0; } figcaption { font-size: 0.85rem; opacity: 0.8; }
.cards { display: flex; flex-wrap: wrap; gap: 0.2rem; margin: 0; padding: 0.2rem 0; list-style: none; }
.cards li { display: grid; justify-items: center; align-content: start; font-size: 0.75rem; line-height: 1.2; }
.cards svg { display: block; width: 2.2rem; border-radius: 3px; }
.cards .chosen svg { outline: 2px solid var(--ink); outline-offset: 1px; }
.trick li { min-width: 2.6rem; }
.d { font: 700 39px "League Spartan", Futura, system-ui, sans-serif; }
.drawings { position: absolute; width: 0; height: 0; }
@media screen and (max-width: 34rem) {
  body { padding: 0.6rem; } details { padding: 0.4rem 0.5rem; }
  table { width: 100%; }
  th, td { padding: 0.15rem 0.2rem; font-size: 0.8rem; }
  th { font-size: 0.75rem; }
  .values th:first-child { width: 100%; }
  .ledger th span { writing-mode: vertical-rl; rotate: 180deg; white-space: nowrap; }
  .ledger td { padding: 0.15rem 0.1rem; font-size: 0.75rem; }
  .ledger td:first-child { padding-left: 0; }
  .curve text { font-size: 24px; }
}
@media screen and (max-width: 24rem) { .ledger td { font-size: 0.7rem; } }
@page { margin: 14mm; }
@media print {
  body { padding: 0; max-width: none; }
  figure, tr, li, .curve, p { break-inside: avoid; }
  .wide { overflow: visible; }
  .cards svg { print-color-adjust: exact; }
}
"""


def page(review: Review, record: dict[str, Any], texts: Texts) -> str:
    """The whole page."""
    text = ReviewText(review, record, texts)
    title, wrong, good = text.title().rstrip("."), text.wrong(), text.good()
    unlucky = [one for one in text.unlucky() if one not in good]
    rest = [one for one in review.decisions if one not in [*wrong, *unlucky, *good]]
    parts = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(line)}</p>" for line in text.team()),
        f"<p>{escape(text.t('unfinished'))}</p>" if "unfinished" in review.notes else "",
        _title(text.t(f"ledger{text.whose}")),
        _curve(text),
        _ledger(text),
        _title(text.t("errors")),
        _errors(text),
        _title(text.t("cost")) if wrong else f"<p>{escape(text.t('none'))}</p>",
        *(_decision(text, one) for one in wrong),
        *([_title(text.t("unlucky")), *(_decision(text, one) for one in unlucky)] if unlucky else []),
        *([_title(text.t("only")), *(_decision(text, one) for one in good)] if good else []),
        *([_title(text.t("rest")), *(_decision(text, one) for one in rest)] if rest else []),
        f"<p><small>{escape(' '.join([text.t('about'), text.t(f'gain{text.whose}'), text.evaluator()]))}</small></p>",
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = drawings(text) + "".join(parts)
    language = texts.language
    return (
        f'<!doctype html><html lang="{language}"><head>{head}<style>{STYLE}</style></head><body>{body}</body></html>\n'
    )


def _title(text: str) -> str:
    return f"<h2>{escape(text.rstrip(' :' + chr(0xA0)))}</h2>"


def _curve(text: ReviewText) -> str:
    """What the match was worth, choice by choice: results so far and the value of the round in play."""
    points: list[tuple[float, float]] = []
    marks: list[tuple[float, int]] = []
    total, x = 0.0, 0.0
    for one in text.review.ledger.rounds:
        marks.append((x, one.round + 1))
        for step in one.curve:
            points.append((x, total + step.value))
            x += 1
        total += one.result
        points.append((x, total))
    if not points:
        return ""
    scale = ticks([y for _, y in points])
    low, high, wide = scale[0], scale[-1], max(x, 1.0)

    def across(a: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * a / wide:.1f}"

    def down(b: float) -> str:
        return f"{TOP + (HEIGHT - TOP - BOTTOM) * (high - b) / (high - low):.1f}"

    lines = []
    for n in scale:
        colour = "currentColor" if n == 0 else "var(--line)"
        sign = "+" if n > 0 else ""
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{down(n)}" y2="{down(n)}" stroke="{colour}"/>')
        lines.append(
            f'<text x="{LEFT - 6}" y="{down(n)}" dy="0.35em" text-anchor="end">{sign}{text.texts.number(n)}</text>'
        )
    ends = [*(at for at, _ in marks[1:]), x]
    for (at, number), end in zip(marks, ends, strict=True):
        top, bottom = down(high), down(low)
        lines.append(f'<line x1="{across(at)}" x2="{across(at)}" y1="{top}" y2="{bottom}" stroke="var(--line)"/>')
        lines.append(f'<text x="{across((at + end) / 2)}" y="{HEIGHT - 8}" text-anchor="middle">{number}</text>')
    curve = " ".join(f"{across(a)},{down(b)}" for a, b in points)
    lines.append(f'<polyline fill="none" stroke="var(--good)" stroke-width="2" points="{curve}"/>')
    decimal = text.words.decimal
    about = text.t("curve", first=decimal(points[0][1]), last=decimal(points[-1][1]))
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(about)}"'
    return f'<svg class="curve" {box}>{"".join(lines)}</svg>'


def ticks(values: Sequence[float]) -> list[int]:
    """The numbers beside a chart, as the page chooses them: from the one below all values, and 0, to the one above.

    >>> ticks([-3.5, 12.0]), ticks([0.2])
    ([-5, 0, 5, 10, 15], [0, 1])
    """
    low, high = min(0.0, *values), max(0.0, *values)
    step = next((one for one in STEPS if (high - low) / one <= LINES), 2 * STEPS[-1])
    first, last = math.floor(low / step), max(1, math.ceil(high / step))
    return [step * n for n in range(first, last + 1)]


def _ledger(text: ReviewText) -> str:
    header = ("", *(text.t(f"column.{name}") for name in text.columns()))
    luck = text.t("adjusted", n=text.words.decimal(text.whole().luck_adjusted))
    return _table(header, text.rows(), kind="ledger") + f"<p>{escape(luck)}</p>"


def _errors(text: ReviewText) -> str:
    rows = [
        [
            text.t(f"phase.{phase}"),
            "–" if rate.rate is None else text.texts.number(rate.rate, 2),
            str(rate.decisions),
            str(rate.obvious),
        ]
        for phase, rate in text.review.ledger.errors.items()
    ]
    return _table(("", *(text.t(f"column.{name}") for name in ("rate", "decisions", "obvious"))), rows)


def _table(header: tuple[str, ...], rows: list[list[str]], *, kind: str = "", best: int | None = None) -> str:
    """A table; `best` is the place of the row that is marked as the best one."""
    top = "".join(f"<th><span>{escape(cell)}</span></th>" for cell in header)
    body = ""
    for place, row in enumerate(rows):
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in row)
        body += f"<tr{' class=best' if place == best else ''}>{cells}</tr>"
    return f'<div class="wide"><table class="{kind}"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _action(text: ReviewText, one: Decision, action: str) -> str:
    """An action, and whether it was chosen and is the best."""
    marks = [text.t(name) for name, marked in (("chosen", one.action), ("best", one.best)) if marked == action]
    return text.words.button(action) + (f" ({', '.join(marks)})" if marks else "")


def _decision(text: ReviewText, one: Decision) -> str:
    kind = "wrong" if one.label in WRONG else "right" if one.label == "only-move" else ""
    colon = text.words.t("cell.in-row", row="", cell="")
    lost = f"{colon}{text.lost(one)}" if one.label in WRONG else ""
    name = text.label(one)
    label = f'<span class="label {kind}">{escape(name[:1].upper() + name[1:])}</span>{escape(lost)}'
    ranked, decimal = sorted(one.values.items(), key=lambda it: -it[1].known), text.words.decimal
    rows = [
        [
            _action(text, one, action),
            f"{decimal(value.known)} ± {decimal(value.se)}",
            "–" if value.open is None else ("" if value.exact else "≈ ") + decimal(value.open),
            text.t("percent", n=math.floor(100 * value.found_by + 0.5)),
        ]
        for action, value in ranked
    ]
    header = ("", *(text.t(f"column.{name}") for name in ("known", "open", "found-by")))
    table = _table(header, rows, kind="values", best=[action for action, _ in ranked].index(one.best))
    why = " ".join(text.reasons(one))
    reason = f"<p>{escape(why)}</p>" if why else ""
    what = f"<summary>{escape(text.where(one, ''))}{label}</summary>"
    is_open = " open" if kind else ""
    return f"<details{is_open}>{what}{position(text, one)}{reason}{table}</details>"
