"""What an action led to, as lines for one reader: settled boards, teams, tricks, rounds, the match.

A `MoveOutcome` is made together with its action and holds nothing secret but the action itself. `tell` leaves out a
secret choice for everyone but its owner, so an outcome can be told later to somebody who looked away.
"""

from __future__ import annotations

from dataclasses import dataclass

from atout.editions.checks import given_count
from atout.game import Action, Card, Game, View
from atout.game.view import Played
from atout.terminal.describe import Scene, conditions, piles, side, teams
from atout.terminal.phrases import capital, cell_in_full, counted, listed, signed
from atout.terminal.seats import Seating

SECRET = {"discard": "discards {}", "pass": "chooses {} to pass", "lay": "chooses {} to lay out"}
"""What others are told, once, of a choice whose cards are its owner's secret."""
VERBS = {"veto": ("veto", "vetoes"), "team": ("play", "plays"), "double": ("give", "gives"), "play": ("play", "plays")}
OWN_SECRET = {"discard": "discard {}", "pass": "pass {} to the left", "lay": "lay out {}"}


@dataclass(frozen=True)
class Trick:
    """A finished trick and what it brought."""

    cards: list[Played]
    winner: int
    loot: int
    tricks: int
    """How many the winner has now."""


@dataclass(frozen=True)
class RoundEnd:
    """What follows a finished round: the end of the match, or the next deal."""

    winners: list[int]
    """Who won the match; empty while it goes on."""
    next_round: Scene | None
    """What a spectator sees of the next round; None when the match is over."""


@dataclass(frozen=True)
class MoveOutcome:
    """An action and its consequences."""

    action: Action
    ended_phase: bool
    scene: Scene
    """What a spectator sees after it; if it ended the round, before the next deal."""
    trick: Trick | None
    round_end: RoundEnd | None


def make_move(game: Game, action: str | Action, seating: Seating) -> MoveOutcome:
    """Carry out the action and note what came of it; if it ended the round, deal the next one after that."""
    assert not game.auto_deal, "the end of a round is looked at before the next deal"
    before = Scene.of(game, None, seating)
    made = game.play(action)
    after = Scene.of(game, None, seating)
    trick = _trick(before.view, after.view)
    return MoveOutcome(made, game.phase != before.view["phase"], after, trick, _round_end(game, seating))


def _trick(before: View, after: View) -> Trick | None:
    """The trick the action completed, if it did: somebody has one more than before."""
    winner = next((seat for seat, count in enumerate(after["tricks"]) if count > before["tricks"][seat]), None)
    if winner is None:
        return None
    gained = after["loot"][winner] - before["loot"][winner] if after["loot"] and before["loot"] else 0
    return Trick(after["last_trick"], winner, gained, after["tricks"][winner])


def _round_end(game: Game, seating: Seating) -> RoundEnd | None:
    if not game.is_round_over:
        return None
    if game.is_over:
        return RoundEnd(game.winners, None)
    game.deal()
    return RoundEnd([], Scene.of(game, None, seating))


# -------------------------------------------------------------------- telling it


def tell(it: MoveOutcome, viewer: int | None, previous: MoveOutcome | None = None) -> list[str]:
    """The lines about it for one reader; of several secret cards of somebody else, only the first is told."""
    scene = it.scene.read_by(viewer)
    is_told = (
        previous is not None
        and it.action.verb in SECRET
        and it.action.seat != viewer
        and (previous.action.seat, previous.action.verb) == (it.action.seat, it.action.verb)
    )
    lines = [] if is_told else [f"{sentence(it.action, scene)}."]
    if it.round_end is None and it.ended_phase:
        lines += _new_phase(it.action.verb, scene)
    if it.trick is not None:
        lines.append(_trick_sentence(it.trick, scene))
    if it.round_end is not None:
        lines += round_lines(it.round_end, scene)
    return lines


def sentence(action: Action, scene: Scene) -> str:
    """Who does what; `you` for the one who acts."""
    return f"{capital(scene.label(action.seat))} {deed(action, scene)}"


def deed(action: Action, scene: Scene) -> str:
    """What is done, with a verb that fits `you` for the one who acts."""
    you = action.seat == scene.view["seat"]
    if action.verb in SECRET:
        if you:
            return OWN_SECRET[action.verb].format(action.words[0])
        return SECRET[action.verb].format("a card" if _cards_to_choose(scene) == 1 else "cards")
    first, third = VERBS[action.verb]
    return f"{first if you else third} {aim(action, scene)}"


def _cards_to_choose(scene: Scene) -> int:
    """How many cards each seat discards, passes or lays out in this round."""
    conditions = scene.view["conditions"]
    if conditions is not None:
        return given_count(conditions["discard"])
    return scene.edition.at(scene.view["players"]).lay


def aim(action: Action, scene: Scene) -> str:
    """What an action is about: a cell, a side, a seat, a card."""

    def label(seat: int) -> str:
        return "yourself" if seat == action.seat == scene.view["seat"] else scene.label(seat)

    if action.verb == "veto":
        row, cell = action.words
        return cell_in_full(row, cell, label)
    if action.verb == "team":
        mates = [int(word) for word in action.words if int(word) != action.seat]
        return f"with {side(scene, mates)}" if mates else "alone"
    if action.verb == "double":
        return f"the ×2 card to {label(int(action.words[0]))}"
    return scene.marked(action.words[0])


def _new_phase(verb: str, scene: Scene) -> list[str]:
    """What the last action of a phase settled."""
    if verb == "veto":
        return ["The board is settled.", *conditions(scene)]
    if verb in ("team", "double"):
        return teams(scene) if scene.view["phase"] != "double" else []
    if verb == "pass":
        return ["The passed cards change hands."]
    return piles(scene) if verb == "lay" else []


def _trick_sentence(trick: Trick, scene: Scene) -> str:
    you = trick.winner == scene.view["seat"]
    card = next(it["card"] for it in trick.cards if it["seat"] == trick.winner)
    who, wins = capital(scene.label(trick.winner)), "win" if you else "wins"
    loot = f" and {'capture' if you else 'captures'} {_loot(trick, scene)}" if trick.loot else ""
    return f"  {who} {wins} the trick with {card}{loot}: {counted(trick.tricks, 'trick')} now."


def _loot(trick: Trick, scene: Scene) -> str:
    lows = [it["card"] for it in trick.cards if Card.parse(it["card"]).value == scene.edition.deck.low]
    if len(lows) == trick.loot or len(set(lows)) == 1:
        return listed(lows[: trick.loot])
    return f"{trick.loot} of the low cards {listed(lows)}"


def round_lines(end: RoundEnd, scene: Scene) -> list[str]:
    """The result of the round, a line for each seat; then the winners of the match, or how the next round begins."""
    view = scene.view
    labels = [capital(scene.label(seat)) for seat in range(view["players"])]
    width = max(map(len, labels)) + 1
    lines = ["", f"Round {view['round']} is over."]
    earned = [_earned(view, seat) for seat in range(len(labels))]
    room = max(map(len, earned))
    for seat, label in enumerate(labels):
        lines.append(f"  {label + ':':{width}} {earned[seat]:{room}}  {_points(view, seat)}")
    if end.next_round is None:
        return [*lines, "", f"The match is over. {_winners(end, scene)}"]
    return [*lines, "", opening(end.next_round.read_by(view["seat"]))]


def opening(scene: Scene) -> str:
    """How a round begins."""
    view = scene.view
    opener, verb = (view["leader"], "lead") if view["leader"] is not None else (view["dealer"], "deal")
    you = opener == view["seat"]
    return f"Round {view['round']} begins. {capital(scene.label(opener))} {verb if you else verb + 's'}."


def _earned(view: View, seat: int) -> str:
    if view["piles"] is not None:
        return "top cards " + " ".join(pile[-1] for pile in view["piles"][seat])
    tricks, loot = view["tricks"][seat], (view["loot"] or [])[seat]
    return f"{tricks:2} {'trick, ' if tricks == 1 else 'tricks,'} {loot:2} loot"


def _points(view: View, seat: int) -> str:
    scored, total = signed(view["round_points"][seat]), signed(view["totals"][seat])
    return f"{scored:>4} points, total {total:>4}"


def _winners(end: RoundEnd, scene: Scene) -> str:
    totals = scene.view["totals"]
    names = capital(listed(scene.label(seat) for seat in end.winners))
    wins = "wins" if len(end.winners) == 1 and names != "You" else "win"
    best = totals[end.winners[0]]
    points = f" with {counted(best, 'point')}" if all(totals[seat] == best for seat in end.winners) else ""
    cheer = " Congratulations!" if scene.view["seat"] in end.winners else ""
    return f"{names} {wins}{points}.{cheer}"
