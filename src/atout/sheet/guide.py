"""What a reader of a score sheet may type: the commands with examples that fit the sheet, and a round as its fields."""

from __future__ import annotations

from atout.i18n import Texts
from atout.sheet import facts
from atout.sheet.model import NjetRound, PlainRound, Round, Sheet, TopsRound
from atout.sheet.scoring import double_holders


def fields_of(sheet: Sheet, one: Round) -> str:
    """A round in the form in which it is typed: what `edit` would have to change."""
    if isinstance(one, PlainRound):
        return f"scores={_joined(one.scores)}"
    if isinstance(one, TopsRound):
        return f"tops={', '.join(' '.join(map(str, tops)) for tops in one.tops)}"
    fields = {
        "points": str(one.points),
        "side": ",".join(_player(sheet, seat) for seat in one.side),
        "tricks": _joined(one.tricks),
        "loot": _joined(one.loot),
        "discard": one.discard,
        "double": "" if one.double is None else _player(sheet, one.double),
        "trump": one.trump or "",
        "super": one.super or "",
        "start": "" if one.start is None else _player(sheet, one.start),
    }
    return " ".join(f"{name}={value}" for name, value in fields.items() if value)


def example(sheet: Sheet) -> str:
    """A round that this sheet accepts."""
    players, edition = len(sheet.names), sheet.setup.edition
    board = edition.board
    if board is None:
        values = sorted(edition.deck.values)
        return f"add {fields_of(sheet, TopsRound([values[seat + 1 : seat + 4] for seat in range(players)]))}"
    discard = board.discard[0]
    each, rest = divmod(facts.tricks(sheet.edition, players, discard), players)
    splits = facts.splits(sheet.edition, players)
    side = list(range(splits[0]["sizes"][0])) if splits else [0]
    one = NjetRound(
        start=None,
        discard=discard,
        trump=None,
        super=None,
        points=max(board.points),
        side=side,
        double=double_holders(sheet, side)[0] if splits else None,
        tricks=[each + (seat < rest) for seat in range(players)],
        loot=[int(seat == 0) for seat in range(players)],
    )
    return f"add {fields_of(sheet, one)}"


def guide(sheet: Sheet, texts: Texts) -> list[str]:
    """The commands, with examples where they take more than their name, and the values of the fields."""
    board = sheet.setup.edition.board
    plain = _joined([10 - 4 * seat for seat in range(len(sheet.names))])
    forms = {
        "add": example(sheet),
        "edit": f"edit 2 points={board.points[1]}" if board is not None else f"edit 2 scores={plain}",
        "show": "show 2",
        "remove": "remove 2",
        "name": f"name 1 {_player(sheet, 0)}",
        "undo": "undo",
        "help": "help",
        "quit": "quit",
    }
    lines = []
    for verb, line in forms.items():
        lines.append(texts.t(f"terminal.score.help.{verb}"))
        if line != verb:
            lines.append(f"  {line}")
    lines += ["", texts.t("terminal.score.help.fields")]
    if board is None:
        return [*lines, *(f"  {texts.t(f'terminal.score.help.field.{name}')}" for name in ("tops", "scores"))]
    values = {"points": board.points, "discard": board.discard, "trump": board.trump, "super": board.super}
    lines += [f"  {name}=  {', '.join(map(str, allowed))}" for name, allowed in values.items()]
    return [*lines, *(f"  {texts.t(f'terminal.score.help.field.{name}')}" for name in ("side", "tricks", "scores"))]


def _joined(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


def _player(sheet: Sheet, seat: int) -> str:
    """A player as one may be typed: the name where it is one word and nobody else's, else the number."""
    name = sheet.names[seat]
    is_plain = name and not any(mark in name for mark in " ,=") and not name.isdecimal()
    return (
        name if is_plain and [other.casefold() for other in sheet.names].count(name.casefold()) == 1 else str(seat + 1)
    )
