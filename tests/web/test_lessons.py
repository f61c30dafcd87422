"""What the lessons recommend is good: the strongest bots say so, or the rules do.

Each stop has a judge. `learned`: the network would choose the answer itself. `lookahead`: rounds played out by the
network in worlds that fit the learner's view show no other choice to be better beyond the error of the sample. One
question is about the rules alone, which card wins for sure; there the judge is every world.
"""

from __future__ import annotations

import random

import pytest

from atout.bots import Budget, make_bot
from atout.bots.learned import Prediction, network_of, trained_at
from atout.game import Game, read_view
from atout.nets.spreads import spread_of
from atout.search.lookahead import Lookahead
from atout.search.net_rollout import TO_THE_END
from atout.study import explain
from atout.study.labels import INACCURACY
from atout.web_export.lesson_scenes import NICHTIG, NIET, SHORT
from atout.web_export.lessons import LEARNER, Script, all_scripts, lessons
from tests.depth import first

WORLDS = {"njet": 240, "nichtig": 2000}
"""By game. A few of the worlds have most of the weight, so fewer make a choice look better than it is."""
ERRORS = 2.0
"""Standard errors by which another choice may look better in a sample of worlds."""
SURE_WINNER = "niet.lead"
"""Asks for the card that wins if everyone follows, and not for the best lead of the round."""


POSITIONS: dict[str, tuple[Game, list[str]]] = {
    f"{lesson}.{stop['name']}": (game, stop["best"])
    for lesson, scripts in all_scripts()
    for script in scripts
    for stop, game in zip(script.stops, script.asked, strict=True)
}
"""Every stop: the game at the learner's turn, and the answer."""


@pytest.mark.parametrize("name", first([name for name in POSITIONS if name != SURE_WINNER], 3))
def test_the_answer_is_no_inaccuracy(name: str) -> None:
    """One card or cell: a review finds nothing that is clearly better. Several cards: the network chooses the same."""
    game, best = POSITIONS[name]
    if len(best) == 1:
        found = {one.action: one for one in explain(game.view(LEARNER), 2.0).alternatives}
        first, answer = next(iter(found.values())), found[best[0]]
        loss = first.known - answer.known
        assert loss < INACCURACY * spread_of(game.setup), f"{first.action} gains {loss:.2f} more than {best[0]}"
        return
    bot, rng = make_bot("learned"), random.Random(1)
    chosen = []
    for _ in best:
        view = game.view(LEARNER)
        chosen.append(bot.choose(view, tuple(view["legal"]), Budget(), rng).action)
        game = game.copy()
        game.play(chosen[-1])
    assert sorted(chosen) == sorted(best)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in POSITIONS if name not in (SURE_WINNER, "nichtig.lay")])
def test_no_other_choice_does_better_when_the_round_is_played_out(name: str) -> None:
    game, [best] = POSITIONS[name]
    view = game.view(LEARNER)
    if len(view["legal"]) == 1:
        return
    knowledge, network = read_view(view), network_of(view["game"])
    trained = trained_at(network, knowledge)
    assert network is not None
    assert trained is not None
    actions = Prediction(network, trained, knowledge).actions
    lookahead = Lookahead(knowledge, network, trained.scale, seed=1)
    lookahead.sample_worlds(WORLDS[view["game"]])
    lookahead.try_actions(actions, TO_THE_END)
    answer = actions[view["legal"].index(best)]
    for action, word in zip(actions, view["legal"], strict=True):
        lead, error = lookahead.lead(action, answer)
        assert lead <= ERRORS * error, f"{word} gains {lead:.2f} ± {error:.2f} more than {best}"


def test_the_sure_winner_wins_in_every_world_in_which_all_follow() -> None:
    """No card that the learner does not hold beats the answer in its suit, and every other lead can be beaten."""
    game, [best] = POSITIONS[SURE_WINNER]
    others = [card for hand in NIET.hands[1:] for card in hand.split()]
    conditions = game.view(LEARNER)["conditions"]
    assert conditions is not None
    assert (conditions["trump"], conditions["super"]) == ("blue", "red")

    def is_beaten(card: str) -> bool:
        colour, value = card[0], int(card[1:])
        if card == "R1" or colour == "B":
            return "R1" in others or any(one[0] == "B" and int(one[1:]) > value for one in others)
        return any(one != "R1" and one[0] == colour and int(one[1:]) > value for one in others)

    unbeaten = {action for action in game.view(LEARNER)["legal"] if not is_beaten(action.split()[2])}
    assert unbeaten == {best}


def test_lessons_show_only_what_the_learner_may_know() -> None:
    """No card of another hand is in a position before it was played."""
    scenes = {"niet": [NIET] * 7, "nichtig": [NICHTIG] * 4} | {
        name: [question.scene for question in questions] for name, questions in SHORT.items()
    }
    for name, lesson in lessons().items():
        for stop, scene in zip(lesson["stops"], scenes[name], strict=True):
            received = [action.split()[2] for action in scene.actions() if action.startswith("3 pass")]
            assert set(stop["before"]["hand"]) <= {*scene.hands[0].split(), *received}, stop["name"]
            assert "hands" not in stop["before"]


def test_a_reason_for_no_choice_is_an_error() -> None:
    question = SHORT["loot"][0]
    with pytest.raises(AssertionError, match="reasons for what is no wrong choice"):
        Script(question.scene).stop(question.name, question.best, (), {"typo": "R13"})
