"""What Python calls: compiled once, on flat vectors of words."""

from __future__ import annotations

from typing import Any

from atout.kernel import check, sample, step
from atout.kernel import deal as dealing
from atout.kernel import encode as encoding
from atout.kernel import match as matches
from atout.kernel import observe as observing
from atout.kernel import rebuild as rebuilding
from atout.kernel import refusal as refusals
from atout.kernel import scoring as scores
from atout.kernel import ways as table_of_ways
from atout.kernel.batch import play_out_round, random_match
from atout.kernel.bits import ctz
from atout.kernel.jit import entry
from atout.kernel.layout import DEAL, OVER
from atout.kernel.log import action_of, logged, phase_of, seat_of
from atout.kernel.luck import random_bit, seed_luck
from atout.kernel.records import as_facts, as_plan, as_rules, as_state


@entry
def begin(state: Any, rules: Any, first_dealer: int) -> None:
    """A new match, waiting for its first deal."""
    matches.begin_match(as_state(state), as_rules(rules), first_dealer)


@entry
def deal_seeded(state: Any, rules: Any, luck: Any, seed: int, stream: int) -> None:
    """Shuffle and deal; the pack stays in `luck` as it was dealt."""
    seed_luck(luck, seed, stream)
    dealing.deal(as_state(state), as_rules(rules), luck)


@entry
def deal_pack(state: Any, rules: Any, luck: Any) -> None:
    """Deal the pack that lies in `luck[1:]`, hand after hand."""
    dealing.deal_pack(as_state(state), as_rules(rules), luck)


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
    """Apply logged actions as long as they are legal; how many were."""
    s, r = as_state(state), as_rules(rules)
    for i in range(length):
        seat, phase, action = seat_of(log[i]), phase_of(log[i]), action_of(log[i])
        if seat != s.turn or phase != s.phase or (step.legal(s, r) >> action) & 1 == 0:
            return i
        step.apply(s, r, action)
    return length


@entry
def replay_match(state: Any, rules: Any, luck: Any, packs: Any, log: Any, lengths: Any, results: Any) -> int:
    """Replay whole rounds from their packs and actions; how many were without a foul.

    A row of `results` for each round: dealer, start player or leader before the deal; phase, tricks, loot
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
            luck[1 + i] = packs[dealt + i]
        dealt += size
        if not dealing.is_from_deck(r, luck):
            return number
        dealing.deal_pack(s, r, luck)
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
def winners(state: Any, rules: Any) -> int:
    return scores.winners(as_state(state), as_rules(rules))


@entry
def random_round(state: Any, rules: Any, luck: Any, log: Any) -> int:
    """Uniformly random actions to the end of the round, logged; how many."""
    s, r = as_state(state), as_rules(rules)
    length = 0
    while s.phase != DEAL and s.phase != OVER:
        action = random_bit(step.legal(s, r), luck)
        log[length] = logged(s.turn, s.phase, action)
        length += 1
        step.apply(s, r, action)
    return length


@entry
def random_matches(state: Any, rules: Any, luck: Any, count: int, seed: int) -> tuple[int, int]:
    """Whole random matches one after the other; moves made, and a digest of all results."""
    s, r = as_state(state), as_rules(rules)
    moves, signature = 0, 0
    for i in range(count):
        seed_luck(luck, seed, i)
        moves += random_match(s, r, i % r.players, luck)
        signature = check.digest(s, signature)
    return moves, signature


@entry
def match_digests(state: Any, rules: Any, luck: Any, seed: int, moves: Any, digests: Any) -> None:
    """Random match i from stream i of the seed, for every i: its moves, and a digest of its end."""
    s, r = as_state(state), as_rules(rules)
    for i in range(moves.shape[0]):
        seed_luck(luck, seed, i)
        moves[i] = random_match(s, r, i % r.players, luck)
        digests[i] = check.digest(s, 0)


@entry
def play_out_rounds(state: Any, rules: Any, luck: Any, scratch: Any, count: int) -> int:
    """Random play-outs of the current round from copies of one state; moves made."""
    w, r = as_state(scratch), as_rules(rules)
    moves = 0
    for _ in range(count):
        for i in range(state.shape[0]):
            scratch[i] = state[i]
        moves += play_out_round(w, r, luck)
    return moves


@entry
def observe(state: Any, rules: Any, log: Any, length: int, seat: int, seen: Any, facts: Any, seen_log: Any) -> None:
    observing.observe(as_state(state), as_rules(rules), log, length, seat, as_state(seen), as_facts(facts), seen_log)


@entry
def encode(seen: Any, facts: Any, rules: Any, observation: Any) -> int:
    """Fill the observation of a seat (`observation.py`); its legal actions as a mask over their block."""
    o, r = as_state(seen), as_rules(rules)
    encoding.encode(o, as_facts(facts), r, observation)
    return encoding.legal_places(o, r, step.legal(o, r))


@entry
def action_at(seen: Any, rules: Any, place: int) -> int:
    """The action of the seat in turn that the observation numbers so."""
    o, r = as_state(seen), as_rules(rules)
    return encoding.action_at(o, r, step.legal(o, r), place)


@entry
def rebuild(seen: Any, rules: Any, log: Any, length: int, seat: int, hand: int, spare: int, facts: Any) -> None:
    """The redacted state and the facts from a redacted log and the seat's dealt hand."""
    o, r = as_state(seen), as_rules(rules)
    rebuilding.rebuild(o, r, log, length, seat, hand, spare)
    observing.gather(o, r, log, length, seat, as_facts(facts))


@entry
def sample_size(seen: Any, facts: Any, rules: Any, plan: Any) -> int:
    return table_of_ways.table_size(as_state(seen), as_facts(facts), as_rules(rules), as_plan(plan))


@entry
def sample_plan(seen: Any, facts: Any, rules: Any, plan: Any, ways: Any, chances: Any) -> float:
    return table_of_ways.plan(as_state(seen), as_facts(facts), as_rules(rules), as_plan(plan), ways, chances)


@entry
def sample_draw(
    seen: Any,
    facts: Any,
    rules: Any,
    plan: Any,
    ways: Any,
    chances: Any,
    luck: Any,
    world: Any,
    log: Any,
    length: int,
) -> None:
    """Fill `world`, and the hidden entries of `log`, with one consistent world."""
    for i in range(seen.shape[0]):
        world[i] = seen[i]
    sample.draw(
        as_state(seen),
        as_facts(facts),
        as_rules(rules),
        as_plan(plan),
        ways,
        chances,
        luck,
        as_state(world),
        log,
        length,
    )


@entry
def rewind(state: Any, rules: Any, log: Any, length: int) -> None:
    """The hands as they were dealt; nothing else of the state is meaningful afterwards."""
    sample.rewind(as_state(state), as_rules(rules), log, length)


@entry
def seed(luck: Any, number: int, stream: int) -> None:
    seed_luck(luck, number, stream)


@entry
def broken_invariant(state: Any, rules: Any) -> int:
    return check.broken_invariant(as_state(state), as_rules(rules))


@entry
def digest(state: Any, seed: int) -> int:
    return check.digest(as_state(state), seed)


@entry
def random_digests(state: Any, rules: Any, luck: Any, seed: int, digests: Any) -> int:
    """One random match; the digest of every state it passes through, and an alarm on a broken invariant."""
    s, r = as_state(state), as_rules(rules)
    seed_luck(luck, seed, 0)
    matches.begin_match(s, r, seed % r.players)
    count = 0
    while s.phase != OVER:
        if s.phase == DEAL:
            dealing.deal(s, r, luck)
        else:
            step.apply(s, r, random_bit(step.legal(s, r), luck))
        if check.broken_invariant(s, r) != check.WELL:
            return -count - 1
        digests[count] = check.digest(s, 0)
        count += 1
    return count


@entry
def perft(states: Any, rules: Any, depth: int) -> int:
    """Number of action sequences of the given length within the round; `states` has a row a level."""
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
