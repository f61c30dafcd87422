"""`SheetEditor`: a sheet changed by lines of text, the same on a whole screen and line by line.

    add discard=one trump=red super=none points=3 side=1,3 tricks=5,4,3,2 loot=1,0,2,0
    add tops=9 7 4, 11 3, 8 8 1        Null & nichtig: the top cards of each player
    add scores=10,-4,7                 points only
    edit 2 points=4                    change a past round
    remove 3
    show 2                             all of a past round
    name 1 Ann
    undo
    help

Players are numbered from 1, or called by their names. What a line leaves out stays as it was; of a new round, empty.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import msgspec

from atout.errors import UsageError
from atout.i18n import Texts
from atout.sheet.guide import fields_of, guide
from atout.sheet.model import MAX_NAME, NjetRound, PlainRound, Round, Sheet, TopsRound, check_round, now
from atout.sheet.scoring import is_over, problems_of, score_rounds, winners_of

FIELD = re.compile(r"(\w+)=")
NUMBERS = re.compile(r"[,\s]+")


class SheetEditor:
    """A sheet, its past states for `undo`, and the texts of its language."""

    def __init__(self, sheet: Sheet, texts: Texts) -> None:
        self.sheet, self.texts = sheet, texts
        self._before: list[Sheet] = []

    def do(self, line: str) -> str:
        """Carry out a line. Returns what it asked to see, or what is wrong with it; an empty text after a change."""
        verb, _, rest = line.strip().partition(" ")
        before = deepcopy(self.sheet)
        try:
            if verb == "help":
                return "\n".join(guide(self.sheet, self.texts))
            if verb == "show":
                return self.details(self._place(rest.strip()))
            if verb == "undo":
                if not self._before:
                    return self.texts.t("terminal.undo.none")
                self.sheet = self._before.pop()
                return ""
            self._change(verb, rest.strip())
        except UsageError as error:
            self.sheet = before
            return str(error)
        self._before.append(before)
        self.sheet.changed = max(now(), int(before.changed) + 1)
        return ""

    def _change(self, verb: str, rest: str) -> None:
        if verb == "add":
            self.sheet.rounds.append(self._round(rest, None))
        elif verb == "edit":
            number, _, fields = rest.partition(" ")
            place = self._place(number)
            self.sheet.rounds[place] = self._round(fields, self.sheet.rounds[place])
        elif verb == "remove":
            del self.sheet.rounds[self._place(rest)]
        elif verb == "name":
            seat, _, name = rest.partition(" ")
            self.sheet.names[self._seat(seat)] = name.strip()[:MAX_NAME]
        else:
            raise self._wrong("verb", text=repr(verb[:20]), allowed="add, edit, show, remove, name, undo, help, quit")

    def _wrong(self, what: str, **values: object) -> UsageError:
        """What is wrong with a line, in the language of the sheet."""
        return UsageError(self.texts.t(f"cli.error.sheet.{what}", **values))

    def _place(self, text: str) -> int:
        count = len(self.sheet.rounds)
        if not count:
            raise self._wrong("none")
        if not (text.isdecimal() and 1 <= int(text) <= count):
            raise self._wrong("round", text=repr(text[:20]), last=count)
        return int(text) - 1

    def _seat(self, text: str) -> int:
        """A player by number, name, or the beginning of one name only."""
        players, wanted = len(self.sheet.names), text.strip().casefold()
        called = [name.casefold() for name in self.sheet.names]
        for found in (
            [seat for seat, name in enumerate(called) if name == wanted],
            [seat for seat, name in enumerate(called) if name.startswith(wanted)],
        ):
            if wanted and not wanted.isdecimal() and len(found) == 1:
                return found[0]
        if not (text.isdecimal() and 1 <= int(text) <= players):
            raise self._wrong("player", text=repr(text[:20]), last=players)
        return int(text) - 1

    def _players(self, text: str) -> list[str]:
        """Names between commas, which may have spaces; without commas, a word for each."""
        is_one = text.casefold() in (name.casefold() for name in self.sheet.names)
        words = text.split(",") if "," in text or is_one else text.split()
        return [word.strip() for word in words if word.strip()]

    def _numbers(self, text: str) -> list[int]:
        words = [word for word in NUMBERS.split(text.strip().replace("−", "-")) if word]
        if not all(re.fullmatch(r"-?\d{1,6}", word) for word in words):
            raise self._wrong("numbers", text=repr(text[:40]))
        return [int(word) for word in words]

    def _round(self, text: str, old: Round | None) -> Round:
        """A round from `name=value` fields; what is not named stays as it was."""
        parts = FIELD.split(text)
        if parts[0].strip() or len(parts) < 3:
            raise self._wrong("fields", text=repr(text[:40]))
        fields = {name: value.strip() for name, value in zip(parts[1::2], parts[2::2], strict=True)}
        setup = self.sheet.setup
        made: Round
        if "scores" in fields:
            made = PlainRound(self._numbers(fields["scores"]))
        elif setup.edition.board is None:
            if "tops" not in fields:
                raise self._wrong("tops")
            made = TopsRound([self._numbers(group) for group in fields["tops"].split(",")])
        else:
            made = self._njet(fields, old if isinstance(old, NjetRound) else None)
        check_round(made, setup, self.texts.t("cli.sheet.new-place"), self.texts)
        problems = problems_of(self.sheet, made)
        if problems:
            raise UsageError(" ".join(map(self._problem, problems)))
        return made

    def _njet(self, fields: dict[str, str], old: NjetRound | None) -> NjetRound:
        players = len(self.sheet.names)
        board = self.sheet.setup.edition.board
        assert board is not None
        values: dict[str, Any] = {
            "start": None, "discard": board.discard[0], "trump": None, "super": None, "points": board.points[0],
            "side": [0] if players == 2 else [], "double": None, "tricks": [0] * players, "loot": [0] * players,
        }  # fmt: skip
        if old is not None:
            values |= {name: getattr(old, name) for name in values}
        for name, text in fields.items():
            if name in ("discard", "trump", "super"):
                values[name] = text or None
            elif name in ("start", "double"):
                values[name] = self._seat(text) if text not in ("", "-") else None
            elif name == "side":
                values[name] = sorted(map(self._seat, self._players(text)))
            elif name in ("tricks", "loot"):
                values[name] = self._numbers(text)
            elif name == "points":
                values[name] = next(iter(self._numbers(text)), None)
            else:
                raise self._wrong("field", text=repr(name[:20]), allowed=f"{', '.join(values)}, scores")
        try:
            return msgspec.convert({"kind": "njet", **values}, NjetRound)
        except msgspec.ValidationError as error:
            raise UsageError(f"round: {error}") from None

    def _problem(self, problem: str) -> str:
        code, _, rest = problem.partition(" ")
        values = dict(part.split("=", 1) for part in re.split(r" (?=\w+=)", rest)) if rest else {}
        return self.texts.t(f"sheet.problem.{code}", **values)

    # ---------------------------------------------------------------- showing it

    def names(self) -> list[str]:
        return [name or self.texts.t("sheet.player", n=seat + 1) for seat, name in enumerate(self.sheet.names)]

    def table(self) -> list[list[str]]:
        """Header, a row for each round, the totals."""
        number = self.texts.number
        scores = score_rounds(self.sheet)
        totals = [sum(points[seat] for points in scores) for seat in range(len(self.sheet.names))]
        rows = [[str(place), *map(number, points)] for place, points in enumerate(scores, 1)]
        return [
            [self.texts.t("sheet.round"), *self.names()],
            *rows,
            [self.texts.t("sheet.total"), *map(number, totals)],
        ]

    def details(self, place: int) -> str:
        """A past round in the form in which it is typed."""
        title = self.texts.t("sheet.round.title", n=place + 1)
        return f"{title}: {fields_of(self.sheet, self.sheet.rounds[place])}"

    def status(self) -> str:
        """Who has won, or which round comes next."""
        if is_over(self.sheet):
            names = self.names()
            return self.texts.t("sheet.won", who=self.texts.listed(names[seat] for seat in winners_of(self.sheet)))
        return self.texts.t("sheet.round.next", n=len(self.sheet.rounds) + 1)
