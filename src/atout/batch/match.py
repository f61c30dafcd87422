"""One match, stepped one action at a time in the flat action space: what environments for one table are made of.

It is compiled like a batch and deals like one: the same seed and stream give the same match. All its numbers are one
array of words, so a copy is cheap:

    state   the generator and its pack   log of the round   progress   scratch: redacted state, facts, redacted log

Forced actions are played without asking, so every decision is a choice between at least two actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from atout.batch import step
from atout.errors import UsageError
from atout.game.action import Action
from atout.game.game import Game
from atout.game.knowledge import Knowledge, new_rng
from atout.game.notation import notation_of
from atout.game.setup import Setup
from atout.knowledge import entries as knowledge_entries
from atout.knowledge.encode import place_of_action, slots_of
from atout.knowledge.features import ACTIONS, BLOCK, SIZE
from atout.rules import entries
from atout.rules.arrays import Int64Array, as_facts, as_rules, as_state, plain
from atout.rules.autoplay import LENGTH, to_choice
from atout.rules.deal import deal_pack
from atout.rules.jit import entry
from atout.rules.layout import FACTS_WORDS, LOG, NOBODY, OVER, RNG_WORDS, SEATS, STATE, STATE_WORDS, VETO
from atout.rules.log import action_of, logged, phase_of, seat_of
from atout.rules.match import begin_match

RNG = STATE_WORDS
ROUND_LOG = RNG + RNG_WORDS
PROGRESS = ROUND_LOG + LOG
SEEN = PROGRESS + 2
FACTS = SEEN + STATE_WORDS
SEEN_LOG = FACTS + FACTS_WORDS
WORDS = SEEN_LOG + LOG
KEPT = SEEN
"""Words before this one are the match; those behind it are scratch."""
PHASE, TURN = (STATE.fields[name][1] // 8 for name in ("phase", "turn"))  # type: ignore[index]
POINTS, GAIN, WON = range(3)
"""Rows of `Match.results`."""
Numbers = npt.NDArray[np.int8]


@entry
def match_begin(words: Any, rules: Any, seed: int, stream: int) -> None:
    """A new match; its first round is dealt."""
    s, r = as_state(words[:RNG]), as_rules(rules)
    step.reset_one(s, r, words[RNG:ROUND_LOG], words[ROUND_LOG:PROGRESS], words[PROGRESS:SEEN], seed, stream)


@entry
def match_open(words: Any, rules: Any, first_dealer: int) -> None:
    """A new match whose first round is still to be dealt."""
    begin_match(as_state(words[:RNG]), as_rules(rules), first_dealer)


@entry
def match_deal(words: Any, rules: Any, given: bool) -> None:
    """The next round: from the pack that lies in the generator, or shuffled."""
    s, r = as_state(words[:RNG]), as_rules(rules)
    rng, log, progress = words[RNG:ROUND_LOG], words[ROUND_LOG:PROGRESS], words[PROGRESS:SEEN]
    if given:
        deal_pack(s, r, rng)
        progress[LENGTH] = 0
        to_choice(s, r, log, progress)
    else:
        step.next_round(s, r, rng, log, progress)


@entry
def match_step(words: Any, rules: Any, action: int, results: Any) -> int:
    """One action and all that is forced by it, to the end of the round at most; returns how it ended."""
    progress = words[PROGRESS:SEEN]
    step.step_episode(
        as_state(words[:RNG]), as_rules(rules), words[RNG:ROUND_LOG], words[ROUND_LOG:PROGRESS], progress, action,
        results[POINTS], results[GAIN], results[WON], step.AT_ROUND_END, step.MANUAL,
    )  # fmt: skip
    return progress[step.ENDED]


@entry
def match_observe(words: Any, rules: Any, seat: int, out: Any) -> None:
    step.observe_flat(
        as_state(words[:RNG]), as_rules(rules), words[ROUND_LOG:PROGRESS], words[PROGRESS:SEEN], seat,
        as_state(words[SEEN:FACTS]), as_facts(words[FACTS:SEEN_LOG]), words[SEEN_LOG:], out[:SIZE], out[SIZE:],
    )  # fmt: skip


@entry
def match_number(words: Any, rules: Any, action: int) -> int:
    """The number in the flat space of an action of the seat in turn, given by its index (`rules/layout.py`)."""
    s, r = as_state(words[:RNG]), as_rules(rules)
    place = place_of_action(r, s.turn, slots_of(s, r, s.turn), s.phase, action)
    return BLOCK * step.block_of(s) + place


class Match:
    """A match of a setup, or only its first round.

    >>> match = Match(Setup.of("nichtig", 3))
    >>> match.reset(seed=1)
    >>> observation, mask = match.observe(match.turn)
    >>> observation.shape, mask.nonzero()[0].tolist()[:3]
    ((1432,), [321, 324, 326])
    >>> str(match.action(321)), match.number("2 lay R3")
    ('2 lay Y1', 347)
    >>> match.step(321)
    0
    """

    __slots__ = ("_game", "_known", "finished", "first_dealer", "notation", "one_round", "results", "rules", "setup",
                 "words")  # fmt: skip

    def __init__(self, setup: Setup, one_round: bool = False) -> None:
        self.setup, self.one_round, self.rules = setup, one_round, setup.rules
        self.notation = notation_of(setup)
        self.words: Int64Array = np.zeros(WORDS, np.int64)
        self.results = np.zeros((3, SEATS), np.float64)
        """What the last step brought every seat: its points, its gain, its share of the win (`step.py`)."""
        self.first_dealer = 0
        self.finished: tuple[tuple[bytes, bytes], ...] = ()
        """The rounds before the one in play: the pack as dealt, and the log (16 bits an entry)."""
        self._game: Game | None = None
        self._known = 0, 0

    def reset(self, seed: int, stream: int | None = None) -> None:
        """Begin a match; without a stream it is the seed's own. The stream sets the first dealer."""
        stream = seed if stream is None else stream
        self.first_dealer, self.finished, self._game = stream % self.setup.players, (), None
        match_begin(self.words, self.rules, seed, stream)

    def open(self, first_dealer: int) -> None:
        """Begin a match that deals what it is told (`deal`)."""
        self.first_dealer, self.finished, self._game = first_dealer, (), None
        match_open(self.words, self.rules, first_dealer)

    def deal(self, pack: bytes | None = None) -> None:
        """Deal the next round: this pack, hand after hand, or the next of the generator."""
        if pack is not None:
            self.words[RNG + 1 : RNG + 1 + len(pack)] = list(pack)
        match_deal(self.words, self.rules, pack is not None)

    def step(self, action: int, deal: bool = True) -> int:
        """One action of the seat in turn; returns GOES_ON, ROUND_OVER or MATCH_OVER (`step.py`).

        After a round the next one is dealt, unless the episode is over or `deal` says no.
        """
        ended = match_step(self.words, self.rules, action, self.results)
        if ended:
            if ended == step.REFUSED:
                raise UsageError(self._refusal(action))
            if ended == step.ROUND_OVER and not self.one_round:
                self.finished = (*self.finished, self.round())
                if deal:
                    self.deal()
        return int(ended)

    def _refusal(self, action: int) -> str:
        if self.is_over:
            return "action: the episode is over; reset it first"
        return f"action: {action} is not legal; allowed: {', '.join(map(str, self.legal()))}"

    # ---------------------------------------------------------------- where it stands

    @property
    def turn(self) -> int:
        """The seat in turn; NOBODY between rounds and at the end."""
        return int(self.words.item(TURN))

    @property
    def is_over(self) -> bool:
        """Whether the episode is over."""
        phase = self.words.item(PHASE)
        return bool(phase == OVER or (self.one_round and phase < VETO and self.words.item(PROGRESS) > 0))

    @property
    def state(self) -> Int64Array:
        """The whole state, secrets included: for the rules, not for players."""
        return self.words[:RNG]

    @property
    def log(self) -> Int64Array:
        """The log of the round in play."""
        return self.words[ROUND_LOG : ROUND_LOG + self.words.item(PROGRESS)]

    def observe(self, seat: int) -> tuple[Numbers, Numbers]:
        """What a seat sees (`docs/observation.md`), and its legal actions as 0 and 1: none unless it is in turn."""
        out = np.empty(SIZE + ACTIONS, np.int8)
        match_observe(self.words, self.rules, seat, out)
        return out[:SIZE], out[SIZE:]

    def legal(self) -> list[int]:
        """The legal actions of the seat in turn, ascending."""
        turn = self.turn
        return [] if turn == NOBODY else [int(i) for i in self.observe(turn)[1].nonzero()[0]]

    def knowledge(self, seat: int) -> Knowledge:
        """What a seat knows, as arrays."""
        return Knowledge.of(self.setup, seat, self.state, self.log)

    def round(self) -> tuple[bytes, bytes]:
        """The pack of the round as dealt, and its log."""
        dealt = self.setup.players * self.setup.hand_size
        pack = self.words[RNG + 1 : RNG + 1 + dealt].astype(np.uint8).tobytes()
        return pack, self.log.astype(np.uint16).tobytes()

    def sample(self, seat: int, rng: Int64Array) -> Match:
        """A match that the seat may be in: all that it knows is kept, the rest is drawn at random, deals to come and
        the secrets of earlier rounds as well.
        """
        twin = Match.imagined(self.knowledge(seat), rng, self.one_round)
        twin.first_dealer, twin.results = self.first_dealer, self.results.copy()
        if self.finished:
            past = _PastRounds(self)
            twin.finished = tuple(past.sampled(seat, pack, log, rng) for pack, log in self.finished)
        return twin

    @classmethod
    def imagined(cls, knowledge: Knowledge, rng: Int64Array, one_round: bool) -> Match:
        """A match that fits the knowledge of a seat. It begins with the round in play: earlier ones are not known."""
        match = cls(knowledge.setup, one_round)
        world, log, pack = _sampled(knowledge, rng)
        match.words[:RNG] = world
        match.words[RNG] = new_rng(int(rng[0]), stream=1)[0]
        match.words[RNG + 1 : RNG + 1 + len(pack)] = pack
        match.words[ROUND_LOG : ROUND_LOG + len(log)] = log
        match.words[PROGRESS] = len(log)
        return match

    # ---------------------------------------------------------------- as text, and as a Game

    def action(self, number: int) -> Action:
        """The action of a number that is legal now."""
        phase, turn = self.words.item(PHASE), self.words.item(TURN)
        index = knowledge_entries.action_at(self.state, self.rules, number - BLOCK * (phase - VETO))
        if index == NOBODY:
            raise UsageError(self._refusal(number))
        return self.notation.action(logged(turn, phase, index))

    def number(self, action: str | int) -> int:
        """The number of an action that is legal now, given as text or as an entry of the log."""
        entered = self.notation.entry(action) if isinstance(action, str) else action
        if seat_of(entered) == self.words.item(TURN) and phase_of(entered) == self.words.item(PHASE):
            number: int = match_number(self.words, self.rules, action_of(entered))
            if self.observe(self.turn)[1][number]:
                return number
        raise UsageError(f"action: {str(self.notation.action(entered))!r} is not legal now")

    def game(self) -> Game:
        """The match so far as a `Game`, for views and records. It goes on with the match; do not play it."""
        if self._game is None:
            self._game, self._known = Game(self.setup, self.first_dealer, auto_deal=False), (0, 0)
        game, (rounds, done) = self._game, self._known
        current = [] if not self.words.item(PROGRESS) and self.turn == NOBODY else [self.round()]
        if len(self.finished) > 0 and current == [self.finished[-1]]:
            current = []
        size = self.setup.hand_size
        for number, (pack, log) in enumerate([*self.finished, *current]):
            if number < rounds - 1:
                continue
            if number == rounds:
                cards = [self.notation.cards[kind] for kind in pack]
                game.deal([" ".join(cards[size * i : size * (i + 1)]) for i in range(self.setup.players)])
                rounds, done = rounds + 1, 0
            for entered in np.frombuffer(log, np.uint16)[done:].tolist():
                game.play(self.notation.action(entered))
                done += 1
        self._known = rounds, done
        return game

    def copy(self) -> Match:
        """An independent copy, with the same deals to come."""
        twin = Match.__new__(Match)
        twin.setup, twin.one_round, twin.rules, twin.notation = self.setup, self.one_round, self.rules, self.notation
        twin.words, twin.results = self.words.copy(), self.results.copy()
        twin.first_dealer, twin.finished = self.first_dealer, self.finished
        twin._game, twin._known = None, (0, 0)
        return twin


def _sampled(knowledge: Knowledge, rng: Int64Array) -> tuple[Int64Array, Int64Array, list[int]]:
    """A world that fits the knowledge: its state, its log, and the pack that was dealt in it."""
    setup = knowledge.setup
    world, log = knowledge.sampler.draw(rng)
    dealt = world.copy()
    knowledge_entries.rewind(dealt, setup.rules, log, len(log))
    hands, notation = plain(dealt, STATE), notation_of(setup)
    pack = [
        notation.kind_of[card]
        for seat in range(setup.players)
        for card in notation.cards_of(hands.hand[seat], hands.spare[seat])
    ]
    return world, log, pack


class _PastRounds:
    """Plays the finished rounds of a match again, to sample what a seat does not know of them."""

    def __init__(self, match: Match) -> None:
        self.setup = match.setup
        self.state: Int64Array = np.zeros(STATE_WORDS, np.int64)
        entries.begin(self.state, self.setup.rules, match.first_dealer)

    def sampled(self, seat: int, pack: bytes, log: bytes, rng: Int64Array) -> tuple[bytes, bytes]:
        """The next of them, as the seat may imagine it."""
        given: Int64Array = np.zeros(RNG_WORDS, np.int64)
        given[1 : 1 + len(pack)] = list(pack)
        entries.deal_pack(self.state, self.setup.rules, given)
        actions = np.frombuffer(log, np.uint16).astype(np.int64)
        entries.replay(self.state, self.setup.rules, actions, len(actions))
        _, imagined, kinds = _sampled(Knowledge.of(self.setup, seat, self.state, actions), rng)
        return bytes(kinds), imagined.astype(np.uint16).tobytes()
