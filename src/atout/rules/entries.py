"""The functions of the rules that Python calls; compiled once, they take flat arrays of 64-bit integers."""

from __future__ import annotations

from typing import Any

from atout.rules import check, step
from atout.rules import deal as dealing
from atout.rules import match as matches
from atout.rules import refusal as refusals
from atout.rules import scoring as scores
from atout.rules.arrays import as_rules, as_state
from atout.rules.bits import ctz
from atout.rules.jit import entry
from atout.rules.layout import DEAL, OVER
from atout.rules.log import action_of, logged, phase_of, seat_of
from atout.rules.random_play import playout_round, random_match
from atout.rules.rng import random_bit, seed_rng


@entry
def begin(state: Any, rules: Any, first_dealer: int) -> None:
    """Begin a match; its first round is to be dealt next."""
    matches.begin_match(as_state(state), as_rules(rules), first_dealer)


@entry
def deal_seeded(state: Any, rules: Any, rng: Any, seed: int, stream: int) -> None:
    """Shuffle and deal; the pack stays in `rng` as it was dealt."""
    seed_rng(rng, seed, stream)
    dealing.deal(as_state(state), as_rules(rules), rng)


@entry
def deal_pack(state: Any, rules: Any, rng: Any) -> None:
    """Deal the pack that lies in `rng[1:]`, hand after hand."""
    dealing.deal_pack(as_state(state), as_rules(rules), rng)


@entry
def legal(state: Any, rules: Any) -> int:
    return step.legal(as_state(state), as_rules(rules))


@entry
def apply(state: Any, rules: Any, action: int) -> None:
    step.apply(as_state(state), as_rules(rules), action)


@entry
def refusal(state: Any, rules: Any, seat: int, phase: int, action: int) -> int:
    return refusals.refusal(as_state(state), as_rules(rules), seat, phase, action)


@entry
def replay(state: Any, rules: Any, log: Any, length: int) -> int:
    """Apply logged actions while they are legal; returns how many were."""
    s, r = as_state(state), as_rules(rules)
    for i in range(length):
        seat, phase, action = seat_of(log[i]), phase_of(log[i]), action_of(log[i])
        if seat != s.turn or phase != s.phase or (step.legal(s, r) >> action) & 1 == 0:
            return i
        step.apply(s, r, action)
    return length


@entry
def replay_match(state: Any, rules: Any, rng: Any, packs: Any, log: Any, lengths: Any, results: Any) -> int:
    """Replay whole rounds from their packs and actions; returns how many broke no rule.

    `results` has a row for each round: dealer and start player (or leader) before the deal; phase, tricks, loot
    and scores after the last action.
    """
    s, r = as_state(state), as_rules(rules)
    dealt, done, size = 0, 0, r.players * r.hand_size
    for number in range(lengths.shape[0]):
        if s.phase != DEAL:
            return number
        results[number, 0] = s.dealer
        results[number, 1] = s.start
        for i in range(size):
            rng[1 + i] = packs[dealt + i]
        dealt += size
        if not dealing.is_from_deck(r, rng):
            return number
        dealing.deal_pack(s, r, rng)
        for i in range(done, done + lengths[number]):
            seat, phase, action = seat_of(log[i]), phase_of(log[i]), action_of(log[i])
            if seat != s.turn or phase != s.phase or (step.legal(s, r) >> action) & 1 == 0:
                return number
            step.apply(s, r, action)
        done += lengths[number]
        results[number, 2] = s.phase
        results[number, 3] = s.tricks
        results[number, 4] = s.loot
        for seat in range(r.players):
            results[number, 5 + seat] = s.scores[seat]
    return lengths.shape[0]


@entry
def score_round(state: Any, rules: Any) -> None:
    """Fill `scores` with what each seat would score if the round ended now; `totals` stay as they are."""
    scores.score_round(as_state(state), as_rules(rules))


@entry
def winners(state: Any, rules: Any) -> int:
    return scores.winners(as_state(state), as_rules(rules))


@entry
def random_round(state: Any, rules: Any, rng: Any, log: Any) -> int:
    """Play uniformly random actions to the end of the round and log them; returns how many."""
    s, r = as_state(state), as_rules(rules)
    length = 0
    while s.phase != DEAL and s.phase != OVER:
        action = random_bit(step.legal(s, r), rng)
        log[length] = logged(s.turn, s.phase, action)
        length += 1
        step.apply(s, r, action)
    return length


@entry
def random_matches(state: Any, rules: Any, rng: Any, count: int, seed: int) -> tuple[int, int]:
    """Play random matches one after the other; returns the number of moves and a digest of all results."""
    s, r = as_state(state), as_rules(rules)
    moves, signature = 0, 0
    for i in range(count):
        seed_rng(rng, seed, i)
        moves += random_match(s, r, i % r.players, rng)
        signature = check.digest(s, signature)
    return moves, signature


@entry
def match_digests(state: Any, rules: Any, rng: Any, seed: int, moves: Any, digests: Any) -> None:
    """Play random match i from stream i of the seed, for every i; note its moves and a digest of its end."""
    s, r = as_state(state), as_rules(rules)
    for i in range(moves.shape[0]):
        seed_rng(rng, seed, i)
        moves[i] = random_match(s, r, i % r.players, rng)
        digests[i] = check.digest(s, 0)


@entry
def playout_rounds(state: Any, rules: Any, rng: Any, scratch: Any, count: int) -> int:
    """Random playouts of the current round from copies of one state; returns the number of moves."""
    w, r = as_state(scratch), as_rules(rules)
    moves = 0
    for _ in range(count):
        for i in range(state.shape[0]):
            scratch[i] = state[i]
        moves += playout_round(w, r, rng)
    return moves


@entry
def seed(rng: Any, number: int, stream: int) -> None:
    seed_rng(rng, number, stream)


@entry
def broken_invariant(state: Any, rules: Any) -> int:
    return check.broken_invariant(as_state(state), as_rules(rules))


@entry
def digest(state: Any, seed: int) -> int:
    return check.digest(as_state(state), seed)


@entry
def random_digests(state: Any, rules: Any, rng: Any, seed: int, digests: Any) -> int:
    """Play one random match; note the digest of every state, and return a negative number if an invariant breaks."""
    s, r = as_state(state), as_rules(rules)
    seed_rng(rng, seed, 0)
    matches.begin_match(s, r, seed % r.players)
    count = 0
    while s.phase != OVER:
        if s.phase == DEAL:
            dealing.deal(s, r, rng)
        else:
            step.apply(s, r, random_bit(step.legal(s, r), rng))
        if check.broken_invariant(s, r) != check.WELL:
            return -count - 1
        digests[count] = check.digest(s, 0)
        count += 1
    return count


@entry
def perft(states: Any, rules: Any, depth: int) -> int:
    """The number of action sequences of the given length within the round; `states` has a row for each level."""
    r = as_rules(rules)
    level, count = 0, 0
    legal_left = [0] * (depth + 1)
    legal_left[0] = step.legal(as_state(states[0]), r)
    while level >= 0:
        if level == depth or legal_left[level] == 0:
            if level == depth:
                count += 1
            level -= 1
            continue
        mask = legal_left[level]
        legal_left[level] = mask & (mask - 1)
        for i in range(states.shape[1]):
            states[level + 1, i] = states[level, i]
        s = as_state(states[level + 1])
        step.apply(s, r, ctz(mask))
        level += 1
        legal_left[level] = step.legal(s, r)
    return count
