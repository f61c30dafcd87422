"""The situation as text in the reader's language, from what one seat may know: a `Scene` in, lines out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from atout.editions import Edition, from_tree, published
from atout.errors import AtoutError
from atout.game import Game, Knowledge, View, read_view
from atout.game.card import LETTERS
from atout.game.notation import bits_of, notation_of
from atout.game.view import Cell, Row
from atout.i18n import Texts
from atout.terminal.lines import TOGETHER
from atout.terminal.phrases import by_colour, capital, giving_sentence
from atout.terminal.position import sides_of
from atout.terminal.seats import Seating
from atout.terminal.words import PlainWords, Words, names_of

Numbers = Mapping[str, int]
"""The number of each choice, by the words after its verb."""


@dataclass(frozen=True)
class Scene:
    """A view that is to be described to one reader, with who sits where and which cards are trumps in this round."""

    view: View
    words: PlainWords
    edition: Edition
    trumps: frozenset[str]
    supertrumps: frozenset[str]
    levels: tuple[str, ...] = ()
    """By seat: the level of a bot, empty for a person."""

    @classmethod
    def of(cls, game: Game, seat: int | None, seating: Seating, texts: Texts | None = None) -> Scene:
        state, cards = game.state, game.notation.cards
        trumps, supers = (frozenset(cards[kind] for kind in bits_of(mask)) for mask in (state.trumps, state.supers))
        texts, edition = texts or Texts(), game.setup.edition
        words = PlainWords(texts, names_of(seating, texts), seat, edition.deck.low)
        levels = tuple(seating.bots[seat].name if seat in seating.bots else "" for seat in range(seating.players))
        return cls(game.view(seat), words, edition, trumps, supers, levels)

    @classmethod
    def of_view(cls, view: View, words: Words, levels: Sequence[str] = ()) -> Scene:
        """A scene from a view alone, as a server sends it. For a spectator no card is marked as trump."""
        edition = published(view["edition"]) if view["rules"] is None else from_tree(view["rules"], "view")
        trumps: frozenset[str] = frozenset()
        supers = trumps
        try:
            known: Knowledge = read_view({**view, "turn": view["seat"]})
        except AtoutError:
            pass
        else:
            cards, state = notation_of(known.setup).cards, known.state
            trumps, supers = (frozenset(cards[kind] for kind in bits_of(mask)) for mask in (state.trumps, state.supers))
        plain = PlainWords(words.texts, words.names, words.me, edition.deck.low)
        return cls({**view, "seat": words.me}, plain, edition, trumps, supers, tuple(levels))

    def read_by(self, seat: int | None) -> Scene:
        """The same view, described to the person at another seat, who is called `you`."""
        return replace(self, view={**self.view, "seat": seat}, words=replace(self.words, me=seat))

    def text(self, key: str, **values: object) -> str:
        """A text of the plain mode."""
        return self.words.plain(key, **values)

    def label(self, seat: int) -> str:
        """What a seat is called for the reader."""
        return self.words.name(seat).replace(" ", TOGETHER)

    def left(self) -> str:
        """Who gets what the reader passes."""
        return self.label(((self.view["seat"] or 0) + 1) % self.view["players"])

    def listed(self, items: Sequence[str]) -> str:
        return self.words.texts.listed(items)

    def in_turn(self, parts: Sequence[str]) -> str:
        """Parts of a sentence with semicolons between them, as the language spaces them."""
        return reduce(lambda first, following: self.text("then", first=first, next=following), parts)

    def number(self, number: int) -> str:
        return self.words.texts.number(number)

    def card(self, card: str) -> str:
        return self.words.card(card).replace(" ", TOGETHER)

    def cards(self, cards: Sequence[str]) -> str:
        """Several cards after a verb."""
        return self.listed([self.words.card(card, "object").replace(" ", TOGETHER) for card in cards])

    def marked(self, card: str, form: str = "plain") -> str:
        """A card, marked if it is a trump or supertrump."""
        text = self.words.card(card, form).replace(" ", TOGETHER)
        if card in self.supertrumps:
            return f"{text}{TOGETHER}({self.text('supertrump')})"
        return f"{text}{TOGETHER}({self.text('trump')})" if card in self.trumps else text

    def in_hand(self, card: str) -> str:
        """A card within its colour; the heading of the colour says whether it is trump."""
        return self.marked(card) if card in self.supertrumps else self.card(card)

    def titled(self, title: str, text: str) -> str:
        """`title: text`, with the space that the language has before a colon."""
        return self.words.t("cell.in-row", row=title, cell=text)


def situation(scene: Scene) -> list[str]:
    """Everything the seat may know, from the round down to the scores."""
    view = scene.view
    lines = [heading(scene)]
    if view["board"] is not None:
        lines += [scene.text("board"), *board(scene)]
    lines += [*conditions(scene), *teams(scene), *hand(scene), *own_choice(scene)]
    if view["phase"] == "play":
        lines += [*current_trick(scene), *last_trick(scene)]
        lines += [*won(scene), *round_points(scene)]
    return [*lines, *piles(scene), *scores(scene)]


def part(scene: Scene, name: str) -> list[str]:
    """One part of the situation, by the name of its command (`guide.PARTS`)."""
    view = scene.view
    if name == "hand":
        return [*hand(scene), *own_choice(scene)] or [scene.text("no-cards")]
    if name == "last":
        return [*current_trick(scene), *last_trick(scene)] or [scene.words.t("last-trick.none")]
    if name == "scores":
        counts = [*won(scene), *round_points(scene)] if view["phase"] == "play" else []
        return [*counts, *scores(scene)]
    if view["board"] is None:
        return piles(scene) or [scene.text("piles-none")]
    return [scene.text("board"), *board(scene), *conditions(scene), *teams(scene)]


def heading(scene: Scene) -> str:
    view, words = scene.view, scene.words
    is_between = view["phase"] in ("deal", "over")
    phase = words.t(f"{'terminal.plain.' if is_between else ''}phase.{view['phase']}")
    if view["target"]:
        parts = [scene.text("round-to", n=view["round"], all=view["target"], phase=phase)]
    elif view["rounds"]:
        parts = [scene.text("round-of", n=view["round"], all=view["rounds"], phase=phase)]
    else:
        parts = [scene.text("round", n=view["round"], phase=phase)]
    if view["board"] is not None:
        parts.append(words.say("dealt", view["dealer"]))
    if view["turn"] is not None:
        parts.append(words.say("turn", view["turn"]))
    return " ".join(parts)


def board(scene: Scene, numbers: Numbers | None = None) -> list[str]:
    """Row by row what is free, with its number where it may be chosen, and who covered the rest."""
    return ["  " + _row(scene, row, numbers or {}) for row in scene.view["board"] or []]


def _row(scene: Scene, row: Row, numbers: Numbers) -> str:
    name = row["row"]
    free = [cell["word"] for cell in row["cells"] if cell["free"]]
    cells = [_cell(scene, name, word, numbers.get(f"{name} {word}")) for word in free]
    if len(free) == 1:
        cells.append(scene.text("settled"))
    text = scene.titled(scene.words.row(name), ", ".join(cells)) + "."
    covered = [
        scene.text("by", what=_cell(scene, name, cell["word"]), whom=_by(scene, name, cell)).replace(" ", TOGETHER)
        for cell in row["cells"]
        if cell["by"] is not None
    ]
    return text + (f" {scene.text('covered', cells=', '.join(covered))}" if covered else "")


def _by(scene: Scene, row: str, cell: Cell) -> str:
    """Who covered a cell; a reader who covered their own as start player is named once."""
    assert cell["by"] is not None
    is_own = row == "start" and cell["word"] == str(cell["by"]) and cell["by"] == scene.view["seat"]
    return scene.text("whom-self") if is_own else scene.words.whom(cell["by"])


def _cell(scene: Scene, row: str, word: str, number: int | None = None) -> str:
    text = scene.words.cell(row, word).replace(" ", TOGETHER)
    return text if number is None else f"{number}.{TOGETHER}{text}"


def conditions(scene: Scene) -> list[str]:
    """The conditions of the round, once the vetoes are over."""
    held, words = scene.view["conditions"], scene.words
    if held is None:
        return []
    low = scene.edition.deck.low
    key = f"cell.discard.sentence.{held['discard']}"
    giving = words.t(key).rstrip(".") if words.texts.has(key) else giving_sentence(held["discard"])
    giving = giving[:1].lower() + giving[1:]
    if held["discard"].startswith("pass-") and scene.view["seat"] is not None:
        giving += f" ({scene.text('left', who=scene.left())})"
    if held["trump"] == "none":
        trump = scene.text("no-trump")
    else:
        trump = scene.text("trump-is", colour=colour_name(scene, held["trump"]))
    if held["super"] == "none":
        supers = scene.text("no-super")
    else:
        supers = scene.text("supers", colour=words.t(f"colour.{held['super']}"), low=low)
    counts = scene.text("counts", low=low, points=words.amount("points", held["points"]))
    return [
        scene.text(
            "this-round", parts=scene.in_turn([words.say("starts", held["start"]), giving, trump, supers, counts])
        )
    ]


def colour_name(scene: Scene, colour: str) -> str:
    """The name of a colour and the letter to type for it."""
    return scene.text("colour", colour=scene.words.t(f"colour.{colour}"), letter=scene.words.letter(colour))


def reminder(scene: Scene) -> list[str]:
    """The conditions in short, and who plays with the reader."""
    held, view, words = scene.view["conditions"], scene.view, scene.words
    if held is None:
        team = next((team["seats"] for team in view["teams"] or [] if view["seat"] in team["seats"]), [])
        return [scene.text("your-team", names=side(scene, team))] if team else []
    trump = words.cell("trump", held["trump"])
    supers = Words.cell(words, "super", held["super"])
    text = scene.text("reminder", trump=trump, supers=supers, points=scene.number(held["points"]))
    ours = next((seats for seats in view["sides"] or [] if view["seat"] in seats), [])
    return [f"{text} {scene.text('your-side', names=side(scene, ours))}" if len(ours) > 1 else text]


def teams(scene: Scene) -> list[str]:
    """The sides of the round, or the teams of the match."""
    sides, double = sides_of(scene.view), scene.view["double"]
    if not sides or scene.view["players"] == 2:
        return []
    ours, theirs = sorted(sides, key=lambda side: scene.view["seat"] not in side)
    lines = [scene.text("teams", ours=side(scene, ours), theirs=side(scene, theirs))]
    if double is not None:
        lines.append(capital(scene.words.say("has-double", double)))
    return [" ".join(lines)]


def side(scene: Scene, seats: Sequence[int]) -> str:
    """The names of the members of a side, the reader first."""
    return scene.listed([scene.label(seat) for seat in sorted(seats, key=lambda seat: seat != scene.view["seat"])])


def hand(scene: Scene) -> list[str]:
    cards = scene.view["hand"]
    if not cards:
        return []
    return [scene.words.amount("hand", len(cards)), *cards_by_colour(scene, cards)]


def cards_by_colour(scene: Scene, cards: Sequence[str], numbers: Numbers | None = None) -> list[str]:
    """A line for each colour, with a number before each card that has one."""
    lines = []
    for colour, group in by_colour(cards).items():
        held = scene.view["conditions"]
        trump = f", {scene.text('trump')}" if held is not None and held["trump"] == colour else ""
        words = [scene.in_hand(card) if numbers is None else _choice(scene, card, numbers[card]) for card in group]
        lines.append("  " + scene.titled(colour_name(scene, colour) + trump, ", ".join(words)))
    return lines


def _choice(scene: Scene, card: str, number: int) -> str:
    held = scene.view["hand"].count(card)
    several = f" ({scene.text('hold', n=held).replace(' ', TOGETHER)})" if held > 1 else ""
    return f"{number}.{TOGETHER}{scene.in_hand(card)}{several}"


def own_choice(scene: Scene) -> list[str]:
    """What the seat gave away and got this round; only its owner reads this."""
    view, lines = scene.view, []
    if view["chosen"] and view["conditions"] is not None:
        passed = view["conditions"]["discard"].startswith("pass-")
        cards = scene.cards(view["chosen"])
        lines.append(
            scene.text("gave.pass", cards=cards, who=scene.left())
            if passed
            else scene.text("gave.discard", cards=cards)
        )
    if view["received"]:
        right = scene.label(((view["seat"] or 0) - 1) % view["players"])
        lines.append(scene.text("received", cards=scene.cards(view["received"]), who=right))
    if view["chosen"] and view["phase"] == "lay":
        lines.append(scene.text("gave.lay", cards=scene.cards(view["chosen"])))
    return lines


def current_trick(scene: Scene) -> list[str]:
    """The trick so far: who led, what followed, who is winning it."""
    view = scene.view
    if not view["trick"]:
        return []
    plays = []
    for i, it in enumerate(view["trick"]):
        text = scene.words.say("played" if i else "led", it["seat"], card=scene.marked(it["card"], "object"))
        plays.append(f"{text}, {scene.text('winning')}" if it["seat"] == view["winning"] else text)
    return [scene.text("on-table", plays=scene.in_turn(plays))]


def last_trick(scene: Scene) -> list[str]:
    view = scene.view
    if not view["last_trick"] or view["last_winner"] is None:
        return []
    cards = ", ".join(f"{scene.label(it['seat'])} {scene.card(it['card'])}" for it in view["last_trick"])
    return [scene.text("last-trick", cards=cards, whom=scene.words.whom(view["last_winner"]))]


def won(scene: Scene) -> list[str]:
    view, texts = scene.view, scene.words.texts
    seats = []
    for seat in range(view["players"]):
        counts = texts.count("count.tricks", view["tricks"][seat])
        if view["loot"] is not None:
            counts = scene.text("and-loot", tricks=counts, loot=texts.count("count.loot", view["loot"][seat]))
        seats.append(f"{scene.label(seat)} {counts}")
    return [scene.text("won", seats=scene.in_turn(seats))]


def _each(scene: Scene, points: Sequence[int], sums: Sequence[int]) -> str:
    """The points of the seats, then the sums of the teams if there are any."""
    seats = ", ".join(f"{scene.label(seat)}{TOGETHER}{scene.number(number)}" for seat, number in enumerate(points))
    if not sums:
        return seats
    teams = zip(scene.view["teams"] or [], sums, strict=True)
    return scene.in_turn([seats, ", ".join(f"{side(scene, team['seats'])} {scene.number(n)}" for team, n in teams)])


def round_points(scene: Scene) -> list[str]:
    """What each seat, and each team, would score if the round ended now."""
    sums = [team["round_points"] for team in scene.view["teams"] or []]
    return [scene.text("round-points", seats=_each(scene, scene.view["round_points"], sums))]


def piles(scene: Scene) -> list[str]:
    """Null & nichtig: the top card of each pile first, since only it counts, and what it covers."""
    shown = scene.view["piles"] or []
    if not any(shown):
        return []
    lines = [scene.text("piles")]
    for seat, own in enumerate(shown):
        cards = ", ".join(_pile(scene, pile) for pile in own) or scene.text("no-piles")
        lines.append("  " + scene.titled(capital(scene.label(seat)), cards))
    return lines


def tops(scene: Scene) -> list[str]:
    """Null & nichtig: the top cards of every seat."""
    if not any(scene.view["piles"] or []):
        return []
    seats = [
        scene.titled(scene.label(seat), ", ".join(scene.card(pile[-1]) for pile in own) or scene.text("no-piles"))
        for seat, own in enumerate(scene.view["piles"] or [])
    ]
    return [scene.text("tops", seats=scene.in_turn(seats))]


def _pile(scene: Scene, pile: list[str]) -> str:
    covered = [scene.card(card) for card in reversed(pile[:-1])]
    return scene.card(pile[-1]) + (f" ({scene.text('on', cards=', '.join(covered))})" if covered else "")


def scores(scene: Scene) -> list[str]:
    seats = _each(scene, scene.view["totals"], [team["total"] for team in scene.view["teams"] or []])
    return [scene.text("final" if scene.view["phase"] == "over" else "before", seats=seats)]


def letters(scene: Scene) -> str:
    """How the cards of this deck are written."""
    deck, words = scene.edition.deck, scene.words
    names = [f"{words.letter(colour)}{TOGETHER}{words.t(f'colour.{colour}')}" for colour in deck.colours]
    example = f"{LETTERS[deck.colours[0]]}{deck.values[-1]}"
    return scene.text("letters", letters=", ".join(names), example=scene.card(example))
