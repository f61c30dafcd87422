"""Why one action is better than another: the gain of each play-out, split into parts that add up to it.

Both actions are played out in the same likely worlds, with choices drawn from the network (`playouts.py`). The part in
which the better action leads most is named, with its cause if the part itself teaches little. A reason is data: a code
with numbers and cards, which a front end puts into words. A number is a plain mean over these play-outs; the gain of a
whole action is the one that was judged in all worlds, so that a sentence never contradicts the value beside it. For the
same reason a veto is told by what a cell is worth and how often it stays, never by the gain of a whole action.

Worlds are a sample: what happens in all of them need not be so. So a share is told as what the sample lets one expect
of all likely deals (`share_of_all`), which is never 0 or 100, unless the rules alone decide it: the seat plays the last
card of the trick, or the row of the board has one free cell left.

    phase             parts
    tricks, cards     Njet!: tricks and captured 1s, in this trick and later
                      Null & nichtig: own piles and those of the opponents, until the end of the round; where nearly
                      all of it is made in this trick, or is one opponent's, that is said
    veto              for each cell that may stay: how much likelier it stays × what it is worth if it does
    partners          the side: what it wins, or what it is worth; and what the partner holds

A cell of the board is named by its relation to the veto (`cell_code`): the cell that it removes, the one that the other
veto would remove, or another one that stays more often, or less often. Where all actions are worth the same, that is
said, and who wins the trick in nearly all worlds, whatever is played (`trick-goes`); as certain only where the seat
plays last (`trick-always`). Where nothing that happens in the play-outs speaks for the better action, only its lead in
points is given (`better-by`), or the shares of strong play (`found-by`) if they favour it clearly; a veto has codes of
its own for both, because what it names is what must not stay. Neither is a cause; `python -m bench.study hints` counts
how often that is all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from atout.bots.bot import Reason
from atout.game import Knowledge
from atout.game.notation import bits_of, notation_of
from atout.nets.spreads import spread_of
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import DEAL, DOUBLE, OVER, PASS, PLAY, STATE, TEAM, VETO
from atout.rules.log import action_of, logged
from atout.rules.scoring import lane, plays_with
from atout.rules.veto import has_one_free
from atout.search.gain import Float64Array, gain
from atout.search.net_rollout import TO_THE_END, TRICKS, Worlds
from atout.study.evaluator import DecisionEvaluator, Sample
from atout.study.ledger import TURN
from atout.study.model import CELL_CODES
from atout.study.positions import PHASE
from atout.study.shown import effective, least_share, of_a_hundred, share_of_all, tenths

WORLDS = 48
"""Worlds from which a reason is made."""
FEWEST = 16
"""The same, at least, where there is little time."""
SECOND = 0.4
"""The share of the first part's lead from which a second part is named, too."""
CLEAR = 0.15
"""The difference of two shares that is worth telling."""
CLEAR_COUNT = 0.25
"""The difference of two counts that is worth telling."""
CLEAR_PILES = 0.5
"""The difference of two changes of piles that is worth telling."""
VISIBLE = 0.4
"""The share of a clear difference that is enough where the better action leads in these play-outs as a whole, too."""
SAME = 0.05
"""Actions whose values are within so many spreads are worth about the same."""
SURE = 0.9
"""The share of the worlds in which one seat must win the trick with every card, to be named."""
LEAST_TENTHS = 7
"""The tenths of all likely deals that the worlds must speak for then."""
FEWEST_STAYS = 3
"""Play-outs in which a cell must stay before it is said what it is worth."""
CLEAR_STAYS = 0.08
"""The difference of the shares in which it stays after the two vetoes."""
MOSTLY = 0.6
"""The share of what the opponents' piles lose that one opponent's must lose to be named alone."""
NEAR, DIRECT = 0.6, 0.15
"""The share of what the best cell explains that a nearer one must explain to be named instead; and one that one of the
two vetoes covers."""
CLEAR_WORTH = 0.3
"""What a cell must be worth, in points."""
MAIN = 0.5
"""The share of the lead that a cell must explain to be told as the cause, and not as one of several."""
DIRECT_CODES = CELL_CODES[:2]
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
    count: float
    """How many worlds drawn one by one tell as much: fewer than there are, if they were picked from few that count."""
    apart: float | None = None
    """Where all actions are worth about the same: by how much the last is behind the best, as both are shown."""
    tricks: Int64Array | None = None
    """Then, in the trick phase: the logs after the present trick, by legal action and world."""

    @property
    def lead(self) -> float:
        return float((self.values[0] - self.values[1]).mean())


def contrast_of(
    evaluator: DecisionEvaluator, knowledge: Knowledge, sample: Sample, better: int, other: int,
    found_by: dict[int, float], known: dict[int, float], worlds: int = WORLDS,
) -> Contrast:  # fmt: skip
    """Play both actions out in some of the worlds, picked by their weights. `known` are the values that are shown."""
    picks = resampled(sample.weights, worlds)
    picked = Worlds(*(array[picks] for array in sample.worlds))
    some = Sample(picked, np.zeros(worlds), np.roll(sample.noise, 1, 0)[_spread_out(len(sample), worlds)], 1.0, 1.0)
    horizon = 1 if knowledge.state.phase == VETO else TO_THE_END
    played = evaluator.play_out(knowledge, some, [better, other], horizon)
    gains = known[better], known[other]
    count = min(float(worlds), effective(sample.weights))
    contrast = Contrast(
        knowledge, better, other, picked, played.states, played.logs, played.values, found_by, gains, count
    )
    last = min(known.values())
    if len(known) < knowledge.legal.bit_count() or gains[0] - last >= same(knowledge):
        return contrast
    tricks = None
    if knowledge.state.phase == PLAY:
        tricks = evaluator.play_out(knowledge, some, bits_of(knowledge.legal), 1).logs
    return msgspec.structs.replace(contrast, apart=round(tenths(gains[0]) - tenths(last), 1), tricks=tricks)


def same(knowledge: Knowledge) -> float:
    """The difference in points below which actions are worth about the same."""
    return SAME * spread_of(knowledge.setup)


def worlds_for(knowledge: Knowledge, evaluations: int) -> int:
    """How many worlds a reason may have for about so many network evaluations: more, the fewer cards are left."""
    players, state = knowledge.setup.players, knowledge.state
    steps = sum(knowledge.fact.in_hand)
    if state.phase == VETO:
        steps = state.free.bit_count() + 2 * players
    return max(FEWEST, min(WORLDS, int(evaluations / (2 * steps + 1))))


def resampled(weights: Float64Array, count: int) -> Int64Array:
    """A systematic sample of `count` rows in proportion to their weights."""
    bounds = np.cumsum(weights)
    steps = (np.arange(count) + 0.5) * (bounds[-1] / count)
    picks: Int64Array = np.minimum(np.searchsorted(bounds, steps), len(bounds) - 1).astype(np.int64)
    return picks


def _spread_out(length: int, count: int) -> Int64Array:
    """Rows of random numbers for the picked worlds: a world that was picked twice gets two of them."""
    return np.arange(count, dtype=np.int64) % length


def reasons(contrast: Contrast) -> tuple[Reason, ...]:
    """At most two reasons why the better action is better."""
    if contrast.apart is not None:
        return _of_same(contrast)
    phase = contrast.knowledge.state.phase
    found: tuple[Reason, ...]
    if phase == VETO:
        found = _of_board(contrast)
    elif phase == TEAM:
        found = _of_partner(contrast)
    elif phase == DOUBLE:
        found = _of_double(contrast)
    else:
        found = _of_cards(contrast)
    return found or (_without_cause(contrast),)


def _without_cause(contrast: Contrast) -> Reason:
    """What is left if nothing in the play-outs speaks for the better action: strong play, if it does, or the values."""
    best, other = (contrast.found_by[action] for action in (contrast.better, contrast.other))
    kind = "-veto" if contrast.knowledge.state.phase == VETO else ""
    if best - other >= CLEAR:
        shares = {"best_share": of_a_hundred(best), "other_share": of_a_hundred(other)}
        return Reason(f"found-by{kind}", {**_names(contrast), **shares})
    gains = {"best_gain": contrast.gains[0], "other_gain": contrast.gains[1]}
    return Reason(f"better-by{kind}", {**_names(contrast), **gains})


def _of_same(contrast: Contrast) -> tuple[Reason, ...]:
    """All actions are worth about the same; perhaps because one seat wins the trick anyway, certainly or probably."""
    assert contrast.apart is not None
    first = Reason("all-same", {**_names(contrast), "apart_n": contrast.apart})
    winners = trick_winners(contrast)
    if not winners:
        return (first,)
    by_world = [set(some) for some in zip(*winners, strict=True)]
    shares = {seat: by_world.count({seat}) / len(by_world) for seat in winners[0]}
    seat = max(shares, key=lambda one: shares[one])
    if shares[seat] == 1.0 and _plays_last(contrast.knowledge):
        return first, Reason("trick-always", {**_names(contrast), "winner_seat": seat})
    tenths = int(10 * least_share(shares[seat], contrast.count) + 1e-9)
    if shares[seat] < SURE or tenths < LEAST_TENTHS:
        return (first,)
    return first, Reason("trick-goes", {**_names(contrast), "winner_seat": seat, "least_tenths": tenths})


def _plays_last(knowledge: Knowledge) -> bool:
    """Whether the seat's card ends the trick: then who wins it depends on nothing that is hidden."""
    return bool(knowledge.state.phase == PLAY and knowledge.state.played == knowledge.setup.players - 1)


def trick_winners(contrast: Contrast) -> list[list[int]]:
    """Who wins the present trick, by legal action and world; empty outside the trick phase."""
    if contrast.tricks is None:
        return []
    states, knowledge = contrast.worlds.states, contrast.knowledge
    return [
        [_winner(knowledge, world, log) for world, log in zip(states, logs, strict=True)] for logs in contrast.tricks
    ]


def _winner(knowledge: Knowledge, world: Int64Array, log: Int64Array) -> int:
    """Who wins the present trick of a play-out."""
    state, at = world.copy(), len(knowledge.log)
    tricks = int(state[TRICKS])
    while int(state[TRICKS]) == tricks:
        entries.apply(state, knowledge.setup.rules, action_of(int(log[at])))
        at += 1
    return ((int(state[TRICKS]) - tricks).bit_length() - 1) // 8


def _names(contrast: Contrast) -> dict[str, str]:
    """The two actions, without their seat: `play Y12`."""
    return {"best": word_of(contrast.knowledge, contrast.better), "other": word_of(contrast.knowledge, contrast.other)}


def word_of(knowledge: Knowledge, action: int) -> str:
    """An action as a record writes it, without its seat."""
    entry = logged(knowledge.fact.seat, knowledge.state.phase, action)
    return notation_of(knowledge.setup).text_of[entry].partition(" ")[2]


def card_of(knowledge: Knowledge, action: int) -> str:
    return notation_of(knowledge.setup).cards[action]


# ------------------------------------------------------------------ tricks and cards


def traces(contrast: Contrast) -> tuple[list[Trace], list[Trace]]:
    """What followed the better action in each world, and what followed the other one."""
    both = []
    for i, kept in enumerate((contrast.other, contrast.better)):
        both.append(
            [
                trace(contrast.knowledge, contrast.worlds.states[j], contrast.logs[i, j], kept)
                for j in range(len(contrast.worlds.states))
            ]
        )
    return both[0], both[1]


def trace(knowledge: Knowledge, world: Int64Array, log: Int64Array, kept: int) -> Trace:
    """Follow one play-out from the decision to the end of the round. `kept` is the card of the other action."""
    setup, seat, state = knowledge.setup, knowledge.fact.seat, world.copy()
    before = now = plain(state, STATE)
    facts = {"kept_wins": 0.0, "is_kept": 1.0, "leads": 0.0, "draws": 0.0}
    cards: dict[int, int] = {}
    at, is_first = len(knowledge.log), before.phase == PLAY
    while state[PHASE] not in (DEAL, OVER):
        turn, tricks, card = int(state[TURN]), int(state[TRICKS]), action_of(int(log[at]))
        if state[PHASE] == PLAY:
            cards[turn] = card
        elif turn == seat and card == kept:
            facts["is_kept"] = 0.0
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
        return Trace(_nichtig_parts(knowledge, before, end), facts | _nichtig_facts(knowledge, before, now, end))
    return Trace(_njet_parts(knowledge, before, now, end), facts | _njet_facts(knowledge, before, now, end))


def _is_ours(setup: Any, s: Any, seat: int, other: int) -> bool:
    """Whether the seats score together in this round."""
    if setup.edition.is_njet:
        return bool((s.side >> seat) & 1 == (s.side >> other) & 1)
    return bool(plays_with(setup.rules_record, seat, other))


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


def _nichtig_parts(knowledge: Knowledge, before: Any, end: Any) -> dict[str, float]:
    """What the round does to one's own piles, and to those of the opponents.

    This trick and the later ones are not apart here: a pile that a trick spoils is often mended by the next one.
    """
    setup, seat = knowledge.setup, knowledge.fact.seat
    change = [_tops(end.tops[i]) - _tops(before.tops[i]) for i in range(setup.players)]
    mine = [_is_ours(setup, end, seat, i) for i in range(setup.players)]
    return {
        "own-piles": gain([c * m for c, m in zip(change, mine, strict=True)], setup, seat),
        "their-piles": gain([c * (not m) for c, m in zip(change, mine, strict=True)], setup, seat),
    }


def _nichtig_facts(knowledge: Knowledge, before: Any, now: Any, end: Any) -> dict[str, float]:
    """What the present trick does to the piles; and how much the piles of each opponent change."""
    setup, seat = knowledge.setup, knowledge.fact.seat
    facts = {f"{name}-now": value for name, value in _nichtig_parts(knowledge, before, now).items()}
    return facts | {
        f"piles-{when}-{i}": float(_tops(y.tops[i]) - _tops(before.tops[i]))
        for when, y in (("now", now), ("later", end))
        for i in range(setup.players)
        if not _is_ours(setup, end, seat, i)
    }


def means(some: Sequence[Trace], what: Callable[[Trace], dict[str, float]]) -> dict[str, float]:
    """The mean of every number."""
    return {name: float(np.mean([what(one)[name] for one in some])) for name in what(some[0])}


def _of_cards(contrast: Contrast) -> tuple[Reason, ...]:
    """The part in which the better action leads most, and a second part or a cause.

    The better action was judged in more worlds than these. Where it does not lead in these as a whole, the parts in
    which it leads must be clear.
    """
    one, two = traces(contrast)
    parts = [means(some, lambda it: it.parts) for some in (one, two)]
    facts = [means(some, lambda it: it.facts) for some in (one, two)]
    enough = VISIBLE if contrast.lead > 0 else 1.0
    leads = {
        name: lead
        for name in parts[0]
        if (lead := parts[0][name] - parts[1][name]) > 0 and _difference(name, parts, facts) >= enough
    }
    cause = _cause(contrast, facts)
    if not leads:
        return () if cause is None or cause.code in ("leads-next", "leaves-lead") else (cause,)
    first, *more = sorted(leads, key=lambda name: -leads[name])
    found = [_part_reason(contrast, first, parts, facts)]
    if found[0].code.endswith("later") and cause is not None:
        found = [cause, found[0]]
    elif more and leads[more[0]] > SECOND * leads[first]:
        found.append(_part_reason(contrast, more[0], parts, facts))
    elif cause is not None:
        found.append(cause)
    return tuple(found)


def _difference(part: str, parts: list[dict[str, float]], facts: list[dict[str, float]]) -> float:
    """How far apart the two numbers are that a part would tell; 1 is clear."""
    numbers = facts if part in facts[0] else parts
    clear = CLEAR if part == "tricks-now" else CLEAR_COUNT if part in facts[0] else CLEAR_PILES
    return abs(numbers[0][part] - numbers[1][part]) / clear


def _part_reason(contrast: Contrast, part: str, parts: list[dict[str, float]], facts: list[dict[str, float]]) -> Reason:
    """A part as a reason: shares for this trick, counts for the rest."""
    if part in ("own-piles", "their-piles"):
        return _piles_reason(contrast, part, parts, facts)
    numbers = facts if part in facts[0] else parts
    shown: Mapping[str, float]
    if part == "tricks-now":
        shown = _shares(contrast, [one[part] for one in numbers], is_this_trick=True)
    else:
        shown = {f"{who}_n": round(numbers[i][part], 1) for i, who in enumerate(("best", "other"))}
    return Reason(part, {**_names(contrast), **_whose(contrast.knowledge), **shown})


def _piles_reason(
    contrast: Contrast, part: str, parts: list[dict[str, float]], facts: list[dict[str, float]]
) -> Reason:
    """How piles change: by this trick, if nearly all of the lead is made there, or by the end of the round."""
    now = facts[0][f"{part}-now"] - facts[1][f"{part}-now"]
    is_now = contrast.knowledge.state.phase == PLAY and now >= MOSTLY * (parts[0][part] - parts[1][part])
    when = "now" if is_now else "later"
    if part == "their-piles" and (reason := _opponent_reason(contrast, when, facts)):
        return reason
    changes = [one[f"{part}-now"] for one in facts] if is_now else [one[part] for one in parts]
    sign = -1 if part == "their-piles" else 1
    shown = {f"{who}_n": round(sign * x, 1) + 0.0 for who, x in zip(("best", "other"), changes, strict=True)}
    return Reason(f"{part}-{when}", {**_names(contrast), **shown})


def _opponent_reason(contrast: Contrast, when: str, facts: list[dict[str, float]]) -> Reason | None:
    """The one opponent whose piles lose nearly all of what the better action takes from the opponents' piles, if there
    is one.
    """
    lost = {name: facts[1][name] - facts[0][name] for name in facts[0] if name.startswith(f"piles-{when}-")}
    most = max(lost, key=lambda name: lost[name])
    if lost[most] < CLEAR_PILES or lost[most] < MOSTLY * sum(abs(change) for change in lost.values()):
        return None
    numbers = {f"{who}_n": round(facts[i][most], 1) + 0.0 for i, who in enumerate(("best", "other"))}
    seat = {"opponent_seat": int(most.rpartition("-")[2])}
    return Reason(f"opponent-piles-{when}", {**_names(contrast), **seat, **numbers})


def _whose(knowledge: Knowledge) -> dict[str, str]:
    """Whose tricks and loot are counted: those of a side, or of a player who plays alone."""
    mates = range(knowledge.setup.players)
    alone = sum(_is_ours(knowledge.setup, knowledge.state, knowledge.fact.seat, other) for other in mates) == 1
    return {"whose": "you" if alone else "side"}


def _cause(contrast: Contrast, facts: list[dict[str, float]]) -> Reason | None:
    """Why later tricks go better: the card that is kept, who leads, trumps drawn or spent, a colour emptied."""
    knowledge, names = contrast.knowledge, _names(contrast)
    state = knowledge.state
    wins = [one["kept_wins"] for one in facts]
    if wins[0] - wins[1] >= CLEAR and min(one["is_kept"] for one in facts) >= SURE:
        cards = {"kept": card_of(knowledge, contrast.other), "spent": card_of(knowledge, contrast.better)}
        return Reason("kept-wins", {**names, **cards, **_shares(contrast, wins)})
    if state.phase == PLAY:
        leads = [one["leads"] for one in facts]
        if abs(leads[0] - leads[1]) >= CLEAR:
            code = "leads-next" if leads[0] > leads[1] else "leaves-lead"
            return Reason(code, {**names, **_whose(knowledge), **_shares(contrast, leads, is_this_trick=True)})
        draws = [one["draws"] for one in facts]
        if draws[0] - draws[1] >= CLEAR_COUNT:
            return Reason("draws-trumps", {**names, "best_n": round(draws[0], 1), "other_n": round(draws[1], 1)})
        trumps = state.trumps | state.supers
        if (trumps >> contrast.other) & 1 and not (trumps >> contrast.better) & 1:
            return Reason("spends-trump", {**names, "card": card_of(knowledge, contrast.other)})
    is_emptied, is_other_emptied = (_empties(knowledge, action) for action in (contrast.better, contrast.other))
    if knowledge.setup.edition.is_njet and is_emptied and not is_other_emptied:
        code = "empties-pass" if state.phase == PASS else "empties"  # who passes may get a card of the colour
        return Reason(code, {**names, "card": card_of(knowledge, contrast.better)})
    return None


def _shares(contrast: Contrast, shares: Sequence[float], *, is_this_trick: bool = False) -> dict[str, int]:
    """Two shares of the worlds as they are told."""
    is_certain = is_this_trick and _plays_last(contrast.knowledge)
    best, other = (_told(contrast, share, is_certain) for share in shares)
    return {"best_share": best, "other_share": other}


def _told(contrast: Contrast, share: float, is_certain: bool) -> int:
    """A share of the worlds, of 100 likely deals; as it is only where nothing hidden has a part in it."""
    return round(100 * share) if is_certain else of_a_hundred(share_of_all(share, contrast.count))


def _empties(knowledge: Knowledge, kind: int) -> bool:
    """Whether the seat holds no other card of the colour, and has a trump to play instead: else it gains nothing."""
    rules, seat, state = knowledge.setup.rules_record, knowledge.fact.seat, knowledge.state
    trumps = state.trumps | state.supers
    if (trumps >> kind) & 1 or not state.hand[seat] & trumps:
        return False
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
    worth: float
    """The mean gain of all play-outs in which it stays, less that of all others."""
    lead: float
    """(best_stays − other_stays) × worth: what it explains."""


def cell_worths(contrast: Contrast) -> list[CellWorth]:
    """Every cell that stays in some play-outs and not in others, by what it explains, most first."""
    boards = [[_stayed(contrast.knowledge, state) for state in states] for states in contrast.states]
    values = np.concatenate(contrast.values)
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
            worth = float(values[here].mean() - values[~here].mean())
            found.append(CellWorth(name, cell, stays[0], stays[1], worth, (stays[0] - stays[1]) * worth))
    return sorted(found, key=lambda one: -one.lead)


def _stayed(knowledge: Knowledge, state: Int64Array) -> tuple[str, ...]:
    """The words of the cells that stayed, row by row."""
    s, board = plain(state, STATE), knowledge.setup.edition.board
    assert board is not None
    colours = knowledge.setup.edition.deck.colours
    named = [colours[c] if c < len(colours) else "none" for c in (s.trump, s.super)]
    return str(s.start), board.discard[s.giving], *named, str(s.points)


def cell_code(parameters: Mapping[str, Any]) -> str:
    """What a cell is to a veto, and to the other one it is compared with.

    >>> vetoes = {"best": "veto points -2", "other": "veto trump red", "best_share": 60, "other_share": 20}
    >>> [cell_code({**vetoes, "row": row, "cell": cell}) for row, cell in (("points", "-2"), ("points", "4"))]
    ['cell-removed', 'cell-wanted']
    """
    veto = f"veto {parameters['row']} {parameters['cell']}"
    if parameters["best"] == veto:
        return "cell-removed"
    if parameters["other"] == veto:
        return "cell-spared"
    return "cell-wanted" if parameters["best_share"] > parameters["other_share"] else "cell-unwanted"


def cell_reason(parameters: Mapping[str, Any]) -> Reason:
    """The reason that names a cell. A covered cell cannot stay, so its share is left out."""
    shown, code = dict(parameters), cell_code(parameters)
    if code == "cell-removed":
        del shown["best_share"]
    if code == "cell-spared":
        del shown["other_share"]
    return Reason(code, shown)


def distance(reason: Reason) -> int:
    """How far a cell is from the veto: what is nearer is easier to follow."""
    if reason.code in DIRECT_CODES:
        return CELL_CODES.index(reason.code)
    return len(CELL_CODES) + (not str(reason.parameters["best"]).startswith(f"veto {reason.parameters['row']} "))


def _settles(contrast: Contrast, veto: int, row: str) -> bool:
    """Whether a row has one free cell after a veto, so that the rules decide which one stays."""
    return bool(has_one_free(contrast.knowledge.state.free & ~(1 << veto), ROWS.index(row)))


def _worth(contrast: Contrast, cell: CellWorth) -> float:
    """What a cell is worth. If it stays exactly when one of the vetoes is made, that is the difference of the two."""
    if {cell.best_stays, cell.other_stays} == {0.0, 1.0}:
        return contrast.gains[0] - contrast.gains[1]
    return cell.worth


def _of_board(contrast: Contrast) -> tuple[Reason, ...]:
    """The cell that explains most; of several that explain about as much, the one that is nearest to the veto."""
    cells = [
        one
        for one in cell_worths(contrast)
        if one.lead > 0
        and abs(one.worth) >= CLEAR_WORTH
        and max(one.best_stays, one.other_stays) * len(contrast.worlds.states) >= FEWEST_STAYS
        and abs(one.best_stays - one.other_stays) >= CLEAR_STAYS
    ]
    found = []
    for one in cells:
        numbers: dict[str, Any] = {
            "row": one.row,
            "cell": one.cell,
            "best_share": _told(contrast, one.best_stays, _settles(contrast, contrast.better, one.row)),
            "other_share": _told(contrast, one.other_stays, _settles(contrast, contrast.other, one.row)),
            "worth_n": round(abs(_worth(contrast, one)), 1),
        }
        if one.lead < MAIN * (contrast.gains[0] - contrast.gains[1]):
            numbers["explains"] = "part"
        found.append(cell_reason({**_names(contrast), **numbers}))
    near = [
        reason
        for one, reason in zip(cells, found, strict=True)
        if one.lead >= (DIRECT if reason.code in DIRECT_CODES else NEAR) * cells[0].lead
    ]
    return tuple(sorted(near, key=distance)[:1])


# ------------------------------------------------------------------ partners


def _of_partner(contrast: Contrast) -> tuple[Reason, ...]:
    """What each side wins, else what it is worth; and the strength of the partners' likely hands."""
    hauls = [side_hauls(contrast, i) for i in range(2)]
    if (hauls[0] - hauls[1]) * (1 if contrast.knowledge.state.points > 0 else -1) >= CLEAR_COUNT:
        numbers = {"best_n": round(hauls[0], 1), "other_n": round(hauls[1], 1)}
        first = Reason("side-tricks", {**_names(contrast), **numbers})
    else:
        first = Reason("side", {**_names(contrast), "best_gain": contrast.gains[0], "other_gain": contrast.gains[1]})
    mates = [_mates(contrast.knowledge, side) for side in (contrast.better, contrast.other)]
    if len(mates[0]) != 1 or len(mates[1]) != 1 or mates[0] == mates[1]:
        return (first,)
    trumps = [trumps_held(contrast, some[0]) for some in mates]
    if trumps[0] - trumps[1] < CLEAR_COUNT:
        return (first,)
    hands = {
        "best_seat": mates[0][0],
        "other_seat": mates[1][0],
        "best_n": round(trumps[0], 1),
        "other_n": round(trumps[1], 1),
    }
    return first, Reason("partner-trumps", {**_names(contrast), **hands})


def side_hauls(contrast: Contrast, i: int) -> float:
    """The tricks and captured 1s of the seat's side at the end of the play-outs of one action."""
    setup, seat = contrast.knowledge.setup, contrast.knowledge.fact.seat
    ends = [plain(state, STATE) for state in contrast.states[i]]
    ours = [[one for one in range(setup.players) if _is_ours(setup, s, seat, one)] for s in ends]
    hauls = [sum(lane(s.tricks, one) + lane(s.loot, one) for one in side) for s, side in zip(ends, ours, strict=True)]
    return float(np.mean(hauls))


def _mates(knowledge: Knowledge, side: int) -> list[int]:
    """Who plays with the seat if this is the start player's side."""
    seat, everybody = knowledge.fact.seat, (1 << knowledge.setup.players) - 1
    ours = side if (side >> seat) & 1 else everybody & ~side
    return [one for one in bits_of(ours) if one != seat]


def trumps_held(contrast: Contrast, seat: int) -> float:
    """How many trumps and supertrumps a seat holds in the worlds, on average."""
    counts, rules = [], contrast.knowledge.setup.rules_record
    for world in contrast.worlds.states:
        s = plain(world, STATE)
        held = s.hand[seat] & (s.trumps | s.supers)
        spare = [int(rules.spare_of[kind]) & s.spare[seat] for kind in bits_of(held)]
        counts.append(held.bit_count() + sum(one.bit_count() for one in spare))
    return float(np.mean(counts))


def _of_double(contrast: Contrast) -> tuple[Reason, ...]:
    """How many tricks and 1s the two seats win that may get the ×2 card."""
    if contrast.lead <= 0:
        return ()
    hauls = [hauled(contrast, i, seat) for i, seat in enumerate((contrast.better, contrast.other))]
    seats = {"best_seat": contrast.better, "other_seat": contrast.other}
    numbers = {"best_n": round(hauls[0], 1), "other_n": round(hauls[1], 1)}
    return (Reason("double", {**_names(contrast), **seats, **numbers}),)


def hauled(contrast: Contrast, i: int, seat: int) -> float:
    """The tricks and captured 1s of a seat at the end of the play-outs of one action."""
    ends = [plain(state, STATE) for state in contrast.states[i]]
    return float(np.mean([lane(s.tricks, seat) + lane(s.loot, seat) for s in ends]))
