"""Reasons: the parts of a gain add up, every number is true of the worlds it came from, two sentences at most."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from atout.bots.bot import Reason
from atout.game import Game
from atout.game.notation import notation_of
from atout.rules.arrays import plain
from atout.rules.layout import DISCARD, LAY, PLAY, STATE, TEAM, VETO
from atout.rules.scoring import lane
from atout.search.gain import gain
from atout.study.effort import LADDER
from atout.study.evaluator import Evaluator
from atout.study.positions import Position
from atout.study.reasons import Contrast, cell_worths, contrast, reasons, traces
from atout.terminal.reasons import WORDS, in_words
from atout.terminal.study_reasons import STUDY_WORDS

from .rounds import positions, round_record

WORLDS = 12
PLACES = [
    ("niet-2015", 4, VETO, 12),
    ("niet-2015", 4, TEAM, 0),
    ("njet-1997", 3, DISCARD, 0),
    ("niet-2015", 4, PLAY, 3),
    ("niet-2015", 4, PLAY, 30),
    ("nichtig", 3, LAY, 2),
    ("nichtig", 3, PLAY, 6),
]


def contrasts(position: Position) -> list[Contrast]:
    """The best action against some others, each in the same worlds."""
    evaluator, knowledge = Evaluator.of(position.knowledge()), position.knowledge()
    judged = evaluator.judge(knowledge, LADDER[0])
    return [
        contrast(evaluator, knowledge, judged.sample, judged.best, other, judged.found_by, judged.known, WORLDS)
        for other in judged.ranking[1:4]
    ]


@pytest.fixture(scope="module", params=PLACES, ids=lambda place: f"{place[0]}-{place[2]}-{place[3]}")
def told(request: pytest.FixtureRequest) -> list[Contrast]:
    edition, players, phase, number = request.param
    found = positions(round_record(edition, players), phase)
    return contrasts(found[min(number, len(found) - 1)])


def test_parts_add_up_to_the_gain(told: list[Contrast]) -> None:
    for one in told:
        knowledge = one.knowledge
        if knowledge.state.phase in (VETO, TEAM):
            continue
        setup, seat = knowledge.setup, knowledge.fact.seat
        for some, values in zip(traces(one), one.values, strict=True):
            for i, (trace, value) in enumerate(zip(some, values, strict=True)):
                before = plain(one.worlds.states[i], STATE)
                already = gain(_points_so_far(one, before, one.states[0, i]), setup, seat)
                assert sum(trace.parts.values()) == pytest.approx(value - already, abs=1e-9)


def _points_so_far(one: Contrast, before, end) -> list[float]:  # type: ignore[no-untyped-def]
    """What the seats had won before the decision."""
    setup, last = one.knowledge.setup, plain(end, STATE)
    if not setup.edition.is_njet:
        return [float(sum(max(lane(word, c) - 1, 0) for c in range(5))) for word in before.tops[: setup.players]]
    haul = [
        (lane(before.tricks, i) + lane(before.loot, i)) * last.points * (2 if i == last.doubler else 1)
        for i in range(setup.players)
    ]
    return [
        float(sum(haul[j] for j in range(setup.players) if (last.side >> i) & 1 == (last.side >> j) & 1))
        for i in range(setup.players)
    ]


def test_numbers_are_true_of_the_worlds(told: list[Contrast]) -> None:
    """Every number again, from the logs of the play-outs, by a game that replays them."""
    for one in told:
        for reason in reasons(one):
            check_numbers(one, reason)


def test_reasons_favour_the_better_action_in_two_sentences_at_most(told: list[Contrast]) -> None:
    for one in told:
        found = reasons(one)
        assert 1 <= len(found) <= 2
        text = " ".join(in_words(reason) for reason in found)
        assert len(re.findall(r"[.](?= |$)", text)) <= 2, text
        assert "{" not in text
        if one.lead <= 0:
            assert found[0].code == "found-by"


def test_every_code_has_words() -> None:
    assert STUDY_WORDS.items() <= WORDS.items()


def test_words_of_a_cell() -> None:
    numbers = {"gain_if": 6.2, "gain_else": -3.1, "best_share": 78, "other_share": 0}
    told = Reason(
        "cell", {"best": "veto points -2", "other": "veto trump red", "row": "points", "cell": "4", **numbers}
    )
    assert in_words(told) == (
        "If 4 points stays, your gain is +6.2 on average, otherwise −3.1. "
        "It stays in 78 of 100 likely rounds after covering −2 points, in 0 after trump red."
    )


# ------------------------------------------------------------------ the numbers once more


def check_numbers(one: Contrast, reason: Reason) -> None:
    again = _again(one, reason)
    assert {name for name, value in reason.parameters.items() if not isinstance(value, str)} <= {
        *again,
        "best_seat",
        "other_seat",
    }
    for name, value in again.items():
        assert reason.parameters[name] == pytest.approx(value), (reason, name)


def _again(one: Contrast, reason: Reason) -> dict[str, float]:
    """The numbers of a reason, computed in another way."""
    code = reason.code
    if code == "found-by":
        shares = (one.found_by[one.better], one.found_by[one.other])
        return {"best_share": round(100 * shares[0]), "other_share": round(100 * shares[1])}
    if code == "cell":
        return _cell_again(one, reason)
    if code == "side":
        return {"best_gain": one.gains[0], "other_gain": one.gains[1]}
    if code == "partner-trumps":
        return {
            f"{who}_n": round(_mean(_trumps(one, i, reason.parameters[f"{who}_seat"]) for i in _worlds(one)), 1)
            for who in ("best", "other")
        }
    if code == "double":
        seats = reason.parameters["best_seat"], reason.parameters["other_seat"]
        hauls = [_mean(_hauled(one, i, j, seat) for j in _worlds(one)) for i, seat in enumerate(seats)]
        return {"best_n": round(hauls[0], 1), "other_n": round(hauls[1], 1)}
    both = [[_followed(one, i, j) for j in _worlds(one)] for i in range(2)]
    numbers = {}
    for who, some in zip(("best", "other"), both, strict=True):
        for name in (f"{who}_n", f"{who}_share"):
            if name in reason.parameters:
                mean = _mean(followed[code] for followed in some)
                numbers[name] = round(mean, 1) if name.endswith("_n") else round(100 * mean)
    return numbers


def _worlds(one: Contrast) -> range:
    return range(len(one.worlds.states))


def _hauled(one: Contrast, i: int, j: int, seat: int) -> int:
    """Tricks and captured 1s of a seat at the end of a play-out, as the record of the round has them."""
    past = _replayed(one, i, j).view(None)["past"][0]
    return int(past["tricks"][seat] + past["loot"][seat])


def _mean(numbers) -> float:  # type: ignore[no-untyped-def]
    return float(np.mean(list(numbers)))


def _cell_again(one: Contrast, reason: Reason) -> dict[str, float]:
    row, cell = reason.parameters["row"], reason.parameters["cell"]
    stays = np.zeros((2, len(_worlds(one))), dtype=bool)
    for i in range(2):
        for j in _worlds(one):
            conditions: Any = _replayed(one, i, j).view(None)["conditions"] or {}
            stays[i, j] = str(conditions[row]) == cell
    shares = stays.mean(1)
    likelier = int(shares[1] > shares[0])
    assert (row, cell) in [(it.row, it.cell) for it in cell_worths(one)]
    return {
        "best_share": round(100 * shares[0]),
        "other_share": round(100 * shares[1]),
        "gain_if": _gain_where(one, likelier, stays[likelier]),
        "gain_else": _gain_where(one, 1 - likelier, ~stays[1 - likelier]),
    }


def _gain_where(one: Contrast, i: int, here: NDArray[np.bool_]) -> float:
    """After an action, where something holds; what the action is worth, if it always does."""
    return one.gains[i] if here.all() else round(float(one.values[i][here].mean()), 1)


def _replayed(one: Contrast, i: int, j: int) -> Game:
    """The game of a play-out, played again from its deal by the public interface."""
    return _game(one, i, j)[-1][1]


def _game(one: Contrast, i: int, j: int) -> list[tuple[str, Game]]:
    """The actions of a play-out from the decision on, each with the game after it."""
    from atout.knowledge import entries as knowledge_entries

    setup, length = one.knowledge.setup, len(one.knowledge.log)
    dealt = one.worlds.states[j].copy()
    knowledge_entries.rewind(dealt, setup.rules, one.worlds.logs[j], length)
    d, notation = plain(dealt, STATE), notation_of(setup)
    hands = [" ".join(notation.cards_of(d.hand[seat], d.spare[seat])) for seat in range(setup.players)]
    game = Game.new(
        setup.edition.id, setup.players, 0, setup.options.written(setup.edition, setup.players),
        d.dealer, lambda _: hands, auto_deal=False,
    )  # fmt: skip
    game.deal()
    found = []
    for at, entry in enumerate(one.logs[i, j].tolist()):
        if game.is_round_over or (entry == 0 and at >= length and not _is_legal(game, notation.text_of.get(entry))):
            break
        game.play(notation.text_of[entry])
        if at >= length:
            found.append((notation.text_of[entry], game.copy()))
    return found


def _is_legal(game: Game, word: str | None) -> bool:
    return word in [str(action) for action in game.legal()]


def _trumps(one: Contrast, j: int, seat: int) -> int:
    s = plain(one.worlds.states[j], STATE)
    cards = notation_of(one.knowledge.setup).cards_of(s.hand[seat], s.spare[seat])
    names = notation_of(one.knowledge.setup).cards
    return sum((s.trumps | s.supers) >> names.index(card) & 1 for card in cards)


def _followed(one: Contrast, i: int, j: int) -> dict[str, float]:
    """Counts of a play-out from the views of a spectator, by the code of the reason that tells them."""
    seat, setup = one.knowledge.fact.seat, one.knowledge.setup
    steps, kept = _game(one, i, j), notation_of(setup).cards[(one.other, one.better)[i]] if one.other < 60 else ""
    first = steps[0][1].view(None)
    start = _before(one, j)
    mates = next((side for side in first["sides"] or [] if seat in side), [seat])
    found = dict.fromkeys(("tricks", "won", "lost", "own-piles", "their-piles"), 0.0)
    counts = {f"{name}-{when}": 0.0 for name in found for when in ("now", "later")}
    counts |= {"leads-next": 0.0, "kept-wins": 0.0, "draws-trumps": 0.0}
    last, trick, done = start, [], 0
    is_now = one.knowledge.state.phase == PLAY
    trick = [] if not is_now else [it["card"] for it in start["view"]["trick"]]
    players = [it["seat"] for it in start["view"]["trick"]] if is_now else []
    for word, game in steps:
        view = game.view(None)
        if word.split()[1] == "play":
            trick.append(word.split()[2])
            players.append(int(word.split()[0]))
        now = _sums(view, setup.players)
        if sum(now["tricks"]) != sum(last["tricks"]):
            winner = next(s for s in range(setup.players) if now["tricks"][s] != last["tricks"][s])
            when = "now" if is_now and done == 0 else "later"
            if when == "now":
                counts["leads-next"] = float(winner in mates)
                state = plain(one.worlds.states[j], STATE)
                names = notation_of(setup).cards
                counts["draws-trumps"] = float(
                    sum(
                        (state.trumps | state.supers) >> names.index(card) & 1
                        for card, who in zip(trick, players, strict=True)
                        if who not in mates
                    )
                )
            elif winner == seat and trick[players.index(seat)] == kept:
                counts["kept-wins"] = 1.0
            for other in range(setup.players):
                ours = other in mates
                counts[f"tricks-{when}"] += ours * (now["tricks"][other] - last["tricks"][other])
                counts[f"{'won' if ours else 'lost'}-{when}"] += now["loot"][other] - last["loot"][other]
            trick, players, done = [], [], done + 1
            change = [now["points"][s] - last["points"][s] for s in range(setup.players)]
            if setup.edition.is_njet is False:
                counts[f"own-piles-{when}"] += change[seat]
                counts[f"their-piles-{when}"] += (sum(change) - change[seat]) / (setup.players - 1)
            last = now
    if one.knowledge.state.phase == LAY:
        begun, end = start["points"], last["points"]
        change = [end[s] - begun[s] for s in range(setup.players)]
        counts["own-piles-later"] = change[seat]
        counts["their-piles-later"] = (sum(change) - change[seat]) / (setup.players - 1)
    return counts


def _before(one: Contrast, j: int):  # type: ignore[no-untyped-def]
    """The sums before the decision, and the view of the trick on the table."""
    s = plain(one.worlds.states[j], STATE)
    players = range(one.knowledge.setup.players)
    on_table = []
    for k in range(s.played):
        who = (s.turn - s.played + k) % len(players)
        on_table.append({"seat": who, "card": notation_of(one.knowledge.setup).cards[s.trick[who]]})
    return {
        "tricks": [lane(s.tricks, i) for i in players],
        "loot": [lane(s.loot, i) for i in players],
        "points": [sum(max(lane(s.tops[i], c) - 1, 0) for c in range(5)) for i in players],
        "view": {"trick": on_table},
    }


def _sums(view, players: int):  # type: ignore[no-untyped-def]
    piles = view["piles"] or [[] for _ in range(players)]
    return {
        "tricks": view["tricks"],
        "loot": view["loot"] or [0] * players,
        "points": [sum(int(pile[-1][1:]) for pile in own) for own in piles],
    }
