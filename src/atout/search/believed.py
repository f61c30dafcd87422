"""Worlds drawn from a belief model, with importance weights (importance sampling).

`draw_believed` places the unseen cards one after the other, as `nets/beliefs.py` says, within the constraints of the
uniform sampler (`knowledge/sample.py`): a place without room, or from which the other cards could no longer be placed,
is never chosen. It turns each world back to the deal and notes the log-probability q of its placement.

Then the round is played again from the deal (`Beliefs.draw`). The player network is asked about every choice of the
others. What they were seen to do multiplies the weight by the chance of doing so. Choices that were not seen are made
by the network:

    before the first trick    among everything that is legal: cards put aside are dealt as part of the hand
    afterwards                among the cards that the placement put aside, which gives their order; the weight is
                              multiplied by the chance that the network chooses one of these

Passes between two other seats are drawn uniformly, and weighted. The weight of a world is

    chance of the deal × chance of all that was seen / chance of drawing the world

up to a factor that is the same for all worlds. Copies of a kind are different cards when they are placed. A deal with d
copies in a hand came about in 1/d! as many ways, and was placed in 1/n! as many, for n unseen ones.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from atout.game import Knowledge, Setup, new_rng
from atout.knowledge import sample
from atout.knowledge.counting import fill_lookup
from atout.knowledge.encode import action_at, encode, encode_hidden, place_of, place_of_action, slots_of
from atout.knowledge.features import BLOCK, GRID, HIDDEN_SIZE, SIZE
from atout.knowledge.redact import redact
from atout.knowledge.unseen import CHOSEN, CHOSEN_LOW, UNDEALT, make_plan, set_cards, set_groups, set_places
from atout.nets.beliefs import BeliefNetwork
from atout.nets.critic import Critic
from atout.nets.weights import WHERE, Network
from atout.rules.arrays import Int64Array, as_facts, as_plan, as_rules, as_state
from atout.rules.autoplay import LENGTH
from atout.rules.bits import ctz
from atout.rules.cards import copies_of
from atout.rules.deal import begin_round, clear_round
from atout.rules.jit import entry, part, rule
from atout.rules.layout import PLACES, PLAN_WORDS, PLAY, SEATS, STATE_WORDS
from atout.rules.log import HIDDEN, action_of, logged
from atout.rules.rng import unit
from atout.rules.step import apply, legal
from atout.search import net_rollout
from atout.search.belief import to_the_deal
from atout.search.gain import Float64Array
from atout.search.net_rollout import Worlds, ask_about, new_queries, new_worlds

OFF_POLICY = 0.05
"""The share of actions that follow no network, so that no single action rules a world out."""
OTHERS = SEATS - 1


class Head(NamedTuple):
    """The belief model's answer for one decision, and its head."""

    base: Any
    context: Any
    card: Any
    placed: Any
    place: Any


def uniform_head() -> Head:
    """A head that knows nothing: cards are placed in proportion to the room."""
    return Head(
        *(np.zeros(shape, np.float32) for shape in ((GRID, WHERE), 1, (GRID, 1), (GRID * WHERE, 1), (WHERE, 1)))
    )


# ------------------------------------------------------------------ placing cards


@rule
def sort_cards(r: Any, p: Any, slots: int, first: int, last: int) -> None:
    """By their place on the grid, as in training."""
    for i in range(first + 1, last):
        kind, j = p.card[i], i
        while j > first and place_of(r, slots, p.card[j - 1]) > place_of(r, slots, kind):
            p.card[j] = p.card[j - 1]
            j -= 1
        p.card[j] = kind


@part
def plan_deal(o: Any, f: Any, r: Any, p: Any) -> None:
    """The places before the first trick: the hands as they were dealt, and nothing is barred."""
    for place in range(PLACES):
        p.room[place] = 0
        p.barred[place] = 0
    for seat in range(r.players):
        if seat != f.seat:
            p.room[seat] = r.hand_size
    p.room[UNDEALT] = f.undealt
    set_groups(p, 0)
    set_cards(o, f, r, p)


@rule
def place_at(f: Any, r: Any, p: Any, where: int, kind: int) -> int:
    """The sampler's number of a place; −1 if there is none, it is full, or it cannot take the kind."""
    if where == WHERE - 1:
        return UNDEALT if p.room[UNDEALT] > 0 else -1
    k = where % OTHERS + 1
    if k >= r.players:
        return -1
    seat = (f.seat + k) % r.players
    if where < OTHERS:
        return seat if p.room[seat] > 0 and (p.barred[seat] >> kind) & 1 == 0 else -1
    if p.room[CHOSEN + seat] > 0 and (p.barred[CHOSEN + seat] >> kind) & 1 == 0:
        return CHOSEN + seat
    if p.room[CHOSEN_LOW + seat] > 0 and (p.barred[CHOSEN_LOW + seat] >> kind) & 1 == 0:
        return CHOSEN_LOW + seat
    return -1


@rule
def leaves_a_way(p: Any, ways: Any, i: int, column: int, rest: int, place: int) -> bool:
    """Whether all later cards can still be placed when card i goes there."""
    if i >= p.bound:
        return True
    following = (i + 1) * p.states + column
    group = p.group[place]
    if group == 0:
        return rest > 0 and ways[following] > 0.0
    return p.digit[group] > 0 and ways[following - p.stride[group]] > 0.0


@rule
def fill_logits(
    f: Any, r: Any, p: Any, ways: Any, i: int, column: int, rest: int, grid: int, head: Any, inner: Any, logits: Any
) -> float:
    """The logits of card i for every place, minus infinity where it cannot go. Returns the highest."""
    most = -math.inf
    for where in range(WHERE):
        logits[where] = -math.inf
        place = place_at(f, r, p, where, p.card[i])
        if place >= 0 and leaves_a_way(p, ways, i, column, rest, place):
            total = math.log(p.room[place]) + float(head.base[grid, where])
            for j in range(inner.shape[0]):
                h = inner[j] + head.card[grid, j]
                if h > 0:
                    total += float(h) * float(head.place[where, j])
            logits[where] = total
            most = max(most, total)
    return most


@part
def place_cards(
    f: Any, r: Any, p: Any, ways: Any, slots: int, head: Any, inner: Any, logits: Any, counts: Any, rng: Any, w: Any
) -> float:
    """Place all cards of the plan into `w`. Returns log(n! …) − log q, for the n copies of each kind in each place."""
    for j in range(inner.shape[0]):
        inner[j] = head.context[j]
    column, rest = p.states - 1, p.group_room[0]
    for group in range(1, p.groups):
        p.digit[group] = p.group_room[group]
    log_weight = 0.0
    for i in range(p.cards):
        kind = p.card[i]
        grid = place_of(r, slots, kind)
        if i == 0 or p.card[i - 1] != kind:
            for where in range(WHERE):
                counts[where] = 0
        most = fill_logits(f, r, p, ways, i, column, rest, grid, head, inner, logits)
        total = 0.0
        for where in range(WHERE):
            total += math.exp(logits[where] - most)
        x, chosen = unit(rng) * total, -1
        for where in range(WHERE):
            if logits[where] > -math.inf and (chosen < 0 or x >= 0.0):
                chosen = where
                x -= math.exp(logits[where] - most)
        log_weight -= logits[chosen] - most - math.log(total)
        counts[chosen] += 1
        log_weight += math.log(counts[chosen])
        place = place_at(f, r, p, chosen, kind)
        group = p.group[place]
        if i < p.bound:
            if group == 0:
                rest -= 1
            else:
                p.digit[group] -= 1
                column -= p.stride[group]
        p.room[place] -= 1
        sample.put_in_place(w, r, place, kind)
        for j in range(inner.shape[0]):
            inner[j] += head.placed[grid * WHERE + chosen, j]
    return log_weight


# ------------------------------------------------------------------ deals


@rule
def log_factorial(n: int) -> float:
    total = 0.0
    for i in range(2, n + 1):
        total += math.log(i)
    return total


@part
def log_ways_dealt(v: Any, r: Any) -> float:
    """In how many ways the pack gives this deal, up to a factor: one for d! that are alike, in a hand or undealt."""
    total = 0.0
    kinds = r.kinds
    while kinds != 0:
        kind = ctz(kinds)
        kinds &= kinds - 1
        if r.copies[kind] > 1:
            left = r.copies[kind]
            for seat in range(r.players):
                held = copies_of(r, v.hand[seat], v.spare[seat], kind)
                left -= held
                total -= log_factorial(held)
            total -= log_factorial(left)
    return total


@part
def log_ways_passed(f: Any, r: Any, w: Any) -> float:
    """The logarithm of the chance of the passes that were drawn, up to a factor that all worlds share."""
    total = 0.0
    for seat in range(r.players):
        left = (seat + 1) % r.players
        if seat != f.seat and left != f.seat:
            kinds, spare = sample.joined(r, w.hand[left], w.spare[left], f.seen[left], f.seen_spare[left])
            rest = w.gone[seat]
            while rest != 0:
                kind = ctz(rest)
                rest &= rest - 1
                held = copies_of(r, kinds, spare, kind)
                given = copies_of(r, w.gone[seat], w.gone_spare[seat], kind)
                total += log_factorial(held) - log_factorial(given) - log_factorial(held - given)
    return total


@entry
def draw_believed(
    source: Any, head: Any, plan: Any, ways: Any, inner: Any, logits: Any, counts: Any, deals: Any, worlds: Any,
    weights: Any, rng: Any,
) -> None:  # fmt: skip
    """Fill `deals` with worlds at the moment the cards were dealt, `worlds` with the same now, with their logs, and
    `weights` with log(chance of the deal / chance of drawing it), up to a factor.
    """
    o, f, r, p = as_state(source.seen), as_facts(source.facts), as_rules(source.rules), as_plan(plan)
    length, slots = source.log.shape[0], slots_of(o, r, f.seat)
    ready = -1
    for k in range(deals.shape[0]):
        world, dealt = worlds.states[k], deals[k]
        w, v = as_state(world), as_state(dealt)
        for i in range(world.shape[0]):
            world[i] = source.seen[i]
        for i in range(length):
            worlds.logs[k, i] = source.log[i]
        worlds.progress[k, LENGTH] = length
        scenario = 0
        if o.phase == PLAY:
            scenario = sample.draw_scenario(as_plan(source.plan), source.chances, rng)
        if o.phase != PLAY:
            plan_deal(o, f, r, p)
            sort_cards(r, p, slots, 0, p.cards)
        else:
            if scenario != ready:
                make_plan(o, f, r, p, scenario)
                sort_cards(r, p, slots, 0, p.bound)
                sort_cards(r, p, slots, p.bound, p.cards)
                fill_lookup(p, ways)
                ready = scenario
            set_places(o, f, r, p, scenario)
            sample.put_known(o, f, r, w)
        weights[k] = place_cards(f, r, p, ways, slots, head, inner, logits, counts, rng, w)
        if o.phase == PLAY:
            weights[k] += math.log(scenario_total(source)) - math.log(source.chances[scenario])
            if f.passed != 0:
                sample.draw_passes(f, r, w, rng)
                weights[k] -= log_ways_passed(f, r, w)
            sample.name_choices(o, f, r, w, worlds.logs[k], length, rng)
            for i in range(world.shape[0]):
                dealt[i] = world[i]
            to_the_deal(v, r, worlds.logs[k], length)
        else:
            for i in range(world.shape[0]):
                dealt[i] = world[i]
            deal_again(w, v, r, f.seat)
        weights[k] += log_ways_dealt(v, r)


@rule
def scenario_total(source: Any) -> float:
    total = 0.0
    for scenario in range(as_plan(source.plan).scenarios):
        total += source.chances[scenario]
    return total


@part
def deal_again(w: Any, v: Any, r: Any, me: int) -> None:
    """The deal before the first trick: the hands of the others are as dealt, the seat's own gets back what it chose."""
    start = v.start
    clear_round(v)
    for seat in range(SEATS):
        v.hand[seat] = w.hand[seat]
        v.spare[seat] = w.spare[seat]
    v.hand[me], v.spare[me] = sample.joined(r, w.hand[me], w.spare[me], w.gone[me], w.gone_spare[me])
    v.start = start
    begin_round(v, r)


# ------------------------------------------------------------------ unseen choices


@entry
def ask_unseen(states: Any, worlds: Any, at: int, rules: Any, queries: Any, allowed: Any) -> None:
    """A query for the choice `at` in every world, and the places that the world allows."""
    r = as_rules(rules)
    for k in range(states.shape[0]):
        s, w = as_state(states[k]), as_state(worlds.states[k])
        ask_about(s, r, worlds.logs[k], at, queries, k)
        allowed[k] = queries.masks[k]
        if w.phase == PLAY:
            allowed[k] = 0
            slots, seat, options = slots_of(s, r, s.turn), s.turn, legal(s, r)
            while options != 0:
                kind = ctz(options)
                options &= options - 1
                chosen = copies_of(r, w.gone[seat], w.gone_spare[seat], kind)
                if chosen > copies_of(r, s.gone[seat], s.gone_spare[seat], kind):
                    allowed[k] |= 1 << place_of_action(r, seat, slots, s.phase, kind)


@entry
def make_unseen(states: Any, logs: Any, at: int, places: Any, rules: Any) -> None:
    """Make the choice `at` in every world, and write it into the log."""
    r = as_rules(rules)
    for k in range(states.shape[0]):
        s = as_state(states[k])
        action = action_at(s, r, legal(s, r), places[k])
        logs[k, at] = logged(s.turn, s.phase, action)
        apply(s, r, action)


@entry
def open_positions(states: Any, logs: Any, progress: Any, rules: Any, queries: Any, positions: Any, turns: Any) -> None:
    """What the critic reads: what the seat in turn knows in each world, and what is hidden from it."""
    r = as_rules(rules)
    o, f = as_state(queries.seen), as_facts(queries.facts)
    for k in range(states.shape[0]):
        s = as_state(states[k])
        redact(s, r, logs[k], progress[k, LENGTH], s.turn, o, f, queries.seen_log)
        encode(o, f, r, positions[k][:SIZE])
        encode_hidden(s, r, s.turn, positions[k][SIZE:])
        turns[k] = s.turn


def critic_gains(critic: Critic, worlds: Worlds, setup: Setup, scale: float) -> Float64Array:
    """The critic's gain of every seat, for open positions in which somebody has a choice."""
    count, players = len(worlds.states), setup.players
    positions, turns = np.zeros((count, SIZE + HIDDEN_SIZE), np.int8), np.zeros(count, np.int64)
    states, logs, progress = (np.ascontiguousarray(array) for array in worlds)
    open_positions(states, logs, progress, setup.rules, new_queries(1), positions, turns)
    from_turn = critic.gains(positions, players) * scale
    seats = (np.arange(players) - turns[:, None]) % players
    return np.take_along_axis(from_turn, seats, 1).astype(np.float64)


class Drawn(NamedTuple):
    """Worlds, and what they weigh."""

    worlds: Worlds
    log_likelihoods: Float64Array
    """The log-likelihood of what the others were seen to do."""
    log_weights: Float64Array

    @property
    def weights(self) -> Float64Array:
        """They add up to 1."""
        weights = np.exp(self.log_weights - self.log_weights.max())
        return np.asarray(weights / weights.sum(), np.float64)

    @property
    def effective(self) -> float:
        """How many equally likely worlds they are worth, as a share of their number."""
        return float(1 / (self.weights**2).sum() / len(self.log_weights))


class Beliefs:
    """What a seat believes at one decision. Without a belief model, cards are placed in proportion to the room."""

    def __init__(self, knowledge: Knowledge, model: BeliefNetwork | None, player: Network, seed: int) -> None:
        self.knowledge, self.player = knowledge, player
        self.evaluations = 0
        """How many positions the player network has evaluated."""
        self._rng, self._random = new_rng(seed), np.random.default_rng(seed)
        self._head = uniform_head()
        if model is not None:
            base, context = model.ask(knowledge.encode()[0])
            self._head = Head(base, context, model.card, model.placed, model.place)

    def draw(self, count: int) -> Drawn:
        """Draw and weigh worlds."""
        worlds, deals, weights = self._draw(count)
        likelihoods = self.replay(deals, worlds)
        return Drawn(Worlds(deals, worlds.logs, worlds.progress), likelihoods, weights + likelihoods)

    def _draw(self, count: int) -> tuple[Worlds, Int64Array, Float64Array]:
        """Worlds, the same at the deal, and log(chance of the deal / chance of drawing it), up to a factor."""
        source = self.knowledge.sampler.source
        worlds, deals, weights = new_worlds(count), np.zeros((count, STATE_WORDS), np.int64), np.zeros(count)
        scratch = (np.zeros(PLAN_WORDS, np.int64), np.zeros_like(source.ways))
        inner, logits = np.zeros(len(self._head.context), np.float32), np.zeros(WHERE)
        counts = np.zeros(WHERE, np.int64)
        draw_believed(source, self._head, *scratch, inner, logits, counts, deals, worlds, weights, self._rng)
        return worlds, deals, weights

    def replay(self, deals: Int64Array, worlds: Worlds) -> Float64Array:
        """Play the worlds from the deal to the present; choices that were not seen are made, and written into the logs.
        Returns the log-likelihood of what was seen.
        """
        known, total = self.knowledge, np.zeros(len(deals))
        hidden = [at for at, seen in enumerate(known.log) if action_of(int(seen)) == HIDDEN]
        first = 0
        for at in [*hidden, len(known.log)]:
            total += self._replay_seen(deals, worlds.logs, first, at)
            if at < len(known.log):
                total += self._make_unseen(deals, worlds, at)
            first = at + 1
        return total

    def _replay_seen(self, deals: Int64Array, logs: Int64Array, first: int, end: int) -> Float64Array:
        """Play what was seen; its log-likelihood."""
        known, total = self.knowledge, np.zeros(len(deals))
        for queries, count in net_rollout.replay(deals, logs, first, end, known.fact.seat, known.setup.rules):
            taken = self._policies(queries, count)[np.arange(count), queries.places[:count]]
            total += np.bincount(queries.rows[:count], np.log(taken), len(deals))
        return total

    def _make_unseen(self, deals: Int64Array, worlds: Worlds, at: int) -> Float64Array:
        """Make one choice in every world; the log-probability that the network chooses one that the world allows."""
        count, rules = len(deals), self.knowledge.setup.rules
        queries, allowed = new_queries(count), np.zeros(count, np.int64)
        ask_unseen(deals, worlds, at, rules, queries, allowed)
        likely = self._policies(queries, count) * ((allowed[:, None] >> np.arange(BLOCK)) & 1)
        share = likely.sum(1)
        bounds = likely.cumsum(1)
        places = (bounds <= self._random.random((count, 1)) * bounds[:, -1:]).sum(1)
        make_unseen(deals, worlds.logs, at, np.minimum(places, BLOCK - 1), rules)
        return np.asarray(np.log(share), np.float64)

    def _policies(self, queries: Any, count: int) -> Float64Array:
        """The chance of each place, with a share of actions that follow no network."""
        masks = queries.masks[:count]
        self.evaluations += count
        outputs = self.player.evaluate_all(queries.features[:count])
        likely = np.exp(self.player.log_policies(outputs, masks, queries.blocks[:count])).astype(np.float64)
        legal_places = (masks[:, None] >> np.arange(BLOCK)) & 1
        return np.asarray(
            (1 - OFF_POLICY) * likely + OFF_POLICY * legal_places / np.bitwise_count(masks)[:, None], np.float64
        )

    def true_log_likelihood(self, state: Int64Array, log: Int64Array) -> float:
        """The log-likelihood of what the others were seen to do, in the true deal; for measurements only."""
        worlds = new_worlds(1)
        worlds.states[0], worlds.logs[0, : len(log)], worlds.progress[0, LENGTH] = state, log, len(log)
        deals = worlds.states.copy()
        turn_back(deals[0], self.knowledge.setup.rules, worlds.logs[0], len(log))
        return float(self.replay(deals, worlds)[0])


@entry
def turn_back(state: Any, rules: Any, log: Any, length: int) -> None:
    """Turn a world back to the moment its cards were dealt."""
    to_the_deal(as_state(state), as_rules(rules), log, length)
