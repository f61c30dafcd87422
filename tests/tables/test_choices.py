"""Choices all make at the same time: in any order, changeable until the last, seen by nobody before (§5.1; N§3.1)."""

from __future__ import annotations

import random
from itertools import permutations
from typing import cast

import pytest

from atout import Action, Game, UsageError
from atout.game.secret_choice import SecretChoice
from atout.game.view import View, read_view
from atout.tables import Refused, Table
from atout.tables import commands as c
from atout.tables import events as e
from tests.properties.matches import PLACES, chance
from tests.properties.test_views import at_choice
from tests.tables.players import Driver, as_json, people


def view_of(game: Game, choosing: SecretChoice) -> View:
    """The view of a seat that chooses, as a table makes it."""
    return cast("View", {**game.common(), **choosing.own()})


def choice_of(edition: str, players: int) -> Game:
    """A game at its first choice that takes as many cards as any."""
    cells = {"njet-1997": "two", "njet-2007": "pass-two", "niet-2015": "one-not-1"}
    return Game.new(edition, players, seed=3) if edition == "nichtig" else at_choice(edition, players, cells[edition])


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_what_a_seat_may_choose_does_not_depend_on_its_turn(edition: str, players: int) -> None:
    """The rules, asked out of order, answer as they do in order, whatever the others choose."""
    game = choice_of(edition, players)
    apart = game.copy()
    phase = game.phase
    rng = chance("choosing", edition, players)
    chosen: dict[int, list[Action]] = {seat: [] for seat in range(players)}
    while game.phase == phase:
        seat = game.turn
        assert seat is not None
        choosing = apart.choosing(
            seat, [action for action in game.actions if action.seat == seat and action.verb == phase]
        )
        assert choosing.legal() == game.legal()
        assert choosing.owed == game.owed
        ours, theirs = view_of(apart, choosing), game.view(seat)
        for name in ("hand", "chosen", "owed", "legal", "turn", "phase", "seat"):
            assert ours[name] == theirs[name]
        assert vars(read_view(ours).state) == vars(game.knowledge(seat).state)
        chosen[seat].append(game.play(rng.choice(game.legal())))
    with pytest.raises(UsageError, match="choosing"):
        game.choosing(0)
    for seat in range(players):
        done = apart.choosing(seat, chosen[seat])
        assert done.is_done
        assert done.legal() == []
        view = view_of(apart, done)
        assert (view["turn"], view["owed"], view["legal"]) == (None, 0, [])
        assert len(view["hand"]) == len(apart.view(seat)["hand"]) - len(view["chosen"])
        assert view["phase"] == phase


def test_a_choice_begun_in_the_game_itself_is_not_asked_apart() -> None:
    game = Game.new("nichtig", 3, seed=1)
    game.play(game.legal()[0])
    with pytest.raises(UsageError, match="choosing"):
        game.choosing(2)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_any_order_gives_the_same_game(order: tuple[int, ...]) -> None:
    table = people("nichtig", 3)
    for seat in order:
        for _ in range(3):
            table.act(f"g{seat}", table.legal(f"g{seat}")[-1])
    assert table.phase == "play"
    reference = people("nichtig", 3)
    while reference.phase == "lay":
        seat = reference.asked()[0]
        reference.act(f"g{seat}", reference.legal(f"g{seat}")[-1])
    for seat in range(3):
        ours, theirs = table.view(f"g{seat}").game, reference.view(f"g{seat}").game
        assert ours == theirs


def test_cards_of_all_seats_mixed() -> None:
    table = people("nichtig", 4)
    rng = random.Random(2)
    while table.phase == "lay":
        table.step(rng)
    game = table.view("g0").game
    assert game is not None
    assert [sum(map(len, piles)) for piles in game["piles"] or []] == [3, 3, 3, 3]


def choosing(table: Driver, rng: random.Random) -> Driver:
    """Play until all choose cards to discard or pass."""
    while table.phase not in ("discard", "pass"):
        assert table.step(rng)
    return table


def test_a_choice_can_be_changed_until_the_last_is_in() -> None:
    table = people("nichtig", 3)
    first = table.legal("g0")[:3]
    for action in first:
        table.act("g0", action)
    view = table.view("g0")
    assert view.choice == first
    assert view.decision is None
    assert view.seats[0].has_chosen
    assert view.asked == [1, 2]
    assert view.game is not None
    assert (view.game["turn"], view.game["legal"], len(view.game["hand"])) == (None, [], 10)
    with pytest.raises(Refused) as found:
        table.do(c.Act(action=first[0]), "g0")
    assert found.value.code == "has-chosen"
    table.do(c.Withdraw(), "g0")
    assert table.view("g0").choice == []
    assert table.asked() == [0, 1, 2]
    again = table.legal("g0")[-3:]
    for action in again:
        table.act("g0", action)
    for guest in ("g1", "g2"):
        for _ in range(3):
            events = table.act(guest, table.legal(guest)[0])
    assert [type(event) for event in events] == [e.Chosen, e.Revealed]
    with pytest.raises(Refused) as found:
        table.do(c.Withdraw(), "g0")
    assert found.value.code == "nothing-chosen"
    game = table.view("g1").game
    assert game is not None
    assert [words for words in game["actions"] if words.startswith("0 lay")] == again


def test_a_card_chosen_twice_is_refused() -> None:
    table = people("nichtig", 3)
    single = next(action for action in table.legal("g2") if not action.endswith(("0",)))
    table.act("g2", single)
    with pytest.raises(Refused) as found:
        table.act("g2", single)
    assert (found.value.code, found.value.paragraph) == ("not-held", "nichtig §3.2")


def test_barred_low_cards_are_refused_out_of_turn_too() -> None:
    """The rules are asked about §5.3, whoever's turn it is there."""
    seen = 0
    for seed in range(40):
        table = choosing(people("niet-2015", 3), random.Random(seed))
        game = table.view("g0").game
        assert game is not None
        assert game["conditions"] is not None
        if game["conditions"]["discard"] != "one-not-1":
            continue
        for guest in ("g0", "g1", "g2"):
            view = table.view(guest)
            assert view.game is not None
            low = [card for card in view.game["hand"] if card[1:] == "1"]
            if low:
                seen += 1
                with pytest.raises(Refused) as found:
                    table.do(c.Act(action=f"{view.seat} discard {low[0]}"), guest)
                assert (found.value.code, found.value.paragraph) == ("low-barred", "niet-2015 §5.3")
                assert found.value.parameters["low"] == 1
                own = [words.split(" ", 1)[1] for words in view.game["legal"]]
                allowed = found.value.reason.partition("; allowed: discard ")[2].split(", ")
                assert [f"discard {card}" for card in allowed] == own, "cards of their own hand, and all that are legal"
        if seen:
            return
    pytest.fail("no deal had a barred low card")


def test_the_view_says_only_who_has_chosen() -> None:
    """Whatever the others have chosen, and however far they are, my view differs only in who is done."""
    views: list[bytes] = []
    for pick in (0, -1):
        table = people("nichtig", 4)
        for guest in ("g1", "g2"):
            table.act(guest, table.legal(guest)[pick])
        for _ in range(2):
            table.act("g1", table.legal("g1")[pick])
        views.append(as_json(table.view("g0")))
        assert [seat.has_chosen for seat in table.view("g0").seats] == [False, True, False, False]
    assert views[0] == views[1]


def test_bots_choose_with_the_people() -> None:
    table = people("nichtig", 4, seats=["open", "open", "novice", "club"])
    due = table.table.bot_turns()
    assert [(one.seat, one.level, len(one.legal)) for one in due] == [
        (seat, level, len(set(one.view["hand"])))
        for (seat, level), one in zip([(2, "novice"), (3, "club")], due, strict=True)
    ]
    assert len({one.seed for one in due}) == 2
    answer = c.Act(action=due[0].legal[0], decision=due[0].decision)
    table.do(answer, None)
    with pytest.raises(Refused) as found:  # another worker's answer to the same question is not the second card
        table.do(c.Act(action=due[0].legal[1], decision=due[0].decision), None)
    assert found.value.code == "stale"


def test_real_bots_read_these_views() -> None:
    from atout.bots import Budget, ask, make_bot

    table = people("nichtig", 4, seats=["open"] + ["club"] * 3)
    for due in table.table.bot_turns():
        choice = ask(make_bot(due.level), due.view, random.Random(due.seed), Budget(nodes=20))
        table.do(c.Act(action=choice.action, decision=due.decision), None)
    assert Table.from_events(table.events).number == table.table.number
