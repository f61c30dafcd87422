"""One match in the flat action space: it is the match of the rules, and a sampled one tells nothing."""

from __future__ import annotations

import pytest

from atout import Game
from atout.batch import step
from atout.errors import UsageError
from atout.game import new_rng
from tests.envs.tables import QUICK, differs, disguised, every_table, new_match, play
from tests.properties.matches import Setting, chance


@every_table
def test_a_match_is_the_match_of_the_rules(setting: Setting) -> None:
    """The game that follows it has the same state, and its record is accepted."""
    rng, match = chance("match", setting.id), new_match(setting, 5)
    while not match.is_over:
        play(match, rng, rng.randrange(1, 60))
        game = match.game()
        assert (game._state == match.state).all()
        if not match.is_over:
            texts = {str(match.action(number)): number for number in match.legal()}
            assert sorted(texts) == sorted(map(str, game.legal()))
            word = rng.choice(sorted(texts))
            assert match.number(word) == texts[word]
    assert Game.from_record(match.game().record()).totals == match.game().totals
    assert match.legal() == []
    with pytest.raises(UsageError, match="the episode is over"):
        match.step(0)


@every_table
def test_hidden_cards_change_nothing(setting: Setting) -> None:
    rng, changed = chance("leak", setting.id), 0
    for seed in range(4):
        match = play(new_match(setting, seed), rng, rng.randrange(150))
        for seat in range(setting.players):
            twin = disguised(match, seat, seed)
            changed += differs(match, twin)
            for one, other in zip(match.observe(seat), twin.observe(seat), strict=True):
                assert (one == other).all()
            assert twin.game().view(seat) == match.game().view(seat)
    assert changed > setting.players


def test_a_sampled_match_has_other_deals_and_other_pasts() -> None:
    rng, setting = chance("past"), Setting("niet-2015", 3, {})
    match = play(new_match(setting, 2), rng, 150)
    assert match.finished
    seat = match.turn
    twins = [match.sample(seat, new_rng(seed)) for seed in range(5)]
    assert len({twin.finished for twin in twins}) > 1
    hand = setting.book.hand
    for twin in twins:
        for (pack, _), (drawn, _) in zip(match.finished, twin.finished, strict=True):
            own = slice(hand * seat, hand * (seat + 1))
            assert sorted(pack[own]) == sorted(drawn[own])
    following = {play(twin, chance("next"), 200).game().record()["rounds"][-1]["hands"][0] for twin in twins}
    assert len(following) > 1


def test_a_copy_goes_its_own_way() -> None:
    match = play(new_match(QUICK[0], 1), chance("copy"), 10)
    twin = match.copy()
    before = match.words.copy()
    play(twin, chance("on"), 30)
    assert (match.words[: step.NONE] == before[: step.NONE]).all()
    assert (match.state == before[: len(match.state)]).all()


def test_one_round_ends_after_it() -> None:
    match = play(new_match(QUICK[0], 1, one_round=True), chance("round"), 1000)
    assert match.is_over
    assert len(match.game().past()) == 1
    illegal = new_match(QUICK[0], 1)
    with pytest.raises(UsageError, match="447 is not legal; allowed: "):
        illegal.step(447)
