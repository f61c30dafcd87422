"""What a seat saw when it decided, as HTML: its hand and the trick so far as small cards, drawn as on the page."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from atout.drawing.cards import DrawnCard, draw_card
from atout.drawing.parts import symbols
from atout.game import Card
from atout.study import Decision
from atout.terminal.position import conditions_text
from atout.terminal.review import ReviewText


class Shown(NamedTuple):
    """A card beside a decision."""

    card: str
    rank: str = ""
    """`trump`, `super`, or empty: the rows of the board that name it."""
    player: str = ""
    """Who played it to the trick; empty for the seat's own cards."""

    @property
    def drawing(self) -> str:
        """The name of its picture."""
        return f"card-{self.card}{'-super' if self.rank == 'super' else ''}"


def drawings(text: ReviewText) -> str:
    """Every card that some decision shows, drawn once; the decisions refer to them."""
    deck = text.edition.deck
    drawn: dict[str, str] = {}
    for shown in (shown for one in text.review.decisions for _, cards in _groups(text, one) for shown in cards):
        if shown.drawing not in drawn:
            colour, value = Card.parse(shown.card)
            card = DrawnCard(colour, value, max(deck.values), value == min(deck.values), shown.rank == "super")
            picture = draw_card(card, "translate(50 70)")
            drawn[shown.drawing] = f'<symbol id="{shown.drawing}" viewBox="0 0 100 140">{picture}</symbol>'
    parts = symbols().partition("</style>")[2]  # the page has its own style
    return f'<svg class="drawings" aria-hidden="true">{parts}{"".join(drawn.values())}</svg>'


def position(text: ReviewText, one: Decision) -> str:
    """The cards of a decision, group by group, and the conditions of the round."""
    view, words = text.view(one), text.words
    parts = [_group(text, one, title, cards) for title, cards in _groups(text, one)]
    if view["piles"] and any(view["piles"]):
        parts.append(_figure(text.t("tops"), escape(words.t("paper.then").join(text.tops(view)))))
    conditions = escape(conditions_text(words, view))
    return f'<div class="held">{"".join(parts)}</div>' + (f"<p><small>{conditions}</small></p>" if conditions else "")


def _groups(text: ReviewText, one: Decision) -> list[tuple[str, list[Shown]]]:
    """The hand, what was chosen for the same discard or pass before, and the trick so far, each with a title."""
    view, held = text.view(one), text.view(one)["conditions"]

    def shown(card: str, player: str = "") -> Shown:
        colour, value = Card.parse(card)
        if held is not None and held["super"] == colour and value == text.edition.deck.low:
            return Shown(card, "super", player)
        return Shown(card, "trump" if held is not None and held["trump"] == colour else "", player)

    groups = [(text.t("hand"), view["hand"]), *text.given(one)]
    found = [(title, [shown(card) for card in cards]) for title, cards in groups]
    if view["phase"] == "play":
        played = [shown(it["card"], text.words.name(it["seat"])) for it in view["trick"]]
        found.append((text.words.t("mat.label"), played))
    return found


def _group(text: ReviewText, one: Decision, title: str, cards: list[Shown]) -> str:
    if not cards:
        return _figure(title, escape(text.t("no-card")))
    words = one.action.split()
    chosen = next((i for i, it in enumerate(cards) if not it.player and it.card == words[-1]), None)
    items = "".join(_item(text, it, is_chosen=place == chosen) for place, it in enumerate(cards))
    return _figure(title, f'<ul class="cards{" trick" if cards[0].player else ""}">{items}</ul>')


def _item(text: ReviewText, shown: Shown, *, is_chosen: bool) -> str:
    """A card with the name of its player and the marks of a trump; the one that was chosen has a frame."""
    rank = f", {text.words.t(f'row.{shown.rank}')}" if shown.rank else ""
    chosen = f" ({text.t('chosen')})" if is_chosen else ""
    label = escape(text.words.card(shown.card) + rank + chosen)
    picture = f'<svg viewBox="0 0 100 140" role="img" aria-label="{label}"><use href="#{shown.drawing}"/></svg>'
    marks = {"trump": "▲", "super": "▲▲"}.get(shown.rank, "")
    below = f"<span>{escape(shown.player)}</span>" if shown.player else ""
    below += f'<span aria-hidden="true">{marks}</span>' if marks else ""
    return f"<li{' class=chosen' if is_chosen else ''}>{picture}{below}</li>"


def _figure(title: str, inside: str) -> str:
    return f"<figure><figcaption>{escape(title.rstrip(' :' + chr(0xA0)))}</figcaption>{inside}</figure>"
