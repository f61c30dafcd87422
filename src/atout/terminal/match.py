"""`Match`: what a screen needs of a match, whether it is played here or at a server's table.

`LocalMatch` is a game on this machine: people at the keyboard, bots in the other seats. It holds no texts but its log,
and draws nothing; `atout.terminal.remote.RemoteMatch` is the same at a server.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from atout.bots import ask
from atout.errors import AtoutError, BotError, IllegalAction, UsageError
from atout.game import Game, View
from atout.game.view import SECRET_NAMES
from atout.i18n import Texts
from atout.study import Explanation
from atout.terminal.events import MoveOutcome, make_move
from atout.terminal.hint import Adviser
from atout.terminal.saves import Saves, saved
from atout.terminal.seats import Seating
from atout.terminal.words import Words, names_of


@dataclass(frozen=True)
class Notice:
    """What the people at a table have to agree on beside the game: a proposal, or a pause."""

    text: str
    answers: Mapping[str, str] = field(default_factory=dict)
    """What the reader may do about it, by its name (`yes`, `no`, `resume`): the text of a button."""


class Match(Protocol):
    """A match as a screen sees it."""

    texts: Texts
    log: list[str]
    can_undo: bool
    can_save: bool
    has_proposals: bool
    """Whether other people at the table may propose something."""
    advised: str
    """The action that the last hint named; empty where it named none."""

    @property
    def note(self) -> str:
        """What the reader should know of the connection, the table or the file; empty when all is well."""

    @property
    def view(self) -> View | None:
        """The reader's view; None before the match."""

    @property
    def words(self) -> Words: ...

    @property
    def asked(self) -> list[int]:
        """Seats that have a decision to make."""

    @property
    def waits_for(self) -> int | None:
        """The person who must take over the keyboard before anything of theirs is shown; None: nobody."""

    @property
    def winners(self) -> list[int]: ...

    @property
    def notice(self) -> Notice | None:
        """An open proposal, or a pause; None when there is neither."""

    async def reply(self, answer: str) -> str:
        """Give one of the answers of the notice; the reason if it is refused, else an empty text."""

    @property
    def proposals(self) -> Mapping[str, str]:
        """What the reader may propose to the table now, with a label."""

    async def propose(self, what: str) -> str:
        """Make one of the proposals; the reason if it is refused, else an empty text."""

    def take_over(self) -> None:
        """The person who was waited for is alone at the screen."""

    async def advance(self) -> bool:
        """Wait until something has happened; False when nothing will any more."""

    async def act(self, action: str) -> str:
        """Make a decision; the reason if it is refused, else an empty text."""

    async def hint(self) -> list[str]:
        """What a strong bot would do, and why."""

    async def undo(self) -> str: ...

    def save(self) -> str:
        """Save the match; why that failed, else an empty text."""

    def save_as(self, name: str) -> str:
        """As `save`, to a file that the reader names, and from then on."""

    def keep(self) -> str:
        """As `save`, unless there is nothing of a person to save."""

    @property
    def saved(self) -> str:
        """Says where the match is saved."""

    async def close(self) -> None: ...


def chance_of(game: Game) -> random.Random:
    """The random numbers of a bot for one decision: the same after a match was resumed."""
    return random.Random(f"{game.seed}/{len(game.actions)}")  # noqa: S311


class LocalMatch:
    """A match on this machine. The file is written after every decision of a person, so a killed process loses none."""

    def __init__(
        self,
        game: Game,
        seating: Seating,
        adviser: Adviser,
        saves: Saves,
        texts: Texts,
        *,
        pace: float = 0.6,
        rng: random.Random | None = None,
    ) -> None:
        self.game, self.seating, self.adviser, self.saves, self.texts = game, seating, adviser, saves, texts
        game.auto_deal = False
        seating.name_bots(texts)
        self.pace, self.rng = pace, rng
        self.log: list[str] = []
        self.note = ""
        self.can_undo, self.can_save, self.has_proposals = True, True, False
        self.advised = ""
        self.reader = None if seating.is_shared else next(iter(seating.people), None)
        self._moved = asyncio.Event()
        self._closed = False
        self._first, self._outcomes = self._replay()
        """What a spectator saw before the first action, and the outcomes of all actions so far."""
        self._tell_all()

    def _replay(self) -> tuple[View, list[MoveOutcome]]:
        """The beginning, and the outcomes of the actions of a match that is resumed."""
        made = list(self.game.actions)
        if not made:
            return self.game.view(None), []
        again = self.game.copy()
        again.auto_deal = False
        again.undo(to=0)
        return again.view(None), [make_move(again, action, self.seating, self.texts) for action in made]

    @property
    def view(self) -> View | None:
        return self.game.view(self.reader)

    @property
    def words(self) -> Words:
        names = names_of(self.seating, self.texts)
        return Words(self.texts, names, self.reader, self.game.setup.edition.deck.low)

    @property
    def asked(self) -> list[int]:
        return [] if self.game.turn is None else [self.game.turn]

    @property
    def winners(self) -> list[int]:
        return self.game.winners if self.game.is_over else []

    @property
    def notice(self) -> None:
        """Nobody has to be asked in a match on this machine."""
        return

    async def reply(self, answer: str) -> str:  # noqa: ARG002
        """There is never a notice."""
        return ""

    @property
    def proposals(self) -> dict[str, str]:
        """There is nobody to propose anything to."""
        return {}

    async def propose(self, what: str) -> str:
        raise AssertionError(f"{what}: nothing is proposed in a match on this machine")

    @property
    def waits_for(self) -> int | None:
        turn = self.game.turn
        return turn if self.seating.is_shared and turn in self.seating.people and turn != self.reader else None

    def take_over(self) -> None:
        self.reader = self.game.turn
        self._tell_all()

    async def advance(self) -> bool:
        turn = self.game.turn
        if turn is None or turn in self.seating.people:
            self._moved.clear()
            await self._moved.wait()
            return not self._closed
        bot = self.seating.bots[turn]
        finished_trick = bool(self.game.view(None)["last_trick"]) and not self.game.view(None)["trick"]
        choice = await asyncio.to_thread(ask, bot, self.game.view(turn), self.rng or chance_of(self.game))
        await asyncio.sleep(self.pace * (2 if finished_trick and self.game.phase == "play" else 1))
        if not self._closed and self.game.turn == turn:
            self._make(choice.action)
            if self.game.is_over:
                self.keep()
        return not self._closed

    def _make(self, action: str) -> None:
        self._outcomes.append(make_move(self.game, action, self.seating, self.texts))
        if self._is_handed_over():
            self._tell_all()
        else:
            self._tell(self._outcomes[-1])
        self._moved.set()

    def _is_handed_over(self) -> bool:
        """Whether another person is to act. Until they have taken over nobody reads the table: it shows no secrets."""
        if self.waits_for is None:
            return False
        self.reader = None
        return True

    def _tell_all(self) -> None:
        """Write the log again as the reader may know it: whoever takes over must not read another player's secrets."""
        self.log[:] = [self.words.round_begins(self._first)]
        for it in self._outcomes:
            self._tell(it)

    def _tell(self, it: MoveOutcome) -> None:
        words = self.words
        if it.action.verb in SECRET_NAMES and it.action.seat != self.reader:
            chosen = self.texts.sentence("event.chosen", words.names[it.action.seat])
            if not (self.log and self.log[-1] == chosen):
                self.log.append(chosen)
        else:
            self.log.append(words.log(str(it.action)))
        if it.trick is not None:
            number = sum(it.scene.view["tricks"])
            card = next(one["card"] for one in it.trick.cards if one["seat"] == it.trick.winner)
            self.log.append(words.trick_won(it.trick.winner, number, card))
        if it.round_end is not None:
            self.log.append(words.round_ends(it.scene.view, it.scene.view["round"]))
            if it.round_end.next_round is not None:
                self.log += ["", words.round_begins(it.round_end.next_round.view)]

    async def act(self, action: str) -> str:
        seat = self.game.turn
        if seat is None or seat != self.reader:
            return self.texts.t("refusal.not-your-turn")
        try:
            self._make(action)
        except IllegalAction as error:
            return f"{self.words.refusal(error.code, error.reason, error.parameters)} ({error.paragraph})"
        except AtoutError as error:
            return str(error)
        self.keep()
        return ""

    def keep(self) -> str:
        made = self.saves.was_written or any(it.seat in self.seating.people for it in self.game.actions)
        return self.save() if made else ""

    def save(self) -> str:
        """Where it fails, a note says so until it succeeds: a full disk must not stop the match."""
        try:
            self.saves.save(self.game, self.seating)
        except UsageError as error:
            self.note = self.texts.t("terminal.not-saved", error=str(error).rstrip("."))
            return str(error)
        self.note = ""
        return ""

    def save_as(self, name: str) -> str:
        try:
            self.saves.save_as(name, saved(self.game, self.seating))
        except UsageError as error:
            return str(error)
        self.note = ""
        return ""

    @property
    def saved(self) -> str:
        return self.texts.t("terminal.saved", path=self.saves.path)

    async def hint(self) -> list[str]:
        view = self.view
        assert view is not None
        self.advised = ""
        try:
            found = await asyncio.to_thread(self.adviser.find, view)
        except BotError as error:
            return [str(error)]
        self.advised = found.action
        return self.words.explained(found) if isinstance(found, Explanation) else self.words.hint(found)

    async def undo(self) -> str:
        made = [number for number, it in enumerate(self.game.actions) if it.seat in self.seating.people]
        if not made:
            return self.texts.t("terminal.undo.none")
        self.game.undo(to=made[-1])
        del self._outcomes[made[-1] :]
        self._is_handed_over()
        self._tell_all()
        self.log.append(self.texts.t("event.taken-back.you"))
        self.keep()
        self._moved.set()
        return ""

    async def close(self) -> None:
        self._closed = True
        self.keep()
        self._moved.set()
