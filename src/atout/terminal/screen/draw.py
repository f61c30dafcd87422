"""The parts of the table as styled text: board, seats, trick, piles, hand. A choice carries the action of a click.

Nothing is decided here: what may be chosen is in the view's `legal`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from atout.game import Card, View
from atout.game.view import CARD_VERBS, Row
from atout.terminal.phrases import by_colour
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
NAME = 12
"""Room for a name in a table."""


def fit(text: str, room: int) -> str:
    """The text cut or padded to this many columns."""
    if cell_len(text) > room:
        text = text[: room - 1] + "…"
    return text + " " * (room - cell_len(text))


def card(word: str, style: str = "") -> Text:
    """`♥R12` in its colour."""
    if word == "?":
        return Text("??", "dim")
    colour = Card.parse(word).colour
    return Text(f"{SYMBOLS[colour]}{word}", f"{INK[colour]} {style}".strip())


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


def board(view: View, words: Words, cursor: int, width: int, has_room: bool = False) -> Text:
    """The rows of the veto board: free cells, covered ones with who covered them; with room, an empty line between."""
    places = legal_places(view)
    return Text("\n\n" if has_room else "\n").join(
        _row(row, words, places, cursor, width) for row in view["board"] or []
    )


def _row(row: Row, words: Words, places: dict[str, int], cursor: int, width: int) -> Text:
    settled = sum(cell["free"] for cell in row["cells"]) == 1
    title = Text(words.t(f"row.{row['row']}"), "bold")
    if settled:
        title.append(f"  {words.t('row.decided')}", "dim")
    line, used = Text("  "), 2
    for cell in row["cells"]:
        label = words.cell(row["row"], cell["word"])
        place = places.get(f"{row['row']} {cell['word']}")
        part = _cell(label, cell["word"], cell["free"], settled)
        if cell["by"] is not None:
            part.append(f" ×{words.name(cell['by'])[:6]}", "dim")
        if place is not None:
            part = clickable(part, place, place == cursor)
        room = part.cell_len + 2
        if used + room > width:
            line.append("\n  ")
            used = 2
        line.append_text(part).append("  ")
        used += room
    return Text.assemble(title, "\n", line)


def _cell(label: str, word: str, is_free: bool, settled: bool) -> Text:
    if not is_free:
        return Text(label, "dim strike")
    symbol = f"{SYMBOLS[word]} " if word in SYMBOLS else ""
    style = INK.get(word, "") + (" bold underline" if settled else "")
    return Text(f"[{symbol}{label}]", style.strip())


def conditions(view: View, words: Words) -> Text:
    """One line: who starts, the discard, trump, supertrump, points."""
    parts = []
    for row, title, cell in words.conditions(view):
        held = str(dict(view["conditions"] or {}).get(row))
        symbol = f"{SYMBOLS[held]} " if held in SYMBOLS else ""
        parts.append(Text.assemble((f"{title} ", "dim"), (f"{symbol}{cell}", f"{INK.get(held, '')} bold".strip())))
    return Text(" · ").join(parts)


# -------------------------------------------------------------------- the table


def trick(view: View, words: Words) -> Text:
    """The trick on the table; when it is empty, the last one with its winner."""
    cards, winner, is_last = view["trick"], view["winning"], False
    if not cards and view["last_trick"]:
        cards, winner, is_last = view["last_trick"], view["last_winner"], True
    title = words.t("last-trick.title") if is_last else words.t("mat.label")
    lines = [Text(title, "bold")]
    for place, played in enumerate(cards):
        mark = words.t("mat.led") if place == 0 else ""
        if played["seat"] == winner:
            wins = words.t("terminal.won") if is_last else words.t("mat.wins")
            mark = ", ".join(filter(None, (mark, wins if not mark else wins.lower())))
        name = fit(words.name(played["seat"]), NAME)
        lines.append(Text.assemble("  ", name, " ", card(played["card"], "bold"), "  ", (mark, "dim")))
    if view["phase"] == "play" and not is_last and view["turn"] is not None:
        first = cards[0]["seat"] if cards else view["turn"]
        for step in range(len(cards), view["players"]):
            seat = (first + step) % view["players"]
            lines.append(Text.assemble("  ", (fit(words.name(seat), NAME), "dim"), (" ·", "dim")))
    return Text("\n").join(lines) if len(lines) > 1 else Text()


def piles(view: View, words: Words, width: int) -> Text:
    """Null & nichtig: the total and the piles of every seat, the top card bold, then the number of cards beneath."""
    lines = [Text(words.t("terminal.piles.legend"), "dim")] if any(view["piles"] or []) else []
    totals = [words.texts.number(points) for points in view["round_points"]]
    room = max(map(cell_len, totals), default=0)
    names = max((cell_len(words.name(seat)) for seat in range(view["players"])), default=0)
    for seat, own in enumerate(view["piles"] or []):
        line = Text(fit(words.name(seat), min(names, NAME)) + " ", "bold" if seat == words.me else "")
        line.append(f"{totals[seat]:>{room}}  ")
        used = indent = line.cell_len
        for pile in own:
            part = Text.assemble(card(pile[-1], "bold"), (f"+{len(pile) - 1}" if len(pile) > 1 else "", "dim"))
            if used + part.cell_len > width:
                line.append("\n" + " " * indent)
                used = indent
            line.append_text(part).append(" ")
            used += part.cell_len + 1
        lines.append(line)
    return Text("\n").join(lines)


def seats(view: View, words: Words, asked: Sequence[int], width: int) -> Text:
    """A line for each seat: whose turn, side, cards, tricks, loot, points of the round, total."""
    rows = []
    sides = view["sides"] or []
    ours = next((side for side in sides if words.me in side), sides[0] if sides else [])
    room = max(8, width - 25)
    loot = f"{_short(words, 'loot'):>5}" if view["loot"] is not None else ""
    rows.append(Text(f"{'':{room + 3}}{_short(words, 'tricks'):>5}{loot}{'±':>{6 if loot else 11}}{'Σ':>6}", "dim"))
    for seat in range(view["players"]):
        side = ("●" if seat in ours else "○") if sides else " "
        mark = "►" if seat in asked else " "
        name = words.name(seat) + (" ×2" if view["double"] == seat else "")
        loot = f"{view['loot'][seat]:>5}" if view["loot"] is not None else ""
        points, total = (words.texts.number(n) for n in (view["round_points"][seat], view["totals"][seat]))
        figures = f"{view['tricks'][seat]:>5}{loot}{points:>{6 if loot else 11}}{total:>6}"
        style = "bold" if seat == words.me else ""
        rows.append(Text.assemble((f"{mark}{side} ", "bold"), (fit(name, room), style), figures))
    return Text("\n").join(rows)


def _short(words: Words, what: str) -> str:
    return words.t(f"terminal.{what}")


def hand(view: View, cursor: int, width: int) -> Text:
    """The hand, colour by colour; what may not be chosen is dim."""
    places = legal_places(view) if view["legal"] and view["legal"][0].split(" ")[1] in CARD_VERBS else {}
    text, used, last = Text(), 0, ""
    for word in view["hand"]:
        colour = Card.parse(word).colour
        place = places.get(word)
        part = card(word, "bold" if place is not None else "dim" if places else "")
        if place is not None:
            part = clickable(part, place, place == cursor)
            cursor = -1 if place == cursor else cursor  # of two equal cards one is under the cursor
        gap = "  " if last and last != colour else " " if last else ""
        if used + part.cell_len + len(gap) > width:
            text.append("\n")
            used, gap = 0, ""
        text.append(gap).append_text(part)
        used, last = used + part.cell_len + len(gap), colour
    return text


def compact(cards: Sequence[str]) -> Text:
    """Several hands on one screen: the symbol of a colour once, then its values."""
    groups = []
    for colour, words in by_colour(cards).items():
        values = " ".join(word[1:] for word in words)
        groups.append(Text(f"{SYMBOLS[colour]}{words[0][0]} {values}", INK[colour]))
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
        parts.append(Text.assemble((f"{words.t(key)} ", "dim"), Text(" ").join(card(word) for word in view["chosen"])))
    if view["received"]:
        received = Text(" ").join(card(word) for word in view["received"])
        parts.append(Text.assemble((f"{words.t('chosen.received')} ", "dim"), received))
    return Text("   ").join(parts)
