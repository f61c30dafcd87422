"""A game as people program against it: legal actions in words, views without secrets, a record at any time."""

from __future__ import annotations

import secrets
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from atout.editions import PUBLISHED, Edition, to_tree
from atout.errors import RecordError, UsageError
from atout.game.knowledge import Knowledge, Sampler, new_rng
from atout.game.notation import PHASES, SECRET, Action, bits_of, notation_of
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
from atout.game.refusals import PHASE, TURN, allowed
from atout.game.rounds import Round
from atout.game.secret_choice import TODO, SecretChoice
from atout.game.setup import Setup
from atout.game.view import PastRound, View
from atout.game.view_builder import common_fields, make_view, own_fields
from atout.knowledge import entries as knowledge_entries
from atout.rules import entries
from atout.rules.arrays import Int64Array, plain
from atout.rules.layout import DEAL, LOG, NJET, NOBODY, OVER, RNG_WORDS, STATE, STATE_WORDS, VETO

Deals = Callable[[int], Hands]
"""Called with the number of a round (from 0) for its hands."""


class Game:
    """A match from the first deal to the last trick.

    >>> game = Game.new("niet-2015", players=4, seed=7)
    >>> game.phase, game.turn, len(game.legal())
    ('veto', 2, 23)
    >>> game.play("2 veto trump red")
    Action(seat=2, verb='veto', words=('trump', 'red'), entry=2128)
    >>> game.play("3 veto trump red")
    Traceback (most recent call last):
    ...
    atout.errors.IllegalAction: 3 veto trump red: that cell is covered already (niet-2015 §3.3)
    >>> game.view(seat=0)["hand_sizes"]
    [15, 15, 15, 15]
    >>> game.undo().phase, len(game.actions)
    ('veto', 0)
    """

    __slots__ = (
        "_allowed",
        "_before",
        "_deals",
        "_known",
        "_rounds",
        "_seed",
        "_start",
        "_state",
        "_waits",
        "first_dealer",
        "setup",
        "words",
    )

    def __init__(self, setup: Setup, first_dealer: int, seed: int | None = None, deals: Deals | None = None) -> None:
        """Prefer `Game.new`; this deals nothing yet."""
        if not 0 <= first_dealer < setup.players:
            raise UsageError(f"first_dealer: {first_dealer} is not allowed; allowed: 0 to {setup.players - 1}")
        self.setup = setup
        self.words = notation_of(setup)
        self.first_dealer = first_dealer
        self._seed = secrets.randbits(63) if seed is None else seed
        self._deals = deals
        self._state = np.zeros(STATE_WORDS, np.int64)
        self._start: Int64Array | None = None
        """Of a drawn world: the match before its only round was dealt. Other states follow from it, deals and logs."""
        self._rounds: list[Round] = []
        self._known: dict[int, bytes] = {}
        """Deals of rounds that were taken back: played again, they stay the same."""
        self._before = 0
        self._waits = False
        """Cards of the next round come from outside, through `deal`."""
        self._allowed: Action | None = None
        """An action that was found legal in the state as it is."""
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
    ) -> Game:
        """A new match with its first round dealt.

        `edition` is an id, a path of a house file, or an `Edition`; `options` as in a record. The same seed
        gives the same deals and first dealer. `deals` replaces the shuffle.
        """
        return cls.at(Setup.of(edition, players, options), seed, first_dealer, deals)

    @classmethod
    def at(
        cls, setup: Setup, seed: int | None = None, first_dealer: int | None = None, deals: Deals | None = None
    ) -> Game:
        """A new match at a table, with its first round dealt."""
        if seed is None:
            seed = secrets.randbits(63)
        elif not -(1 << 63) <= seed < 1 << 63:
            raise UsageError(f"seed: {seed} is not allowed; allowed: a whole number of 64 bits")
        if first_dealer is None:
            first_dealer = int(new_rng(seed, -1)[0] >> 8) % setup.players
        game = cls(setup, first_dealer, seed, deals)
        game._deal()
        return game

    # ---------------------------------------------------------------- where the game stands

    @property
    def state(self) -> Any:
        """The whole truth, as a copy with the kernel's names: for engines, not for players."""
        return plain(self._state, STATE)

    @property
    def phase(self) -> str:
        """`veto`, `team`, `double`, `discard`, `pass`, `lay`, `play`, `over`; `deal` when cards are awaited."""
        return PHASES[self._state[PHASE]]

    @property
    def turn(self) -> int | None:
        """The seat to act; None when nobody is."""
        turn = int(self._state[TURN])
        return None if turn == NOBODY else turn

    @property
    def phase_and_turn(self) -> tuple[str, int | None]:
        """Both at once, for who asks after every move."""
        phase, turn = self._state[PHASE : TURN + 1].tolist()
        return PHASES[phase], None if turn == NOBODY else turn

    @property
    def owed(self) -> int:
        """Cards the seat in turn still has to discard, pass or lay out."""
        return int(self._state[TODO])

    @property
    def is_over(self) -> bool:
        return bool(self._state[PHASE] == OVER)

    @property
    def round(self) -> int:
        """Number of the round in play, from 1; of the last one when the match is over."""
        return self._before + len(self._rounds)

    @property
    def totals(self) -> list[int]:
        totals: list[int] = self.state.totals[: self.setup.players]
        return totals

    @property
    def winners(self) -> list[int]:
        """Who won; empty while the match goes on."""
        return bits_of(entries.winners(self._state, self.setup.rules)) if self.is_over else []

    @property
    def actions(self) -> list[Action]:
        """Every action of the match so far."""
        return [self.words.action(entry) for played in self._rounds for entry in played.log]

    def legal(self) -> list[Action]:
        """What the seat in turn may do, in the pinned order: by row and column, by side, by colour and value."""
        here = int(self._state[TURN]) << 10 | int(self._state[PHASE]) << 6
        return [self.words.action(here | i) for i in bits_of(entries.legal(self._state, self.setup.rules))]

    # ---------------------------------------------------------------- changing it

    def check(self, action: str | Action) -> Action:
        """The action, if the rules allow it now; else what `play` would say. Nothing changes."""
        self._allowed = allowed(self.words, self._state, action)
        return self._allowed

    def play(self, action: str | Action) -> Action:
        """Make an action, dealing the next round when it ends one. Nothing changes if it is refused."""
        known = self._allowed
        if known is None or (action is not known and action != self.words.text_of[known.entry]):
            known = allowed(self.words, self._state, action)
        self._allowed = None
        entries.apply(self._state, self.setup.rules, known.entry & 63)
        self._rounds[-1].log.append(known.entry)
        self._end_round()
        return known

    def play_randomly(self, rng: Int64Array) -> None:
        """Uniformly random actions to the end of the round, at the kernel's speed; then the next deal."""
        log, self._allowed = np.zeros(LOG, np.int64), None
        length = entries.random_round(self._state, self.setup.rules, rng, log)
        self._rounds[-1].log.extend(log[:length].tolist())
        self._end_round()

    def _end_round(self) -> None:
        """If the round is over: keep its result, and deal the next."""
        if self._state[PHASE] == DEAL or self._state[PHASE] == OVER:
            self._rounds[-1].end(self._state.copy())
            if self._state[PHASE] == DEAL and not self._waits:
                self._deal()

    def deal(self, hands: Hands) -> None:
        """Deal the awaited round with these hands."""
        if self._state[PHASE] != DEAL:
            raise UsageError(f"deal: no cards are awaited; the game is in phase {self.phase}")
        self._deal_pack(bytes(kind for hand in parse_hands(self.words, hands) for kind in hand))

    def undo(self, count: int = 1, *, to: int | None = None) -> Game:
        """Take back the last actions, or go back to the point after `to` actions; returns the game itself."""
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
                    self._play_again()
                break
            kept += len(played.log)
        return self

    def _play_again(self) -> None:
        """Find the state from all deals and actions."""
        self._allowed = None
        if self._start is None:
            self._state = np.zeros(STATE_WORDS, np.int64)
            entries.begin(self._state, self.setup.rules, self.first_dealer)
        else:
            self._state = self._start.copy()
        for played in self._rounds:
            self._deal_out(played.pack)
            log = _as_words(played.log)
            assert entries.replay(self._state, self.setup.rules, log, len(log)) == len(log)

    def copy(self) -> Game:
        """An independent twin with the same deals to come."""
        twin = Game(self.setup, self.first_dealer, self._seed, self._deals)
        twin._state = self._state.copy()
        twin._rounds = [played.copy() for played in self._rounds]
        twin._start = self._start
        twin._before, twin._waits, twin._known = self._before, self._waits, self._known.copy()
        return twin

    def _deal(self) -> None:
        """The next round's cards: known, from the given source, or from the seed and the round's number."""
        if self.round in self._known:
            self._deal_pack(self._known[self.round])
        elif self._deals is not None:
            self.deal(self._deals(self.round))
        else:
            rng = np.zeros(RNG_WORDS, np.int64)
            entries.deal_seeded(self._state, self.setup.rules, rng, self._seed, self.round)
            pack = bytes(rng[1 : 1 + self.setup.players * self.setup.hand_size].tolist())
            self._rounds.append(Round(pack, self._state))

    def _deal_pack(self, pack: bytes) -> None:
        self._deal_out(pack)
        self._rounds.append(Round(pack, self._state))

    def _deal_out(self, pack: bytes) -> None:
        rng = np.zeros(RNG_WORDS, np.int64)
        rng[1 : 1 + len(pack)] = list(pack)
        entries.deal_pack(self._state, self.setup.rules, rng)

    # ---------------------------------------------------------------- what others may see

    def knowledge(self, seat: int | None) -> Knowledge:
        """What the seat knows, as numbers; None is a spectator."""
        if seat is not None and not 0 <= seat < self.setup.players:
            raise UsageError(f"seat: {seat} is not allowed; allowed: 0 to {self.setup.players - 1}")
        return Knowledge.of(self.setup, seat, self._state, self._log_words())

    def _log_words(self) -> Int64Array:
        """The round's log for the kernel."""
        return _as_words(self._rounds[-1].log) if self._rounds else np.zeros(0, np.int64)

    def view(self, seat: int | None) -> View:
        """What the seat may know, as plain data ready for JSON; None is a spectator."""
        return make_view(self.knowledge(seat), self.words, self.past())

    def public(self) -> View:
        """The view of a spectator."""
        return self.view(None)

    def common(self) -> dict[str, Any]:
        """The fields that are the same in all views of this moment: a view is these and the seat's `own`."""
        return common_fields(self.knowledge(None), self.words, self.past())

    def own(self, seat: int | None) -> dict[str, Any]:
        """The fields of the seat's view that differ from seat to seat."""
        return own_fields(self.knowledge(seat), self.words)

    def choosing(self, seat: int, chosen: Sequence[Action] = ()) -> SecretChoice:
        """The seat's own part of a choice that all make at the same time, before anybody's is played."""
        log = self._rounds[-1].log
        phase = int(self._state[PHASE])
        if phase not in SECRET or (log and (log[-1] >> 6) & 15 == phase):
            raise UsageError(
                f"choosing: not the beginning of a choice that all make at once; the phase is {self.phase}"
            )
        return SecretChoice(self.words, self._state, log, seat, chosen)

    def past(self) -> list[PastRound]:
        """Results of the finished rounds: public."""
        return [played.result(self.setup) for played in self._rounds if played.is_over]

    def sample(self, seat: int, rng: Int64Array | int) -> Game:
        """A game the seat may be in: its own knowledge kept, everything hidden drawn anew.

        All consistent deals and secret choices are equally likely. The twin starts with the current round.
        """
        knowledge = self.knowledge(seat)
        source = new_rng(rng) if isinstance(rng, int) else rng
        return self.from_world(knowledge.sampler, source)

    @classmethod
    def from_world(cls, sampler: Sampler, rng: Int64Array) -> Game:
        """A game from one draw of a sampler; what its knowledge does not hold it cannot contain."""
        knowledge = sampler.knowledge
        setup, length = knowledge.setup, knowledge.length
        world, log = sampler.draw(rng)
        dealt = world.copy()
        knowledge_entries.rewind(dealt, setup.rules, log, length)
        d = plain(dealt, STATE)
        game = cls(setup, 0, int(rng[0]))
        cards = [card for seat in range(setup.players) for card in game.words.cards_of(d.hand[seat], d.spare[seat])]
        now = plain(world, STATE)
        ended = now.phase in (DEAL, OVER) and length > 0
        game._before = now.finished - ended
        opening = game._opening(now, int(log[0]) if length else None)
        game.first_dealer = opening[0]
        game._start = game._state_before(world, ended, opening)
        game._state = game._start.copy()
        game._deal_pack(bytes(game.words.kind_of[card] for card in cards))
        played = game._rounds[-1]
        played.log.extend(log[:length].tolist())
        if ended:
            played.end(world)
        game._state = world.copy()
        return game

    def _opening(self, now: Any, first: int | None) -> tuple[int, int]:
        """Dealer and leader of the round in play: after its end they are those of the next, so ask its first action."""
        rules = self.setup.rules_record
        if first is None or (rules.game == NJET and (first >> 6) & 15 != VETO):
            return now.dealer, now.start
        actor = first >> 10
        steps = rules.first_veto if rules.game == NJET else 1
        dealer = (actor - steps) % self.setup.players
        return dealer, actor if rules.game != NJET else now.start

    def _state_before(self, world: Int64Array, ended: bool, opening: tuple[int, int]) -> Int64Array:
        """The state right before the deal of a drawn world: the match as it stood."""
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
        """The game as a record, finished or not."""
        if self._before:
            raise UsageError("record: a drawn world holds only the current round, not the rounds before it")
        edition, players = self.setup.edition, self.setup.players
        record: Record = {
            "atout": VERSION,
            "edition": edition.id,
            "players": players,
            "options": self.setup.options.written(edition, players),
            "first_dealer": self.first_dealer,
            "rounds": [self._round_record(played) for played in self._rounds],
        }
        if edition.id not in PUBLISHED:
            record["rules"] = to_tree(edition)
        if self.is_over:
            record["totals"] = self.totals
            record["winners"] = self.winners
        return record

    def _round_record(self, played: Round) -> RoundRecord:
        njet = self.setup.edition.is_njet
        record: RoundRecord = {"dealer": played.dealer} if njet else {"leader": played.leader}
        hands = played.hands(self.setup.players)
        record["hands"] = [" ".join(self.words.cards[kind] for kind in sorted(hand)) for hand in hands]
        record["actions"] = [self.words.text_of[entry] for entry in played.log]
        if played.is_over:
            result = played.result(self.setup)
            if njet:
                record["tricks"], record["loot"] = result["tricks"], result["loot"]
            record["scores"] = result["scores"]
        return record

    @classmethod
    def from_record(cls, record: Any, seed: int | None = None) -> Game:
        """The game a record tells, ready to go on if it is unfinished; a foul raises `RecordError`.

        Rounds not yet dealt come from the seed.

        >>> game = Game.new("nichtig", players=3, seed=1)
        >>> game.play(game.legal()[0]) in Game.from_record(game.record()).actions
        True
        """
        *_, (_, game) = cls.steps(record)
        if seed is not None:
            game._seed = seed
        if game._state[0] == DEAL:
            game._deal()
        return game

    @classmethod
    def steps(cls, record: Any) -> Iterator[tuple[Action | None, Game]]:
        """A record move by move: before the first action, then after each; the game is a live one.

        >>> record = Game.new("nichtig", players=3, seed=1).record()
        >>> [(action, game.phase) for action, game in Game.steps(record)]
        [(None, 'lay')]
        """
        recorded = read(record)
        setup = setup_of(recorded)
        if recorded.first_dealer >= setup.players:
            raise RecordError(
                f"first_dealer: {recorded.first_dealer} is no seat; right would be 0 to {setup.players - 1}"
            )
        game = cls(setup, recorded.first_dealer)
        game._waits = True
        yield from replay(game, recorded)
        game._waits = False


def _as_words(log: array[int]) -> Int64Array:
    """A log as the kernel takes it."""
    return np.frombuffer(log, np.uint16).astype(np.int64) if log else np.zeros(0, np.int64)
