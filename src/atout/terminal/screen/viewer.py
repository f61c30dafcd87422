"""`ViewerApp`: a record on the whole screen: step, jump by tricks and rounds, one seat's view or all cards open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from atout.game import Game, View
from atout.game.notation import UNKNOWN
from atout.i18n import Texts
from atout.terminal.screen import draw
from atout.terminal.screen.app import PANEL, Message
from atout.terminal.screen.frame import TableFrame, when_ended
from atout.terminal.words import Words


class Positions:
    """Every position of a match, made once: action, phase and the views of all seats and of a spectator."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.actions: list[str | None] = []
        self.views: list[list[View]] = []
        """By position: the views of the seats, then that of a spectator."""
        game: Game | None = None
        for action, now in Game.steps(record):
            game = now
            if not now.round:
                continue
            self.actions.append(None if action is None else str(action))
            self.views.append([now.view(seat) for seat in [*range(now.setup.players), None]])
        assert game is not None
        self.setup = game.setup

    def __len__(self) -> int:
        return len(self.views)

    def seen(self, place: int, at: int, viewer: int | None) -> str | None:
        """The action that led to the position `place`, as the viewer knows it at the position `at`."""
        if viewer is None or self.actions[place] is None:
            return self.actions[place]
        dealt = max(i for i in range(place) if self.actions[i] is None)
        end = place
        while end < at and self.actions[end + 1] is not None:
            end += 1
        return self.views[end][viewer]["actions"][place - dealt - 1]

    def next_trick(self, at: int, step: int) -> int:
        """The next place, or the one before, at which a trick was completed or a round begins."""
        at += step
        while 0 < at < len(self) - 1:
            view = self.views[at][-1]
            if self.actions[at] is None or (
                not view["trick"] and view["phase"] in ("play", "deal") and any(view["tricks"])
            ):
                return at
            at += step
        return max(0, min(at, len(self) - 1))

    def next_round(self, at: int, step: int) -> int:
        at += step
        while 0 < at < len(self) - 1 and self.actions[at] is not None:
            at += step
        return max(0, min(at, len(self) - 1))


class ViewerApp(TableFrame[None]):
    """Steps through a record."""

    CSS = TableFrame.CSS + PANEL
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", show=False),
        Binding("l,space,enter", "step(1)", show=False),
        Binding("pageup,up", "trick(-1)", show=False),
        Binding("pagedown,down", "trick(1)", show=False),
        Binding("home", "end(0)", show=False),
        Binding("end", "end(1)", show=False),
    ]

    def __init__(self, record: Mapping[str, Any], texts: Texts, move: int | None = None) -> None:
        super().__init__()
        self.positions, self.texts = Positions(record), texts
        players = self.positions.setup.players
        recorded = next(
            (names for key in ("names", "bots") if isinstance(names := record.get(key), list)), [None] * players
        )
        names = [str(name) if name else texts.t("terminal.seat", n=seat + 1) for seat, name in enumerate(recorded)]
        self.words = Words(texts, names, None, self.positions.setup.edition.deck.low)
        self.viewer: int | None = None
        """The seat whose view is shown; None: all cards open."""
        self.at = 0
        if move is not None:
            counted = [place for place, action in enumerate(self.positions.actions) if action is not None]
            self.at = counted[min(move, len(counted)) - 1] if move and counted else 0
        self.bind("right", "step(1)", description=texts.t("terminal.key.step"), key_display="← →")
        for key, name, action in (("t", "trick", "trick(1)"), ("r", "round", "round(1)"), ("v", "seat", "seat")):
            self.bind(key, action, description=texts.t(f"terminal.key.{name}"))
        self.bind("R", "round(-1)", show=False)
        self.bind("q", "leave", description=texts.t("terminal.key.leave"))
        self.bind("f1", "help", description=texts.t("terminal.key.help"), key_display="F1")

    def on_mount(self) -> None:
        self.draw_all()
        when_ended(self.exit)

    @property
    def view(self) -> View:
        """What is shown; with open cards, a spectator's view."""
        views = self.positions.views[self.at]
        return views[-1] if self.viewer is None else views[self.viewer]

    def draw_all(self) -> None:
        view: View = {**self.view, "legal": []}
        words = self.words
        who = self.texts.t("replay.all-open") if self.viewer is None else words.names[self.viewer]
        place = f"{self.at}/{len(self.positions) - 1}"
        viewer = words.t("cell.in-row", row=words.t("replay.viewer"), cell=who)
        self.put("head", Text(f"{words.heading(view)} · {place} · {viewer}"))
        self.put_table(view, words, [] if view["turn"] is None else [view["turn"]])
        places = range(max(0, self.at - self.size.height), self.at + 1)
        self.put_log([self._told(place) for place in places])
        self.put("hand", self._hands())

    def _told(self, place: int) -> str:
        action = self.positions.seen(place, self.at, self.viewer)
        if action is None:
            return ""
        if action.endswith(f" {UNKNOWN}"):
            return self.texts.sentence("event.chosen", self.words.names[int(action.split(" ")[0])])
        return self.words.log(action)

    def _hands(self) -> Text:
        """The hand of the viewer, or of everybody."""
        seats = range(self.positions.setup.players) if self.viewer is None else [self.viewer]
        lines = []
        for seat in seats:
            own = self.positions.views[self.at][seat]
            name = draw.fit(draw.short_name(self.words, seat, 10), 10)
            lines.append(Text.assemble(name, " ", draw.compact(own["hand"], self.words)))
        return Text("\n").join(lines)

    def go(self, at: int) -> None:
        self.at = max(0, min(at, len(self.positions) - 1))
        self.draw_all()

    def action_step(self, step: int) -> None:
        self.go(self.at + step)

    def action_trick(self, step: int) -> None:
        self.go(self.positions.next_trick(self.at, step))

    def action_round(self, step: int) -> None:
        self.go(self.positions.next_round(self.at, step))

    def action_end(self, last: int) -> None:
        self.go(len(self.positions) - 1 if last else 0)

    def action_seat(self) -> None:
        """All cards open, then each seat's view in turn."""
        players = self.positions.setup.players
        self.viewer = 0 if self.viewer is None else None if self.viewer == players - 1 else self.viewer + 1
        self.draw_all()

    def action_help(self) -> None:
        """The keys, those too that the footer has no room for."""
        t = self.texts.t
        keys = {"step": "← →", "trick": "↑ ↓", "round": "r R", "seat": "v", "end": t("terminal.key.ends")}
        lines = [f"{key:>9}  {t(f'terminal.help.viewer.{name}')}" for name, key in keys.items()]
        lines.append(f"{'q':>9}  {t('terminal.key.leave')}")
        text = Text.assemble((f"{t('terminal.help.title')}\n\n", "bold"), "\n".join(lines))
        self.push_screen(Message(text, t("terminal.help.close")))

    async def action_leave(self) -> None:
        self.exit()
