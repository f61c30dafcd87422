"""Atout as games of OpenSpiel; importing this module registers them.

    import atout.envs.openspiel
    game = pyspiel.load_game("atout(edition=niet-2015,players=4)")

    edition    an id, or the path of a file with house rules
    players    a number that the edition allows
    episode    round (default) or match
    length, target, scoring, teams     options of the match: full or short, or a target score
    chance     explicit (default): the first dealer, then card by card; or numbered: one chance node whose outcome is
               the seed of all deals, as in the other environments
    deals      with numbered chance: how many there are

Actions are those of the flat space (`docs/observation.md`). A player's return is the sum of its gains. The tensors are
its observation; that of the information state also has the log of the round as the player may know it. Earlier rounds
of a match are in the information state's string, and in the tensor only by their totals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from atout.batch import step
from atout.batch.match import GAIN, Match
from atout.bots import Bot, Budget, Choice, ask
from atout.bots.bot import UNLIMITED
from atout.envs import MissingPackage
from atout.errors import UsageError
from atout.game import Knowledge, Setup, View, new_rng, read_view
from atout.game.log_entry import action_of, phase_of, seat_of
from atout.knowledge.features import ACTIONS, PARTS, SIZE
from atout.rules import entries
from atout.rules.layout import DEAL, KINDS, LOG, NOBODY, RNG_WORDS, STATE_WORDS

try:
    import pyspiel
except ImportError as error:
    raise MissingPackage("open_spiel") from error

DEFAULTS: dict[str, Any] = {
    "edition": "niet-2015",
    "players": 4,
    "episode": "round",
    "length": "full",
    "target": 0,
    "scoring": "",
    "teams": False,
    "chance": "explicit",
    "deals": 1024,
}
TYPE = pyspiel.GameType(
    short_name="atout",
    long_name="Njet! and Null & nichtig",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=6,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=DEFAULTS,
)
MOST_POINTS = 500.0
"""A bound: nobody gains more in a round."""
DIVISORS = np.repeat([part.divisor for part in PARTS], [part.times * part.width for part in PARTS]).astype(np.float32)
LOG_WIDTH = 3
"""Numbers for each action in the information state: seat counted from the player, phase, index; then zeros."""


def setup_of(params: dict[str, Any]) -> Setup:
    """The setup of a game's parameters."""
    options: dict[str, Any] = {}
    if params["target"]:
        options["length"] = {"target": int(params["target"])}
    elif params["length"] != "full":
        options["length"] = params["length"]
    if params["scoring"]:
        options["scoring"] = params["scoring"]
    if params["teams"]:
        options["teams"] = True
    return Setup.of(str(params["edition"]), int(params["players"]), options)


class AtoutGame(pyspiel.Game):  # type: ignore[misc]  # the package has no types
    """A table as a game of OpenSpiel."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters = DEFAULTS | (params or {})
        for name, allowed in (("episode", ("round", "match")), ("chance", ("explicit", "numbered"))):
            if parameters[name] not in allowed:
                raise UsageError(f"{name}: {parameters[name]!r} is not allowed; allowed: {', '.join(allowed)}")
        self.setup = setup_of(parameters)
        self.one_round, self.is_numbered = parameters["episode"] == "round", parameters["chance"] == "numbered"
        self.deals = int(parameters["deals"])
        setup, rounds = self.setup, 1 if self.one_round else self.setup.options.rounds or 60
        self.dealt = setup.players * setup.hand_size
        self.numbered = [(number, 1 / self.deals) for number in range(self.deals)]
        self.dealers = [(seat, 1 / setup.players) for seat in range(setup.players)]
        copies = setup.rules_record.copies
        self.deck = [(kind, copies[kind]) for kind in range(KINDS) if copies[kind]]
        self.opening = _Inner(self)
        outcomes = self.deals if self.is_numbered else max(setup.players, KINDS)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=outcomes,
            num_players=setup.players,
            min_utility=-MOST_POINTS * rounds,
            max_utility=MOST_POINTS * rounds,
            utility_sum=0.0,
            max_game_length=LOG * rounds,
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self, *_: Any) -> AtoutState:
        return AtoutState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> AtoutObserver:
        if params:
            raise UsageError(f"observer: parameters {params} are not allowed; allowed: none")
        return AtoutObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class _Inner:
    """All that a state holds. OpenSpiel copies states with `deepcopy`, which here is a cheap copy."""

    __slots__ = ("begun", "dealt", "is_shared", "match", "returns", "rewards")

    def __init__(self, game: AtoutGame) -> None:
        self.match = Match(game.setup, game.one_round)
        self.dealt: bytes | None = None
        """The cards dealt so far by chance; None before the first dealer is known, or while a round is played."""
        self.returns = [0.0] * game.setup.players
        self.rewards = self.returns
        self.is_shared = self.begun = False

    def copy(self) -> _Inner:
        twin = _Inner.__new__(_Inner)
        twin.match, twin.dealt, twin.is_shared, twin.begun = self.match.copy(), self.dealt, False, self.begun
        twin.returns, twin.rewards = self.returns, self.rewards
        return twin

    def __deepcopy__(self, memo: Any) -> _Inner:
        """The copy shares everything until one of the two goes on."""
        self.is_shared = True
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        match = self.match
        kept = match.setup, match.one_round, match.words.tobytes(), match.first_dealer, match.finished
        return _restored, (*kept, self.dealt, self.begun, self.returns, self.rewards)


def _restored(
    setup: Setup, one_round: bool, words: bytes, first_dealer: int, finished: Any, dealt: bytes | None, begun: bool,
    returns: Any, rewards: Any,
) -> _Inner:  # fmt: skip
    inner = _Inner.__new__(_Inner)
    inner.match = Match(setup, one_round)
    inner.match.words[:] = np.frombuffer(words, np.int64)
    inner.match.first_dealer, inner.match.finished = first_dealer, finished
    inner.dealt, inner.returns, inner.rewards = dealt, returns, rewards
    inner.begun, inner.is_shared = begun, False
    return inner


class AtoutState(pyspiel.State):  # type: ignore[misc]
    """A state: the deal by chance, then the players' decisions."""

    def __init__(self, game: AtoutGame) -> None:
        super().__init__(game)
        self.inner = game.opening
        self.inner.is_shared = True

    # ---------------------------------------------------------------- what OpenSpiel calls

    def current_player(self) -> int:
        match = self.inner.match
        turn = match.turn
        if not self.inner.begun:
            return int(pyspiel.PlayerId.CHANCE)
        if turn != NOBODY and self.inner.dealt is None:
            return turn
        return int(pyspiel.PlayerId.TERMINAL if match.is_over else pyspiel.PlayerId.CHANCE)

    @property
    def game(self) -> AtoutGame:
        game: AtoutGame = self.get_game()
        return game

    def is_terminal(self) -> bool:
        return self.inner.begun and self.inner.dealt is None and self.inner.match.is_over

    def _legal_actions(self, player: int) -> list[int]:
        return self.inner.match.legal() if player == self.inner.match.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        game = self.game
        if not self.inner.begun:
            return game.numbered if game.is_numbered else game.dealers
        gone = self.inner.dealt or b""
        left = game.setup.rules_record.cards - len(gone)
        return [(kind, (copies - gone.count(kind)) / left) for kind, copies in game.deck if copies > gone.count(kind)]

    def _apply_action(self, action: int) -> None:
        game = self.game
        is_first = not self.inner.begun
        if self.inner.is_shared:
            self.inner = self.inner.copy()
        inner = self.inner
        inner.begun = True
        if is_first and game.is_numbered:
            inner.match.reset(action)
        elif is_first:
            inner.match.open(action)
            inner.dealt = b""
        elif inner.dealt is not None:
            inner.dealt += bytes([action])
            if len(inner.dealt) == game.dealt:
                inner.match.deal(inner.dealt)
                inner.dealt = None
        else:
            self._play(inner, action)

    def _play(self, inner: _Inner, action: int) -> None:
        match, game = inner.match, self.game
        inner.rewards = [0.0] * game.setup.players  # a deal by chance keeps those of the round before
        ended = match.step(action, deal=game.is_numbered)
        if ended != step.GOES_ON:
            inner.rewards = match.results[GAIN, : game.setup.players].tolist()
            inner.returns = [a + b for a, b in zip(inner.returns, inner.rewards, strict=True)]
            if ended == step.ROUND_OVER and not game.one_round and not game.is_numbered:
                inner.dealt = b""

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.game
        if player == pyspiel.PlayerId.CHANCE:
            if not self.inner.begun:
                return f"{'seed' if game.is_numbered else 'first dealer'} {action}"
            return f"deal {self.inner.match.notation.cards[action]}"
        return str(self.inner.match.action(action))

    def returns(self) -> list[float]:
        return self.inner.returns

    def rewards(self) -> list[float]:
        return self.inner.rewards

    def __str__(self) -> str:
        """Everything, secrets included."""
        match = self.inner.match
        if not self.inner.begun:
            return "before the deal"
        if self.inner.dealt is not None:
            return f"dealing: {' '.join(match.notation.cards[kind] for kind in self.inner.dealt)}"
        return "\n".join(observation_text(match, seat) for seat in range(match.setup.players))

    # ---------------------------------------------------------------- beyond the interface

    def resample_from_infostate(self, player: int, uniform: Callable[[], float]) -> AtoutState:
        """A state that the player may be in. It is played again from its own chance outcomes, so that not even its
        history tells anything about the real one.
        """
        game = self.game
        if self.current_player() < 0:
            raise UsageError("resample_from_infostate: allowed only where a player decides")
        imagined = self.inner.match.sample(player, new_rng(int(uniform() * (1 << 53))))
        twin = game.new_initial_state()
        twin.apply_action(0 if game.is_numbered else imagined.first_dealer)
        if game.is_numbered:  # no number has this deal: the outcome in the history means nothing
            twin.inner.match = imagined
            twin.inner.returns = self.inner.returns
            return twin
        for pack, log in [*imagined.finished, imagined.round()]:
            for kind in pack:
                twin.apply_action(kind)
            played = np.frombuffer(log, np.uint16).tolist()
            rounds = len(twin.inner.match.finished)
            while len(twin.inner.match.finished) == rounds and len(twin.inner.match.log) < len(played):
                match = twin.inner.match  # forced actions are played by themselves
                twin.apply_action(match.number(played[len(match.log)]))
        return twin


def hand_as_dealt(match: Match, pack: bytes, seat: int) -> str:
    size = match.setup.hand_size
    return " ".join(match.notation.cards[kind] for kind in sorted(pack[size * seat : size * (seat + 1)]))


def round_as_seen(match: Match, seat: int, pack: bytes, knowledge: Knowledge) -> str:
    """The hand that the seat was dealt, and the actions of the round as far as it knows them."""
    actions = ", ".join(match.notation.shown_as[entered] for entered in knowledge.log.tolist())
    return f"{hand_as_dealt(match, pack, seat)}: {actions}"


def observation_text(match: Match, seat: int) -> str:
    """The round in play as the seat knows it: its observation as text."""
    totals = match.words[4 : 4 + match.setup.players].tolist()
    dealer = int(match.words.item(3))
    knowledge = match.knowledge(seat)
    return f"seat {seat}, dealer {dealer}, totals {totals}; {round_as_seen(match, seat, match.round()[0], knowledge)}"


def past_round_texts(match: Match, seat: int) -> list[str]:
    """Earlier rounds as the seat knows them."""
    state, lines = np.zeros(STATE_WORDS, np.int64), []
    entries.begin(state, match.rules, match.first_dealer)
    for pack, log in match.finished:
        given = np.zeros(RNG_WORDS, np.int64)
        given[1 : 1 + len(pack)] = list(pack)
        entries.deal_pack(state, match.rules, given)
        actions = np.frombuffer(log, np.uint16).astype(np.int64)
        entries.replay(state, match.rules, actions, len(actions))
        lines.append(round_as_seen(match, seat, pack, Knowledge.of(match.setup, seat, state, actions)))
    return lines


class AtoutObserver:
    """What a player sees, as OpenSpiel's observers give it."""

    def __init__(self, kind: Any) -> None:
        self.recalls = kind.perfect_recall
        self.tensor = np.zeros(SIZE + (LOG * LOG_WIDTH if self.recalls else 0), np.float32)
        self.dict = {"observation": self.tensor[:SIZE]}
        if self.recalls:
            self.dict["log"] = self.tensor[SIZE:].reshape(LOG, LOG_WIDTH)

    def set_from(self, state: AtoutState, player: int) -> None:
        self.tensor.fill(0)
        match = state.inner.match
        if not state.inner.begun or state.inner.dealt is not None:
            return
        self.tensor[:SIZE] = match.observe(player)[0] / DIVISORS
        if self.recalls:
            log = match.knowledge(player).log
            players = match.setup.players
            for i, entered in enumerate(log.tolist()):
                seat = (seat_of(entered) - player) % players
                self.dict["log"][i] = seat + 1, phase_of(entered), (action_of(entered) + 1) / 64

    def string_from(self, state: AtoutState, player: int) -> str:
        match = state.inner.match
        if not state.inner.begun or state.inner.dealt is not None:
            return "the cards are dealt"
        past = past_round_texts(match, player) if self.recalls else []
        return "\n".join([*past, observation_text(match, player)])


# ---------------------------------------------------------------- bots, both ways


class AtoutBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot of Atout at a table of OpenSpiel. It gets a view, as everywhere."""

    def __init__(self, bot: Bot, player: int, seed: int = 0, budget: Budget = UNLIMITED) -> None:
        super().__init__()
        self.bot, self.player, self.budget = bot, player, budget
        self._rng = random.Random(seed)  # noqa: S311

    def step(self, state: AtoutState) -> int:
        match = state.inner.match
        choice = ask(self.bot, match.game().view(self.player), self._rng, self.budget)
        return match.number(choice.action)


class SpielBot:
    """A bot of OpenSpiel at a table of Atout, in the arena for example.

    It is given a state that fits what its seat may know, with everything hidden drawn at random; so a bot that looks
    into the state learns nothing. `make(game, player)` makes the bot.
    """

    def __init__(self, make: Callable[[Any, int], Any], name: str = "openspiel") -> None:
        self.name, self._make = name, make

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:  # noqa: ARG002
        if len(legal) == 1:
            return Choice(legal[0])
        knowledge = read_view(view)
        state = state_of(knowledge, rng.getrandbits(53))
        action = self._make(state.get_game(), state.current_player()).step(state)
        return Choice(str(state.inner.match.action(action)))


def state_of(knowledge: Knowledge, seed: int) -> AtoutState:
    """A state of a game of one round that fits the knowledge of its seat. (Earlier rounds count by their totals.)"""
    setup = knowledge.setup
    if knowledge.seat is None or knowledge.state.phase == DEAL:
        raise UsageError("state_of: allowed only for a seat that decides")
    game = AtoutGame({"edition": setup.edition.id, "players": setup.players} | _options(setup))
    state = game.new_initial_state()
    state.apply_action(0)
    state.inner.match = Match.imagined(knowledge, new_rng(seed), one_round=True)
    state.inner.dealt = None
    return state


def _options(setup: Setup) -> dict[str, Any]:
    written = setup.options.written(setup.edition, setup.players)
    found: dict[str, Any] = {}
    if setup.options.target:
        found["target"] = setup.options.target
    elif "length" in written:
        found["length"] = written["length"]
    if "scoring" in written:
        found["scoring"] = written["scoring"]
    if written.get("teams"):
        found["teams"] = True
    return found


if TYPE.short_name not in pyspiel.registered_names():
    pyspiel.register_game(TYPE, AtoutGame)
