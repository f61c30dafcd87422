"""The lessons: positions at which the learner is asked, and what the rules and the script say about each answer.

Every position is reached by legal actions. At a stop the learner may try anything: the rules say what is refused and
why, the script names one answer and a reason for every other legal one, and the rules say what happens then. The page
shows it and knows nothing itself. The texts are in the page's catalogues, by the names of the stops and of the reasons.

Two lessons are a whole round; the others are a few positions about one question. That the answers are good is checked
with the bots (`tests/web/test_lessons.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from atout.errors import IllegalAction
from atout.game import Game
from atout.web_export.lesson_scenes import NICHTIG, NIET, SHORT, Scene

LEARNER = 0
OTHER = "other"
"""The reason for every legal action that has none of its own."""
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


class Script:
    """A game that is played line by line, and remembers its stops."""

    def __init__(self, scene: Scene) -> None:
        self.game = Game.new(
            scene.edition, len(scene.hands), first_dealer=scene.dealer, deals=lambda _: list(scene.hands)
        )
        self.stops: list[dict[str, Any]] = []
        self.asked: list[Game] = []
        """The game as it was at each stop."""
        self.play(*scene.actions())

    def play(self, *actions: str) -> None:
        for action in actions:
            self.game.play(action)

    def stop(
        self, name: str, best: Sequence[str], then: Sequence[str] = (), why: Mapping[str, str] | None = None
    ) -> None:
        """The learner's choice.

        `best` is the answer and `then` what the others do after it. `why` maps a reason to the choices it is about,
        written without seat and verb: `{"waste": "Y12 Y13"}`, or `{"points": "points -2, points 4"}`.
        """
        assert self.game.turn == LEARNER, f"{name}: it is seat {self.game.turn}'s turn"
        before = self._shown()
        verb = before["phase"]
        reasons = {
            f"{LEARNER} {verb} {choice.strip()}": reason
            for reason, choices in (why or {}).items()
            for choice in choices.split("," if verb in ("veto", "team") else None)
        }
        answers = [f"{LEARNER} {verb} {choice}" for choice in best]
        options = [self._option(action, answers, reasons) for action in self._candidates()]
        wrong = set(reasons) - {option["action"] for option in options if "why" in option}
        assert not wrong, f"{name}: reasons for what is no wrong choice: {wrong}"
        self.asked.append(self.game.copy())
        self.play(*answers, *then)
        self.stops.append(
            {
                "name": name,
                "players": len(before["tricks"]),
                "before": before,
                "options": options,
                "best": answers,
                "after": self._shown(),
            }
        )

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

    def _option(self, action: str, answers: Sequence[str], reasons: Mapping[str, str]) -> dict[str, Any]:
        try:
            self.game.check(action)
        except IllegalAction as refused:
            return {"action": action, "refused": refused.code, "paragraph": refused.paragraph}
        return {"action": action} if action in answers else {"action": action, "why": reasons.get(action, OTHER)}


def lessons() -> dict[str, Any]:
    """All lessons by name, in the order in which the page lists them."""
    return {name: _exported(scripts) for name, scripts in all_scripts()}


def all_scripts() -> Iterator[tuple[str, list[Script]]]:
    """The scripts of every lesson, played to their last stop."""
    yield "niet", [niet()]
    yield "nichtig", [nichtig()]
    for name, stops in SHORT.items():
        scripts = []
        for stop in stops:
            script = Script(stop.scene)
            script.stop(stop.name, stop.best, stop.then, stop.why)
            scripts.append(script)
        yield name, scripts


def _exported(scripts: Sequence[Script]) -> dict[str, Any]:
    """With the result, where a lesson is a whole round."""
    game = scripts[0].game
    lesson: dict[str, Any] = {
        "edition": game.setup.edition.id,
        "stops": [stop for script in scripts for stop in script.stops],
    }
    if game.past():
        result: dict[str, Any] = dict(game.past()[0])
        lesson["result"] = {name: result[name] for name in RESULT if name in result}
    return lesson


def niet() -> Script:
    """A first round of Niet!: veto, partner, discard, lead, following, trumping, supertrump, score."""
    script = Script(NIET)
    script.stop("veto", ["points 2"])
    script.stop("team", ["0 2"])
    script.stop(
        "discard",
        ["G7"],
        ["1 discard G4", "2 discard G2", "3 discard R7"],
        {"trump": "B3 B6 B8 B10 B12", "high": "Y13"},
    )
    script.stop("lead", ["Y13"], ["1 play Y4", "2 play Y1", "3 play Y1"], {"trump": "R1 B1 B3 B6 B8 B10 B12"})
    script.play("0 play R4", "1 play R9", "2 play R2", "3 play R13", "3 play R10")
    script.stop("follow", ["R5"], ["1 play R6", "2 play R12"])
    script.play("2 play G3", "3 play G1")
    script.stop("ruff", ["B1"], ["1 play G12"], {"waste": "R1 B3 B6 B8 B10 B12"})
    script.play("0 play Y2", "1 play B5", "2 play Y3", "3 play Y9", "1 play B13", "2 play B4", "3 play B1")
    script.stop("super", ["R1"])
    _finish(script)
    return script


def nichtig() -> Script:
    """A first round of Null & nichtig: laying out, spoiling a pile, winning and collecting, equal values, score."""
    script = Script(NICHTIG)
    script.stop("lay", ["Y10", "P9", "B9"], (), {"keep": "R11 G10", "low": "B0 B2 B3 R1"})
    script.play(*_tricks("1: B5 G4 Y5 B3 / 1: P5 Y3 Y4 B2 / 1: P4 R3 G3"))
    script.stop("spoil", ["R1"], (), {"wins": "G6 G10 P8 R6 R11 Y8", "blue": "B0"})
    script.play(*_tricks("1: R4 P2 P3"))
    script.stop("win", ["G10"], (), {"covered": "R6 R11 P8", "own": "Y8", "small": "G6", "loses": "B0"})
    script.play(*_tricks("0: R6 R8 G8 G2 / 1: Y11 Y6 R0 Y8 / 1: P11 G7 B1 G6 / 1: P0 Y0 B0"))
    script.stop("equal", ["B0"])
    script.play(*_tricks("1: R0 P1 R2 R11 / 0: P8 Y1 G1 R5"))
    return script


def _tricks(text: str) -> list[str]:
    return list(Scene("nichtig", 0, (), tricks=text, players=4).actions())


def _finish(script: Script) -> None:
    """The rest of the round, played without thought."""
    while not script.game.past():
        script.game.play(script.game.legal()[0])
