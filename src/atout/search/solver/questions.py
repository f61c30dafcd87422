"""The questions a solution answers, asked of the search one after the other.

    stage   question                                                                        answer
    BEST    what is the position worth?                                                     value
    EACH    what is each legal card worth?                                                  answer, by kind
    LINE    which card keeps the value, here and after it, to the end of the round?         line, ours, theirs

A value is found by asking whether it reaches a target, first a guess and then next to the bound just found,
until the two bounds meet. The guess is what comes out if everyone plays the card that looks best.

Everything stands in the memory between two calls: a call that ran out of nodes is continued by the next.
"""

from __future__ import annotations

from typing import Any

from atout.rules.arrays import as_rules, as_state
from atout.rules.bits import ctz
from atout.rules.jit import entry, rule
from atout.rules.scoring import own_points
from atout.rules.trick import legal_play
from atout.search.solver.alpha_beta import CARD, EXTREME, open_frame, play, search
from atout.search.solver.numbering import pose
from atout.search.solver.patterns import prepare
from atout.search.solver.problem import NO_CARD, as_frames, as_problem, as_table, maximizes

BEST, EACH, LINE, DONE = range(4)


@rule
def playout(p: Any, frames: Any) -> int:
    """The value if everyone plays the card that looks best."""
    ply, value = 0, 0
    while frames[ply].left > 0:
        f = frames[ply]
        f.choice = NO_CARD
        open_frame(p, f)
        play(p, f, frames[ply + 1], f.moves[0] & CARD)
        ply += 1
        if frames[ply].played == 0:
            value += frames[ply].got
    return value


@rule
def is_better(p: Any, f: Any) -> bool:
    """Did the seat in turn get what it wants: to reach the target, or to keep the other side from it?"""
    return (f.value >= f.target) == maximizes(p, f.turn)


@rule
def bring_forward(f: Any, card: int) -> None:
    """Put a card first, if it is among the moves; the others keep their order."""
    at = f.count - 1
    while at > 0 and f.moves[at] & CARD != card:
        at -= 1
    move = f.moves[at]
    while at > 0:
        f.moves[at] = f.moves[at - 1]
        at -= 1
    f.moves[0] = move


@rule
def put(p: Any, f: Any) -> None:
    """Put the first frame before the search: with all moves, or with the one in question."""
    f.choice = NO_CARD
    open_frame(p, f)
    bring_forward(f, p.choice)
    if p.stage == EACH:
        f.moves[0] = p.action[p.asked]
        f.count = 1
    elif p.stage == LINE:
        f.moves[0] = f.moves[p.asked]
        f.count = 1
    f.target = p.target
    p.ply = 0
    p.is_put = 1


@rule
def narrow(p: Any, f: Any) -> bool:
    """Take an answer as a bound; is there still something to ask?"""
    if f.value >= f.target:
        p.floor = f.value
        p.target = f.value + 1
    else:
        p.ceiling = f.value
        p.target = f.value
    return p.floor < p.ceiling


@rule
def ask_move(p: Any, f: Any) -> None:
    """What a move must reach, or must not, to be as good as the best."""
    p.target = p.value if maximizes(p, f.turn) else p.value + 1


@rule
def hear_best(p: Any, f: Any) -> None:
    if is_better(p, f):
        p.choice = f.choice
    if narrow(p, f):
        return
    p.value = p.floor
    p.total = p.ours - p.theirs + p.unit * p.value
    p.best = p.kind_of[p.choice]
    p.stage = EACH
    p.asked = -1
    list_actions(p, f)
    next_action(p, f)


@rule
def list_actions(p: Any, f: Any) -> None:
    cards = legal_play(f, p) & ~f.twins
    p.actions = 0
    while cards != 0:
        p.action[p.actions] = ctz(cards)
        p.actions += 1
        cards &= cards - 1


@rule
def next_action(p: Any, f: Any) -> None:
    """On to the next card to be valued; the best one is already. After the last to the next stage."""
    p.asked += 1
    if p.want_each == 0:
        p.asked = p.actions
    elif p.asked < p.actions and p.action[p.asked] == p.choice:
        book(p, f, p.value)
        p.asked += 1
    ask_move(p, f)
    if p.asked < p.actions:
        p.floor, p.ceiling = -EXTREME, EXTREME
        if maximizes(p, f.turn):
            p.ceiling = p.value
        else:
            p.floor = p.value
    else:
        p.stage = LINE if p.want_line != 0 else DONE
        p.asked = 0


@rule
def book(p: Any, f: Any, value: int) -> None:
    """The action's value is that of its kind, and of all its twins."""
    card = p.action[p.asked]
    total = p.ours - p.theirs + p.unit * value
    cards = legal_play(f, p) & ~((1 << card) - 1)
    while cards != 0:
        twin = ctz(cards)
        cards &= cards - 1
        if twin != card and (f.twins >> twin) & 1 == 0:
            return
        p.answer[p.kind_of[twin]] = total
        p.answered |= 1 << p.kind_of[twin]


@rule
def hear_each(p: Any, f: Any) -> None:
    if not narrow(p, f):
        book(p, f, p.floor)
        next_action(p, f)


@rule
def hear_line(p: Any, frames: Any) -> None:
    """Make the move if it keeps the value, else ask for the next one."""
    f, g = frames[0], frames[1]
    if not is_better(p, f):
        p.asked += 1
        return
    card = f.moves[0] & CARD
    p.line[p.length] = p.kind_of[card]
    p.length += 1
    play(p, f, g, card)
    if g.played == 0:
        p.value -= g.got
        points = g.haul * p.worth[g.best]
        if maximizes(p, g.best):
            p.ours += points
        else:
            p.theirs += points
    frames[0] = frames[1]
    p.choice = NO_CARD
    p.asked = 0
    ask_move(p, f)
    if f.left == 0:
        p.stage = DONE


@entry
def ask_about(state: Any, rules: Any, memory: Any, each: int, line: int) -> int:
    """Begin with a state in phase PLAY of Njet!; 0 when it has too many cards."""
    s, r = as_state(state), as_rules(rules)
    p, frames = as_problem(memory), as_frames(memory)
    if not pose(s, r, p, frames):
        return 0
    prepare(as_table(memory), p.conditions)
    p.want_each, p.want_line = each, line
    p.nodes, p.length, p.answered = 0, 0, 0
    p.ours, p.theirs = 0, 0
    for seat in range(r.players):
        if maximizes(p, seat):
            p.ours += own_points(s, seat)
        else:
            p.theirs += own_points(s, seat)
    p.stage = BEST
    p.is_put = 0
    p.choice = NO_CARD
    p.floor, p.ceiling = -EXTREME, EXTREME
    p.target = playout(p, frames)
    return 1


@entry
def answer(memory: Any, budget: int) -> int:
    """Go on for so many nodes; 1 when all is answered."""
    p, frames, t = as_problem(memory), as_frames(memory), as_table(memory)
    last = p.nodes + budget
    while p.stage != DONE:
        if p.is_put == 0:
            put(p, frames[0])
        if not search(p, frames, t, last - p.nodes):
            return 0
        p.is_put = 0
        if p.stage == BEST:
            hear_best(p, frames[0])
        elif p.stage == EACH:
            hear_each(p, frames[0])
        else:
            hear_line(p, frames)
    return 1
