"""A score sheet as data: the page's format, version 1, read with checks and written as the page writes it.

A sheet of house rules carries them in a field of its own, as a record does. The page, which knows only the published
editions, refuses such a sheet and says which editions are allowed.
"""

from __future__ import annotations

import json
import secrets
import time
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from atout.editions import PUBLISHED, Edition, from_tree, load, published, to_tree
from atout.errors import UsageError
from atout.files import IS_MATCH, replace_file
from atout.game import Setup
from atout.i18n import Texts, reader, reason_of, say

MAX_NAME = 40
MOST = 100_000


class Options(msgspec.Struct):
    length: Literal["full", "short"] | dict[Literal["target"], int]
    scoring: Literal["total", "difference"]
    teams: bool


class NjetRound(msgspec.Struct, tag_field="kind", tag="njet", kw_only=True):
    start: int | None
    discard: str
    trump: str | None
    super: str | None
    points: int
    side: list[int]
    """Seats of one of the two sides; with two players, seat 0."""
    double: int | None
    tricks: list[int]
    loot: list[int]


class TopsRound(msgspec.Struct, tag_field="kind", tag="tops"):
    tops: list[list[int]]
    """Values of the top cards of each player's piles. A colour without a pile is left out."""


class PlainRound(msgspec.Struct, tag_field="kind", tag="plain"):
    scores: list[int]


Round = NjetRound | TopsRound | PlainRound


class Sheet(msgspec.Struct, kw_only=True):
    atoutSheet: Literal[1] = 1  # noqa: N815
    id: str
    edition: str
    names: list[str]
    options: Options
    rounds: list[Round]
    created: int | float
    """Milliseconds since 1970."""
    changed: int | float
    rules: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    """House rules in full; a sheet of a published edition has no such field."""

    @property
    def setup(self) -> Setup:
        """The table as the rules know it."""
        house = self.rules is not msgspec.UNSET
        edition = _house(msgspec.json.encode(self.rules)) if house else published(self.edition)
        options: dict[str, Any] = {"length": self.options.length}
        if edition.is_njet:
            options["scoring"] = self.options.scoring
        elif self.options.teams:
            options["teams"] = True
        return Setup.of(edition, len(self.names), options)


@lru_cache(maxsize=8)
def _house(rules: bytes) -> Edition:
    """House rules from the field of a sheet, as JSON."""
    return from_tree(msgspec.json.decode(rules), "rules")


def now() -> int:
    return int(time.time() * 1000)


def new_sheet(edition: str, names: list[str], options: dict[str, Any] | None = None) -> Sheet:
    """An empty sheet of an edition, or of house rules in a file.

    A wrong edition, number of names or option is refused by the rules.
    """
    found = load(edition)
    resolved = Setup.of(found, len(names), options).options
    length = resolved.written(found, len(names)).get("length", "full")
    if isinstance(length, dict) and "rounds" in length:
        raise UsageError(
            say("cli.error.sheet.length", text=json.dumps(length), allowed='"full", "short", {"target": 30}')
        )
    made = now()
    sheet = Sheet(
        id=f"{made:x}-{secrets.token_hex(2)}",
        edition=found.id,
        names=names,
        options=Options(length, resolved.scoring, resolved.teams),
        rounds=[],
        created=made,
        changed=made,
        rules=msgspec.UNSET if found.id in PUBLISHED else to_tree(found),
    )
    check(sheet, "sheet")
    return sheet


def read_sheets(path: Path) -> list[Sheet]:
    """The sheets of a file: one, or a list of them, as the page exports them. A device is not read: it has no end."""
    try:
        if path.is_char_device() or path.is_block_device():
            raise UsageError(say("cli.error.no-file", path=path))
        raw = path.read_bytes()
        if IS_MATCH.match(raw):
            raise UsageError(say("cli.error.is-match", path=path))
        data = json.loads(raw.decode())
    except OSError as error:
        raise UsageError(say("cli.error.read", path=path, reason=reason_of(error))) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(say("cli.error.sheet.json", path=path, reason=error)) from None
    try:
        sheets = [msgspec.convert(one, Sheet) for one in (data if isinstance(data, list) else [data])]
    except msgspec.ValidationError as error:
        raise UsageError(say("cli.error.sheet.file", path=path, reason=error)) from None
    if not sheets:
        raise UsageError(say("cli.error.sheet.file", path=path, reason=say("cli.error.sheet.empty")))
    for sheet in sheets:
        check(sheet, str(path))
    return sheets


def write_sheet(path: Path, sheets: list[Sheet]) -> None:
    """Replace the file by these sheets."""
    try:
        replace_file(path, written(sheets))
    except OSError as error:
        raise UsageError(say("cli.error.write", path=path, reason=reason_of(error))) from None


def written(sheets: list[Sheet]) -> bytes:
    """One sheet as an object, several as a list."""
    data = [msgspec.to_builtins(sheet) for sheet in sheets]
    return json.dumps(data[0] if len(data) == 1 else data, ensure_ascii=False, indent=1).encode()


def check(sheet: Sheet, source: str) -> None:
    """Refuse what the page would refuse: seats, cells and numbers that do not exist."""
    texts = reader()

    def need(ok: bool, place: str, allowed: str) -> None:
        if not ok:
            raise _wrong(source, place, allowed, texts)

    need(sheet.edition in PUBLISHED or sheet.rules is not msgspec.UNSET, "edition", ", ".join(PUBLISHED))
    setup = sheet.setup  # checks players and options, and house rules
    need(sheet.edition == setup.edition.id, "edition", setup.edition.id)
    need(all(len(name) <= MAX_NAME for name in sheet.names), "names", texts.t("cli.sheet.letters", n=MAX_NAME))
    for number, one in enumerate(sheet.rounds, 1):
        place = texts.t("cell.in-row", row=source, cell=texts.t("cli.sheet.place", n=number))
        check_round(one, setup, place, texts)


def _wrong(source: str, place: str, allowed: str, texts: Texts) -> UsageError:
    where = texts.t("cell.in-row", row=source, cell=place)
    return UsageError(texts.t("cli.error.sheet.value", place=where, allowed=allowed))


def check_round(one: Round, setup: Setup, source: str, texts: Texts) -> None:
    """As `check`, for one round."""
    players, board, t = setup.players, setup.edition.board, texts.t

    def need(ok: bool, place: str, allowed: str) -> None:
        if not ok:
            raise _wrong(source, place, allowed, texts)

    each, seated = t("cli.sheet.each", n=players), t("cli.sheet.range", first=0, last=players - 1)
    if isinstance(one, PlainRound):
        need(len(one.scores) == players and all(abs(n) <= MOST for n in one.scores), "scores", each)
    elif isinstance(one, TopsRound):
        need(board is None, "kind", "njet, plain")
        need(len(one.tops) == players, "tops", t("cli.sheet.lists", n=players))
        values, colours = set(setup.edition.deck.values), len(setup.edition.deck.colours)
        for tops in one.tops:
            need(len(tops) <= colours, "tops", t("cli.sheet.most-cards", n=colours))
            need(set(tops) <= values, "tops", t("cli.sheet.values", values=", ".join(map(str, sorted(values)))))
    else:
        need(board is not None, "kind", "tops, plain")
        assert board is not None
        seats = set(range(players))
        need(one.start is None or one.start in seats, "start", seated)
        need(one.discard in board.discard, "discard", ", ".join(board.discard))
        need(one.trump is None or one.trump in board.trump, "trump", ", ".join(board.trump))
        need(one.super is None or one.super in board.super, "super", ", ".join(board.super))
        need(one.points in board.points, "points", ", ".join(map(str, board.points)))
        need(set(one.side) <= seats, "side", seated)
        need(len(set(one.side)) == len(one.side), "side", t("cli.sheet.once"))
        need(one.double is None or one.double in seats, "double", seated)
        for name in ("tricks", "loot"):
            counts = getattr(one, name)
            need(len(counts) == players and all(0 <= n < 256 for n in counts), name, each)
