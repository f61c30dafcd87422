"""`Game`, the class to program against: legal actions as text, views without secrets, a record at any time."""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from atout.editions import PUBLISHED, Edition, to_tree
from atout.errors import RecordError, UsageError
from atout.game.action import Action
from atout.game.knowledge import Knowledge, Sampler, new_rng
from atout.game.log_entry import action_of, phase_of, seat_of
from atout.game.notation import PHASES, SECRET, bits_of, notation_of
from atout.game.record import (
    VERSION,
    Hands,
    Record,
    RoundRecord,
    parse_hands,
    read,
    setup_of,
)
from atout.game.record_check import replay
from atout.game.refusals import PHASE, TURN, allowed, legal_actions
from atout.game.rounds import Round
from atout.game.secret_choice import TODO, SecretChoice
from atout.game.setup import Setup
from atout.game.view import LastRound, PastRound, View
from atout.game.view_builder import common_fields, make_view, own_fields
from atout.knowledge import entries as knowledge_entries
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import DEAL, LOG, NJET, NOBODY, OVER, RNG_WORDS, STATE, STATE_WORDS, VETO

Deals = Callable[[int], Hands]
"""A function from the number of a round, from 0, to its hands."""


class Game:
    """A match from the first deal to the last trick.

    >>> game = Game.new("niet-2015", players=4, seed=7)
    >>> game.phase, game.turn, len(game.legal())
    ('veto', 2, 23)
    >>> game.play("2 veto trump red")
    Action(seat=2, verb='veto', words=('trump', 'red'), entry=2128)
    >>> game.play("3 veto trump red")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    atout.errors.IllegalAction: 3 veto trump red: that cell is covered already (niet-2015 §3.3); allowed: ...
    >>> game.view(seat=0)["hand_sizes"]
    [15, 15, 15, 15]
    >>> game.undo().phase, len(game.actions)
    ('veto', 0)

    Rounds are dealt without asking. With `auto_deal=False` every deal is a step of its own, and the end of a round
    can be looked at:

    >>> game = Game.new("nichtig", players=3, seed=1, auto_deal=False)
    >>> game
    Game('nichtig', players=3, round=0, phase='deal', turn=None)
    >>> game.deal()
    >>> while not game.is_round_over:
    ...     action = game.play(game.legal()[0])
    >>> game.phase, game.round, game.past()[-1]["scores"] == game.totals
    ('deal', 1, True)
    >>> game.deal()
    >>> game.phase, game.round
    ('lay', 2)
    """

    __slots__ = (
        "_allowed",
        "_before",
        "_deals",
        "_earlier",
        "_earlier_end",
        "_ended",
        "_known",
        "_rounds",
        "_seed",
        "_start",
        "_state",
        "auto_deal",
        "first_dealer",
        "notation",
        "setup",
    )

    def __init__(
        self,
        setup: Setup,
        first_dealer: int,
        seed: int | None = None,
        deals: Deals | None = None,
        auto_deal: bool = True,
    ) -> None:
        """Prefer `Game.new`; this deals nothing yet."""
        if not 0 <= first_dealer < setup.players:
            raise UsageError(f"first_dealer: {first_dealer} is not allowed; allowed: 0 to {setup.players - 1}")
        self.setup = setup
        self.notation = notation_of(setup)
        self.first_dealer = first_dealer
        self._seed = secrets.randbits(63) if seed is None else seed
        self._deals = deals
        self.auto_deal = auto_deal
        """Deal the next round as soon as one has ended; else wait for `deal`."""
        self._state = np.zeros(STATE_WORDS, np.int64)
        self._start: Int64Array | None = None
        """In a sampled world: the match before its only round was dealt. Later states follow from deals and logs."""
        self._rounds: list[Round] = []
        self._known: dict[int, bytes] = {}
        """Deals of rounds that were taken back: dealt again, they stay the same."""
        self._ended: Int64Array | None = None
        """The state at the end of the round before, if it is at hand; kept until the first action."""
        self._before = 0
        """In a sampled world: the number of rounds before its own."""
        self._earlier: list[PastRound] = []
        self._earlier_end: LastRound | None = None
        """In a world that a game has sampled: the public results of those rounds, and how the last of them ended."""
        self._allowed: Action | None = None
        """The action that `check` has found legal in the state as it is."""
        entries.begin(self._state, setup.rules, first_dealer)

    @classmethod
    def new(
        cls,
        edition: str | Edition,
        players: int,
        seed: int | None = None,
        options: Any = None,
        first_dealer: int | None = None,
        deals: Deals | None = None,
        auto_deal: bool = True,
    ) -> Game:
        """Create a match and deal its first round.

        `edition` is an id, the path of a file with house rules, or an `Edition`; `options` are written as in a record.
        The same `seed` gives the same deals and the same first dealer. `deals` replaces the shuffle. With
        `auto_deal=False` no round is dealt, the first included, until `deal` is called.
        """
        return cls.at(Setup.of(edition, players, options), seed, first_dealer, deals, auto_deal)

    @classmethod
    def at(
        cls,
        setup: Setup,
        seed: int | None = None,
        first_dealer: int | None = None,
        deals: Deals | None = None,
        auto_deal: bool = True,
    ) -> Game:
        """Create a match from a setup; everything else is as in `new`."""
        if seed is None:
            seed = secrets.randbits(63)
        elif not -(1 << 63) <= seed < 1 << 63:
            raise UsageError(f"seed: {seed} is not allowed; allowed: a whole number of 64 bits")
        if first_dealer is None:
            first_dealer = int(new_rng(seed, -1)[0] >> 8) % setup.players
        game = cls(setup, first_dealer, seed, deals, auto_deal)
        if auto_deal:
            game.deal()
        return game

    def __repr__(self) -> str:
        edition, players, turn = self.setup.edition.id, self.setup.players, self.turn
        return f"Game({edition!r}, players={players}, round={self.round}, phase={self.phase!r}, turn={turn})"

    # ---------------------------------------------------------------- where the game stands

    @property
    def state(self) -> Any:
        """The whole state, secrets included, as a copy with the names of `rules/layout.py`; not for players."""
        return plain(self._state, STATE)

    @property
    def phase(self) -> str:
        """`deal`, `veto`, `team`, `double`, `discard`, `pass`, `lay`, `play` or `over`."""
        return PHASES[self._state[PHASE]]

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the next round is to be dealt or the match is over."""
        turn = int(self._state[TURN])
        return None if turn == NOBODY else turn

    @property
    def phase_and_turn(self) -> tuple[str, int | None]:
        """Both in one call, which is faster after every action."""
        phase, turn = self._state[PHASE : TURN + 1].tolist()
        return PHASES[phase], None if turn == NOBODY else turn

    @property
    def owed(self) -> int:
        """Cards the seat in turn still has to discard, pass or lay out."""
        return int(self._state[TODO])

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return bool(self._state[PHASE] == OVER)

    @property
    def is_round_over(self) -> bool:
        """Whether the last round dealt has ended: its result is `past()[-1]`, and its table is still in the views."""
        return bool(self._rounds) and self._rounds[-1].is_over

    @property
    def round(self) -> int:
        """Number of the last round dealt, from 1; 0 before the first deal."""
        return self._before + len(self._rounds)

    @property
    def totals(self) -> list[int]:
        """Points of the match by seat, over all finished rounds."""
        totals: list[int] = self.state.totals[: self.setup.players]
        return totals

    @property
    def winners(self) -> list[int]:
        """The seats that won, ties included; empty while the match goes on."""
        return bits_of(entries.winners(self._state, self.setup.rules)) if self.is_over else []

    @property
    def seed(self) -> int:
        """What the deals come from; whoever knows it knows all hands to come, so no view has it.

        >>> Game.new("nichtig", players=3, seed=1).seed
        1
        """
        return self._seed

    @property
    def actions(self) -> list[Action]:
        """Every action of the match so far."""
        return [self.notation.action(entry) for played in self._rounds for entry in played.log]

    def legal(self) -> list[Action]:
        """The legal actions of the seat in turn, in a fixed order: by row and column, by side, by colour and value."""
        return legal_actions(self.notation, self._state)

    # ---------------------------------------------------------------- changing it

    def check(self, action: str | Action) -> Action:
        """Return the action if the rules allow it now, else raise what `play` would raise. Nothing changes."""
        self._allowed = allowed(self.notation, self._state, action)
        return self._allowed

    def play(self, action: str | Action) -> Action:
        """Carry out an action, and deal the next round if it ends one (`auto_deal`).

        An action that the rules forbid raises `IllegalAction`; text that is no action raises `ActionError`. Nothing
        changes then.
        """
        known = self._allowed
        if known is None or (action is not known and action != self.notation.text_of[known.entry]):
            known = allowed(self.notation, self._state, action)
        self._allowed = self._ended = None
        entries.apply(self._state, self.setup.rules, action_of(known.entry))
        self._rounds[-1].log.append(known.entry)
        self._end_round()
        return known

    def play_randomly(self, rng: Int64Array) -> None:
        """Play uniformly random actions to the end of the round in compiled code; then deal (`auto_deal`)."""
        log = np.zeros(LOG, np.int64)
        self._allowed = self._ended = None
        length = entries.random_round(self._state, self.setup.rules, rng, log)
        self._rounds[-1].log.extend(log[:length].tolist())
        self._end_round()

    def _end_round(self) -> None:
        """If the round is over, keep its result and deal the next."""
        if self._state[PHASE] == DEAL or self._state[PHASE] == OVER:
            self._rounds[-1].end(self._state.copy())
            if self._state[PHASE] == DEAL and self.auto_deal:
                self.deal()

    def deal(self, hands: Hands | None = None) -> None:
        """Deal the next round: these hands, or those that the seed or the `deals` of the game give.

        >>> game = Game.new("nichtig", players=3, seed=1)
        >>> game.deal()
        Traceback (most recent call last):
        ...
        atout.errors.UsageError: deal: round 1 is not over; the game is in phase lay
        """
        if self._state[PHASE] != DEAL:
            what = "the match is over" if self.is_over else f"round {self.round} is not over"
            raise UsageError(f"deal: {what}; the game is in phase {self.phase}")
        self._ended = self._state.copy() if self._rounds else None
        if hands is None and self.round not in self._known and self._deals is not None:
            hands = self._deals(self.round)
        if hands is not None:
            self._deal_pack(bytes(kind for hand in parse_hands(self.notation, hands) for kind in hand))
        elif self.round in self._known:
            self._deal_pack(self._known[self.round])
        else:
            self._deal_shuffled()

    def undo(self, count: int = 1, *, to: int | None = None) -> Game:
        """Take back the last actions, or go back to the point after `to` actions; returns the game itself.

        A round that has been dealt stays dealt until an action before it is taken back; dealt again, it is the same.
        """
        total = sum(len(played.log) for played in self._rounds)
        target = total - count if to is None else to
        if not 0 <= target <= total:
            raise UsageError(f"undo: {target} is not allowed; the game has {total} actions to go back to")
        kept = 0
        for number, played in enumerate(self._rounds):
            inside = target - kept
            if inside < len(played.log) or number == len(self._rounds) - 1:
                for taken, later in enumerate(self._rounds[number + 1 :], self._before + number + 1):
                    self._known[taken] = later.pack
                del self._rounds[number + 1 :]
                if inside < len(played.log):
                    played.rewind(inside)
                    self._allowed = self._ended = None
                    self._state = self._state_after(self._rounds)
                break
            kept += len(played.log)
        return self

    def _state_after(self, rounds: Sequence[Round]) -> Int64Array:
        """The state that the deals and actions of these rounds lead to."""
        if self._start is None:
            state = np.zeros(STATE_WORDS, np.int64)
            entries.begin(state, self.setup.rules, self.first_dealer)
        else:
            state = self._start.copy()
        for played in rounds:
            self._deal_out(state, played.pack)
            log = _as_array(played.log)
            assert entries.replay(state, self.setup.rules, log, len(log)) == len(log)
        return state

    def copy(self) -> Game:
        """An independent copy with the same deals to come."""
        twin = Game(self.setup, self.first_dealer, self._seed, self._deals, self.auto_deal)
        twin._state = self._state.copy()
        twin._rounds = [played.copy() for played in self._rounds]
        twin._start, twin._ended = self._start, self._ended
        twin._before, twin._known = self._before, self._known.copy()
        twin._earlier, twin._earlier_end = self._earlier, self._earlier_end
        return twin

    def _deal_shuffled(self) -> None:
        """Deal from the seed and the number of the round."""
        rng = np.zeros(RNG_WORDS, np.int64)
        entries.deal_seeded(self._state, self.setup.rules, rng, self._seed, self.round)
        pack = bytes(rng[1 : 1 + self.setup.players * self.setup.hand_size].tolist())
        self._rounds.append(Round(pack, self._state))

    def _deal_pack(self, pack: bytes) -> None:
        self._deal_out(self._state, pack)
        self._rounds.append(Round(pack, self._state))

    def _deal_out(self, state: Int64Array, pack: bytes) -> None:
        rng = np.zeros(RNG_WORDS, np.int64)
        rng[1 : 1 + len(pack)] = list(pack)
        entries.deal_pack(state, self.setup.rules, rng)

    # ---------------------------------------------------------------- what others may see

    def knowledge(self, seat: int | None) -> Knowledge:
        """What the seat knows, as arrays; None is a spectator."""
        if seat is not None and not 0 <= seat < self.setup.players:
            raise UsageError(f"seat: {seat} is not allowed; allowed: 0 to {self.setup.players - 1}")
        return Knowledge.of(self.setup, seat, self._state, self._log_array())

    def _log_array(self) -> Int64Array:
        """The log of the round as the rules take it."""
        return _as_array(self._rounds[-1].log) if self._rounds else np.zeros(0, np.int64)

    def view(self, seat: int | None) -> View:
        """What the seat may know, as plain data ready for JSON; None is a spectator."""
        view = make_view(self.knowledge(seat), self.notation, self.past())
        return cast("View", {**view, **self._round_fields()})

    def _round_fields(self) -> dict[str, Any]:
        """Common fields of a view that need more than the round in play.

        At the end of a round the state already says who opens the next one; a view still says who opened this one.
        """
        fields: dict[str, Any] = {"last_round": self._last_round()}
        if self._state[PHASE] == DEAL and self._rounds:
            fields |= self._opening_of(self._rounds[-1])
        return fields

    def _opening_of(self, played: Round) -> dict[str, Any]:
        return {"dealer": played.dealer} | ({} if self.setup.edition.is_njet else {"leader": played.leader})

    def _last_round(self) -> LastRound | None:
        """How the round before ended, as a spectator saw it; None once somebody has acted in this one."""
        if not self._rounds or self._rounds[-1].log:
            return None
        if len(self._rounds) == 1:
            return self._earlier_end
        before = self._rounds[-2]
        if self._ended is None:
            self._ended = self._state_after(self._rounds[:-1])
        knowledge = Knowledge.of(self.setup, None, self._ended, _as_array(before.log))
        view: Any = {**make_view(knowledge, self.notation, []), **self._opening_of(before)}
        return cast("LastRound", {key: view[key] for key in LastRound.__annotations__})

    def public(self) -> View:
        """The view of a spectator."""
        return self.view(None)

    def common(self) -> dict[str, Any]:
        """The fields that are the same in all views of this moment: a view is these and the seat's `own`."""
        return {**common_fields(self.knowledge(None), self.notation, self.past()), **self._round_fields()}

    def own(self, seat: int | None) -> dict[str, Any]:
        """The fields of the seat's view that differ from seat to seat."""
        return own_fields(self.knowledge(seat), self.notation)

    def choosing(self, seat: int, chosen: Sequence[Action] = ()) -> SecretChoice:
        """The seat's own part of a choice that all make at the same time, before anybody's is played."""
        log = self._rounds[-1].log
        phase = int(self._state[PHASE])
        if phase not in SECRET or (log and phase_of(log[-1]) == phase):
            raise UsageError(
                f"choosing: not the beginning of a choice that all make at once; the phase is {self.phase}"
            )
        return SecretChoice(self.notation, self._state, log, seat, chosen)

    def past(self) -> list[PastRound]:
        """Results of the finished rounds; public."""
        return [*self._earlier, *(played.result(self.setup) for played in self._rounds if played.is_over)]

    def sample(self, seat: int, rng: Int64Array | int) -> Game:
        """Sample a game that the seat may be in: all that it knows is kept, everything hidden is drawn at random.

        All consistent deals and secret choices are equally likely. The sampled game begins with the current round.
        """
        knowledge = self.knowledge(seat)
        source = new_rng(rng) if isinstance(rng, int) else rng
        world = self.from_world(knowledge.sampler, source)
        world._earlier = self.past()[:-1] if self.is_round_over else self.past()
        world._earlier_end = self._last_round()
        return world

    @classmethod
    def from_world(cls, sampler: Sampler, rng: Int64Array) -> Game:
        """A game from one draw of a sampler; it can hold no more than the knowledge the sampler was made from."""
        knowledge = sampler.knowledge
        setup, length = knowledge.setup, knowledge.length
        world, log = sampler.draw(rng)
        dealt = world.copy()
        knowledge_entries.rewind(dealt, setup.rules, log, length)
        d = plain(dealt, STATE)
        game = cls(setup, 0, int(rng[0]))
        cards = [card for seat in range(setup.players) for card in game.notation.cards_of(d.hand[seat], d.spare[seat])]
        now = plain(world, STATE)
        ended = now.phase in (DEAL, OVER) and length > 0
        game._before = now.finished - ended
        opening = game._opening(now, int(log[0]) if length else None)
        game.first_dealer = opening[0]
        game._start = game._state_before(world, ended, opening)
        game._state = game._start.copy()
        game._deal_pack(bytes(game.notation.kind_of[card] for card in cards))
        played = game._rounds[-1]
        played.log.extend(log[:length].tolist())
        if ended:
            played.end(world)
        game._state = world.copy()
        return game

    def _opening(self, now: Any, first: int | None) -> tuple[int, int]:
        """Dealer and leader of the round in play, from its first action: at its end the state has those of the next."""
        rules = self.setup.rules_record
        if first is None or (rules.game == NJET and phase_of(first) != VETO):
            return now.dealer, now.start
        actor = seat_of(first)
        steps = rules.first_veto if rules.game == NJET else 1
        dealer = (actor - steps) % self.setup.players
        return dealer, actor if rules.game != NJET else now.start

    def _state_before(self, world: Int64Array, ended: bool, opening: tuple[int, int]) -> Int64Array:
        """The state of the match right before the round of a sampled world was dealt."""
        start = np.zeros(STATE_WORDS, np.int64)
        s, w = start.view(STATE)[0], world.view(STATE)[0]
        entries.begin(start, self.setup.rules, 0)
        s.finished = w.finished - ended
        s.totals[:] = w.totals - w.scores if ended else w.totals
        s.scores[:] = w.scores
        s.dealer, s.start = opening
        return start

    # ---------------------------------------------------------------- records

    def record(self) -> Record:
        """The record of the match, finished or not.

        The format has no match of some rounds: such a match is written as an unfinished one of the full length.
        """
        if self._before:
            raise UsageError("record: a sampled world holds only the current round, not the rounds before it")
        edition, players = self.setup.edition, self.setup.players
        options = self.setup.options.written(edition, players)
        is_cut = "rounds" in options.get("length", ())
        if is_cut:
            del options["length"]
        record: Record = {
            "atout": VERSION,
            "edition": edition.id,
            "players": players,
            "options": options,
            "first_dealer": self.first_dealer,
            "rounds": [self._round_record(played) for played in self._rounds],
        }
        if edition.id not in PUBLISHED:
            record["rules"] = to_tree(edition)
        if self.is_over and not is_cut:
            record["totals"] = self.totals
            record["winners"] = self.winners
        return record

    def _round_record(self, played: Round) -> RoundRecord:
        njet = self.setup.edition.is_njet
        record: RoundRecord = {"dealer": played.dealer} if njet else {"leader": played.leader}
        hands = played.hands(self.setup.players)
        record["hands"] = [" ".join(self.notation.cards[kind] for kind in sorted(hand)) for hand in hands]
        record["actions"] = [self.notation.text_of[entry] for entry in played.log]
        if played.is_over:
            result = played.result(self.setup)
            if njet:
                record["tricks"], record["loot"] = result["tricks"], result["loot"]
            record["scores"] = result["scores"]
        return record

    @classmethod
    def from_record(cls, record: Any, seed: int | None = None, auto_deal: bool = True) -> Game:
        """The match of a record, ready to go on if it is unfinished; `RecordError` if the record breaks a rule.

        Rounds that the record does not hold are dealt from the seed.

        >>> game = Game.new("nichtig", players=3, seed=1)
        >>> game.play(game.legal()[0]) in Game.from_record(game.record()).actions
        True
        """
        *_, (_, game) = cls.steps(record)
        if seed is not None:
            game._seed = seed
        game.auto_deal = auto_deal
        if auto_deal and game._state[PHASE] == DEAL:
            game.deal()
        return game

    @classmethod
    def steps(cls, record: Any) -> Iterator[tuple[Action | None, Game]]:
        """Step through a record: None and the game after each deal, then each action and the game after it.

        It is one game that goes on; take a `copy` to keep a position.

        >>> record = Game.new("nichtig", players=3, seed=1).record()
        >>> [(action, game.phase) for action, game in Game.steps(record)]
        [(None, 'lay')]
        """
        recorded = read(record)
        setup = setup_of(recorded)
        if recorded.first_dealer >= setup.players:
            raise RecordError(f"first_dealer: {recorded.first_dealer} is not a seat; expected 0 to {setup.players - 1}")
        yield from replay(cls(setup, recorded.first_dealer, auto_deal=False), recorded)


def _as_array(log: array[int]) -> Int64Array:
    """A log as the rules take it: an array of 64-bit integers."""
    return np.frombuffer(log, np.uint16).astype(np.int64) if log else np.zeros(0, np.int64)
