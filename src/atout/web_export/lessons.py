"""The two lessons, each a scripted round with stops at which the learner chooses.

Every position is reached by legal actions. The rules say what may be chosen at a stop and why the rest is refused; the
page only shows it. The texts are in the page's catalogues, by the names of the stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atout.errors import IllegalAction
from atout.game import Game

LEARNER = 0
RESULT = ("scores", "tricks", "loot", "conditions", "sides", "double")
"""What a lesson shows of the result."""
SHOWN = (
    "phase",
    "dealer",
    "leader",
    "board",
    "conditions",
    "sides",
    "double",
    "hand",
    "owed",
    "trick",
    "winning",
    "last_trick",
    "last_winner",
    "tricks",
    "loot",
    "piles",
)
"""The fields of a view that the page draws."""

NIET_HANDS = (
    "G7 Y13 R4 R5 B3 Y2 R1 B8 B12 B10 B6 B1 Y6 Y10 Y8",
    "Y4 R9 R6 G12 Y9 B2 Y1 Y5 Y11 G1 G4 G6 G9 G11 B1",
    "Y1 R2 R12 G3 Y3 B4 Y7 Y12 G1 G2 G5 G8 G10 G13 R1",
    "Y1 R13 R10 G1 B5 B13 R1 R3 R7 R8 R11 B7 B9 B11 B1",
)
NIET_VETOES = (
    "3 trump yellow; 0 trump red; 1 points 3; 2 points -2; 3 trump green; 0 start 3; 1 super yellow; 2 points 1; "
    "3 super blue; 0 discard pass-one; 1 start 2; 2 super green; 3 discard two; 0 super none; 1 discard none; "
    "2 discard one; 3 start 1"
)
NICHTIG_HANDS = (
    "R10 B9 G8 Y11 Y0 R7 Y7 P4 G3 B2 P10 R5 B6",
    "R9 Y8 P6 G2 B4 P1 G10 R2 Y5 B8 P3 R4 G6",
    "Y9 G9 B7 P7 R8 G7 Y3 P5 R6 B1 G4 Y2 P9",
    "P11 R11 G11 B10 P2 B0 B5 R3 Y6 G5 Y4 R1 P8",
)


class _Script:
    """A game that is played line by line, and remembers its stops."""

    def __init__(self, edition: str, hands: Sequence[str], dealer: int) -> None:
        self.game = Game.new(edition, len(hands), first_dealer=dealer, deals=lambda _: hands)
        self.stops: list[dict[str, Any]] = []

    def play(self, *actions: str) -> None:
        for action in actions:
            self.game.play(action)

    def stop(self, name: str, best: Sequence[str], then: Sequence[str] = ()) -> None:
        """The learner's choice: `best` is what the lesson waits for, `then` is what the others answer."""
        assert self.game.turn == LEARNER, f"{name}: it is seat {self.game.turn}'s turn"
        before = self._shown()
        options = [self._option(action) for action in self._candidates()]
        self.play(*best, *then)
        self.stops.append(
            {"name": name, "before": before, "options": options, "best": list(best), "after": self._shown()}
        )

    def finish(self) -> dict[str, Any]:
        """The rest of the round, played without thought, and its result."""
        while not self.game.past():
            self.game.play(self.game.legal()[0])
        result: dict[str, Any] = dict(self.game.past()[0])
        return {name: result[name] for name in RESULT if name in result}

    def _shown(self) -> dict[str, Any]:
        view: dict[str, Any] = dict(self.game.view(LEARNER))
        return {name: view[name] for name in SHOWN}

    def _candidates(self) -> list[str]:
        """Everything a learner could try: every cell of the board, every partner, every card in hand."""
        view = self.game.view(LEARNER)
        if view["phase"] == "veto":
            return [
                f"{LEARNER} veto {row['row']} {cell['word']}" for row in view["board"] or [] for cell in row["cells"]
            ]
        if view["phase"] == "team":
            return view["legal"]
        return [f"{LEARNER} {view['phase']} {card}" for card in dict.fromkeys(view["hand"])]

    def _option(self, action: str) -> dict[str, Any]:
        try:
            self.game.check(action)
        except IllegalAction as refused:
            return {"action": action, "refused": refused.code, "paragraph": refused.paragraph}
        return {"action": action}


def lessons() -> dict[str, Any]:
    return {"niet": _niet(), "nichtig": _nichtig()}


def _lesson(script: _Script) -> dict[str, Any]:
    setup = script.game.setup
    return {
        "edition": setup.edition.id,
        "players": setup.players,
        "stops": script.stops,
        "result": script.finish(),
    }


def _niet() -> dict[str, Any]:
    """Veto, partner, discard, loot, following, trumping, supertrump, score."""
    script = _Script("niet-2015", NIET_HANDS, dealer=3)
    script.play(*(f"{veto[0]} veto {veto[2:]}" for veto in NIET_VETOES.split("; ")))
    script.stop("veto", ["0 veto points 2"])
    script.stop("team", ["0 team 0 2"])
    script.stop("discard", ["0 discard G7"], ["1 discard G4", "2 discard G2", "3 discard R3"])
    script.stop("lead", ["0 play Y13"], ["1 play Y4", "2 play Y1", "3 play Y1"])
    script.play("0 play R4", "1 play R9", "2 play R2", "3 play R13", "3 play R10")
    script.stop("follow", ["0 play R5"], ["1 play R6", "2 play R12"])
    script.play("2 play G3", "3 play G1")
    script.stop("ruff", ["0 play B3"], ["1 play G12"])
    script.play("0 play Y2", "1 play Y9", "2 play Y3", "3 play B5", "3 play B13")
    script.stop("super", ["0 play R1"], ["1 play B2", "2 play B4"])
    return _lesson(script)


def _nichtig() -> dict[str, Any]:
    """Laying out, winning and collecting, giving a 0 away, equal numbers, score."""
    script = _Script("nichtig", NICHTIG_HANDS, dealer=2)
    script.play("3 lay P11", "3 lay R11", "3 lay G11")
    script.stop(
        "lay",
        ["0 lay R10", "0 lay B9", "0 lay G8"],
        ["1 lay R9", "1 lay Y8", "1 lay P6", "2 lay Y9", "2 lay G9", "2 lay B7"],
    )
    script.play("3 play B10")
    script.stop("win", ["0 play Y11"], ["1 play G2", "2 play P7"])
    script.stop("dump", ["0 play Y0"], ["1 play B4", "2 play R8", "3 play P2"])
    script.play("2 play G7", "3 play B0")
    script.stop("equal", ["0 play R7"], ["1 play P1"])
    return _lesson(script)
