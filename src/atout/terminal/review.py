"""A review as text: the decisions that cost most, the errors by phase, and the ledger, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console

from atout.editions import Edition, from_tree, published
from atout.errors import UsageError
from atout.game import Setup, View
from atout.game.view import SECRET_NAMES
from atout.i18n import Texts
from atout.study import Decision, Review, review
from atout.study.model import WRONG
from atout.study.shown import ShownLedger, shown_ledger, shown_loss, shown_rounds
from atout.terminal.lines import TOGETHER, WIDTH, folded
from atout.terminal.phrases import by_colour
from atout.terminal.position import conditions_text, own_cards, views_before
from atout.terminal.seats import distinct, recorded_names
from atout.terminal.words import Words

SECONDS = 30.0
"""For the review at the end of a match, on one core."""
SHOWN = 12
"""Decisions that are listed, at most."""
COLUMNS = ("deal", "own", "partners", "opponents", "result", "lost", "turned-out")
"""The parts of the ledger."""


def reviewed(record: Mapping[str, Any], seat: int, texts: Texts, seconds: float = SECONDS) -> list[str]:
    """Review the decisions of the reader in a finished match, as lines; where that is not possible, the reason."""
    try:
        return lines(review(record, seat, seconds), dict(record), texts, is_own=True)
    except UsageError as error:
        return [str(error)]


def print_review(review: Review, record: dict[str, Any], console: Console, texts: Texts) -> None:
    """Print a review, folded to the width of the console; a row of its table stays one line."""
    width = min(WIDTH, console.width)
    for line in lines(review, record, texts):
        console.print(folded(line, width).replace(TOGETHER, " "), soft_wrap=True, markup=False)


def lines(review: Review, record: dict[str, Any], texts: Texts, is_own: bool = False) -> list[str]:
    """A review, line by line. `is_own`: the reader has just played the match."""
    text = ReviewText(review, record, texts)
    notes = [text.t("unfinished")] if "unfinished" in review.notes else []
    head = [text.title(is_own), *text.team(), *([] if is_own else [text.seats()]), *notes]
    return [*head, "", *_ledger(text), "", *_errors(text), "", *_decisions(text), "", text.evaluator()]


class ReviewText:
    """A review and the words for it."""

    def __init__(self, review: Review, record: dict[str, Any], texts: Texts) -> None:
        self.review, self.texts, self._record = review, texts, record
        self._known = distinct(recorded_names(record, review.players, texts))
        called = [name or texts.t("terminal.seat", n=seat + 1) for seat, name in enumerate(self._known)]
        self.edition = _edition(record)
        self.teams = Setup.of(self.edition, review.players, record.get("options")).teams
        """The seats of each team of a match in teams; None where everybody plays alone."""
        self.whose = ".teams" if self.teams else ""
        """The end of keys of texts that say what a gain is: in teams it is the team's, for each player."""
        self.words = Words(texts, called, review.seat, self.edition.deck.low)
        self._views = views_before(record, review.seat, {(one.round, one.index) for one in review.decisions})

    def t(self, key: str, **values: object) -> str:
        return self.texts.t(f"terminal.review.{key}", **values)

    def reader(self) -> str:
        """Whose review it is: the name if the record has one, else the seat, counted from 1."""
        return self._known[self.review.seat] or self.t("seat", n=self.review.seat + 1)

    def title(self, is_own: bool = False) -> str:
        review, key = self.review, f"edition.{self.review.edition}"
        about = {"edition": self.texts.t(key) if self.texts.has(key) else review.edition, "players": review.players}
        return self.t("of-you", **about) if is_own else self.t("of", who=self.reader(), **about)

    def team(self) -> list[str]:
        """Who plays with the seat the whole match, in a line; none where everybody plays alone."""
        for team in self.teams or []:
            if self.review.seat in team:
                others = [self.words.name(seat) for seat in team if seat != self.review.seat]
                names = self.texts.listed([self.texts.t("terminal.plain.you"), *others])
                return [self.texts.t("terminal.plain.your-team", names=names)]
        return []

    def seats(self) -> str:
        """What to type after the command for the decisions of the others: it counts seats from 0."""
        others = [
            f"--seat{TOGETHER}{seat} ({name or self.t('seat', n=seat + 1)})"
            for seat, name in enumerate(self._known)
            if seat != self.review.seat
        ]
        return self.t("others", seat=self.review.seat, others=", ".join(others))

    def evaluator(self) -> str:
        return self.t("evaluator", evaluator=self.review.evaluator, effort=self.review.effort)

    def columns(self) -> list[str]:
        """The parts of the ledger. Where nobody ever has partners, their column is left out."""
        ledger = self.review.ledger
        has_partners = bool(ledger.partners) or any(one.partner_seats for one in ledger.rounds)
        return [name for name in COLUMNS if has_partners or name != "partners"]

    def whole(self) -> ShownLedger:
        return shown_ledger(self.review.ledger, decisions=self.review.decisions)

    def rows(self) -> list[list[str]]:
        """The ledger: a row for each round, and the sum. Rows and columns add up as they are shown, and what was lost
        is the sum of what is shown beside the decisions.
        """
        ledger = self.review.ledger
        names = [*(self.t("round", n=one.round + 1) for one in ledger.rounds), self.t("match")]
        found = []
        for name, part in zip(names, [*shown_rounds(ledger, self.review.decisions), self.whole()], strict=True):
            numbers = part._replace(lost=-part.lost)._asdict()
            shown = [numbers[column.replace("-", "_")] for column in self.columns()]
            found.append([name, *map(self.words.decimal, shown)])
        return found

    def label(self, one: Decision) -> str:
        luck = f", {self.t(f'label.{one.luck}')}" if one.luck else ""
        return self.t(f"label.{one.label}") + luck

    def reasons(self, one: Decision) -> list[str]:
        return [line for reason in one.reason for line in self.words.reason(reason.code, reason.parameters)]

    def lost(self, one: Decision) -> str:
        return self.t("lost", loss=self.words.decimal(shown_loss(one)), se=self.words.decimal(one.se))

    def where(self, one: Decision, label: str) -> str:
        return self.t("decision", where=self.place(one), action=self.words.button(one.action), label=label)

    def place(self, one: Decision) -> str:
        """As the page says it: "Round 3, trick 5"."""
        if one.phase == "tricks":
            before = self._record["rounds"][one.round]["actions"][: one.index]
            n = sum(" play " in action for action in before) // self.review.players + 1
        else:
            same = [it.index for it in self.review.decisions if (it.round, it.phase) == (one.round, one.phase)]
            n = sorted(same).index(one.index) + 1
        part = "pass" if one.action.split()[1] == "pass" else one.phase
        return self.texts.t(f"review.where.{part}", round=one.round + 1, n=n)

    def view(self, one: Decision) -> View:
        """What the seat saw when it decided: its own hand, and of the others only what lay on the table."""
        return self._views[one.round, one.index]

    def given(self, one: Decision) -> list[tuple[str, list[str]]]:
        """The cards that were chosen for the same discard or pass before this one, with a title."""
        view = self.view(one)
        return own_cards(self.words, view) if view["phase"] in SECRET_NAMES else []

    def position(self, one: Decision) -> list[str]:
        """The hand, the trick so far and the conditions of the round, a line each, with cards as short as can be."""
        view, words = self.view(one), self.words
        groups = by_colour(view["hand"]).values()
        found = {self.t("hand"): "  ".join(self._cards(group) for group in groups)}
        if view["phase"] == "play":
            plays = (f"{words.name(it['seat'])}{TOGETHER}{words.short_card(it['card'])}" for it in view["trick"])
            found[words.t("mat.label")] = ", ".join(plays) or self.t("no-card")
        if view["piles"] and any(view["piles"]):
            found[self.t("tops")] = words.t("paper.then").join(self.tops(view))
        lines = [words.t("cell.in-row", row=row, cell=cell) for row, cell in found.items()]
        given = [f"{title} {self._cards(cards)}" for title, cards in self.given(one)]
        return [line for line in [*lines, *given, conditions_text(words, view)] if line]

    def tops(self, view: View) -> Iterator[str]:
        """By seat, the top cards of the piles."""
        for seat, piles in enumerate(view["piles"] or []):
            yield f"{self.words.name(seat)} {self._cards([pile[-1] for pile in piles if pile])}"

    def _cards(self, cards: Sequence[str]) -> str:
        return " ".join(map(self.words.short_card, cards))

    def wrong(self) -> list[Decision]:
        """What cost most, first."""
        return sorted((one for one in self.review.decisions if one.label in WRONG), key=lambda one: -shown_loss(one))

    def unlucky(self) -> list[Decision]:
        """Right by what was known, and wrong with open cards."""
        return [one for one in self.review.decisions if one.luck == "unlucky"]

    def good(self) -> list[Decision]:
        return [one for one in self.review.decisions if one.label == "only-move"]


def _edition(record: dict[str, Any]) -> Edition:
    tree = record.get("rules")
    return from_tree(tree, "record") if tree is not None else published(record["edition"])


def _ledger(text: ReviewText) -> list[str]:
    header = ["", *(text.t(f"column.{name}") for name in text.columns())]
    rows = text.rows()
    rooms = [max(len(row[place]) for row in [header, *rows]) for place in range(len(header))]
    found = [text.t(f"ledger{text.whose}")]
    for first, *numbers in [header, *rows]:
        aligned = (f"{number:>{room + 2}}" for number, room in zip(numbers, rooms[1:], strict=True))
        found.append((f"{first:{rooms[0]}}" + "".join(aligned)).replace(" ", TOGETHER))
    return [*found, text.t("adjusted", n=text.words.decimal(text.whole().luck_adjusted))]


def _errors(text: ReviewText) -> list[str]:
    ledger = text.review.ledger
    room = max(len(text.t(f"phase.{phase}")) for phase in ledger.errors) if ledger.errors else 0
    found = [text.t("errors")]
    for phase, rate in ledger.errors.items():
        number = "-" if rate.rate is None else text.texts.number(rate.rate, 2)
        mattered = text.texts.count("terminal.review.rate", rate.decisions)
        about = f"({mattered})"
        if rate.obvious:
            about = text.texts.count("terminal.review.rate.obvious", rate.obvious, rate=mattered)
        found.append(f"  {text.t(f'phase.{phase}'):{room}} {number:>7}  {about}")
    counts = [f"{text.t(f'label.{label}')} {count}" for label, count in ledger.labels.items() if count]
    return [*found, text.t("decisions", counts=", ".join(counts))]


def _decisions(text: ReviewText) -> list[str]:
    wrong, good = text.wrong(), text.good()
    unlucky = [one for one in text.unlucky() if one not in good]
    found = [text.t("cost")] if wrong else [text.t("none")]
    for one in wrong[:SHOWN]:
        found += _decision(text, one)
    if rest := wrong[SHOWN:]:
        found.append("  " + text.t("more-lost", n=len(rest), loss=text.words.decimal(sum(map(shown_loss, rest)))))
    if unlucky:
        found += [
            "",
            text.t("unlucky"),
            *(f"  {_unlucky(text, one)}" for one in unlucky[:SHOWN]),
            *_more(text, unlucky),
        ]
    if good:
        found += ["", text.t("only")]
        for one in good[:SHOWN]:
            found += _decision(text, one)
        found += _more(text, good)
    return found


def _more(text: ReviewText, decisions: Sequence[Decision]) -> list[str]:
    """A line that counts those that are not listed, if there are any."""
    return [f"  {text.t('more', n=len(decisions) - SHOWN)}"] if len(decisions) > SHOWN else []


def _unlucky(text: ReviewText, one: Decision) -> str:
    """One line: what was chosen, and what was better as the cards lay."""
    worth = {action: value.open for action, value in one.values.items() if value.open is not None}
    best = max(worth, key=lambda action: worth[action])
    own, value = text.words.decimal(worth[one.action]), text.words.decimal(worth[best])
    return text.where(one, text.t("unlucky-open", best=text.words.button(best), value=value, own=own))


def _decision(text: ReviewText, one: Decision) -> list[str]:
    label = text.label(one)
    what = text.where(one, label[:1].upper() + label[1:])
    held = [f"    {line}" for line in text.position(one)]
    why = [f"    {line}" for line in text.reasons(one)]
    if one.label == "only-move":
        return [f"  {what}.", *held, *why]
    decimal = text.words.decimal
    value, best = decimal(one.values[one.action].known), decimal(one.values[one.best].known)
    better = text.t("better", best=text.words.button(one.best), value=best, own=value)
    return ["  " + text.words.t("cell.in-row", row=what, cell=text.lost(one)), *held, f"    {better}", *why]
