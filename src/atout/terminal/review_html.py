"""A review as one HTML page without any other file: it can be sent to a friend and opened offline."""

from __future__ import annotations

from html import escape
from typing import Any

from atout.i18n import Texts
from atout.study import Decision, Review
from atout.study.model import WRONG
from atout.study.shown import shown_ledger
from atout.terminal.review import COLUMNS, ReviewText
from atout.terminal.review_cards import drawings, position

WIDTH, HEIGHT = 720, 200
STYLE = """
:root { color-scheme: light dark; --ink: #2b2620; --paper: #fbf7ef; --line: #d9cdb8; --good: #2f6b5e; --bad: #a3402b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0e9dc; --paper: #211e1a; --line: #4d463c; --good: #6fb8a6; --bad: #e08a72; }
}
body { margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; } td + td { white-space: nowrap; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
svg { width: 100%; height: auto; }
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
@media (max-width: 30rem) { th, td { padding: 0.15rem 0.3rem; font-size: 0.875rem; } }
@media print { details, .cards svg { break-inside: avoid; } .cards svg { print-color-adjust: exact; } }
"""


def page(review: Review, record: dict[str, Any], texts: Texts) -> str:
    """The whole page."""
    text = ReviewText(review, record, texts)
    title, wrong, good = text.title(), text.wrong(), text.good()
    rest = [one for one in review.decisions if one not in wrong and one not in good]
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(text.t('unfinished'))}</p>" if "unfinished" in review.notes else "",
        _title(text.t("ledger")),
        _curve(text),
        _ledger(text),
        _title(text.t("errors")),
        _errors(text),
        _title(text.t("cost")) if wrong else f"<p>{escape(text.t('none'))}</p>",
        *(_decision(text, one) for one in wrong),
        *([_title(text.t("only")), *(_decision(text, one) for one in good)] if good else []),
        _title(text.t("rest")),
        *(_decision(text, one) for one in rest),
        f"<p><small>{escape(text.t('about', evaluator=review.evaluator, effort=review.effort))}</small></p>",
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
    decimal = text.words.decimal
    about = text.t("curve", first=decimal(points[0][1]), last=decimal(points[-1][1]))
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(about)}">{"".join(lines)}</svg>'


def _ledger(text: ReviewText) -> str:
    header = ("", *(text.t(f"column.{name}") for name in COLUMNS))
    luck = text.t("adjusted", n=text.words.decimal(shown_ledger(text.review.ledger).luck_adjusted))
    return _table(header, text.rows()) + f"<p>{escape(luck)}</p>"


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


def _table(header: tuple[str, ...], rows: list[list[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{top}</tr>{body}</table></div>'


def _decision(text: ReviewText, one: Decision) -> str:
    kind = "wrong" if one.label in WRONG else "right" if one.label == "only-move" else ""
    colon = text.words.t("cell.in-row", row="", cell="")
    lost = f"{colon}{text.lost(one)}" if one.label in WRONG else ""
    name = text.label(one)
    label = f'<span class="label {kind}">{escape(name[:1].upper() + name[1:])}</span>{escape(lost)}'
    ranked, decimal = sorted(one.values.items(), key=lambda it: -it[1].known), text.words.decimal
    rows = [
        [
            text.words.button(action) + (f" ({text.t('chosen')})" if action == one.action else ""),
            f"{decimal(value.known)} ± {decimal(value.se)}",
            "–" if value.open is None else decimal(value.open) + ("" if value.exact else f" ({text.t('estimate')})"),
            f"{100 * value.found_by:.0f}%",
        ]
        for action, value in ranked
    ]
    table = _table(("", *(text.t(f"column.{name}") for name in ("known", "open", "found-by"))), rows)
    why = " ".join(text.reasons(one))
    reason = f"<p>{escape(why)}</p>" if why else ""
    what = f"<summary>{escape(text.where(one, ''))}{label}</summary>"
    is_open = " open" if kind else ""
    return f"<details{is_open}>{what}{position(text, one)}{reason}{table}</details>"
