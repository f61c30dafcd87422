"""What a reader of a score sheet may type: the commands with examples that fit the sheet, and a round as its fields."""

from __future__ import annotations

from atout.i18n import Texts
from atout.sheet import facts
from atout.sheet.model import NjetRound, PlainRound, Round, Sheet, TopsRound
from atout.sheet.scoring import double_holders
from atout.sheet.words import CELLS, NJET, VERBS, SheetWords


def words_of(sheet: Sheet, texts: Texts) -> SheetWords:
    return SheetWords(texts, sheet.setup.edition)


def fields_of(sheet: Sheet, one: Round, texts: Texts) -> str:
    """A round in the form in which it is typed: what `edit` would have to change."""
    words = words_of(sheet, texts)
    if isinstance(one, PlainRound):
        fields = {"scores": _joined(one.scores)}
    elif isinstance(one, TopsRound):
        fields = {"tops": ", ".join(" ".join(map(str, tops)) for tops in one.tops)}
    else:
        fields = _njet_fields(sheet, one, words)
    return " ".join(f"{words.field(name)}={value}" for name, value in fields.items() if value)


def _njet_fields(sheet: Sheet, one: NjetRound, words: SheetWords) -> dict[str, str]:
    fields: dict[str, str] = {}
    for name in NJET:
        value = getattr(one, name)
        if name in CELLS:
            fields[name] = words.cell(name, value) if value else ""
        elif name in ("double", "start"):
            fields[name] = "" if value is None else player(sheet, value)
        elif name == "side":
            fields[name] = ",".join(player(sheet, seat) for seat in value)
        else:
            fields[name] = _joined(value) if isinstance(value, list) else str(value)
    if len(sheet.names) == 2:  # the sides are clear
        del fields["side"]
    if len(double_holders(sheet, one.side)) == 1:  # so is the holder of the ×2 card: a lone player, or nobody
        del fields["double"]
    return fields


def needed(sheet: Sheet) -> list[str]:
    """The fields without which a new round cannot be scored."""
    if sheet.setup.edition.board is None:
        return ["tops"]
    splits = facts.splits(sheet.setup)
    has_double = any((split["double"] or 0) > 1 for split in splits)
    sides = [*(["side"] if splits else []), *(["double"] if has_double else [])]
    return ["points", "discard", *sides, "tricks"]


def round_example(sheet: Sheet, texts: Texts) -> str:
    """The fields of a round that this sheet accepts."""
    players, edition = len(sheet.names), sheet.setup.edition
    board = edition.board
    if board is None:
        values = sorted(edition.deck.values)
        return fields_of(sheet, TopsRound([values[seat + 1 : seat + 4] for seat in range(players)]), texts)
    discard = board.discard[0]
    each, rest = divmod(facts.tricks(sheet.setup, discard), players)
    splits = facts.splits(sheet.setup)
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
    return fields_of(sheet, one, texts)


def plain_example(sheet: Sheet, texts: Texts) -> str:
    """A round of which only the points are known."""
    scores = [10 - 4 * seat for seat in range(len(sheet.names))]
    return fields_of(sheet, PlainRound(scores), texts)


def how_to_add(sheet: Sheet, texts: Texts) -> str:
    """What a new round needs, with an example."""
    words = words_of(sheet, texts)
    return texts.t(
        "terminal.score.how.tops" if sheet.setup.edition.board is None else "terminal.score.how.add",
        fields=texts.listed(f"{words.field(name)}=" for name in needed(sheet)),
        loot=f"{words.field('loot')}=",
        example=f"{words.verb('add')} {round_example(sheet, texts)}",
        plain=f"{words.verb('add')} {plain_example(sheet, texts)}",
        help=words.verb("help"),
    )


def how_to_edit(sheet: Sheet, place: int, texts: Texts) -> str:
    """What may follow `edit`, with the round as it stands."""
    words = words_of(sheet, texts)
    return texts.t(
        "terminal.score.how.edit",
        n=place + 1,
        fields=fields_of(sheet, sheet.rounds[place], texts),
        example=f"{words.verb('edit')} {place + 1} {_change(sheet, texts, sheet.rounds[place])}",
    )


def _change(sheet: Sheet, texts: Texts, one: Round | None = None) -> str:
    """A field with another value than the round has."""
    board, words = sheet.setup.edition.board, words_of(sheet, texts)
    if board is None or isinstance(one, PlainRound):
        return plain_example(sheet, texts)
    points = next(n for n in board.points[1:] if not (isinstance(one, NjetRound) and one.points == n))
    return f"{words.field('points')}={points}"


def guide(sheet: Sheet, texts: Texts) -> list[str]:
    """The commands, with examples where they take more than their name, and the values of the fields."""
    words, t = words_of(sheet, texts), texts.t
    forms = {
        "add": round_example(sheet, texts),
        "edit": f"2 {_change(sheet, texts)}",
        "show": "2",
        "remove": "2",
        "name": f"1 {player(sheet, 0)}",
    }
    lines: list[str] = []
    for verb in VERBS:
        lines.append(t(f"terminal.score.help.{verb}", verb=words.verb(verb)))
        if verb in forms:
            lines.append(f"  {words.verb(verb)} {forms[verb]}")
        if verb == "add":
            lines += [*_fields(sheet, words), ""]
    return [*lines, "", t("terminal.score.help.words")]


def _fields(sheet: Sheet, words: SheetWords) -> list[str]:
    """The fields of a round and their values."""
    t, needs = words.texts.t, needed(sheet)
    lines = [t("terminal.score.help.fields")]
    for name in needs if sheet.setup.edition.board is None else [*needs, "loot"]:
        values = words.allowed(name) if name in ("points", "discard") else t(f"terminal.score.help.field.{name}")
        lines.append(_field(words, name, values))
    lines.append(_field(words, "scores", t("terminal.score.help.field.scores")))
    if sheet.setup.edition.board is None:
        return lines
    lines.append(t("terminal.score.help.optional"))
    lines += [_field(words, name, words.allowed(name)) for name in ("trump", "super")]
    return [*lines, _field(words, "start", t("terminal.score.help.field.start"))]


def _field(words: SheetWords, name: str, values: str) -> str:
    return f"  {words.field(name)}=  {values}"


def _joined(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


def player(sheet: Sheet, seat: int) -> str:
    """A player as one may be typed: the name where it is one word and nobody else's, else the number."""
    name = sheet.names[seat]
    is_plain = name and not any(mark in name for mark in " ,=") and not name.isdecimal()
    return (
        name if is_plain and [other.casefold() for other in sheet.names].count(name.casefold()) == 1 else str(seat + 1)
    )
