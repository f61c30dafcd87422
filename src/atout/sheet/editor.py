"""`SheetEditor`: a sheet changed by lines of text, the same on a whole screen and line by line.

    add points=3 discard=1 card side=1,3 tricks=5,4,3,2 loot=1,0,2,0
    add tops=9 7 4, 11 3, 8 8 1        Null & nichtig: the top cards of each player
    add scores=10,-4,7                 points only
    edit 2 points=4                    change a past round
    remove 3
    show 2                             all of a past round
    name 1 Ann
    undo
    help

Whoever reads the lines carries out `save FILE` and `quit` (`Keeper`). Players are numbered from 1, or called by their
names. The words are the reader's, or those of a record (`discard=one`). What `edit` leaves out stays as it was; of a
new round, only loot and what counts for nothing may be left out.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import msgspec

from atout.errors import UsageError
from atout.i18n import Texts
from atout.sheet.guide import fields_of, guide, how_to_add, how_to_edit, round_example, words_of
from atout.sheet.model import MAX_NAME, NjetRound, PlainRound, Round, Sheet, TopsRound, check_round, now
from atout.sheet.scoring import double_holders, is_over, problems_of, score_rounds, totals_of, winners_of
from atout.sheet.words import CELLS, NJET, VERBS

FIELD = re.compile(r"([\w×]+)\s*=")
NUMBERS = re.compile(r"[,\s]+")
NOBODY = ("", "-", "–", "—")
"""What is typed where nobody has the ×2 card, or a condition is not noted."""


class SheetEditor:
    """A sheet, its past states for `undo`, and the texts of its language."""

    def __init__(self, sheet: Sheet, texts: Texts) -> None:
        self.sheet, self.texts = sheet, texts
        self.words = words_of(sheet, texts)
        self.changed: int | None = None
        """The round that the last change was about; None after any other line."""
        self.note = ""
        """What the players should know about the last change; mostly nothing."""
        self._before: list[Sheet] = []

    def do(self, line: str) -> str:
        """Carry out a line. Returns what it asked to see, or what is wrong with it; an empty text after a change."""
        verb, rest = self.parse(line)
        before, self.changed, self.note = deepcopy(self.sheet), None, ""
        try:
            if verb == "help":
                return "\n".join(guide(self.sheet, self.texts))
            if verb == "show":
                return self.details(self._place(rest, verb))
            if verb == "undo":
                if not self._before:
                    return str(self._wrong("undo"))
                self.sheet = self._before.pop()
                return ""
            self._change(verb, rest, line.split())
        except UsageError as error:
            self.sheet, self.changed = before, None
            return str(error)
        self._before.append(before)
        self.sheet.changed = max(now(), int(before.changed) + 1)
        return ""

    def parse(self, line: str) -> tuple[str, str]:
        """The command of a line, as its English word, and what follows it. Fields without a command are a new round."""
        typed, _, rest = line.strip().partition(" ")
        if FIELD.match(line.strip()):
            return "add", line.strip()
        verbs = self.words.verbs_of(typed)
        return verbs[0] if len(verbs) == 1 else "", rest.strip()

    def _change(self, verb: str, rest: str, typed: list[str]) -> None:
        rounds = self.sheet.rounds
        if verb == "add":
            was_over, added = is_over(self.sheet), self._round(rest, None)
            if was_over and not (len(rounds) > 1 and self._was_over_before_last()):
                self.note = self.texts.t("cli.sheet.over", n=len(rounds), undo=self.words.verb("undo"))
            rounds.append(added)
            self.changed = len(rounds) - 1
        elif verb == "edit":
            number, _, fields = rest.partition(" ")
            place = self._place(number, verb)
            if not fields.strip():
                raise UsageError(how_to_edit(self.sheet, place, self.texts))
            rounds[place] = self._round(fields, rounds[place])
            self.changed = place
        elif verb == "remove":
            del rounds[self._place(rest, verb)]
        elif verb == "name":
            self._name(rest)
        elif typed and typed[0][0].isdecimal():  # numbers without a field
            raise UsageError(self.how_to_add())
        else:
            word = typed[0] if typed else ""
            verbs = self.words.verbs_of(word)
            if verbs:
                raise self._ambiguous(word, ", ".join(map(self.words.verb, verbs)))
            raise self._wrong("verb", text=repr(word[:20]), allowed=", ".join(map(self.words.verb, VERBS)))

    def _was_over_before_last(self) -> bool:
        """Whether the match was over before its last round: then the players know that they play on."""
        return is_over(msgspec.structs.replace(self.sheet, rounds=self.sheet.rounds[:-1]))

    def _name(self, text: str) -> None:
        """`1 Ann`: rename a player, called by number or by the old name."""
        seat, _, name = text.partition(" ")
        if not name.strip():
            form = f"{self.words.verb('name')} 1 {self.names()[0]}"
            raise self._wrong("name", example=form)
        self.sheet.names[self._seat(seat)] = name.strip()[:MAX_NAME]

    def _wrong(self, what: str, **values: object) -> UsageError:
        """What is wrong with a line, in the language of the sheet."""
        return UsageError(self.texts.t(f"cli.error.sheet.{what}", **values))

    def _ambiguous(self, text: str, candidates: str) -> UsageError:
        return self._wrong("ambiguous", text=repr(text[:40]), candidates=candidates)

    def _not_allowed(self, field: str, text: str, allowed: str) -> UsageError:
        return self._wrong("word", field=self.words.field(field), text=repr(text[:40]), allowed=allowed)

    def _place(self, text: str, verb: str) -> int:
        """The round that a command is about."""
        count = len(self.sheet.rounds)
        if not count:
            raise self._wrong("none", add=self.words.verb("add"))
        if not text:
            raise self._wrong("which", last=count, example=f"{self.words.verb(verb)} {count}")
        if not (text.isdecimal() and 1 <= int(text) <= count):
            raise self._wrong("round", text=repr(text[:20]), last=count)
        return int(text) - 1

    def _seat(self, text: str) -> int:
        """A player by number, name, or the beginning of one name only."""
        players, wanted = len(self.sheet.names), text.strip().casefold()
        called = [name.casefold() for name in self.names()]
        for found in (
            [seat for seat, name in enumerate(called) if name == wanted],
            [seat for seat, name in enumerate(called) if name.startswith(wanted)],
        ):
            if wanted and not wanted.isdecimal() and len(found) == 1:
                return found[0]
        if not (text.isdecimal() and 1 <= int(text) <= players):
            raise self._wrong("player", text=repr(text[:20]), last=players, names=", ".join(self.names()))
        return int(text) - 1

    def _players(self, text: str) -> list[str]:
        """Names between commas, which may have spaces; without commas, a word for each."""
        is_one = text.casefold() in (name.casefold() for name in self.sheet.names)
        words = text.split(",") if "," in text or is_one else text.split()
        return [word.strip() for word in words if word.strip()]

    def _side(self, text: str) -> list[int]:
        seats = list(map(self._seat, self._players(text)))
        for seat in seats:
            if seats.count(seat) > 1:
                raise self._wrong("twice", field=self.words.field("side"), who=self.names()[seat])
        return sorted(seats)

    def _numbers(self, field: str, text: str) -> list[int]:
        words = [word for word in NUMBERS.split(text.strip().replace("−", "-")) if word]
        if not all(re.fullmatch(r"[-+]?\d{1,6}", word) for word in words):
            raise self._wrong("numbers", field=self.words.field(field), text=repr(text[:40]))
        return [int(word) for word in words]

    def _each(self, field: str, text: str) -> list[int]:
        """A number for each player."""
        numbers, players = self._numbers(field, text), len(self.sheet.names)
        if len(numbers) != players:
            names = ", ".join(self.names())
            raise self._wrong("each", field=self.words.field(field), n=players, found=len(numbers), names=names)
        return numbers

    def _points(self, text: str) -> int:
        """The points of the round: `3`, `−2`, also with the word after them."""
        board = self.sheet.setup.edition.board
        assert board is not None
        number = text.replace("−", "-").split()[0] if text.split() else ""
        if not (re.fullmatch(r"[-+]?\d{1,3}", number) and int(number) in board.points):
            raise self._not_allowed("points", text, self.words.allowed("points"))
        return int(number)

    def _cell(self, field: str, text: str) -> str | None:
        """A condition in the reader's words or in those of a record; nothing where it is not noted."""
        if text in NOBODY and field != "discard":
            return None
        found = self.words.cells_of(field, text)
        if len(found) > 1:
            raise self._ambiguous(f"{self.words.field(field)}={text}", self.words.told_cells(field, found))
        if not found:
            raise self._not_allowed(field, text, self.words.allowed(field))
        return found[0]

    def _tops(self, text: str) -> list[list[int]]:
        """The top cards of each player, between commas."""
        deck, players = self.sheet.setup.edition.deck, len(self.sheet.names)
        groups = [self._numbers("tops", group) for group in text.split(",")]
        if len(groups) != players:
            example = round_example(self.sheet, self.texts)
            raise self._wrong("groups", n=players, found=len(groups), example=example)
        for seat, tops in enumerate(groups):
            wrong = [value for value in tops if value not in deck.values]
            if wrong:
                allowed = f"{min(deck.values)} – {max(deck.values)}"
                raise self._not_allowed("tops", str(wrong[0]), allowed)
            if len(tops) > len(deck.colours):
                raise self._wrong("piles", who=self.names()[seat], n=len(tops), most=len(deck.colours))
        return groups

    def _fields(self, text: str) -> dict[str, str]:
        """The values by the record's names of their fields."""
        parts = FIELD.split(text)
        if parts[0].strip() or len(parts) < 3:
            raise UsageError(self.how_to_add())
        known = (*(NJET if self.sheet.setup.edition.board is not None else ("tops",)), "scores")
        fields: dict[str, str] = {}
        for typed, value in zip(parts[1::2], parts[2::2], strict=True):
            names = self.words.fields_of(typed, known)
            if len(names) > 1:
                raise self._ambiguous(typed, ", ".join(map(self.words.field, names)))
            if not names:
                allowed = ", ".join(map(self.words.field, known))
                raise self._wrong("field", text=repr(typed[:20]), allowed=allowed)
            [name] = names
            if name in fields:
                raise self._wrong("field-twice", field=self.words.field(name))
            fields[name] = value.strip()
        return fields

    def _round(self, text: str, old: Round | None) -> Round:
        """A round from `name=value` fields; what is not named stays as it was, and a new round is complete."""
        fields, setup = self._fields(text), self.sheet.setup
        made: Round
        if "scores" in fields:
            if len(fields) > 1:
                raise self._wrong("alone", field=self.words.field("scores"))
            made = PlainRound(self._each("scores", fields["scores"]))
        elif "tops" in fields:
            made = TopsRound(self._tops(fields["tops"]))
        else:
            made = self._njet(fields, old if isinstance(old, NjetRound) else None)
        check_round(made, setup, self.texts.t("cli.sheet.new-place"), self.texts)
        problems = problems_of(self.sheet, made)
        if problems:
            told = [self._problem(problem, made) for problem in problems]
            raise UsageError(" ".join([*told, self.texts.t("terminal.score.unchanged")]))
        return made

    def _njet(self, fields: dict[str, str], old: NjetRound | None) -> NjetRound:
        players = len(self.sheet.names)
        values: dict[str, Any] = {
            "start": None, "trump": None, "super": None, "double": None,
            "side": [0] if players == 2 else [], "loot": [0] * players,
        }  # fmt: skip
        if old is not None:
            values = {name: getattr(old, name) for name in NJET}
        for name, text in fields.items():
            if name in CELLS:
                values[name] = self._cell(name, text)
            elif name in ("start", "double"):
                values[name] = None if text in NOBODY else self._seat(text)
            elif name == "side":
                values[name] = self._side(text)
            elif name == "points":
                values[name] = self._points(text)
            else:
                values[name] = self._each(name, text)
        holders = double_holders(self.sheet, values["side"])
        if "double" not in fields and len(holders) == 1:  # a lone player, or nobody
            values["double"] = holders[0]
        missing = [name for name in ("points", "discard", "side", "tricks") if values.get(name, []) == []]
        if missing:
            named = ", ".join(f"{self.words.field(name)}=" for name in missing)
            raise UsageError(
                " ".join(
                    [
                        self.texts.t("sheet.missing", what=named),
                        self.texts.t("terminal.score.unchanged"),
                        self.texts.t("terminal.score.example", example=round_example(self.sheet, self.texts)),
                    ]
                )
            )
        return msgspec.convert({"kind": "njet", **values}, NjetRound)

    def _problem(self, problem: str, one: Round) -> str:
        code, _, rest = problem.partition(" ")
        values = dict(part.split("=", 1) for part in re.split(r" (?=\w+=)", rest)) if rest else {}
        if code == "tricks-sum" and isinstance(one, NjetRound):
            return str(self._wrong("tricks-sum", discard=self.words.cell("discard", one.discard), **values))
        if code == "double" and isinstance(one, NjetRound):
            holders = [self.names()[seat] for seat in double_holders(self.sheet, one.side) if seat is not None]
            if not holders:
                return str(self._wrong("no-double", field=self.words.field("double")))
            return str(self._wrong("double", field=self.words.field("double"), names=", ".join(holders)))
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

    def lines(self) -> list[str]:
        """The table as lines of text, its columns below one another."""
        rows = self.table()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return ["  ".join(f"{cell:>{room}}" for cell, room in zip(row, widths, strict=True)) for row in rows]

    def told(self) -> list[str]:
        """What the last change came to: the round with its scores, and the totals."""
        head, *rows, totals = self.table()
        shown = [totals] if self.changed is None else [rows[self.changed], totals]
        lines = [
            self.texts.t(
                "cell.in-row",
                row=self.texts.t("sheet.round.title", n=title) if row is not totals else title,
                cell=", ".join(f"{name} {score}" for name, score in zip(head[1:], scores, strict=True)),
            )
            for row in shown
            for title, *scores in [row]
        ]
        return lines if self.changed is None else [self.details(self.changed), *lines]

    def how_to_add(self) -> str:
        return how_to_add(self.sheet, self.texts)

    def details(self, place: int) -> str:
        """A past round in the form in which it is typed."""
        title = self.texts.t("sheet.round.title", n=place + 1)
        fields = fields_of(self.sheet, self.sheet.rounds[place], self.texts)
        return self.texts.t("cell.in-row", row=title, cell=fields)

    def status(self) -> str:
        """Who has won, or which round comes next; and the totals of teams."""
        setup, n, t = self.sheet.setup, len(self.sheet.rounds) + 1, self.texts.t
        if is_over(self.sheet):
            names = self.names()
            text = t("sheet.won", who=self.texts.listed(names[seat] for seat in winners_of(self.sheet)))
        elif setup.options.target:
            text = f"{t('sheet.round.next', n=n)} · {t('sheet.to', n=setup.options.target)}"
        else:
            text = t("sheet.round.next-of", n=n, all=setup.options.rounds)
        return " · ".join([text, *self._teams()])

    def _teams(self) -> list[str]:
        """Who is in each team, and its total."""
        totals, names, t = totals_of(self.sheet), self.names(), self.texts.t
        told = []
        for number, seats in enumerate(self.sheet.setup.teams or [], 1):
            row = f"{t('sheet.team-total', n=number)} ({self.texts.listed(names[seat] for seat in seats)})"
            total = self.texts.number(sum(totals[seat] for seat in seats))
            told.append(t("cell.in-row", row=row, cell=total))
        return told
