"""Properties of random games: cards, turns, scores and lengths, judged by an independent referee.

Every edition, number of players and combination of options is played; the referee (`referee.py`) works on the
words of the record and knows nothing of the program.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atout import ActionError, Game, IllegalAction
from tests.depth import where
from tests.properties.matches import (
    COUNTS,
    PLACES,
    SETTINGS,
    Setting,
    chance,
    chosen_of,
    counted,
    hands_of,
    is_quick,
    lopsided,
    new_game,
    new_referee,
    play_both,
    play_on,
)
from tests.properties.referee import TAKES, Referee

MATCHES = 4
"""Matches of each setting that are refereed move by move."""

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=[setting.id for setting in SETTINGS])
every_place = pytest.mark.parametrize(
    "place",
    where([Setting(edition, players, {}) for edition, players in PLACES], is_quick),
    ids=lambda place: place.id,
)


@cache
def finished(setting_id: str, seed: int) -> str:
    """The record of a finished random match, as JSON: nobody can change it for others."""
    setting = next(setting for setting in SETTINGS if setting.id == setting_id)
    deals = lopsided(setting, seed) if seed % 2 else None
    return json.dumps(play_on(new_game(setting, seed, deals), chance(seed)).record())


def record_of(setting: Setting, seed: int) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(finished(setting.id, seed))
    return record


# ------------------------------------------------------------------ the referee


@every_setting
@pytest.mark.parametrize("deals", ["shuffled", "lopsided"])
def test_the_referee_agrees_at_every_step(setting: Setting, deals: str) -> None:
    """Legal actions, phase, turn, cards, tricks, loot, piles at every step; scores, totals, winners at the end."""
    for seed in range(MATCHES // 2):
        rng = chance(setting.id, deals, seed)
        game = new_game(setting, seed, lopsided(setting, seed) if deals == "lopsided" else None)
        referee = new_referee(game, setting)
        while not game.is_over:
            compare_position(game, referee)
            play_both(game, referee, rng.choice(referee.legal()))
        compare_position(game, referee)
        compare_end(game, referee)


def compare_position(game: Game, referee: Referee) -> None:
    now = referee.now
    assert (game.phase, game.turn) == (referee.phase, referee.turn)
    assert [str(action) for action in game.legal()] == referee.legal()
    assert hands_of(game) == [referee.book.sorted(hand) for hand in now.hands]
    assert chosen_of(game) == [referee.book.sorted(cards) for cards in now.chosen]
    state = game.state
    seats = range(referee.n)
    assert [state.tricks >> 8 * seat & 255 for seat in seats] == now.tricks
    assert [state.loot >> 8 * seat & 255 for seat in seats] == now.loot
    if now.trick:
        assert state.best == referee.holder()
    if not referee.book.is_njet:
        letters = [colour[0].upper() for colour in referee.book.colours]
        for seat in seats:
            tops = {letter: (state.tops[seat] >> 8 * i & 255) - 1 for i, letter in enumerate(letters)}
            piles = {colour: int(pile[-1][1:]) for colour, pile in now.piles[seat].items()}
            assert {letter: top for letter, top in tops.items() if top >= 0} == piles
    if not now.actions or game.is_over:
        assert game.totals == referee.totals
        assert game.round == len(referee.rounds)


def compare_end(game: Game, referee: Referee) -> None:
    record = game.record()
    assert len(record["rounds"]) == len(referee.rounds)
    for round, seen in zip(record["rounds"], referee.rounds, strict=True):
        assert round["actions"] == seen.actions
        assert round["scores"] == seen.scores
        if referee.book.is_njet:
            assert (round["dealer"], round["tricks"], round["loot"]) == (seen.dealer, seen.tricks, seen.loot)
        else:
            assert round["leader"] == seen.leader
    assert record["totals"] == referee.totals
    assert record["winners"] == referee.winners == game.winners
    assert game.legal() == []
    assert game.turn is None


@pytest.mark.parametrize("edition", where(COUNTS, lambda edition: edition in ("niet-2015", "nichtig")))
def test_the_random_games_reach_every_rule(edition: str) -> None:
    """Else the agreement above would prove less than it says."""
    reached: set[str] = set()
    for setting in SETTINGS:
        if setting.edition == edition:
            for seed in range(6):
                watch(setting, record_of(setting, seed), reached)
    for wanted in wanted_events(edition):
        assert wanted in reached, f"never seen: {wanted}"


def wanted_events(edition: str) -> list[str]:
    if edition == "nichtig":
        return ["equal cards", "colour missing", "zero on top", "tied lowest score", "several winners"]
    book = Setting(edition, 4, {}).book
    wanted = [f"discard {cell}" for cell in book.discard]
    wanted += [f"trump {cell}" for cell in book.trump] + [f"super {cell}" for cell in book.super]
    wanted += [f"points {points}" for points in book.points]
    wanted += ["equal cards", "two supertrumps", "ruff", "loot", "loot of a partner left", "void", "lone start player"]
    wanted += ["trump and super alike"]
    if 5 in COUNTS[edition]:
        wanted += ["double to itself", "double to a partner", "double to an opponent", "side of 2", "side of 3"]
        wanted += ["forced low discard"]
    if book.must_trump:
        wanted += ["must trump", "cannot trump"]
    return wanted


def watch(setting: Setting, record: dict[str, Any], reached: set[str]) -> None:
    """Which rules a finished match put to the test."""
    referee = Referee(setting.book, record["first_dealer"])
    for round in record["rounds"]:
        referee.deal(round["hands"])
        for words in round["actions"]:
            if "-not-" in referee.now.discard and words.split()[1] == "discard" and referee._is_low(words.split()[2]):
                reached.add("forced low discard")
            if referee.phase == "play" and referee.now.trick:
                reached |= watch_card(referee, words.split()[-1])
            if referee.phase == "play" and len(referee.now.trick) == referee.n - 1:
                reached |= watch_trick(referee, words.split()[-1])
            referee.play(words)
        reached |= watch_round(referee)
    if len(record["winners"]) > 1:
        reached.add("several winners")


def watch_card(referee: Referee, card: str) -> set[str]:
    if not referee.book.is_njet:
        return set()
    events: set[str] = set()
    if referee._suit(card) != referee._suit(referee.now.trick[0][1]):
        events.add("void")
        if referee._is_trump(card) or referee._is_super(card):
            events.add("ruff")
            if len(referee.legal()) < len(set(referee._own())):
                events.add("must trump")
        else:
            events.add("cannot trump")
    return events


def watch_trick(referee: Referee, card: str) -> set[str]:
    assert referee.turn is not None
    now, events = referee.now, set()
    trick = [*now.trick, (referee.turn, card)]
    now.trick.append((referee.turn, card))
    winner = referee.holder()
    now.trick.pop()
    best = dict(trick)[winner]
    if referee.book.is_njet:
        if [card for _, card in trick].count(best) > 1:
            events.add("equal cards")
        if sum(referee._is_super(card) for _, card in trick) > 1:
            events.add("two supertrumps")
        for seat, low in trick:
            if referee._is_low(low) and seat != winner:
                same = (seat in now.side) == (winner in now.side)
                events.add("loot of a partner left" if same else "loot")
    elif [card[1:] for _, card in trick].count(best[1:]) > 1:
        events.add("equal cards")
    return events


def watch_round(referee: Referee) -> set[str]:
    now = referee.now
    if not referee.book.is_njet:
        events = {"tied lowest score"} if now.scores.count(min(now.scores)) > 1 else set()
        for piles in now.piles:
            events |= {"colour missing"} if len(piles) < 5 else set()
            events |= {"zero on top" for pile in piles.values() if pile[-1][1:] == "0" and len(pile) > 1}
        return events
    events = {f"discard {now.discard}", f"trump {now.trump}", f"super {now.super}", f"points {now.points}"}
    events.add(f"side of {len(now.side)}")
    if now.trump == now.super:
        events.add("trump and super alike")
    if referee.n > 2 and len(now.side) == 1:
        events.add("lone start player")
    if referee.n == 5:
        kind = "itself" if now.double == now.start else "a partner" if now.double in now.side else "an opponent"
        events.add(f"double to {kind}")
    return events


# ------------------------------------------------------------------ cards


@every_place
def test_cards_are_conserved(place: Setting) -> None:
    """At every step hands, cards put aside, played and undealt ones are the deck; hands have the right length."""
    deck, book, rng = place.book.deck, place.book, chance(3)
    game = new_game(place, 3)
    while not game.is_over:
        number, actions = game.round, [words.split() for words in game.record()["rounds"][-1]["actions"]]
        undealt = deck - Counter(" ".join(game.record()["rounds"][-1]["hands"]).split())
        assert undealt.total() == book.undealt
        while not game.is_over and game.round == number:
            assert_conserved(game, deck, undealt, actions)
            actions.append(str(game.play(rng.choice(game.legal()))).split())


def assert_conserved(game: Game, deck: Counter[str], undealt: Counter[str], actions: list[list[str]]) -> None:
    hands, played = hands_of(game), Counter(card for _, verb, *_, card in actions if verb == "play")
    arrived = game.phase == "play" and any(verb == "pass" for _, verb, *_ in actions)
    aside: Counter[str] = Counter() if arrived else counted(chosen_of(game))
    assert counted(hands) + aside + played + undealt == deck
    for seat, hand in enumerate(hands):
        shown = [verb for actor, verb, *_ in actions if actor == str(seat)]
        gone = shown.count("play") + shown.count("discard") + shown.count("lay")
        assert len(hand) == game.setup.hand_size - gone - (0 if arrived else shown.count("pass"))


# ------------------------------------------------------------------ order, from the record's words alone


@every_setting
def test_everyone_acts_in_turn(setting: Setting) -> None:
    """Vetoes and cards clockwise, choices seat after seat from the first player on, winners lead."""
    for seed in range(2):
        for round in record_of(setting, seed)["rounds"]:
            seats: dict[str, list[int]] = {}
            for words in round["actions"]:
                seat, verb = words.split()[:2]
                seats.setdefault(verb, []).append(int(seat))
            assert_order(setting, round, seats)


def assert_order(setting: Setting, round: dict[str, Any], seats: dict[str, list[int]]) -> None:
    n, order = setting.players, list(seats)
    if setting.book.is_njet:
        first = round["dealer"] + (1 if setting.edition == "njet-1997" else 0)
        assert seats["veto"] == [(first + i) % n for i in range(len(seats["veto"]))]
        vetoed = {words.split()[3] for words in round["actions"] if words.split()[1:3] == ["veto", "start"]}
        (opener,) = {str(seat) for seat in range(n)} - vetoed
        first = int(opener)
        assert seats.get("team", []) + seats.get("double", []) == [first] * {2: 0, 3: 1, 4: 1, 5: 2}[n]
        assert order == [verb for verb in ("veto", "team", "double", "discard", "pass", "play") if verb in seats]
        assert not {"discard", "pass"} <= set(order)
    else:
        first = round["leader"]
        assert order == ["lay", "play"]
    for verb in ("discard", "pass", "lay"):
        if verb in seats:
            count = len(seats[verb]) // n
            assert seats[verb] == [(first + i) % n for i in range(n) for _ in range(count)]
    tricks = [seats["play"][i : i + n] for i in range(0, len(seats["play"]), n)]
    leaders = [trick[0] for trick in tricks]
    assert tricks == [[(leader + i) % n for i in range(n)] for leader in leaders]
    assert leaders[0] == first
    if setting.book.is_njet:
        # a trick's winner leads the next one; who won the last one is left over
        won = Counter(leaders[1:])
        left_over = [round["tricks"][seat] - won[seat] for seat in range(n)]
        assert sorted(left_over) == [0] * (n - 1) + [1]


@every_setting
def test_rounds_follow_one_another(setting: Setting) -> None:
    """Who deals or leads next, how long rounds and matches are, sums and winners."""
    for seed in range(4):
        record = record_of(setting, seed)
        rounds, n = record["rounds"], setting.players
        for before, after in pairwise(rounds):
            if setting.edition == "njet-1997":
                covered = {words.split()[3] for words in before["actions"] if " veto start " in words}
                (start,) = {str(seat) for seat in range(n)} - covered
                assert after["dealer"] == (int(start) + 1) % n
            elif setting.book.is_njet:
                assert after["dealer"] == (before["dealer"] + 1) % n
            else:
                clockwise = [(before["leader"] + step) % n for step in range(1, n + 1)]
                lowest = min(before["scores"])
                assert after["leader"] == next(seat for seat in clockwise if before["scores"][seat] == lowest)
        opening = rounds[0].get("dealer", rounds[0].get("leader"))
        assert opening == (record["first_dealer"] + (0 if setting.book.is_njet else 1)) % n
        assert_length(setting, rounds)
        assert record["totals"] == [sum(round["scores"][seat] for round in rounds) for seat in range(n)]


def assert_length(setting: Setting, rounds: list[dict[str, Any]]) -> None:
    book = setting.book
    for round in rounds:
        choices = [words for words in round["actions"] if words.split()[1] in ("discard", "lay")]
        cards = setting.players * book.hand - len(choices)
        assert sum(" play " in words for words in round["actions"]) == cards
        if book.is_njet:
            assert sum(round["tricks"]) == cards // setting.players
            rows = setting.players + len(book.discard + book.trump + book.super) + len(book.points)
            assert sum(" veto " in words for words in round["actions"]) == rows - 5
            assert len(choices) in {setting.players * TAKES[cell] for cell in book.discard}
    if book.target is None:
        assert len(rounds) == book.rounds
        return
    totals = [0] * setting.players
    for number, round in enumerate(rounds, 1):
        totals = [total + score for total, score in zip(totals, round["scores"], strict=True)]
        enough = max(totals) >= book.target if book.is_njet else max(totals) > book.target
        assert enough == (number == len(rounds))


@pytest.mark.parametrize(("edition", "over"), [("njet-2007", 0), ("niet-2015", 0), ("nichtig", 1)])
def test_a_target_met_exactly(edition: str, over: int) -> None:
    """Njet! ends when the target is reached, Null & nichtig only when it is exceeded."""
    place = Setting(edition, 4, {})
    game = new_game(place, 5)
    rng = chance(5)
    while max(game.totals) <= 0:
        play_on(game, rng, 1)
    actions, best = game.actions, max(game.totals)
    for target, ends in ((best, not over), (best - 1, True), (best + 1, False)):
        if target < 1:
            continue
        again = new_game(Setting(edition, 4, {"length": {"target": target}}), 5)
        for action in actions:
            again.play(action)
        assert again.is_over == ends


# ------------------------------------------------------------------ what is legal, and in which order


def conceivable(place: Setting) -> list[str]:
    """Every action one could think of, possible at this table or not."""
    book, seats = place.book, range(place.players)
    rows = {"start": [str(seat) for seat in range(6)], "discard": list(TAKES)}
    rows |= {"trump": [*book.colours, "none"], "super": [*book.colours, "none"]}
    rows["points"] = [str(points) for points in range(-4, 6)]
    words = [f"veto {row} {cell}" for row, cells in rows.items() for cell in cells]
    words += [f"team {' '.join(str(seat) for seat in seats if side >> seat & 1)}" for side in range(1, 1 << len(seats))]
    words += [f"double {seat}" for seat in range(6)]
    cards = [letter + str(value) for letter in "RKBGYP" for value in range(15)]
    words += [f"{verb} {card}" for verb in ("discard", "pass", "lay", "play") for card in cards]
    return [f"{seat} {word}" for seat in range(6) for word in words]


@pytest.mark.parametrize("matches", [1, pytest.param(2, marks=pytest.mark.slow)])
@every_place
def test_legal_is_what_is_not_refused(place: Setting, matches: int) -> None:
    """`legal` and `play` agree on everything one could think of, and a refusal changes nothing."""
    rng = chance("refusals", place.id)
    thought_of = conceivable(place)
    for seed in range(matches):
        game = new_game(place, seed, lopsided(place, seed))
        seen: set[str] = set()
        for _ in range(90):
            if game.phase not in seen or rng.random() < 0.05:
                seen.add(game.phase)
                assert_exactly_legal(game, thought_of)
            play_on(game, rng, 1)
        play_on(game, rng)
        assert_exactly_legal(game, thought_of)


def assert_exactly_legal(game: Game, thought_of: list[str]) -> None:
    accepted, before, twin = [], game.record(), game.copy()
    for words in thought_of:
        try:
            twin.play(words)
        except IllegalAction as refusal:
            complete = bool(refusal.code and refusal.paragraph)
        except ActionError as error:
            complete = "is not an action" in str(error)
        else:
            complete = [str(action) for action in twin.actions] == [*(str(action) for action in game.actions), words]
            accepted.append(words)
            twin = game.copy()
        assert complete, words
    assert sorted(accepted) == sorted(str(action) for action in game.legal())
    assert twin.record() == before
    assert game.record() == before


def test_the_order_of_legal_actions_is_pinned() -> None:
    """By row and column, by side, by colour and value (also checked at every step by the referee)."""
    game = Game.new("niet-2015", players=5, seed=11, first_dealer=0)
    rows = {"start": "0 1 2 3 4", "discard": "none one two one-not-1 pass-one", "trump": "red yellow blue green"}
    rows |= {"super": "red yellow blue green none", "points": "1 2 3 4 -2"}
    assert [str(action) for action in game.legal()] == [
        f"0 veto {row} {cell}" for row, cells in rows.items() for cell in cells.split()
    ]
    for words in rows.values():
        row = next(name for name, cells in rows.items() if cells == words)
        for cell in words.split()[1:]:
            game.play(f"{game.turn} veto {row} {cell}")
    pairs = ["0 1", "0 2", "0 1 2", "0 3", "0 1 3", "0 2 3", "0 4", "0 1 4", "0 2 4", "0 3 4"]
    assert [str(action) for action in game.legal()] == [f"0 team {side}" for side in pairs]
    game.play("0 team 0 2 3")
    assert [str(action) for action in game.legal()] == ["0 double 1", "0 double 4"]
    game.play("0 double 4")
    hand = game.view(0)["hand"]
    assert hand == sorted(hand, key=lambda card: ("RYBG".index(card[0]), int(card[1:])))
    assert [str(action) for action in game.legal()] == [f"0 play {card}" for card in dict.fromkeys(hand)]


# ------------------------------------------------------------------ records, undo, copies


@every_setting
def test_replay_equals_play(setting: Setting) -> None:
    for seed in range(2):
        record = record_of(setting, seed)
        again = Game.from_record(record)
        assert again.record() == record
        assert json.loads(json.dumps(again.record())) == record
        assert again.is_over
        played = new_game(setting, seed, lopsided(setting, seed) if seed % 2 else None)
        for words in (words for round in record["rounds"] for words in round["actions"]):
            played.play(words)
        assert played.record() == record
        assert [str(action) for action in played.actions] == [str(action) for action in again.actions]
        for seat in (None, *range(setting.players)):
            assert played.view(seat) == again.view(seat)


@every_place
def test_a_record_replays_from_any_point(place: Setting) -> None:
    """Unfinished records too: every step of one equals the game when it was there."""
    game, rng = new_game(place, 7), chance(7)
    snapshots = [(game.record(), game.phase, game.turn)]
    while game.round < 3 and not game.is_over:
        play_on(game, rng, 1)
        snapshots.append((game.record(), game.phase, game.turn))
    number = deals = 0
    for action, live in Game.steps(game.record()):
        number += action is not None
        deals += action is None
        record, phase, turn = snapshots[number]
        assert live.round == deals
        if live.phase == "deal":  # the game that was played has dealt the next round already
            assert len(live.record()["rounds"]) == len(record["rounds"]) - 1
            continue
        assert (live.phase, live.turn) == (phase, turn)
        if number % 7 == 0:
            assert live.record() == record
            parsed = json.loads(json.dumps(record))
            assert Game.from_record(parsed).record() == parsed
    assert number == len(snapshots) - 1


@every_place
def test_undo_to_any_point(place: Setting) -> None:
    """Back through every point of the match, then forward again: the same record."""
    game, rng = new_game(place, 9), chance(9)
    points: list[tuple[str, int | None, list[str]]] = []
    while game.round < 4 and not game.is_over:
        points.append((game.phase, game.turn, [str(action) for action in game.legal()]))
        play_on(game, rng, 1)
    record, actions = game.record(), game.actions
    steps = list(range(len(points) - 1, -1, -1))
    for point in steps:
        assert game.undo() is game
        assert (game.phase, game.turn, [str(action) for action in game.legal()]) == points[point]
        assert len(game.actions) == point
    for action in actions:
        game.play(action)
    assert game.record() == record
    for point in rng.sample(steps, 25):
        game.undo(to=point)
        assert (game.phase, game.turn, [str(action) for action in game.legal()]) == points[point]
        for action in actions[point:]:
            game.play(action)
        assert game.record() == record


@pytest.mark.parametrize("edition", ["niet-2015", "nichtig"])
def test_undo_in_a_replayed_game(edition: str) -> None:
    """A game made from a record knows the record's deals: back and forth again, it tells the same."""
    place = Setting(edition, 4, {})
    game, rng = new_game(place, 10), chance(10)
    while game.round < 3:
        play_on(game, rng, 1)
    play_on(game, rng, 5)
    record, actions = game.record(), game.actions
    again = Game.from_record(record)
    for point in (len(actions) - 3, 10):
        again.undo(to=point)
        for action in actions[point:]:
            again.play(action)
        assert again.record() == record


@settings(max_examples=60, deadline=None, database=None, derandomize=True)
@given(
    place=st.sampled_from([Setting(edition, players, {}) for edition, players in PLACES]),
    seed=st.integers(-(1 << 63), (1 << 63) - 1),
    moves=st.lists(st.tuples(st.sampled_from(["play", "undo", "copy", "record"]), st.integers(0, 150)), max_size=12),
)
def test_play_undo_copy_and_record_in_any_order(place: Setting, seed: int, moves: list[tuple[str, int]]) -> None:
    """Whatever one does to a game, it is the game of its deals and its actions."""
    game, rng = new_game(place, seed), chance(seed)
    for move, size in moves:
        if move == "play":
            play_on(game, rng, size)
        elif move == "undo":
            game.undo(min(size, len(game.actions)))
        elif move == "copy":
            left_behind, record = game, game.record()
            game = game.copy()
            play_on(game, rng, size)
            assert left_behind.record() == record
            play_on(left_behind, rng, 5)
        else:
            assert Game.from_record(json.loads(json.dumps(game.record()))).record() == game.record()
    fresh = new_game(place, seed)
    for action in game.actions:
        fresh.play(action)
    assert fresh.record() == game.record()
    assert fresh.legal() == game.legal()


@every_place
def test_a_copy_is_independent(place: Setting) -> None:
    game, rng = new_game(place, 13), chance(13)
    for _ in range(6):
        play_on(game, rng, rng.randrange(40))
        twin, before = game.copy(), game.record()
        assert twin.record() == before
        play_on(twin, chance(1), 120)
        assert game.record() == before
        other = game.copy().undo(min(5, len(game.actions)))
        assert game.record() == before
        assert len(other.actions) <= len(game.actions)
        # both go on with the same deals
        again = game.copy()
        play_on(again, chance(1), 120)
        assert again.record() == twin.record()
