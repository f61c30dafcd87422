"""A review as one HTML page without any other file: it can be sent to a friend and opened offline."""

from __future__ import annotations

from html import escape
from typing import Any

from atout.study import Decision, Review
from atout.study.model import WRONG
from atout.terminal.phrases import decimal
from atout.terminal.reasons import in_words
from atout.terminal.review import LABELS, PHASES, reader
from atout.terminal.study_reasons import thing

WIDTH, HEIGHT = 720, 200
STYLE = """
:root { color-scheme: light dark; --ink: #2b2620; --paper: #fbf7ef; --line: #d9cdb8; --good: #2f6b5e; --bad: #a3402b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0e9dc; --paper: #211e1a; --line: #4d463c; --good: #6fb8a6; --bad: #e08a72; }
}
body { margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
svg { width: 100%; height: auto; }
details { border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.8rem; margin: 0.6rem 0; }
summary { cursor: pointer; } .label { font-weight: 600; } .wrong { color: var(--bad); } .right { color: var(--good); }
small { opacity: 0.8; }
"""


def page(review: Review, record: dict[str, Any]) -> str:
    """The whole page."""
    title = f"Review of {reader(review, record)}: {review.edition}, {review.players} players"
    wrong = sorted((one for one in review.decisions if one.label in WRONG), key=lambda one: -one.loss)
    good = [one for one in review.decisions if one.label == "only-move"]
    rest = [one for one in review.decisions if one not in wrong and one not in good]
    parts = [
        f"<h1>{escape(title)}</h1>",
        "<p>The match was not finished: what was played is reviewed.</p>" if "unfinished" in review.notes else "",
        "<h2>Where the points came from</h2>",
        _curve(review),
        _ledger(review),
        "<h2>Points lost per decision that was not obvious</h2>",
        _errors(review),
        "<h2>The decisions that cost most</h2>",
        *([_decision(one) for one in wrong] or ["<p>No decision was clearly wrong.</p>"]),
        *(["<h2>Only moves found</h2>", *(_decision(one) for one in good)] if good else []),
        "<h2>All other decisions</h2>",
        *(_decision(one) for one in rest),
        f"<p><small>Evaluator {escape(review.evaluator)}, effort {review.effort}. Known: the mean gain over likely "
        "deals, given what the seat knew. Open: with all cards seen. Gains are points of a round less the others' mean."
        "</small></p>",
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "".join(parts)
    return f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{body}</body></html>\n'


def _curve(review: Review) -> str:
    """What the match was worth, choice by choice: results so far and the value of the round in play."""
    points: list[tuple[float, float]] = []
    marks: list[tuple[float, int]] = []
    total, x = 0.0, 0.0
    for one in review.ledger.rounds:
        marks.append((x, one.round + 1))
        for step in one.curve:
            points.append((x, total + step.value))
            x += 1
        total += one.result
        points.append((x, total))
    if not points:
        return ""
    low, high = min(0.0, *(y for _, y in points)), max(0.0, *(y for _, y in points))
    wide, tall = max(x, 1.0), max(high - low, 1.0)

    def place(a: float, b: float) -> str:
        return f"{10 + (WIDTH - 20) * a / wide:.1f},{14 + (HEIGHT - 34) * (high - b) / tall:.1f}"

    zero = place(0, 0).split(",")[1]
    lines = [
        f'<line x1="10" x2="{WIDTH - 10}" y1="{zero}" y2="{zero}" stroke="var(--line)"/>',
        f'<polyline fill="none" stroke="var(--good)" stroke-width="2" points="{" ".join(place(*p) for p in points)}"/>',
    ]
    for at, number in marks:
        left = place(at, 0).split(",")[0]
        lines.append(f'<line x1="{left}" x2="{left}" y1="10" y2="{HEIGHT - 20}" stroke="var(--line)"/>')
        lines.append(f'<text x="{left}" y="{HEIGHT - 5}" font-size="12" fill="currentColor">{number}</text>')
    about = f"The gain to expect over the match, from {decimal(points[0][1])} to {decimal(points[-1][1])}"
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(about)}">{"".join(lines)}</svg>'


def _ledger(review: Review) -> str:
    header = ("", "deal", "own", "partners", "opponents", "result", "lost by choice", "turned out")
    rows: list[tuple[str, Any]] = [(f"Round {one.round + 1}", one) for one in review.ledger.rounds]
    cells = [
        (name, one.deal, one.own, one.partners, one.opponents, one.result, -one.lost, one.turned_out)
        for name, one in [*rows, ("Match", review.ledger)]
    ]
    luck = f"<p>Without the luck of the deal: {decimal(review.ledger.luck_adjusted)}.</p>"
    return _table(header, [[name, *map(decimal, numbers)] for name, *numbers in cells]) + luck


def _errors(review: Review) -> str:
    rows = [
        [PHASES[phase], "–" if rate.rate is None else decimal2(rate.rate), str(rate.decisions), str(rate.obvious)]
        for phase, rate in review.ledger.errors.items()
    ]
    return _table(("", "lost per decision", "decisions", "obvious"), rows)


def decimal2(number: float) -> str:
    """With two places.

    >>> decimal2(-0.125)
    '−0.12'
    """
    return f"{number:.2f}".replace("-", "−")


def _table(header: tuple[str, ...], rows: list[list[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{top}</tr>{body}</table></div>'


def _decision(one: Decision) -> str:
    kind = "wrong" if one.label in WRONG else "right" if one.label == "only-move" else ""
    luck = f", {LABELS[one.luck]}" if one.luck else ""
    lost = f": {decimal(one.loss)} ± {decimal(one.se)} lost" if one.label in WRONG else ""
    name = f"Round {one.round + 1}, action {one.index + 1}: {_name(one.action)}. "
    label = f'<span class="label {kind}">{escape(LABELS[one.label] + luck)}</span>{escape(lost)}'
    why = " ".join(in_words(reason) for reason in one.reason)
    ranked = sorted(one.values.items(), key=lambda it: -it[1].known)
    rows = [
        [
            _name(action) + (" (chosen)" if action == one.action else ""),
            f"{decimal(value.known)} ± {decimal(value.se)}",
            "–" if value.open is None else decimal(value.open) + ("" if value.exact else " (estimate)"),
            f"{100 * value.found_by:.0f}%",
        ]
        for action, value in ranked
    ]
    table = _table(("", "known", "open", "found by"), rows)
    reason = f"<p>{escape(why)}</p>" if why else ""
    return f"<details><summary>{escape(name)}{label}</summary>{reason}{table}</details>"


def _name(action: str) -> str:
    """An action without its seat, with its verb: `play Y12`."""
    told = action.partition(" ")[2]
    return f"{told.partition(' ')[0]} {thing(told)}"
