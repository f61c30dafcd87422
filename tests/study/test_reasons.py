"""Reasons: the parts of a gain add up, every number is true of the worlds it came from, two sentences at most."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from atout.bots.bot import Reason
from atout.game import Game
from atout.game.notation import bits_of, notation_of
from atout.i18n import Texts
from atout.rules.arrays import plain
from atout.rules.layout import DISCARD, LAY, PLAY, STATE, TEAM, VETO
from atout.rules.scoring import lane
from atout.search.gain import gain
from atout.study.effort import EFFORTS
from atout.study.evaluator import DecisionEvaluator
from atout.study.model import CELL_CODES
from atout.study.positions import Position
from atout.study.reasons import (
    Contrast,
    _names,
    _whose,
    _without_cause,
    cell_reason,
    cell_worths,
    contrast_of,
    distance,
    reasons,
    traces,
    word_of,
)
from atout.terminal.words import Words

from .rounds import positions, round_record

WORLDS = 12
PLACES = [
    ("niet-2015", 4, VETO, 12),
    ("niet-2015", 4, TEAM, 0),
    ("njet-1997", 3, DISCARD, 0),
    ("niet-2015", 4, PLAY, 3),
    ("niet-2015", 4, PLAY, 30),
    ("nichtig", 3, LAY, 0),
    ("nichtig", 3, LAY, 2),
    ("nichtig", 3, PLAY, 6),
]


def contrasts(position: Position) -> list[Contrast]:
    """The best action against some others, each in the same worlds."""
    evaluator, knowledge = DecisionEvaluator.of(position.knowledge()), position.knowledge()
    judged = evaluator.judge(knowledge, EFFORTS[0])
    return [
        contrast_of(evaluator, knowledge, judged.sample, judged.best, other, judged.found_by, judged.known, WORLDS)
        for other in judged.ranking[1:4]
    ]


@pytest.fixture(scope="module", params=PLACES, ids=lambda place: f"{place[0]}-{place[2]}-{place[3]}")
def compared(request: pytest.FixtureRequest) -> list[Contrast]:
    edition, players, phase, number = request.param
    found = positions(round_record(edition, players), phase)
    return contrasts(found[min(number, len(found) - 1)])


def test_parts_add_up_to_the_gain(compared: list[Contrast]) -> None:
    for one in compared:
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


def test_numbers_are_true_of_the_worlds(compared: list[Contrast]) -> None:
    """Every number again, from the logs of the play-outs, by a game that replays them."""
    for one in compared:
        for reason in reasons(one):
            check_numbers(one, reason)


def test_reasons_favour_the_better_action_in_two_sentences_at_most(compared: list[Contrast]) -> None:
    for one in compared:
        found = reasons(one)
        assert 1 <= len(found) <= 2
        text = " ".join(in_words(reason) for reason in found)
        assert all(type(number) in (int, float) for reason in found for number in numbers_of(reason).values())
        assert len(re.findall(r"[.](?= |$)", text)) <= 2, text
        assert "{" not in text
        for reason in found:
            check_it_favours_the_better(reason)


def check_it_favours_the_better(reason: Reason) -> None:
    """No reason argues against what it explains."""
    parameters = reason.parameters
    if reason.code.startswith("found-by"):
        assert parameters["best_share"] > parameters["other_share"]
    if reason.code in ("better-by", "better-by-veto", "side"):
        assert parameters["best_gain"] >= parameters["other_gain"]
    if reason.code in ("kept-wins", "draws-trumps", "partner-trumps", "double"):
        name = "n" if "best_n" in parameters else "share"
        assert parameters[f"best_{name}"] >= parameters[f"other_{name}"]
    if reason.code in CELL_CODES:
        is_likelier = parameters.get("best_share", 0) > parameters.get("other_share", 0)
        assert is_likelier == (reason.code in ("cell-spared", "cell-wanted"))


def numbers_of(reason: Reason) -> dict[str, float]:
    return {name: value for name, value in reason.parameters.items() if not isinstance(value, str)}


def in_words(reason: Reason, language: str = "en") -> str:
    names = ["Ada", "Jonas", "Ines", "Bruno", "Selma", "Otto"]
    return Words(Texts(language), names, 0, 1).contrast(reason.code, reason.parameters)


REMOVED = {
    "best": "veto points -2", "other": "veto trump red", "row": "points", "cell": "-2", "best_share": 0,
    "other_share": 40, "worth_n": 3.5,
}  # fmt: skip


def test_a_veto_is_told_by_the_cell_it_removes() -> None:
    reason = cell_reason(REMOVED)
    assert (reason.code, "best_share" in reason.parameters) == ("cell-removed", False)
    assert in_words(reason) == (
        "If “Points: −2” stays, you are 3.5 points worse off on average; "
        "after a veto of “Trump: red” it stays in 40 of 100 likely rounds."
    )


def test_a_cell_that_explains_less_than_half_is_told_as_one_of_several() -> None:
    reason = cell_reason({**REMOVED, "explains": "part"})
    assert in_words(reason).endswith("in 40 of 100 likely rounds. This is one cause of several.")
    assert in_words(reason, "de").endswith("Das ist eine von mehreren Ursachen.")
    told = {True: 0, False: 0}
    for position in positions(round_record("niet-2015", 4), VETO)[1::6]:
        for one in contrasts(position):
            lead = cell_worths(one)[0].lead
            for gap, is_part in ((4 * lead, True), (0.1 * lead, False)):
                for reason in reasons(replace(one, gains=(gap, 0.0))):
                    if reason.code in CELL_CODES and distance(reason) >= len(CELL_CODES[:2]):
                        assert ("explains" in reason.parameters) == is_part
                        told[is_part] += 1
    assert min(told.values()) > 0


def test_a_veto_is_told_by_a_cell_that_should_not_be_covered() -> None:
    reason = cell_reason({**REMOVED, "row": "trump", "cell": "red", "best_share": 78})
    assert (reason.code, "other_share" in reason.parameters) == ("cell-spared", False)
    assert in_words(reason) == (
        "If “Trump: red” stays, you are 3.5 points better off on average; "
        "after a veto of “Points: −2” it stays in 78 of 100 likely rounds."
    )


def test_a_veto_may_be_about_a_cell_that_neither_covers() -> None:
    shares = "in 25 of 100 likely rounds after a veto of “Points: −2”, in 40 after one of “Trump: red”."
    start = "If “Start player: Bruno” stays, you are 3.5 points"
    unwanted = cell_reason({**REMOVED, "row": "start", "cell": "3", "best_share": 25})
    assert in_words(unwanted) == f"{start} worse off on average. It stays {shares}"
    wanted = cell_reason({**REMOVED, "row": "start", "cell": "3", "best_share": 65})
    assert in_words(wanted).startswith(f"{start} better off on average. It stays in 65 of 100")


def test_what_is_nearer_to_the_veto_is_told_first() -> None:
    cells = [("start", "3"), ("points", "4"), ("trump", "red"), ("points", "-2")]
    some = [cell_reason({**REMOVED, "row": row, "cell": cell}) for row, cell in cells]
    assert sorted(some, key=distance) == some[::-1]


def test_a_veto_quotes_no_gain_but_those_that_are_shown(compared: list[Contrast]) -> None:
    """A reader who compares the sentence with the values beside it finds the same numbers, or none."""
    for one in compared:
        for reason in reasons(one):
            gains = {name: value for name, value in reason.parameters.items() if "gain" in name}
            assert gains in ({}, {"best_gain": one.gains[0], "other_gain": one.gains[1]})


def test_a_player_without_partners_has_no_side() -> None:
    (position, *_) = positions(round_record("nichtig", 3), PLAY)
    one = contrasts(position)[0]
    reason = Reason("leads-next", {**_names(one), **_whose(one.knowledge), "best_share": 60, "other_share": 20})
    assert in_words(reason) == "You then lead the next trick in 60 of 100 likely deals instead of 20."
    assert [in_words(reason, language).split()[0] for language in ("de", "fr")] == ["Du", "Vous"]
    (position, *_) = positions(round_record("niet-2015", 4), PLAY)
    assert _whose(position.knowledge())["whose"] in ("you", "side")
    (position, *_) = positions(round_record("njet-2007", 2), PLAY)
    assert _whose(position.knowledge()) == {"whose": "you"}


@pytest.mark.slow
def test_where_all_is_worth_the_same_that_is_told_and_who_wins_the_trick() -> None:
    """All values alike: the sentence says so, and who wins the trick is counted again for every card."""
    found = positions(round_record("nichtig", 3), PLAY)
    by_code: dict[str, Reason] = {}
    for position in found:
        knowledge, evaluator = position.knowledge(), DecisionEvaluator.of(position.knowledge())
        legal = bits_of(knowledge.legal)
        sample = evaluator.draw(knowledge, WORLDS, "same")
        shares = {action: 1 / len(legal) for action in legal}
        known = {action: -0.05 if i else 0.25 for i, action in enumerate(legal)}  # shown as −0.1 and 0.3
        one = contrast_of(evaluator, knowledge, sample, legal[0], legal[1], shares, known, WORLDS)
        for reason in reasons(one):
            check_numbers(one, reason)
            by_code[reason.code] = reason
    assert {"all-same"} < set(by_code) <= {"all-same", "trick-always", "trick-goes"}
    assert in_words(by_code["all-same"]) == (
        "All your choices are worth about the same here: the estimates are at most 0.4 points apart."
    )


@pytest.mark.slow
def test_strong_play_is_told_only_if_it_favours_the_better_action() -> None:
    for phase, kind in ((PLAY, ""), (VETO, "-veto")):
        (position, *_) = positions(round_record("niet-2015", 4), phase)
        one = contrasts(position)[0]
        for best, other, code in ((0.02, 0.98, "better-by"), (0.0, 0.0, "better-by"), (0.98, 0.02, "found-by")):
            shares = {**one.found_by, one.better: best, one.other: other}
            assert _without_cause(replace(one, found_by=shares)).code == code + kind


def test_a_veto_is_something_that_players_cover() -> None:
    vetoes = {"best": "veto points -2", "other": "veto trump red"}
    told = Reason("found-by-veto", {**vetoes, "best_share": 60, "other_share": 12})
    said = "Strong players cover “Points: −2” in 60 of 100 such decisions, “Trump: red” in 12."
    assert in_words(told) == said
    assert [in_words(told, language).split()[2] for language in ("de", "fr")] == ["decken", "joueurs"]
    gains = Reason("better-by-veto", {**vetoes, "best_gain": 2.0, "other_gain": -1.5})
    assert in_words(gains).startswith(
        "Points ahead of the others’ average: +2.0 after a veto of “Points: −2”, −1.5 after one of"
    )


# ------------------------------------------------------------------ the numbers once more


def check_numbers(one: Contrast, reason: Reason) -> None:
    again = _again(one, reason)
    assert {name for name, value in reason.parameters.items() if not isinstance(value, str)} <= {
        *again,
        "apart_n",
        "best_seat",
        "other_seat",
        "winner_seat",
        "opponent_seat",
    }
    for name, value in again.items():
        assert reason.parameters[name] == pytest.approx(value), (reason, name)
    if reason.code == "kept-wins":
        for i, card in enumerate((reason.parameters["kept"], reason.parameters["spent"])):
            assert _mean(_gives_away(one, i, j, card) for j in _worlds(one)) <= 0.1, "a card that is kept"


def _again(one: Contrast, reason: Reason) -> dict[str, float]:
    """The numbers of a reason, computed in another way."""
    code = reason.code
    if code.startswith("found-by"):
        shares = (one.found_by[one.better], one.found_by[one.other])
        return {"best_share": _within(100 * shares[0]), "other_share": _within(100 * shares[1])}
    if code in CELL_CODES:
        return {name: value for name, value in _cell_again(one, reason).items() if name in reason.parameters}
    if code == "all-same":
        return {}  # `apart_n` comes from the values of all actions, which a contrast does not have: tested by itself
    if code == "trick-always":
        assert _is_last(one), "only then is it certain"
        assert _share_won(one, reason.parameters["winner_seat"]) == 1.0
        return {}
    if code == "trick-goes":
        assert not _is_last(one) or _share_won(one, reason.parameters["winner_seat"]) < 1.0
        return {"least_tenths": _least_tenths(_share_won(one, reason.parameters["winner_seat"]), one.count)}
    if code in ("side", "better-by", "better-by-veto"):
        return {"best_gain": one.gains[0], "other_gain": one.gains[1]}
    if code == "partner-trumps":
        return {
            f"{who}_n": round(_mean(_trumps(one, i, reason.parameters[f"{who}_seat"]) for i in _worlds(one)), 1)
            for who in ("best", "other")
        }
    if code in ("double", "side-tricks"):
        seats = [reason.parameters.get(f"{who}_seat") for who in ("best", "other")]
        hauls = [_mean(_hauled(one, i, j, seat) for j in _worlds(one)) for i, seat in enumerate(seats)]
        return {"best_n": round(hauls[0], 1), "other_n": round(hauls[1], 1)}
    both = [[_followed(one, i, j) for j in _worlds(one)] for i in range(2)]
    if "opponent_seat" in reason.parameters:
        code = f"{code}-{reason.parameters['opponent_seat']}"
    numbers = {}
    for who, some in zip(("best", "other"), both, strict=True):
        for name in (f"{who}_n", f"{who}_share"):
            if name in reason.parameters:
                mean = _mean(followed[code] for followed in some)
                is_certain = _is_last(one) and code != "kept-wins"
                numbers[name] = round(mean, 1) if name.endswith("_n") else _of_a_hundred(one, mean, is_certain)
    return numbers


def _within(number: float) -> int:
    return min(99, max(1, round(number)))


def _of_a_hundred(one: Contrast, share: float, is_certain: bool) -> int:
    """A share of the worlds as one of 100 deals: as if one world more had gone either way, unless nothing is hidden."""
    return round(100 * share) if is_certain else _within(100 * (share * one.count + 1) / (one.count + 2))


def _is_last(one: Contrast) -> bool:
    """Whether all others have played to the trick, as the log tells it."""
    if one.knowledge.state.phase != PLAY:
        return False
    text_of = notation_of(one.knowledge.setup).text_of  # a discard of others has no text: nobody sees it
    played = sum(" play " in text_of.get(entry, "") for entry in one.knowledge.log.tolist())
    return played % one.knowledge.setup.players == one.knowledge.setup.players - 1


def _least_tenths(share: float, count: float) -> int:
    """The largest number of tenths of which the share is two standard errors away, if so many were the share of all."""
    return max(
        n for n in range(int(10 * share) + 1) if share - n / 10 + 1e-9 >= 2 * (n * (10 - n) / 100 / count) ** 0.5
    )


def _gives_away(one: Contrast, i: int, j: int, card: str) -> bool:
    """Whether the seat lays out, discards or passes the card in a play-out."""
    seat = one.knowledge.fact.seat
    return any(word in {f"{seat} {verb} {card}" for verb in ("lay", "discard", "pass")} for word, _ in _game(one, i, j))


def _share_won(one: Contrast, seat: int) -> float:
    """The share of the worlds in which the seat wins the trick on the table after every card."""
    assert one.tricks is not None
    won = np.ones(len(one.worlds.states), bool)
    for logs in one.tricks:
        for j, log in enumerate(logs):
            before = [lane(plain(one.worlds.states[j], STATE).tricks, i) for i in range(one.knowledge.setup.players)]
            for _, game in _game(replace(one, logs=log[None, None]), 0, 0, j):
                now = game.view(None)["tricks"]
                if now != before:
                    won[j] &= now[seat] != before[seat]
                    break
    return float(won.mean())


def _worlds(one: Contrast) -> range:
    return range(len(one.worlds.states))


def _hauled(one: Contrast, i: int, j: int, seat: int | None) -> int:
    """Tricks and captured 1s of a seat, or of one's own side, at the end of a play-out, as the record of the round has
    them.
    """
    end: Any = _replayed(one, i, j).view(None)
    past = end["past"][0]
    ours = next((side for side in past["sides"] if one.knowledge.fact.seat in side), []) if seat is None else [seat]
    return sum(int(past["tricks"][who] + past["loot"][who]) for who in ours)


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
    assert (row, cell) in [(it.row, it.cell) for it in cell_worths(one)]
    gains = np.array([one.values[i] for i in range(2)])
    worth = abs(gains[stays].mean() - gains[~stays].mean())
    if sorted(shares) == [0.0, 1.0]:
        worth = one.gains[0] - one.gains[1]
    told = {}
    for who, action, share in zip(("best", "other"), (one.better, one.other), shares, strict=True):
        told[f"{who}_share"] = _of_a_hundred(one, share, _is_settled(one, action, row))
    return {**told, "worth_n": round(worth, 1)}


def _is_settled(one: Contrast, action: int, row: str) -> bool:
    """Whether the veto leaves one free cell of the row, as the log tells it."""
    setup, notation = one.knowledge.setup, notation_of(one.knowledge.setup)
    said = [notation.text_of[entry] for entry in one.knowledge.log.tolist()] + [f"0 {word_of(one.knowledge, action)}"]
    vetoes = sum(f" veto {row} " in text for text in said)
    board = setup.edition.board
    assert board is not None
    return vetoes == (setup.players if row == "start" else len(getattr(board, row))) - 1


def _replayed(one: Contrast, i: int, j: int) -> Game:
    """The game of a play-out, played again from its deal by the public interface."""
    return _game(one, i, j)[-1][1]


def _game(one: Contrast, i: int, j: int, world: int | None = None) -> list[tuple[str, Game]]:
    """The actions of a play-out from the decision on, each with the game after it."""
    from atout.knowledge import entries as knowledge_entries

    setup, length = one.knowledge.setup, len(one.knowledge.log)
    at_world = j if world is None else world
    dealt = one.worlds.states[at_world].copy()
    knowledge_entries.rewind(dealt, setup.rules, one.worlds.logs[at_world], length)
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
    counts |= {"leads-next": 0.0, "leaves-lead": 0.0, "kept-wins": 0.0, "draws-trumps": 0.0}
    counts |= {f"opponent-piles-{when}-{who}": 0.0 for when in ("now", "later") for who in range(setup.players)}
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
                counts["leads-next"] = counts["leaves-lead"] = float(winner in mates)
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
                for until in {when, "later"}:
                    counts[f"own-piles-{until}"] += change[seat]
                    counts[f"their-piles-{until}"] += (sum(change) - change[seat]) / (setup.players - 1)
                    for other, points in enumerate(change):
                        counts[f"opponent-piles-{until}-{other}"] += points
            last = now
    if one.knowledge.state.phase == LAY:
        begun, end = start["points"], last["points"]
        change = [end[s] - begun[s] for s in range(setup.players)]
        counts["own-piles-later"] = change[seat]
        counts["their-piles-later"] = (sum(change) - change[seat]) / (setup.players - 1)
        counts |= {f"opponent-piles-later-{other}": points for other, points in enumerate(change)}
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
