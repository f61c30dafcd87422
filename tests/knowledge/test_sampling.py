"""Drawn worlds: always consistent, and on small cases exactly the possible ones, each as often as it should be.

What is counted (`worlds.py`): a world says where every unseen card is now and what others chose in secret;
copies of a kind are different cards. `Sampler.placements` is the number of placements. After a pass it does not
count who passed what among others: that is the same number for every placement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import ceil, sqrt
from typing import Any

import numpy as np
import pytest

from atout import Game
from atout.editions import from_tree
from atout.game import Sampler, new_rng
from atout.game.notation import notation_of
from atout.rules import entries
from atout.rules.arrays import plain
from atout.rules.layout import STATE
from tests.depth import first, where
from tests.knowledge.worlds import Key, Possible, fresh, house, key
from tests.properties.expected_views import has_arrived
from tests.properties.matches import (
    PLACES,
    Setting,
    chance,
    chosen_of,
    hands_of,
    is_quick,
    lopsided,
    new_game,
    new_referee,
    play_both,
    play_on,
)
from tests.properties.referee import Book, Referee

PLACED = [Setting(edition, players, {}) for edition, players in PLACES]
every_place = pytest.mark.parametrize("place", where(PLACED, is_quick), ids=[place.id for place in PLACED])

# ------------------------------------------------------------------ consistent, everywhere


@pytest.mark.parametrize("matches", first([1, 4]))
@every_place
def test_drawn_worlds_are_consistent(place: Setting, matches: int) -> None:
    """In every phase: the seat sees the same, and the world is legal from its deal on, says the referee."""
    phases: set[str] = set()
    for seed in range(matches):
        for game, referee in followed(place, seed):
            phases.add(game.phase)
            for seat in range(place.players):
                sampler = game.knowledge(seat).sampler
                assert sampler.placements >= 1
                for rng in range(2):
                    assert_consistent(game, Game.from_world(sampler, new_rng(rng, seed)), referee, seat)
    everything = {"veto", "team", "double", "discard", "pass", "play", "over"}
    if place.edition == "nichtig":
        everything = {"lay", "play", "over"}
    everything -= {"pass"} if place.edition == "njet-1997" else set()
    everything -= {"team"} if place.players == 2 else set()
    everything -= {"double"} if place.players < 5 else set()
    assert phases == everything


def followed(place: Setting, seed: int) -> Iterator[tuple[Game, Referee]]:
    """Positions of a match with its referee: each change of phase, some others, and the end."""
    rng = chance("sampling", place.id, seed)
    game = new_game(place, seed, lopsided(place, seed) if seed % 2 else None)
    referee, phase = new_referee(game, place), ""
    while not game.is_over:
        if game.phase != phase or rng.random() < 0.02:
            phase = game.phase
            yield game, referee
        play_both(game, referee, rng.choice(referee.legal()))
    yield game, referee


def assert_consistent(game: Game, world: Game, referee: Referee, seat: int) -> None:
    assert_same(game, world, seat)
    assert (world.phase, world.turn, world.round) == (game.phase, game.turn, game.round)
    dealt = hands_of(world.copy().undo(to=0)) if world.actions else hands_of(world)
    assert Counter(dealt[seat]) == Counter(referee.now.dealt[seat])
    again = fresh(referee)
    again.deal([" ".join(hand) for hand in dealt])
    for action in world.actions:
        again.play(str(action))
    assert (again.phase, again.turn) == (referee.phase, referee.turn)
    assert hands_of(world) == [again.book.sorted(hand) for hand in again.now.hands]
    assert chosen_of(world) == [again.book.sorted(cards) for cards in again.now.chosen]
    assert [str(action) for action in world.legal()] == again.legal()


@every_place
def test_a_drawn_world_can_be_played_on(place: Setting) -> None:
    """It goes on to the end of the match, and back to its deal."""
    game, rng = new_game(place, 21), chance("on", place.id)
    for _ in range(8):
        play_on(game, rng, 23)
        seat = rng.randrange(place.players)
        world = game.sample(seat, rng.randrange(1 << 60))
        actions = [str(action) for action in world.actions]
        play_on(world, chance(1))
        assert world.is_over
        world.undo(to=len(actions))
        assert [str(action) for action in world.actions] == actions
        assert world.view(seat)["hand"] == game.view(seat)["hand"]
        world.undo(to=0)
        for words in actions:
            world.play(words)
        assert (world.phase, world.turn) == (game.phase, game.turn)


@every_place
def test_the_same_luck_draws_the_same_world(place: Setting) -> None:
    game = play_on(new_game(place, 22), chance(22), 33)
    one, two, other = (game.sample(0, rng) for rng in (5, 5, 6))
    assert hands_of(one) == hands_of(two)
    assert [str(action) for action in one.actions] == [str(action) for action in two.actions]
    assert hands_of(one) != hands_of(other)


@pytest.mark.parametrize("first_dealer", [0, 1, 2])
@pytest.mark.parametrize("edition", ["njet-1997", "nichtig"])
def test_the_record_of_a_drawn_world_replays(edition: str, first_dealer: int) -> None:
    """In the first round a drawn world has a record like any game."""
    game = play_on(Game.new(edition, 3, seed=1, first_dealer=first_dealer), chance(1), 20)
    record = game.sample(0, 1).record()
    assert Game.from_record(record).record() == record


@pytest.mark.parametrize("edition", ["njet-1997", "niet-2015", "nichtig"])
def test_a_world_drawn_between_two_rounds_goes_back_to_its_deal(edition: str) -> None:
    """A game that waits for its next deal can be sampled like any other."""
    finished = play_on(Game.new(edition, 3, seed=1, first_dealer=1), chance(2))
    waiting = 0
    for _, game in Game.steps(finished.record()):
        if game.phase == "deal":
            waiting += 1
            world = game.sample(0, 3)
            round = world.undo(to=0)
            recorded = game.record()["rounds"][-1]
            opener = recorded["dealer"] if edition != "nichtig" else recorded["leader"]
            first = (opener + (edition == "njet-1997")) % 3
            assert (round.phase, round.turn) == ("lay" if edition == "nichtig" else "veto", first)
    assert waiting == len(finished.record()["rounds"]) - 1


# ------------------------------------------------------------------ complete and uniform, on small cases

NJET = Book(
    game="njet",
    players=3,
    colours=("red", "blue", "green"),
    values=(1, 1, 2, 3),
    hand=4,
    rounds=2,
    low=1,
    discard=("none",),
    trump=("red",),
    super=("blue",),
    points=(1,),
)


def changed(**fields: Any) -> Book:
    return replace(NJET, **fields)


BOOKS = {
    "voids": changed(trump=("red", "green"), super=("blue", "none"), rounds=3),
    "undealt, discard two": changed(players=2, discard=("two",)),
    "discard one, 4 players": changed(players=4, hand=3, discard=("one",)),
    "must trump": changed(must_trump=True, dealer_vetoes_first=False, next_dealer_left_of_start=True),
    "must trump, discard one": changed(must_trump=True, discard=("one",), super=("none",)),
    "printed supertrumps": changed(supertrump_is_trump=False, trump=("none", "red"), super=("red", "green"), rounds=3),
    "pass one": changed(discard=("pass-one",)),
    "pass one, 4 players": changed(players=4, hand=3, discard=("pass-one",)),
    "pass two": changed(discard=("pass-two",), supertrump_is_trump=False),
    "pass one, 2 players": changed(players=2, discard=("pass-one",)),
    "two without a low card": changed(values=(1, 1, 1, 2), discard=("two-not-1",)),
    "one without a low card": changed(values=(1, 1, 2), hand=3, discard=("one-not-1",)),
    "low cards, 2 players": changed(players=2, values=(1, 1, 1, 2), discard=("two-not-1",), must_trump=True),
}
NICHTIG = {
    "lay one": Book("nichtig", 3, ("red", "blue"), (0, 0, 1, 2, 3), hand=3, rounds=3, lay=1),
    "lay two": Book("nichtig", 3, ("red", "blue"), (0, 0, 1, 2, 3), hand=3, rounds=3, lay=2),
    "lay two, 2 players": Book("nichtig", 2, ("red", "blue"), (0, 0, 1, 2), hand=3, rounds=4, lay=2),
    "lay one, 4 players": Book("nichtig", 4, ("red", "blue", "green"), (0, 0, 1), hand=2, rounds=4, lay=1),
}
MANY_WORLDS = {name for name in [*BOOKS, *NICHTIG] if "4 players" in name} | {
    "undealt, discard two",
    "two without a low card",
    "low cards, 2 players",
}
"""Where it takes seconds to try all placements."""


def small_positions(book: Book, matches: int, share: float, most: int) -> Iterator[tuple[Game, Referee, int]]:
    """Positions of random house matches, with an observer; at most so many placements to try one by one."""
    edition = from_tree(house(book), "test")
    for seed in range(matches):
        rng = chance("small", seed, book.discard, book.hand)
        game = Game.new(edition, book.players, seed=seed)
        referee = Referee(book, game.first_dealer)
        referee.deal(game.record()["rounds"][0]["hands"])
        while not game.is_over:
            for seat in range(book.players):
                if rng.random() < share and Possible(referee, seat).physical <= most:
                    yield game, referee, seat
            assert [str(action) for action in game.legal()] == referee.legal()
            play_both(game, referee, rng.choice(referee.legal()))


@pytest.mark.parametrize("name", where([*BOOKS, *NICHTIG], lambda name: name not in MANY_WORLDS))
def test_worlds_are_counted_right(name: str) -> None:
    """The number of worlds is that of the placements one can find by trying them all."""
    counted, narrowed, book = 0, 0, (BOOKS | NICHTIG)[name]
    for game, referee, seat in small_positions(book, 8 if book.players == 2 else 3, share=0.25, most=1_000):
        possible = Possible(referee, seat)
        right = possible.placements().total()
        assert game.knowledge(seat).sampler.placements == right
        counted += 1
        narrowed += right < possible.physical
    assert counted >= 20
    if book.is_njet:
        assert narrowed >= 3, "nothing was known but hand sizes"


DRAWS = 12_000
"""At most. Fewer are enough where there are few worlds (`draws_for`)."""
MAX_WORLDS = 400
"""By kinds; so that every one is expected often enough."""


def draws_for(weights: Counter[Key]) -> int:
    """As many draws as find a sampler that prefers half of the worlds by a fifth, in all but few of such cases.

    Each share is then an eleventh too large or too small (1.2 and 1 to 1.1), which adds δ = draws / 121 to chi-square
    on the average; it varies by √(2 f + 4 δ), with f degrees of freedom. `surprise` is above 4 from about f + 4 √(2 f)
    on; this leaves two deviates for bad luck.
    """
    freedom = len(weights) - 1
    enough = 121 * (6 * sqrt(2 * freedom) + 30)
    rarest = 5 * weights.total() / min(weights.values())
    return min(DRAWS, ceil(max(enough, rarest)))


@pytest.mark.parametrize("most", first([1, 3]))
@pytest.mark.parametrize("name", where([*BOOKS, *NICHTIG], lambda name: name != "pass one, 4 players"))
def test_every_world_is_drawn_as_often_as_it_should(name: str, most: int) -> None:
    """All possible worlds are drawn, no other is, and a chi-square test finds nothing odd."""
    tested: Counter[str] = Counter()
    for game, referee, seat in small_positions((BOOKS | NICHTIG)[name], matches=8, share=0.4, most=600):
        state = f"{game.phase} after a pass" if has_arrived(referee) else game.phase
        if game.phase == "lay":
            hidden = max(len(cards) for other, cards in enumerate(referee.now.chosen) if other != seat)
            state = f"lay, {hidden} hidden"
        if tested[state] == most:
            continue
        possible = Possible(referee, seat).worlds()
        if 1 < len(possible) <= MAX_WORLDS and min(possible.values()) / possible.total() * DRAWS >= 5:
            tested[state] += 1
            drawn = draw_many(game.knowledge(seat).sampler, referee, draws_for(possible), seed=tested.total())
            assert set(drawn) == set(possible)
            assert surprise(drawn, possible) < 4, f"{state}: worlds are not equally likely"
    assert tested["play after a pass" if "pass" in name else "play"] == most
    assert tested.total() >= (most if "4 players" in name else most + 2)
    assert name != "lay two, 2 players" or tested["lay, 2 hidden"], "the order of laid cards was not tested"


def draw_many(sampler: Sampler, referee: Referee, count: int, seed: int) -> Counter[Key]:
    """Worlds by kinds; what is drawn again is not read again."""
    rng, words = new_rng(seed, 1), notation_of(sampler.knowledge.setup)
    raw: Counter[tuple[bytes, bytes]] = Counter()
    for _ in range(count):
        world, log = sampler.draw(rng)
        raw[world.tobytes(), log.tobytes()] += 1
    result: Counter[Key] = Counter()
    seats, in_order = range(referee.n), referee.phase == "lay"
    for (world_bytes, log_bytes), times in raw.items():
        state = plain(np.frombuffer(world_bytes, np.int64), STATE)
        hands = [words.cards_of(state.hand[seat], state.spare[seat]) for seat in seats]
        log = np.frombuffer(log_bytes, np.int64)[: sampler.knowledge.length]
        actions = [words.action(int(entry)) for entry in log]
        chosen = [
            [action.words[0] for action in actions if action.seat == seat and action.verb in ("discard", "pass", "lay")]
            for seat in seats
        ]
        aside = [words.cards_of(state.gone[seat], state.gone_spare[seat]) for seat in seats]
        assert [sorted(cards) for cards in chosen] == [sorted(cards) for cards in aside]
        result[key(hands, chosen, in_order)] += times
    return result


def surprise(drawn: Counter[Key], weights: Counter[Key]) -> float:
    """A chi-square test as a normal deviate (Wilson and Hilferty): above 4 once in thirty thousand times."""
    count, total, freedom = drawn.total(), weights.total(), len(weights) - 1
    square = 0.0
    for world, weight in weights.items():
        expected = count * weight / total
        square += (drawn[world] - expected) ** 2 / expected
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def test_the_chi_square_test_finds_a_bias() -> None:
    """A sampler that prefers some worlds by a fifth would not pass."""
    weights: Counter[Key] = Counter({(((str(i),),), ()): 1 + i % 2 for i in range(40)})
    rng, worlds = chance("fair"), list(weights)
    draws = draws_for(weights)
    for _ in range(20):
        fair = Counter(rng.choices(worlds, [weights[world] for world in worlds], k=draws))
        assert surprise(fair, weights) < 4
    tilted = [weights[world] * (1.2 if i < 20 else 1) for i, world in enumerate(worlds)]
    found = [surprise(Counter(rng.choices(worlds, tilted, k=draws)), weights) > 4 for _ in range(20)]
    assert sum(found) >= 19


@pytest.mark.slow
def test_low_cards_that_had_to_be_discarded() -> None:
    """'Unless nothing else is left': worlds with forced low discards are among those counted and drawn."""
    forced = 0
    for game, referee, seat in small_positions(BOOKS["two without a low card"], matches=8, share=0.4, most=600):
        if referee.now.discard and game.phase in ("discard", "play"):
            possible = Possible(referee, seat).worlds()
            low = [world for world in possible if any(card[1:] == "1" for cards in world[1] for card in cards)]
            forced += 0 < len(low) < len(possible)
    assert forced >= 5


def test_known_cards_in_a_neighbours_hand() -> None:
    """What one passed and has not seen since is in the left neighbour's hand in every world."""
    for players, count in ((3, 2), (4, 1)):
        discard = ("pass-two",) if count == 2 else ("pass-one",)
        seen = 0
        for game, referee, seat in small_positions(
            changed(players=players, hand=12 // players, discard=discard), matches=3, share=0.3, most=2_000
        ):
            if has_arrived(referee):
                left = referee.left(seat)
                known = Possible(referee, seat).kept
                seen += known.total() > 0
                for rng in range(3):
                    assert known <= Counter(hands_of(game.sample(seat, rng))[left])
        assert seen >= 5


# ------------------------------------------------------------------ heavy positions


@pytest.mark.parametrize("edition", ["njet-2007", "niet-2015"])
def test_everybody_void_somewhere(edition: str) -> None:
    """Five players, everybody has shown a void: a world is always found, and with little work."""
    place = Setting(edition, 5, {})
    heavy = 0
    for seed in range(30):
        rng = chance("void", edition, seed)
        game = new_game(place, seed, lopsided(place, seed))
        while game.round < 4:
            if game.phase == "play":
                voids = game.view(None)["cannot_hold"]
                if all(voids) and len({tuple(cards) for cards in voids}) > 3 and rng.random() < 0.3:
                    heavy += 1
                    sampler = game.knowledge(game.turn).sampler
                    world_rng = new_rng(seed)
                    before = int(world_rng[0])
                    worlds = [sampler.draw(world_rng)[0]]
                    assert random_numbers(before, int(world_rng[0])) <= MAX_NUMBERS
                    worlds += [sampler.draw(world_rng)[0] for _ in range(19)]
                    assert sampler.placements >= 1
                    assert not any(entries.broken_invariant(world, game.setup.rules) for world in worlds)
                    assert game.turn is not None
                    assert_same(game, Game.from_world(sampler, world_rng), game.turn)
            play_on(game, rng, 1)
    assert heavy >= 100


WORD = (1 << 64) - 1
MAX_NUMBERS = 1_000_000
"""Random numbers for one world: the median is some hundreds, the most seen in 20,000 worlds was 131,451."""


def random_numbers(before: int, after: int) -> int:
    """How many steps of xorshift64 (`atout.rules.rng`) lie between two of its states, as far as is counted."""
    x, end, words = before & WORD, after & WORD, 0
    while x != end and words <= MAX_NUMBERS:
        x ^= x << 13 & WORD
        x ^= x >> 7
        x ^= x << 17 & WORD
        words += 1
    return words


def assert_same(game: Game, world: Game, seat: int) -> None:
    """The world looks the same to the seat. What is public of earlier rounds is no part of its sampler's knowledge."""
    real, view = game.view(seat), world.view(seat)
    view["past"], view["last_round"] = real["past"], real["last_round"]
    assert view == real
