"""Solving a position: a sequence of zero-window searches, stage by stage.

    stage   question                                                                        result
    BEST    what is the value of the position?                                              value
    EACH    what is the value after each legal card?                                        answer, by kind
    LINE    which card keeps the value, here and after it, to the end of the round?         line, ours, theirs

A value is found by a driver like MTD(f) (Plaat 1996): search whether a target is reached, first a guess and then next
to the bound just found, until the two bounds meet. The first guess is the result of playing, at every seat, the card
that move ordering puts first.

The whole search is in the memory between two calls: a call that ran out of nodes is continued by the next.
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
def first_guess(p: Any, frames: Any) -> int:
    """The value if every seat plays the card that move ordering puts first."""
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
    """Whether the seat in turn succeeded: reached the target, or kept the other side from it."""
    return (f.value >= f.target) == maximizes(p, f.turn)


@rule
def bring_forward(f: Any, card: int) -> None:
    """Move a card to the front, if it is among the moves; the others keep their order."""
    at = f.count - 1
    while at > 0 and f.moves[at] & CARD != card:
        at -= 1
    move = f.moves[at]
    while at > 0:
        f.moves[at] = f.moves[at - 1]
        at -= 1
    f.moves[0] = move


@rule
def set_root(p: Any, f: Any) -> None:
    """Set up the first frame: with all moves, or with the one that is evaluated."""
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
    p.has_begun = 1


@rule
def narrow(p: Any, f: Any) -> bool:
    """Use a result as a bound of the value. Returns whether the bounds have not met yet."""
    if f.value >= f.target:
        p.floor = f.value
        p.target = f.value + 1
    else:
        p.ceiling = f.value
        p.target = f.value
    return p.floor < p.ceiling


@rule
def ask_move(p: Any, f: Any) -> None:
    """Set the target that a move must reach, or must not reach, to be as good as the best."""
    p.target = p.value if maximizes(p, f.turn) else p.value + 1


@rule
def update_best(p: Any, f: Any) -> None:
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
    """Go on to the next card to evaluate; the best one is known already. After the last, go to the next stage."""
    p.asked += 1
    if p.want_each == 0:
        p.asked = p.actions
    elif p.asked < p.actions and p.action[p.asked] == p.choice:
        store_total(p, f, p.value)
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
def store_total(p: Any, f: Any, value: int) -> None:
    """Store the total of an action for its kind and all its twins."""
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
def update_each(p: Any, f: Any) -> None:
    if not narrow(p, f):
        store_total(p, f, p.floor)
        next_action(p, f)


@rule
def update_line(p: Any, frames: Any) -> None:
    """Play the move if it keeps the value, else try the next one."""
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
def begin_solving(state: Any, rules: Any, memory: Any, each: int, line: int) -> int:
    """Begin to solve a state in phase PLAY of Njet!. Returns 0 when it has too many cards."""
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
    p.has_begun = 0
    p.choice = NO_CARD
    p.floor, p.ceiling = -EXTREME, EXTREME
    p.target = first_guess(p, frames)
    return 1


@entry
def continue_solving(memory: Any, budget: int) -> int:
    """Continue for `budget` nodes. Returns 1 when everything is solved."""
    p, frames, t = as_problem(memory), as_frames(memory), as_table(memory)
    last = p.nodes + budget
    while p.stage != DONE:
        if p.has_begun == 0:
            set_root(p, frames[0])
        if not search(p, frames, t, last - p.nodes):
            return 0
        p.has_begun = 0
        if p.stage == BEST:
            update_best(p, frames[0])
        elif p.stage == EACH:
            update_each(p, frames[0])
        else:
            update_line(p, frames)
    return 1
