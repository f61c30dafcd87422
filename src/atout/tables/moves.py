"""Actions of the game: public ones one after the other, secret choices of all seats at once."""

from __future__ import annotations

from atout.errors import ActionError
from atout.game import Action, Game
from atout.tables import commands as c
from atout.tables import events as e
from atout.tables import guards
from atout.tables.refusals import refuse, refused_by_rule
from atout.tables.state import State


def act(state: State, command: c.Act, by: str | None, at: float) -> list[e.Event]:
    """A person acts for their seat, the server for a seat that a bot plays."""
    guards.playing(state)
    assert state.game is not None
    action = _read(state.game, command.action)
    bot = _bot_of(state, action.seat, command) if by is None else _check_person(state, action.seat, by)
    if command.decision is not None and command.decision != state.decision_of(action.seat):
        raise refuse("stale")
    try:
        if state.all_choose:
            return _choose(state, action, bot, command.forfeit)
        state.game.check(action)
    except ActionError as error:
        raise refused_by_rule(error) from None
    return [e.Acted(seat=action.seat, action=command.action, bot=bot, forfeit=command.forfeit if bot else "")]


def _read(game: Game, text: str) -> Action:
    try:
        return game.notation.by_entry[game.notation.entry(text)]
    except ActionError as error:
        raise refused_by_rule(error) from None


def _check_person(state: State, acting: int, by: str) -> str:
    seat = guards.playing_seat(state, by)
    if acting != seat:
        raise refuse("not-your-seat", seat=seat)
    if state.seats[seat].is_overdue:
        raise refuse("too-late")
    return ""


def _bot_of(state: State, acting: int, command: c.Act) -> str:
    """The level that plays the seat. An answer to a decision that has passed is refused."""
    seat = state.seats[acting]
    if not seat.is_played_by_bot:
        raise refuse("not-a-bot", seat=acting)
    if state.offer is not None and state.offer.what == "takeback":
        raise refuse("offer-open", what=state.offer.what)  # bots are asked again when it ends
    if state.is_deserted:
        raise refuse("nobody-there")  # bots are asked again when somebody is back
    if command.decision is None:
        raise refuse("stale")
    return seat.level if seat.is_bot else state.stand_in


def _choose(state: State, action: Action, bot: str, forfeit: str) -> list[e.Event]:
    """One card of a secret choice; the last card of the last seat reveals them all."""
    assert state.game is not None
    seat = state.seats[action.seat]
    if len(seat.chosen) == state.owed:
        raise refuse("has-chosen")
    state.game.choosing(action.seat, seat.chosen).check(action)
    complete = len(seat.chosen) + 1 == state.owed
    text = state.game.notation.text_of[action.entry]
    chosen = e.Chosen(seat=action.seat, action=text, complete=complete, bot=bot, forfeit=forfeit if bot else "")
    if not complete or state.asked != [action.seat]:
        return [chosen]
    return [chosen, _reveal(state, action)]


def _reveal(state: State, last: Action) -> e.Revealed:
    """What everybody will see of the choices. A copy of the game is asked what each viewer may know."""
    assert state.game is not None
    game = state.game.copy()
    chosen = state.choices_in_order(last)
    before = game.round
    for action in chosen:
        game.play(action)
    assert game.round == before, "a choice of cards ends no round"
    viewers: list[int | None] = [*range(len(state.seats)), None]
    logs = [game.knowledge(seat).log[-len(chosen) :].tolist() for seat in viewers]
    return e.Revealed(seen=[[game.notation.shown_as[entry] for entry in log] for log in logs])


def withdraw(state: State, command: c.Withdraw, by: str | None, at: float) -> list[e.Event]:
    """A secret choice may be changed until the last seat has chosen."""
    guards.playing(state)
    index = guards.seat_of(state, by)
    seat = state.seats[index]
    if not (state.all_choose and seat.chosen):
        raise refuse("nothing-chosen")
    _check_person(state, index, guards.guest(by))
    return [e.Withdrawn(seat=index, complete=len(seat.chosen) == state.owed)]
