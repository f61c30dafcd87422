"""Why an action is refused, as text: the paragraph of docs/rules that forbids it, and what is allowed instead."""

from __future__ import annotations

from collections.abc import Sequence

from atout.editions import PUBLISHED
from atout.errors import ActionError, IllegalAction
from atout.game.action import Action
from atout.game.log_entry import action_of, logged, phase_of, seat_of
from atout.game.notation import PHASES, Notation, bits_of
from atout.game.setup import Setup
from atout.rules import entries, refusal
from atout.rules.arrays import Int64Array
from atout.rules.layout import STATE

PHASE, TURN = STATE.names.index("phase"), STATE.names.index("turn")  # type: ignore[union-attr]
"""Their positions in the array of a state."""

CODES = {
    refusal.MATCH_OVER: "match-over",
    refusal.NOT_DEALT: "not-dealt",
    refusal.NOT_YOUR_TURN: "not-your-turn",
    refusal.WRONG_PHASE: "wrong-phase",
    refusal.NO_SUCH_CELL: "no-such-cell",
    refusal.COVERED: "covered",
    refusal.LAST_FREE: "last-free",
    refusal.BAD_SIDE: "bad-side",
    refusal.BAD_DOUBLE: "bad-double",
    refusal.NOT_HELD: "not-held",
    refusal.LOW_BARRED: "low-barred",
    refusal.MUST_FOLLOW: "must-follow",
    refusal.MUST_TRUMP: "must-trump",
}

TEXTS = {
    "match-over": "the match is over",
    "not-dealt": "the cards are not dealt",
    "not-your-turn": "it is seat {turn}'s turn",
    "wrong-phase": "the phase is {now}",
    "no-such-cell": "the board has no such cell",
    "covered": "that cell is covered already",
    "last-free": "that is the last free cell of its row",
    "bad-side": "a side has {sides} players here, and the start player is one of them",
    "bad-double": "the ×2 card goes to a player of the smaller side",
    "not-held": "seat {seat} does not hold {card}",
    "low-barred": "no {low} may be chosen while the hand has another card",
    "must-follow": "the led suit must be followed",
    "must-trump": "a player who cannot follow must play a trump",
}

PARAGRAPHS = {
    "njet": {
        "match-over": "8.3",
        "not-dealt": "2.3",
        "wrong-phase": "1.2",
        "no-such-cell": "3.3",
        "covered": "3.3",
        "last-free": "3.4",
        "bad-side": "4.2",
        "bad-double": "4.3",
        "low-barred": "5.3",
        "must-follow": "6.3",
        "must-trump": "6.4",
        "not-your-turn veto": "3.2",
        "not-your-turn team": "4.1",
        "not-your-turn double": "4.3",
        "not-your-turn discard": "5.1",
        "not-your-turn pass": "5.1",
        "not-your-turn play": "6.1",
        "not-held discard": "5.2",
        "not-held pass": "5.2",
        "not-held play": "6.1",
    },
    "nichtig": {
        "match-over": "6.5",
        "not-dealt": "2.2",
        "wrong-phase": "1.2",
        "not-your-turn lay": "3.1",
        "not-your-turn play": "4.1",
        "not-held lay": "3.2",
        "not-held play": "4.1",
    },
}


def paragraph(setup: Setup, code: str, verb: str) -> str:
    """The paragraph of docs/rules that was broken; house rules are numbered like the game they change."""
    numbers = PARAGRAPHS[setup.edition.game]
    number = numbers.get(code) or numbers[f"{code} {verb}"]
    page = setup.edition.id if setup.edition.id in PUBLISHED else setup.edition.game
    return f"{page} §{number}"


def allowed(notation: Notation, state: Int64Array, action: str | Action) -> Action:
    """Return the action if the rules allow it in this state, else raise the error that says why not."""
    entry = notation.entry(action) if isinstance(action, str) else action.entry
    known = notation.by_entry.get(entry)
    if known is None or (not isinstance(action, str) and known != action):
        raise ActionError(f"{action} is not an action of {notation.setup.name}")
    number = entries.refusal(state, notation.setup.rules, seat_of(entry), phase_of(entry), action_of(entry))
    if number:
        raise refuse(notation, state, known, number)
    return known


def refuse(notation: Notation, state: Int64Array, action: Action, number: int) -> IllegalAction:
    """The error for a refusal code of the rules; it says nothing that the acting seat does not know."""
    setup, code, turn = notation.setup, CODES[number], int(state[TURN])
    reason = TEXTS[code].format(
        turn=turn,
        now=PHASES[int(state[PHASE])],
        seat=action.seat,
        card=action.words[-1],
        low=setup.edition.deck.low,
        sides=" or ".join(str(size) for size in setup.seats.sides),
    )
    parameters: dict[str, object] = {"low": setup.edition.deck.low} if code == "low-barred" else {}
    own = legal_actions(notation, state) if action.seat == turn else []  # what others may choose shows their cards
    return IllegalAction(str(action), code, reason, paragraph(setup, code, action.verb), parameters, choices_text(own))


def legal_actions(notation: Notation, state: Int64Array) -> list[Action]:
    """The legal actions of the seat in turn, in a fixed order: by row and column, by side, by colour and value."""
    here = logged(int(state[TURN]), int(state[PHASE]), 0)
    return [notation.action(here | i) for i in bits_of(entries.legal(state, notation.setup.rules))]


def choices_text(legal: Sequence[Action]) -> str:
    """What a seat may choose: `play G3, G7`. All actions of a phase have one verb."""
    return f"{legal[0].verb} {', '.join(' '.join(action.words) for action in legal)}" if legal else ""
