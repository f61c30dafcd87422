"""Why one action is better than another: the gain of each play-out, split into parts that add up to it.

Both actions are played out in the same likely worlds, with choices drawn from the network (`playouts.py`). The part in
which the better action leads most is told, with its cause if the part itself teaches little. A reason is data: a code
with numbers and cards, which a front end puts into words. A number is a plain mean over these play-outs; the gain of a
whole action is the one that was judged in all worlds, so that a sentence never contradicts the value beside it.

    phase             parts
    tricks, cards     Njet!: tricks and captured 1s, in this trick and later
                      Null & nichtig: own piles and those of the others, in this trick and later
    veto              for each cell that may stay: how much likelier it stays × what it is worth if it does
    partners          the side: what it is worth, and what the partner holds

If the better action does not lead in these play-outs, only the shares of strong play are told (`found-by`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from atout.bots.bot import Reason
from atout.game import Knowledge
from atout.game.notation import bits_of, notation_of
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import DEAL, DOUBLE, OVER, PLAY, STATE, TEAM, VETO
from atout.rules.log import action_of, logged
from atout.rules.scoring import lane
from atout.search.gain import Float64Array, gain
from atout.search.net_rollout import Worlds
from atout.study.evaluator import Evaluator, Sample
from atout.study.ledger import TURN
from atout.study.playouts import TO_THE_END, TRICKS
from atout.study.positions import PHASE

WORLDS = 48
"""Worlds that a reason is told from."""
SECOND = 0.4
"""The share of the first part's lead from which a second part is told, too."""
CLEAR = 0.15
"""The difference of two shares that is worth telling."""
CLEAR_COUNT = 0.25
"""The difference of two counts that is worth telling."""
ROWS = ("start", "discard", "trump", "super", "points")


class Trace(Struct, frozen=True):
    """What followed an action in one world."""

    parts: dict[str, float]
    """Parts of the gain; they add up to what was gained from the decision on."""
    facts: dict[str, float]
    """Counts of what happened."""


class Contrast(Struct, frozen=True):
    """Two actions in the same worlds, all equally likely."""

    knowledge: Knowledge
    better: int
    other: int
    worlds: Worlds
    states: Int64Array
    """Where each play-out stopped, by action and world."""
    logs: Int64Array
    values: Float64Array
    """The gain by action and world."""
    found_by: dict[int, float]
    gains: tuple[float, float]
    """What the two actions are worth over all worlds that were judged: the numbers that stand beside the reason."""

    @property
    def lead(self) -> float:
        return float((self.values[0] - self.values[1]).mean())


def contrast(
    evaluator: Evaluator, knowledge: Knowledge, sample: Sample, better: int, other: int, found_by: dict[int, float],
    known: dict[int, float], worlds: int = WORLDS,
) -> Contrast:  # fmt: skip
    """Play both actions out in some of the worlds, picked by their weights. `known` are the values that are shown."""
    picks = resampled(sample.weights, worlds)
    picked = Worlds(*(array[picks] for array in sample.worlds))
    some = Sample(picked, np.zeros(worlds), np.roll(sample.noise, 1, 0)[_spread_out(len(sample), worlds)], 1.0, 1.0)
    horizon = 1 if knowledge.state.phase in (VETO, TEAM) else TO_THE_END
    played = evaluator.play_out(knowledge, some, [better, other], horizon)
    gains = known[better], known[other]
    return Contrast(knowledge, better, other, picked, played.states, played.logs, played.values, found_by, gains)


def resampled(weights: Float64Array, count: int) -> Int64Array:
    """A systematic sample of `count` rows in proportion to their weights."""
    bounds = np.cumsum(weights)
    steps = (np.arange(count) + 0.5) * (bounds[-1] / count)
    picks: Int64Array = np.minimum(np.searchsorted(bounds, steps), len(bounds) - 1).astype(np.int64)
    return picks


def _spread_out(length: int, count: int) -> Int64Array:
    """Rows of random numbers for the picked worlds: a world that was picked twice gets two of them."""
    return np.arange(count, dtype=np.int64) % length


def reasons(told: Contrast) -> tuple[Reason, ...]:
    """At most two reasons why the better action is better."""
    if told.lead <= 0:
        return (_found_by(told),)
    phase = told.knowledge.state.phase
    if phase == VETO:
        return _of_board(told) or (_found_by(told),)
    if phase == TEAM:
        return _of_partner(told)
    if phase == DOUBLE:
        return _of_double(told)
    return _of_cards(told) or (_found_by(told),)


def _found_by(told: Contrast) -> Reason:
    shares = (round(100 * told.found_by[action]) for action in (told.better, told.other))
    best, other = shares
    return Reason("found-by", {**_names(told), "best_share": best, "other_share": other})


def _names(told: Contrast) -> dict[str, str]:
    """The two actions, without their seat: `play Y12`."""
    return {"best": word_of(told.knowledge, told.better), "other": word_of(told.knowledge, told.other)}


def word_of(knowledge: Knowledge, action: int) -> str:
    """An action as a record writes it, without its seat."""
    entry = logged(knowledge.fact.seat, knowledge.state.phase, action)
    return notation_of(knowledge.setup).text_of[entry].partition(" ")[2]


def card_of(knowledge: Knowledge, action: int) -> str:
    return notation_of(knowledge.setup).cards[action]


# ------------------------------------------------------------------ tricks and cards


def traces(told: Contrast) -> tuple[list[Trace], list[Trace]]:
    """What followed the better action in each world, and what followed the other one."""
    both = []
    for i, kept in enumerate((told.other, told.better)):
        both.append(
            [
                trace(told.knowledge, told.worlds.states[j], told.logs[i, j], kept)
                for j in range(len(told.worlds.states))
            ]
        )
    return both[0], both[1]


def trace(knowledge: Knowledge, world: Int64Array, log: Int64Array, kept: int) -> Trace:
    """Follow one play-out from the decision to the end of the round. `kept` is the card of the other action."""
    setup, seat, state = knowledge.setup, knowledge.fact.seat, world.copy()
    before = now = plain(state, STATE)
    facts = {"kept_wins": 0.0, "leads": 0.0, "draws": 0.0}
    cards: dict[int, int] = {}
    at, is_first = len(knowledge.log), before.phase == PLAY
    while state[PHASE] not in (DEAL, OVER):
        turn, tricks, card = int(state[TURN]), int(state[TRICKS]), action_of(int(log[at]))
        if state[PHASE] == PLAY:
            cards[turn] = card
        entries.apply(state, setup.rules, card)
        at += 1
        won = int(state[TRICKS]) - tricks
        if not won:
            continue
        winner = (won.bit_length() - 1) // 8
        if is_first:
            now, is_first = plain(state, STATE), False
            facts["leads"] = float(_is_ours(setup, now, seat, winner))
            theirs = [one for other, one in cards.items() if not _is_ours(setup, now, seat, other)]
            facts["draws"] = float(sum(((now.trumps | now.supers) >> one) & 1 for one in theirs))
        elif cards[seat] == kept and winner == seat:
            facts["kept_wins"] = 1.0
        cards = {}
    end = plain(state, STATE)
    if not setup.edition.is_njet:
        return Trace(_nichtig_parts(knowledge, before, now, end), facts)
    return Trace(_njet_parts(knowledge, before, now, end), facts | _njet_facts(knowledge, before, now, end))


def _is_ours(setup: Any, s: Any, seat: int, other: int) -> bool:
    """Whether the seats score together in this round."""
    if setup.edition.is_njet:
        return bool((s.side >> seat) & 1 == (s.side >> other) & 1)
    return bool(other == seat or (setup.options.teams and (other - seat) % 2 == 0))


def _worths(knowledge: Knowledge, s: Any) -> list[float]:
    """Njet!: what a trick or a captured 1 of each seat is worth to the gain of the one that decides."""
    setup, seat, worths = knowledge.setup, knowledge.fact.seat, []
    for winner in range(setup.players):
        points = s.points * (2 if winner == s.doubler else 1)
        scores = [points * ((s.side >> one) & 1 == (s.side >> winner) & 1) for one in range(setup.players)]
        worths.append(gain(scores, setup, seat))
    return worths


def _njet_parts(knowledge: Knowledge, before: Any, now: Any, end: Any) -> dict[str, float]:
    worths, players, seat = _worths(knowledge, end), range(knowledge.setup.players), knowledge.fact.seat
    parts: dict[str, float] = {}
    for when, x, y in (("now", before, now), ("later", now, end)):
        parts[f"tricks-{when}"] = sum(worths[i] * (lane(y.tricks, i) - lane(x.tricks, i)) for i in players)
        for name, ours in (("won", True), ("lost", False)):
            parts[f"{name}-{when}"] = sum(
                worths[i] * (lane(y.loot, i) - lane(x.loot, i))
                for i in players
                if _is_ours(knowledge.setup, end, seat, i) == ours
            )
    return parts


def _njet_facts(knowledge: Knowledge, before: Any, now: Any, end: Any) -> dict[str, float]:
    players, seat, facts = range(knowledge.setup.players), knowledge.fact.seat, {}
    for when, x, y in (("now", before, now), ("later", now, end)):
        mine = [_is_ours(knowledge.setup, end, seat, i) for i in players]
        facts[f"tricks-{when}"] = float(sum(lane(y.tricks, i) - lane(x.tricks, i) for i in players if mine[i]))
        for name, ours in (("won", True), ("lost", False)):
            facts[f"{name}-{when}"] = float(sum(lane(y.loot, i) - lane(x.loot, i) for i in players if mine[i] == ours))
    return facts


def _tops(word: int) -> int:
    """The points of a seat's piles."""
    return sum(max(lane(word, colour) - 1, 0) for colour in range(8))


def _nichtig_parts(knowledge: Knowledge, before: Any, now: Any, end: Any) -> dict[str, float]:
    setup, seat = knowledge.setup, knowledge.fact.seat
    parts: dict[str, float] = {}
    for when, x, y in (("now", before, now), ("later", now, end)):
        change = [_tops(y.tops[i]) - _tops(x.tops[i]) for i in range(setup.players)]
        mine = [_is_ours(setup, y, seat, i) for i in range(setup.players)]
        parts[f"own-piles-{when}"] = gain([c * m for c, m in zip(change, mine, strict=True)], setup, seat)
        parts[f"their-piles-{when}"] = gain([c * (not m) for c, m in zip(change, mine, strict=True)], setup, seat)
    return parts


def means(some: Sequence[Trace], what: Callable[[Trace], dict[str, float]]) -> dict[str, float]:
    """The mean of every number."""
    return {name: float(np.mean([what(one)[name] for one in some])) for name in what(some[0])}


def _of_cards(told: Contrast) -> tuple[Reason, ...]:
    """The part in which the better action leads most, and a second part or a cause."""
    one, two = traces(told)
    parts = [means(some, lambda it: it.parts) for some in (one, two)]
    facts = [means(some, lambda it: it.facts) for some in (one, two)]
    leads = {name: parts[0][name] - parts[1][name] for name in parts[0]}
    first, second = sorted(leads, key=lambda name: -leads[name])[:2]
    if leads[first] <= 0:
        return ()
    found = [_part_reason(told, first, parts, facts)]
    cause = _cause(told, facts)
    if first.endswith("later") and cause is not None:
        found = [cause, found[0]]
    elif leads[second] > SECOND * leads[first]:
        found.append(_part_reason(told, second, parts, facts))
    elif cause is not None:
        found.append(cause)
    return tuple(found)


def _part_reason(told: Contrast, part: str, parts: list[dict[str, float]], facts: list[dict[str, float]]) -> Reason:
    """A part as a reason: shares for this trick, counts for the rest."""
    numbers = facts if part in facts[0] else parts
    told_numbers: dict[str, float]
    if part == "tricks-now":
        told_numbers = {f"{who}_share": round(100 * numbers[i][part]) for i, who in enumerate(("best", "other"))}
    else:
        told_numbers = {f"{who}_n": round(numbers[i][part], 1) for i, who in enumerate(("best", "other"))}
    if part.startswith("their-piles"):
        told_numbers = {name: round(-x, 1) + 0.0 for name, x in told_numbers.items()}
    return Reason(part, {**_names(told), **told_numbers})


def _cause(told: Contrast, facts: list[dict[str, float]]) -> Reason | None:
    """Why later tricks go better: the card that is kept, who leads, trumps drawn or spent, a colour emptied."""
    knowledge, names = told.knowledge, _names(told)
    state = knowledge.state
    wins = [one["kept_wins"] for one in facts]
    if wins[0] - wins[1] >= CLEAR:
        cards = {"kept": card_of(knowledge, told.other), "spent": card_of(knowledge, told.better)}
        return Reason("kept-wins", {**names, **cards, **_shares(wins)})
    if state.phase == PLAY:
        leads = [one["leads"] for one in facts]
        if abs(leads[0] - leads[1]) >= CLEAR:
            return Reason("leads-next", {**names, **_shares(leads)})
        draws = [one["draws"] for one in facts]
        if draws[0] - draws[1] >= CLEAR_COUNT:
            return Reason("draws-trumps", {**names, "best_n": round(draws[0], 1), "other_n": round(draws[1], 1)})
        trumps = state.trumps | state.supers
        if (trumps >> told.other) & 1 and not (trumps >> told.better) & 1:
            return Reason("spends-trump", {**names, "card": card_of(knowledge, told.other)})
    if knowledge.setup.edition.is_njet and _empties(knowledge, told.better) and not _empties(knowledge, told.other):
        return Reason("empties", {**names, "card": card_of(knowledge, told.better)})
    return None


def _shares(numbers: Sequence[float]) -> dict[str, int]:
    return {"best_share": round(100 * numbers[0]), "other_share": round(100 * numbers[1])}


def _empties(knowledge: Knowledge, kind: int) -> bool:
    """Whether the seat holds no other card of the colour."""
    rules, seat, state = knowledge.setup.rules_record, knowledge.fact.seat, knowledge.state
    colour = int(rules.mates[kind]) & ~(state.trumps if not (state.trumps >> kind) & 1 else 0)
    held = state.hand[seat] & colour
    return bool(held == 1 << kind and not state.spare[seat] & int(rules.spare_of[kind]))


# ------------------------------------------------------------------ the board


class CellWorth(Struct, frozen=True):
    """A cell of the board that may stay."""

    row: str
    cell: str
    best_stays: float
    """The share of the play-outs in which it stays after the better veto."""
    other_stays: float
    gain_if: float
    """The mean gain where it stays, after the action that makes this likelier."""
    gain_else: float
    """The mean gain where it does not, after the other action."""
    lead: float
    """(best_stays − other_stays) × (mean gain of all play-outs in which it stays − that of all others)."""


def cell_worths(told: Contrast) -> list[CellWorth]:
    """Every cell that stays in some play-outs and not in others, by what it explains, most first."""
    boards = [[_stayed(told.knowledge, state) for state in states] for states in told.states]
    values = np.concatenate(told.values)
    found = []
    for row, name in enumerate(ROWS):
        left = [np.array([board[row] for board in some]) for some in boards]
        both = np.concatenate(left)
        for cell in sorted(set(both.tolist())):
            here = both == cell
            if here.all():
                continue
            stays = [float((some == cell).mean()) for some in left]
            if stays[0] == stays[1]:
                continue
            lead = (stays[0] - stays[1]) * float(values[here].mean() - values[~here].mean())
            likelier = 0 if stays[0] > stays[1] else 1
            gain_if = _gain_where(told, likelier, left[likelier] == cell)
            gain_else = _gain_where(told, 1 - likelier, left[1 - likelier] != cell)
            found.append(CellWorth(name, cell, stays[0], stays[1], gain_if, gain_else, lead))
    return sorted(found, key=lambda one: -one.lead)


def _gain_where(told: Contrast, i: int, here: NDArray[np.bool_]) -> float:
    """The mean gain of an action in some of its play-outs; in all of them, it is what the action is worth."""
    return told.gains[i] if here.all() else round(float(told.values[i][here].mean()), 1)


def _stayed(knowledge: Knowledge, state: Int64Array) -> tuple[str, ...]:
    """The words of the cells that stayed, row by row."""
    s, board = plain(state, STATE), knowledge.setup.edition.board
    assert board is not None
    colours = knowledge.setup.edition.deck.colours
    named = [colours[c] if c < len(colours) else "none" for c in (s.trump, s.super)]
    return str(s.start), board.discard[s.giving], *named, str(s.points)


def _of_board(told: Contrast) -> tuple[Reason, ...]:
    cells = [
        one
        for one in cell_worths(told)
        if one.lead > 0 and (one.best_stays > one.other_stays) == (one.gain_if > one.gain_else)
    ]
    if not cells:
        return ()
    most = cells[0]
    parameters = {
        **_names(told),
        "row": most.row,
        "cell": most.cell,
        "gain_if": most.gain_if,
        "gain_else": most.gain_else,
        "best_share": round(100 * most.best_stays),
        "other_share": round(100 * most.other_stays),
    }
    return (Reason("cell", parameters),)


# ------------------------------------------------------------------ partners


def _of_partner(told: Contrast) -> tuple[Reason, ...]:
    """What each side is worth, and the strength of the partners' likely hands."""
    first = Reason("side", {**_names(told), "best_gain": told.gains[0], "other_gain": told.gains[1]})
    mates = [_mates(told.knowledge, side) for side in (told.better, told.other)]
    if len(mates[0]) != 1 or len(mates[1]) != 1 or mates[0] == mates[1]:
        return (first,)
    trumps = [trumps_held(told, some[0]) for some in mates]
    if trumps[0] - trumps[1] < CLEAR_COUNT:
        return (first,)
    hands = {
        "best_seat": mates[0][0],
        "other_seat": mates[1][0],
        "best_n": round(trumps[0], 1),
        "other_n": round(trumps[1], 1),
    }
    return first, Reason("partner-trumps", {**_names(told), **hands})


def _mates(knowledge: Knowledge, side: int) -> list[int]:
    """Who plays with the seat if this is the start player's side."""
    seat, everybody = knowledge.fact.seat, (1 << knowledge.setup.players) - 1
    ours = side if (side >> seat) & 1 else everybody & ~side
    return [one for one in bits_of(ours) if one != seat]


def trumps_held(told: Contrast, seat: int) -> float:
    """How many trumps and supertrumps a seat holds in the worlds, on average."""
    counts, rules = [], told.knowledge.setup.rules_record
    for world in told.worlds.states:
        s = plain(world, STATE)
        held = s.hand[seat] & (s.trumps | s.supers)
        spare = [int(rules.spare_of[kind]) & s.spare[seat] for kind in bits_of(held)]
        counts.append(held.bit_count() + sum(one.bit_count() for one in spare))
    return float(np.mean(counts))


def _of_double(told: Contrast) -> tuple[Reason, ...]:
    """How many tricks and 1s the two seats win that may get the ×2 card."""
    hauls = [hauled(told, i, seat) for i, seat in enumerate((told.better, told.other))]
    seats = {"best_seat": told.better, "other_seat": told.other}
    numbers = {"best_n": round(hauls[0], 1), "other_n": round(hauls[1], 1)}
    return (Reason("double", {**_names(told), **seats, **numbers}),)


def hauled(told: Contrast, i: int, seat: int) -> float:
    """The tricks and captured 1s of a seat at the end of the play-outs of one action."""
    ends = [plain(state, STATE) for state in told.states[i]]
    return float(np.mean([lane(s.tricks, seat) + lane(s.loot, seat) for s in ends]))
