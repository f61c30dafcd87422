"""What an action led to, as lines for one reader: settled boards, teams, tricks, rounds, the match.

A `MoveOutcome` is made together with its action and holds nothing secret but the action itself. `tell` leaves out a
secret choice for everyone but its owner, so an outcome can be kept and shown later to another person at the keyboard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from atout.editions.checks import given_count
from atout.game import Action, Card, Game, View
from atout.game.view import SECRET_NAMES, Played
from atout.i18n import Texts
from atout.terminal.describe import Scene, conditions, piles, side, teams
from atout.terminal.phrases import capital
from atout.terminal.seats import Seating


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


def make_move(game: Game, action: str | Action, seating: Seating, texts: Texts | None = None) -> MoveOutcome:
    """Carry out the action and note what came of it; if it ended the round, deal the next one after that."""
    assert not game.auto_deal, "the end of a round is looked at before the next deal"
    before = Scene.of(game, None, seating, texts)
    made = game.play(action)
    after = Scene.of(game, None, seating, texts)
    trick = finished_trick(before.view, after.view)
    return MoveOutcome(made, game.phase != before.view["phase"], after, trick, _round_end(game, seating, texts))


def finished_trick(before: View, after: View) -> Trick | None:
    """The trick that the action completed, or None: some seat has one trick more than before."""
    winner = next((seat for seat, count in enumerate(after["tricks"]) if count > before["tricks"][seat]), None)
    if winner is None:
        return None
    gained = after["loot"][winner] - before["loot"][winner] if after["loot"] and before["loot"] else 0
    return Trick(after["last_trick"], winner, gained, after["tricks"][winner])


def _round_end(game: Game, seating: Seating, texts: Texts | None) -> RoundEnd | None:
    if not game.is_round_over:
        return None
    if game.is_over:
        return RoundEnd(game.winners, None)
    game.deal()
    return RoundEnd([], Scene.of(game, None, seating, texts))


def seen_outcome(
    action: Action, before: View, after: View, winners: list[int], scene_of: Callable[[View], Scene]
) -> MoveOutcome:
    """The outcome of an action from a seat's views before and after it: a server's table has no `Game` to ask."""
    ended = len(after["past"]) > len(before["past"])
    end = cast("View", {**after, **(after["last_round"] or {})}) if ended else after
    round_end = None
    if ended:
        is_over = after["phase"] == "over"
        round_end = RoundEnd(winners if is_over else [], None if is_over else scene_of(after))
    return MoveOutcome(action, end["phase"] != before["phase"], scene_of(end), finished_trick(before, end), round_end)


# ------------------------------------------------------------- as a sentence


def tell(it: MoveOutcome, viewer: int | None, previous: MoveOutcome | None = None) -> list[str]:
    """The lines about it for one reader. Several secret choices of another seat in a row have one line."""
    scene = it.scene.read_by(viewer)
    is_told = (
        previous is not None
        and it.action.verb in SECRET_NAMES
        and it.action.seat != viewer
        and (previous.action.seat, previous.action.verb) == (it.action.seat, it.action.verb)
    )
    lines = [] if is_told else [sentence(it.action, scene)]
    if it.round_end is None and it.ended_phase:
        lines += new_phase(it.action.verb, scene)
    if it.trick is not None:
        lines.append(_trick_sentence(it.trick, scene))
    if it.round_end is not None:
        lines += round_lines(it.round_end, scene)
    return lines


def sentence(action: Action, scene: Scene) -> str:
    """One sentence: who does what. The reader is called `you`."""
    words, seat = scene.words, action.seat
    if action.verb in SECRET_NAMES and seat != scene.view["seat"]:
        number = "one" if _cards_to_choose(scene) == 1 else "other"
        return scene.text(f"secret.{action.verb}.{number}", who=scene.label(seat))
    if action.verb == "veto":
        return words.say("do.veto", seat, what=words.row_and_cell(*action.words))
    if action.verb == "team":
        mates = [int(word) for word in action.words if int(word) != seat]
        return words.say("do.team", seat, names=_whom(scene, mates)) if mates else words.say("do.alone", seat)
    if action.verb == "double":
        holder = int(action.words[0])
        return (
            words.say("do.double-self", seat)
            if holder == seat
            else words.say("do.double", seat, whom=words.whom(holder))
        )
    what = scene.marked(action.words[0], "object")
    if action.verb == "play":
        return words.say("do.play", seat, what=what)
    if action.verb == "pass":
        return scene.text("do.pass", what=what, to=scene.left())
    return scene.text("do.discard", what=what) if action.verb == "discard" else scene.text("do.lay", what=what)


def _whom(scene: Scene, seats: list[int]) -> str:
    """Several seats after `with`, the reader first."""
    return scene.listed([scene.words.whom(seat) for seat in sorted(seats, key=lambda seat: seat != scene.view["seat"])])


def deed(action: Action, scene: Scene) -> str:
    """What somebody is advised to do: `play R4`."""
    if action.verb == "team":
        mates = [int(word) for word in action.words if int(word) != action.seat]
        return scene.text("deed.team", what=_whom(scene, mates)) if mates else scene.text("deed.alone")
    if action.verb == "double":
        holder = int(action.words[0])
        if holder == action.seat:
            return scene.text("deed.double-self")
        return scene.text("deed.double", what=scene.words.whom(holder))
    if action.verb == "veto":
        return scene.text("deed.veto", what=scene.words.row_and_cell(*action.words))
    return scene.text(f"deed.{action.verb}", what=scene.marked(action.words[0], "object"), to=scene.left())


def _cards_to_choose(scene: Scene) -> int:
    """How many cards each seat discards, passes or lays out in this round."""
    conditions = scene.view["conditions"]
    if conditions is not None:
        return given_count(conditions["discard"])
    return scene.edition.at(scene.view["players"]).lay


def new_phase(verb: str, scene: Scene) -> list[str]:
    """What the last action of a phase settled."""
    if verb == "veto":
        return [scene.text("board-settled"), *conditions(scene)]
    if verb in ("team", "double"):
        return teams(scene) if scene.view["phase"] != "double" else []
    if verb == "pass":
        return [scene.text("passed")]
    return piles(scene) if verb == "lay" else []


def _trick_sentence(trick: Trick, scene: Scene) -> str:
    words = scene.words
    card = scene.words.card(next(it["card"] for it in trick.cards if it["seat"] == trick.winner), "object")
    loot = ""
    if trick.loot:
        you = "you" if trick.winner == scene.view["seat"] else "name"
        loot = f" {scene.text(f'capture.{you}', cards=_loot(trick, scene))}"
    tricks = words.texts.count("count.tricks", trick.tricks)
    return "  " + capital(words.say("trick", trick.winner, card=card, loot=loot, tricks=tricks))


def _loot(trick: Trick, scene: Scene) -> str:
    """The low cards that the winner captures: those of the other side."""
    sides = scene.view["sides"] or []
    own = next((side for side in sides if trick.winner in side), [trick.winner])
    low = scene.edition.deck.low
    lows = [it["card"] for it in trick.cards if it["seat"] not in own and Card.parse(it["card"]).value == low]
    return scene.cards(lows)


def round_lines(end: RoundEnd, scene: Scene) -> list[str]:
    """The result of the round, a line for each seat and each team; then the winners of the match, or how the next round
    begins.
    """
    view = scene.view
    lines = ["", scene.text("round-over", n=view["round"])]
    for seat in range(view["players"]):
        points = scene.words.amount("points", view["round_points"][seat])
        total = scene.number(view["totals"][seat])
        result = scene.text("round-line", earned=_earned(scene, seat), points=points, total=total)
        lines.append("  " + scene.titled(capital(scene.label(seat)), result))
    for team in view["teams"] or []:
        points, total = scene.words.amount("points", team["round_points"]), scene.number(team["total"])
        result = scene.text("team-line", points=points, total=total)
        lines.append("  " + scene.titled(capital(side(scene, team["seats"])), result))
    if end.next_round is None:
        return [*lines, "", f"{scene.text('match-over')} {winners(end.winners, scene)}"]
    return [*lines, "", opening(end.next_round.read_by(view["seat"]))]


def opening(scene: Scene) -> str:
    """How a round begins."""
    return scene.words.round_begins(scene.view)


def _earned(scene: Scene, seat: int) -> str:
    view, texts = scene.view, scene.words.texts
    if view["piles"] is not None:
        return scene.text("top-cards", cards=", ".join(scene.card(pile[-1]) for pile in view["piles"][seat]))
    loot = texts.count("count.loot", (view["loot"] or [])[seat])
    return f"{texts.count('count.tricks', view['tricks'][seat])}, {loot}"


def winners(seats: list[int], scene: Scene) -> str:
    """Who won the match, and with how many points."""
    me = scene.view["seat"]
    of_teams = {seat: team["total"] for team in scene.view["teams"] or [] for seat in team["seats"]}
    totals = of_teams or dict(enumerate(scene.view["totals"]))
    best = totals[seats[0]]
    same = all(totals[seat] == best for seat in seats)
    points = f" {scene.text('with', points=scene.words.texts.count('count.points', best))}" if same else ""
    if len(seats) == 1:
        return scene.words.say("wins", seats[0], points=points)
    names = [scene.label(seat) for seat in seats if seat != me]
    if me in seats:
        return scene.text("win.you", who=scene.listed([scene.words.t("seat.you"), *names]), points=points)
    return scene.text("win.name", who=scene.listed(names), points=points)
