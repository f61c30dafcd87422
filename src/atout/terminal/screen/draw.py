"""The parts of the table as styled text: board, seats, trick, piles, hand. A choice carries the action of a click.

Nothing is decided here: what may be chosen is in the view's `legal`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from atout.game import Card, View
from atout.game.view import CARD_VERBS, Played, Row
from atout.terminal.phrases import by_colour
from atout.terminal.position import sides_of
from atout.terminal.style import SYMBOLS
from atout.terminal.words import Words

INK = {
    "red": "#f0664a",
    "yellow": "#f7c520",
    "blue": "#7fa8f0",
    "green": "#6cc07b",
    "black": "#d8cdbb",
    "purple": "#c994de",
}
"""The page's colours on dark paper. The symbol and the letter say the same without colours."""
CHOSEN = "reverse bold"
SPACIOUS = 30
"""From so many lines for the veto board on, there is room between its rows."""
NAME = 12
"""Room for a name in a table."""
COVERED_BY = 6
"""Room for the name of whoever covered a cell."""
WORD = re.compile(r" *[^ ]+ *")


def fit(text: str, room: int) -> str:
    """The text cut or padded to this many columns."""
    if cell_len(text) > room:
        text = _cut(text, room - 1) + "…"
    return text + " " * (room - cell_len(text))


def _cut(text: str, room: int) -> str:
    """The beginning that has room in so many columns."""
    while cell_len(text) > room:
        text = text[:-1]
    return text


def shortened(names: Sequence[str], room: int) -> list[str]:
    """The names in so many columns each. Those that would look alike keep their ends, which tell them apart.

    >>> shortened(["Player 1", "Player 3", "Ines", "Maximilian"], 6)
    ['Play…1', 'Play…3', 'Ines', 'Maxim…']
    """
    ends = [0] * len(names)
    while True:
        short = [
            name if cell_len(name) <= room else f"{_cut(name, room - 1 - end)}…{name[len(name) - end :]}"
            for name, end in zip(names, ends, strict=True)
        ]
        meant = [{name for name, two in zip(names, short, strict=True) if two == one} for one in short]
        alike = [place for place, of in enumerate(meant) if len(of) > 1 and ends[place] < room - 2]
        if not alike:
            return short
        for place in alike:
            ends[place] += 1


def short_name(words: Words, seat: int, room: int) -> str:
    """What a seat is called where there is little room: the same for every reader but for `you`."""
    names = [words.names[one] if one != seat else words.name(seat) for one in range(len(words.names))]
    return shortened(names, room)[seat]


def wrapped(text: Text, width: int) -> Text:
    """The text with its lines ended at spaces. No-break spaces stay within a line, which Textual does not respect."""
    found: list[Text] = []
    for line in text.split("\n", allow_blank=True):
        ends, begin = [], 0
        for word in WORD.finditer(line.plain):
            if word.start() > begin and cell_len(line.plain[begin : word.end()].rstrip(" ")) > width:
                ends.append(word.start())
                begin = word.start()
        parts = line.divide(ends)
        for part in parts[:-1]:
            part.rstrip()
        found += parts
    return Text("\n", text.style, end=text.end).join(found)


def card(word: str, words: Words, style: str = "") -> Text:
    """`♥R12` in its colour, with the reader's letter for it."""
    if word == "?":
        return Text("??", "dim")
    colour = Card.parse(word).colour
    return Text(f"{SYMBOLS[colour]}{words.short_card(word)}", f"{INK[colour]} {style}".strip())


def clickable(text: Text, number: int, is_chosen: bool) -> Text:
    """A choice that a click makes; the one under the cursor is shown reversed."""
    text = text.copy()
    text.stylize(Style(meta={"choice": number}))
    if is_chosen:
        text.stylize(CHOSEN)
    return text


def legal_places(view: View) -> dict[str, int]:
    """The number of each legal action by its words after the verb."""
    return {action.split(" ", 2)[2]: number for number, action in enumerate(view["legal"])}


# -------------------------------------------------------------------- the board


def board(view: View, words: Words, cursor: int, width: int, height: int) -> Text:
    """The rows of the veto board: free cells, and covered ones with the name of the player who covered them.

    With more than `SPACIOUS` lines there is an empty one between rows; with too few, titles and cells share lines.
    """
    places, rows = legal_places(view), view["board"] or []
    text = Text("\n").join(_row(row, words, places, cursor, width, "\n  ") for row in rows)
    if height > SPACIOUS:
        return Text("\n\n").join(_row(row, words, places, cursor, width, "\n  ") for row in rows)
    if len(text.plain.splitlines()) > height:
        return Text("\n").join(_row(row, words, places, cursor, width, "  ") for row in rows)
    return text


def _row(row: Row, words: Words, places: dict[str, int], cursor: int, width: int, after_title: str) -> Text:
    settled = sum(cell["free"] for cell in row["cells"]) == 1
    title = Text(words.t(f"row.{row['row']}"), "bold")
    if settled:
        title.append(f"  {words.t('row.decided')}", "dim")
    line, gap = Text.assemble(title, after_title), ""
    used = 2 if "\n" in after_title else title.cell_len + 2
    for cell in row["cells"]:
        label = words.cell(row["row"], cell["word"])
        place = places.get(f"{row['row']} {cell['word']}")
        part = _cell(label, cell["word"], cell["free"], settled)
        if cell["by"] is not None:
            part.append(f" ×{short_name(words, cell['by'], COVERED_BY)}", "dim")
        if place is not None:
            part = clickable(part, place, place == cursor)
        if used + len(gap) + part.cell_len > width:
            gap, used = "\n  ", 0
        line.append(gap).append_text(part)
        used += len(gap.lstrip("\n")) + part.cell_len
        gap = "  "
    return line


def _cell(label: str, word: str, is_free: bool, settled: bool) -> Text:
    if not is_free:
        return Text(label, "dim strike")
    symbol = f"{SYMBOLS[word]} " if word in SYMBOLS else ""
    style = INK.get(word, "") + (" bold underline" if settled else "")
    return Text(f"[{symbol}{label}]", style.strip())


def conditions(view: View, words: Words, width: int) -> Text:
    """Who starts, the discard, trump, supertrump, points, on as few lines as they need; none is cut by a line's end."""
    text, used = Text(), 0
    for row, title, cell in words.conditions(view):
        held = str(dict(view["conditions"] or {}).get(row))
        symbol = f"{SYMBOLS[held]} " if held in SYMBOLS else ""
        part = Text.assemble((f"{title} ", "dim"), (f"{symbol}{cell}", f"{INK.get(held, '')} bold".strip()))
        gap = " · " if used else ""
        if used + len(gap) + part.cell_len > width:
            gap, used = "\n", 0
        text.append(gap).append_text(part)
        used += len(gap.strip("\n")) + part.cell_len
    return text


# -------------------------------------------------------------------- the table


def trick(view: View, words: Words, room: int = 0) -> Text:
    """The trick on the table; when it is empty, the last one with its winner.

    `room` is the width for cards side by side; where they do not fit, or without it, each card is a line.
    """
    if view["trick"] or not view["last_trick"]:
        return _trick(view, words, view["trick"], room)
    return last_trick(view, words, room)


def last_trick(view: View, words: Words, room: int = 0) -> Text:
    """The last trick with its winner; empty before there is one."""
    return _trick(view, words, view["last_trick"], room, is_last=True) if view["last_trick"] else Text()


def _trick(view: View, words: Words, cards: Sequence[Played], room: int, is_last: bool = False) -> Text:
    winner = view["last_winner"] if is_last else view["winning"]
    places = [
        (it["seat"], it["card"], _marks(place, it["seat"] == winner, is_last, words)) for place, it in enumerate(cards)
    ]
    if view["phase"] == "play" and not is_last and view["turn"] is not None:
        first = cards[0]["seat"] if cards else view["turn"]
        places += [((first + step) % view["players"], "", []) for step in range(len(cards), view["players"])]
    if not places:
        return Text()
    title = Text(words.t("last-trick.title" if is_last else "mat.label"), "bold")
    side_by_side = _side_by_side(places, words)
    if side_by_side[0].cell_len <= room:
        return Text("\n").join([title, *side_by_side])
    lines = [title]
    for seat, word, marks in places:
        mark = ", ".join([*marks[:1], *(mark.lower() for mark in marks[1:])])
        name = fit(short_name(words, seat, NAME), NAME)
        if word:
            lines.append(Text.assemble("  ", name, " ", card(word, words, "bold"), "  ", (mark, "dim")))
        else:
            lines.append(Text.assemble("  ", (name, "dim"), (" ·", "dim")))
    return Text("\n").join(lines)


def _marks(place: int, wins: bool, is_last: bool, words: Words) -> list[str]:
    """What is said of a card of a trick: that it was led, that it wins."""
    led = [words.t("mat.led")] if place == 0 else []
    return [*led, words.t("terminal.won" if is_last else "mat.wins")] if wins else led


def _side_by_side(places: Sequence[tuple[int, str, list[str]]], words: Words) -> list[Text]:
    """Names, cards of three lines, and marks below them, a column for each seat."""
    deep = max(len(marks) for _, _, marks in places)
    lines = [Text("  ") for _ in range(4 + deep)]
    for seat, word, marks in places:
        below = [Text(mark, "dim") for mark in [*marks, *[""] * (deep - len(marks))]]
        name = Text(fit(short_name(words, seat, NAME), NAME), "" if word else "dim")
        for line, part in zip(lines, [name, *large_card(word, words, "bold"), *below], strict=True):
            line.append_text(part).append(" " * (NAME + 2 - part.cell_len))
    return lines


def piles(view: View, words: Words, width: int, has_room: bool = False) -> Text:
    """Null & nichtig: the total and the piles of every seat, the top card bold, then the number of cards beneath it;
    with room, the values of these cards.
    """
    if not any(view["piles"] or []):
        return Text()
    lines = [Text(words.t("terminal.piles.legend.full" if has_room else "terminal.piles.legend"), "dim")]
    totals = [words.texts.number(points) for points in view["round_points"]]
    room = max(map(cell_len, totals), default=0)
    names = max((cell_len(words.name(seat)) for seat in range(view["players"])), default=0)
    for seat, own in enumerate(view["piles"] or []):
        line = Text(fit(short_name(words, seat, NAME), min(names, NAME)) + " ", "bold" if seat == words.me else "")
        line.append(f"{totals[seat]:>{room}}  ")
        used = indent = line.cell_len
        for pile in own:
            beneath = [word[1:] for word in reversed(pile[:-1])]
            shown = f" {' '.join(beneath)} " if has_room else f"+{len(beneath)}"
            part = Text.assemble(card(pile[-1], words, "bold"), (shown if beneath else "", "dim"))
            if used + part.cell_len > width and used > indent:
                line.append("\n" + " " * indent)
                used = indent
            line.append_text(part).append("  " if has_room else " ")
            used += part.cell_len + (2 if has_room else 1)
        lines.append(line)
    return Text("\n").join(lines)


def seats(view: View, words: Words, asked: Sequence[int], width: int) -> Text:
    """A line for each seat: whose turn, side, cards, tricks, loot, points of the round, total; then one per team."""
    rows = []
    sides = sides_of(view)
    ours = next((side for side in sides if words.me in side), sides[0] if sides else [])
    room = max(8, width - 25)
    loot = f"{_short(words, 'loot'):>5}" if view["loot"] is not None else ""
    rows.append(Text(f"{'':{room + 3}}{_short(words, 'tricks'):>5}{loot}{'±':>{6 if loot else 11}}{'Σ':>6}", "dim"))
    for seat in range(view["players"]):
        side = ("●" if seat in ours else "○") if sides else " "
        mark = "►" if seat in asked else " "
        double = " ×2" if view["double"] == seat else ""
        name = short_name(words, seat, room - (3 if view["double"] is not None else 0)) + double
        loot = f"{view['loot'][seat]:>5}" if view["loot"] is not None else ""
        points, total = (words.texts.number(n) for n in (view["round_points"][seat], view["totals"][seat]))
        figures = f"{view['tricks'][seat]:>5}{loot}{points:>{6 if loot else 11}}{total:>6}"
        style = "bold" if seat == words.me else ""
        rows.append(Text.assemble((f"{mark}{side} ", "bold"), (fit(name, room), style), figures))
    for index, team in enumerate(view["teams"] or []):
        points, total = (words.texts.number(n) for n in (team["round_points"], team["total"]))
        rows.append(
            Text(f" {_mark(view, words, index)} {fit(words.side(view, index), room + 5)}{points:>11}{total:>6}")
        )
    return Text("\n").join(rows)


def _mark(view: View, words: Words, team: int) -> str:
    """The sign of a team of the match: as that of its seats."""
    is_first = team == 0 if words.me is None else words.me in (view["teams"] or [])[team]["seats"]
    return "●" if is_first else "○"


def _short(words: Words, what: str) -> str:
    return words.t(f"terminal.{what}")


def hand(view: View, words: Words, cursor: int, width: int, has_room: bool = False) -> Text:
    """The hand, colour by colour; what may not be chosen is dim. With room, as cards of three lines."""
    places = legal_places(view) if view["legal"] and view["legal"][0].split(" ")[1] in CARD_VERBS else {}
    lines, used, last = [Text() for _ in range(3 if has_room else 1)], 0, ""
    rows = [lines]
    for word in view["hand"]:
        colour, place = Card.parse(word).colour, places.get(word)
        style = "bold" if place is not None else "dim" if places else ""
        parts = large_card(word, words, style) if has_room else [card(word, words, style)]
        if place is not None:
            parts = [clickable(part, place, place == cursor) for part in parts]
            cursor = -1 if place == cursor else cursor  # of two equal cards one is under the cursor
        gap = "  " if last and last != colour else " " if last and not has_room else ""
        if used + parts[0].cell_len + len(gap) > width:
            lines, used, gap = [Text() for _ in parts], 0, ""
            rows.append(lines)
        for line, part in zip(lines, parts, strict=True):
            line.append(gap).append_text(part)
        used, last = used + parts[0].cell_len + len(gap), colour
    return Text("\n").join(line for row in rows for line in row)


def large_card(word: str, words: Words, style: str = "") -> list[Text]:
    """A card as three lines, of six columns where every colour has one letter; without a word, an empty place."""
    room = 3 + max(len(words.letter(colour)) for colour in SYMBOLS)
    if not word:
        return [Text(line, "dim") for line in (f"╭{'╌' * room}╮", f"╎{' ' * room}╎", f"╰{'╌' * room}╯")]
    face = card(word, words)
    style = f"{face.style} {style}".strip()
    return [Text(line, style) for line in (f"╭{'─' * room}╮", f"│{fit(face.plain, room)}│", f"╰{'─' * room}╯")]


def scores(view: View, words: Words, width: int) -> Text:
    """The score of every round and the totals, a column for each seat; the totals of teams on a line of their own."""
    players, number = view["players"], words.texts.number
    room = min(10, (width - 6) // players)
    names = "".join(f"{short_name(words, seat, room - 1):>{room}}" for seat in range(players))
    text = Text.assemble((f"{'':6}{names}\n", "dim"))
    for place, past in enumerate(view["past"], 1):
        text.append(f"{place:>4}  " + "".join(f"{number(n):>{room}}" for n in past["scores"]) + "\n")
    text.append(f"{'Σ':>4}  " + "".join(f"{number(n):>{room}}" for n in view["totals"]), "bold")
    teams = [
        f"{_mark(view, words, index)} {words.side(view, index)} {number(team['total'])}"
        for index, team in enumerate(view["teams"] or [])
    ]
    return text.append(f"\n{'':6}{' · '.join(teams)}", "bold") if teams else text


def compact(cards: Sequence[str], words: Words) -> Text:
    """Several hands on one screen: the symbol of a colour once, then its values."""
    groups = []
    for colour, group in by_colour(cards).items():
        values = " ".join(word[1:] for word in group)
        groups.append(Text(f"{SYMBOLS[colour]}{words.letter(colour)} {values}", INK[colour]))
    return Text("   ").join(groups)


def choices(view: View, words: Words, cursor: int) -> Text:
    """Sides and holders of the ×2 card, a line for each."""
    lines = [
        clickable(Text(f" {number + 1}. {words.button(action)} "), number, number == cursor)
        for number, action in enumerate(view["legal"])
    ]
    return Text("\n").join(lines)


def given(view: View, words: Words) -> Text:
    """What the reader gave away and received this round."""
    parts = []
    is_laid = view["conditions"] is None and view["phase"] != "lay"  # it lies on the piles now
    if view["chosen"] and not is_laid:
        conditions = view["conditions"]
        is_pass = conditions is not None and conditions["discard"].startswith("pass-")
        key = "chosen.lay" if conditions is None else "chosen.passed" if is_pass else "chosen.discarded"
        chosen = Text(" ").join(card(word, words) for word in view["chosen"])
        parts.append(Text.assemble((f"{words.t(key)} ", "dim"), chosen))
    if view["received"]:
        received = Text(" ").join(card(word, words) for word in view["received"])
        parts.append(Text.assemble((f"{words.t('chosen.received')} ", "dim"), received))
    return Text("   ").join(parts)
