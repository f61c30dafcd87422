"""The positions of the lessons: hands, and what was done until the learner is asked.

The two first rounds were written for their lesson. The other positions come from rounds that bots played with each
other; they were chosen because one answer is clearly better than the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct


class Scene(Struct, frozen=True):
    """A round up to the learner's turn. The learner is seat 0."""

    edition: str
    dealer: int
    hands: tuple[str, ...]
    vetoes: str = ""
    """`3 trump red; 0 start 3`: seat, row, cell."""
    choices: str = ""
    """Side, discards, passed cards and first piles, as they are written in records."""
    tricks: str = ""
    """`1: B5 B6 B7 B8 / 2: R3 R4`: the seat that leads, and the cards clockwise from there."""
    players: int = 0
    """Without hands: how many play."""

    def actions(self) -> Iterator[str]:
        """The actions in the notation of records."""
        players = len(self.hands) or self.players
        for veto in filter(None, self.vetoes.split("; ")):
            seat, cell = veto.split(" ", 1)
            yield f"{seat} veto {cell}"
        yield from filter(None, self.choices.split("; "))
        for trick in filter(None, self.tricks.split(" / ")):
            leader, cards = trick.split(": ")
            for turn, card in enumerate(cards.split()):
                yield f"{(int(leader) + turn) % players} play {card}"


class Question(Struct, frozen=True):
    """A position of a short lesson. Answer and reasons are written without seat and verb."""

    name: str
    scene: Scene
    best: Sequence[str]
    why: Mapping[str, str] = {}
    then: Sequence[str] = ()


NIET = Scene(
    "niet-2015",
    3,
    (
        "G7 Y13 R4 R5 B3 Y2 R1 B8 B12 B10 B6 B1 Y6 Y10 Y8",
        "Y4 R9 R6 G12 B5 B13 G1 G4 G6 G9 G11 B1 G8 G10 R3",
        "Y1 R2 R12 G3 Y3 B4 Y7 Y12 G1 G2 G5 B7 B9 G13 R1",
        "Y1 R13 R10 G1 Y9 B2 Y1 Y5 Y11 R1 R7 R8 R11 B11 B1",
    ),
    vetoes=(
        "3 super yellow; 0 trump red; 1 discard one; 2 trump green; 3 super green; 0 start 3; 1 start "
        "1; 2 points 1; 3 start 2; 0 discard pass-one; 1 discard two; 2 super blue; 3 discard none; 0 "
        "super none; 1 trump yellow; 2 points -2; 3 points 3"
    ),
)
NICHTIG = Scene(
    "nichtig",
    0,
    (
        "B0 B2 B3 B9 G6 G10 P8 P9 R1 R6 R11 Y8 Y10",
        "B5 B7 P0 P4 P5 P6 P11 R0 R4 R8 R9 Y1 Y11",
        "B4 G1 G4 G7 G8 G11 P1 P2 R3 Y0 Y3 Y6 Y7",
        "B0 B1 B11 G2 G3 G5 P3 R0 R2 R5 Y4 Y5 Y9",
    ),
    choices="1 lay R9; 1 lay B7; 1 lay P6; 2 lay Y7; 2 lay B4; 2 lay G11; 3 lay B11; 3 lay G5; 3 lay Y9",
)

SHORT: Mapping[str, Sequence[Question]] = {
    "veto": (
        Question(
            "trump",
            Scene(
                "niet-2015",
                3,
                (
                    "R1 R1 R12 Y3 Y5 Y7 Y9 B1 B1 B2 B3 B6 B12 B13 G5",
                    "R3 R4 R5 R8 R10 R13 Y2 Y8 Y13 B11 G1 G2 G6 G9 G13",
                    "R2 R7 R11 Y1 Y4 Y6 Y12 B1 B4 B7 B8 B9 G1 G3 G11",
                    "R1 R6 R9 Y1 Y1 Y10 Y11 B5 B10 G1 G4 G7 G8 G10 G12",
                ),
                vetoes=(
                    "3 super blue; 0 super green; 1 start 3; 2 points 4; 3 points -2; 0 super yellow; "
                    "1 start 2; 2 points 3; 3 points 2; 0 super none; 1 start 0; 2 discard one-not-1; "
                    "3 trump red; 0 trump yellow; 1 discard two; 2 discard none; 3 discard one"
                ),
            ),
            ["trump green"],
        ),
        Question(
            "points",
            Scene(
                "niet-2015",
                3,
                (
                    "R6 R10 Y4 Y8 B1 B2 B7 B10 B11 G1 G1 G3 G4 G6 G9",
                    "R1 R3 R4 R8 R11 R13 Y10 Y13 B4 B12 G1 G7 G8 G10 G11",
                    "R1 R2 R5 R9 Y1 Y1 Y1 Y3 Y7 Y11 Y12 B5 G2 G12 G13",
                    "R1 R7 R12 Y2 Y5 Y6 Y9 B1 B1 B3 B6 B8 B9 B13 G5",
                ),
                vetoes=(
                    "3 trump green; 0 start 3; 1 discard one-not-1; 2 trump blue; 3 trump red; 0 "
                    "points 3; 1 start 2; 2 points 1; 3 super green; 0 start 1; 1 super blue; 2 "
                    "points 2; 3 super none; 0 super red; 1 discard one; 2 discard none; 3 discard "
                    "pass-one"
                ),
            ),
            ["points 4"],
        ),
        Question(
            "super",
            Scene(
                "niet-2015",
                3,
                (
                    "R1 R1 R6 R9 R13 Y6 Y7 Y11 B1 B1 B13 G1 G1 G2 G6",
                    "R1 R5 R8 R12 Y3 Y8 Y9 B7 G1 G5 G7 G8 G9 G11 G12",
                    "R3 R4 R7 R10 Y1 Y1 B2 B3 B6 B8 B9 B10 B11 G3 G10",
                    "R2 R11 Y1 Y2 Y4 Y5 Y10 Y12 Y13 B1 B4 B5 B12 G4 G13",
                ),
                vetoes=(
                    "3 trump red; 0 super yellow; 1 trump blue; 2 points 4; 3 trump green; 0 start 3; "
                    "1 points 3; 2 points 2; 3 points -2; 0 discard one-not-1; 1 discard one; 2 "
                    "discard none; 3 start 1; 0 start 2; 1 discard pass-one; 2 super blue; 3 super "
                    "red"
                ),
            ),
            ["super none"],
        ),
    ),
    "partner": (
        Question(
            "vetoes",
            Scene(
                "niet-2015",
                0,
                (
                    "R4 R7 R8 R11 R13 Y3 Y13 B3 B10 B12 G2 G5 G8 G11 G12",
                    "R6 Y1 Y1 Y9 Y11 B2 B5 B8 B13 G1 G4 G6 G7 G9 G10",
                    "R1 R1 R5 R10 Y1 Y2 Y4 Y5 Y6 Y7 B1 B6 B7 B9 G13",
                    "R1 R2 R3 R9 R12 Y8 Y10 Y12 B1 B1 B4 B11 G1 G1 G3",
                ),
                vetoes=(
                    "0 start 2; 1 trump red; 2 trump green; 3 super yellow; 0 trump yellow; 1 start "
                    "3; 2 super green; 3 super none; 0 start 1; 1 super blue; 2 points -2; 3 discard "
                    "one-not-1; 0 points 1; 1 points 3; 2 points 2; 3 discard two; 0 discard "
                    "pass-one; 1 discard none"
                ),
            ),
            ["0 2"],
            {"start": "0 1"},
        ),
        Question(
            "alone",
            Scene(
                "niet-2015",
                2,
                (
                    "R1 R5 R6 R7 Y1 Y7 B3 B4 B6 B7 B9 B10 G3 G6 G8 G10",
                    "R1 R3 R8 R9 Y2 Y3 Y8 Y9 B1 G1 G1 G1 G2 G4 G5 G9",
                    "R1 R2 R4 R10 Y1 Y1 Y4 Y5 Y6 Y10 B1 B1 B2 B5 B8 G7",
                ),
                vetoes=(
                    "2 super none; 0 super blue; 1 super yellow; 2 super green; 0 trump yellow; 1 "
                    "trump blue; 2 trump green; 0 points -2; 1 discard pass-one; 2 start 1; 0 start "
                    "2; 1 points 1; 2 discard two; 0 points 2; 1 discard one; 2 discard none; 0 "
                    "points 3"
                ),
            ),
            ["0"],
        ),
        Question(
            "pair",
            Scene(
                "niet-2015",
                0,
                (
                    "R1 R1 R4 R5 R8 R9 Y2 Y6 B1 B1 B2 B3 B4 B7 G1 G7",
                    "R1 R6 Y1 Y3 Y4 Y5 Y8 Y9 Y10 B9 B10 G1 G3 G5 G8 G9",
                    "R2 R3 R7 R10 Y1 Y1 Y7 B1 B5 B6 B8 G1 G2 G4 G6 G10",
                ),
                vetoes=(
                    "0 trump yellow; 1 trump green; 2 start 1; 0 start 2; 1 points 2; 2 discard "
                    "pass-one; 0 super green; 1 super blue; 2 super none; 0 trump blue; 1 points 3; "
                    "2 discard one-not-1; 0 discard none; 1 discard two; 2 super yellow; 0 points "
                    "-2; 1 points 1"
                ),
            ),
            ["0 1"],
            {"alone": "0"},
        ),
    ),
    "loot": (
        Question(
            "capture",
            Scene(
                "niet-2015",
                0,
                (
                    "R9 R12 Y1 Y1 Y4 Y9 Y10 B1 B4 B8 G4 G8 G9 G11 G13",
                    "R8 R13 Y2 Y5 Y6 Y8 B1 B3 B7 B11 B12 G3 G5 G6 G10",
                    "R1 R1 R2 R3 R4 R5 R10 Y1 Y13 B1 B10 B13 G1 G1 G12",
                    "R1 R6 R7 R11 Y3 Y7 Y11 Y12 B2 B5 B6 B9 G1 G2 G7",
                ),
                vetoes=(
                    "0 start 2; 1 start 3; 2 trump yellow; 3 points -2; 0 start 1; 1 trump red; 2 "
                    "super none; 3 trump green; 0 super green; 1 super red; 2 super blue; 3 points 4; "
                    "0 points 1; 1 points 2; 2 discard two; 3 discard none; 0 discard pass-one; 1 "
                    "discard one"
                ),
                choices="0 team 0 1; 0 discard Y4; 1 discard R8; 2 discard R2; 3 discard G7",
                tricks=(
                    "0: Y9 Y2 Y13 Y3 / 2: G12 G1 G13 G3 / 0: B4 B11 B13 B2 / 2: R3 R11 R12 R13 / 1: "
                    "B1 B10 B5 Y1 / 0: Y10 Y5 G1 Y11 / 3: B6 B8 B3 Y1 / 2: R10 R6 R9 B7 / 1: Y6 G1 "
                    "Y12"
                ),
            ),
            ["B1"],
            {"waste": "Y1"},
        ),
        Question(
            "home",
            Scene(
                "niet-2015",
                2,
                (
                    "R5 R8 R12 Y1 Y2 Y3 Y5 Y6 Y9 Y11 B3 B7 B10 G1 G1",
                    "R1 R3 R6 R11 R13 Y1 Y1 Y7 Y8 B9 B12 G3 G5 G8 G11",
                    "R1 R1 R9 R10 Y4 Y10 Y12 Y13 B1 B2 B5 B6 B11 G6 G12",
                    "R2 R4 R7 B1 B1 B4 B8 B13 G1 G2 G4 G7 G9 G10 G13",
                ),
                vetoes=(
                    "2 start 0; 3 trump yellow; 0 start 3; 1 start 2; 2 trump green; 3 trump red; 0 "
                    "points 4; 1 super green; 2 super yellow; 3 points -2; 0 points 3; 1 super blue; "
                    "2 points 1; 3 super red; 0 discard one-not-1; 1 discard none; 2 discard two; 3 "
                    "discard pass-one"
                ),
                choices="1 team 1 2; 1 discard Y1; 2 discard G6; 3 discard G1; 0 discard G1",
                tricks=(
                    "1: B9 B2 B4 B10 / 0: G1 G3 G12 G13 / 3: G10 B3 G5 B6 / 2: B5 B8 B7 B12 / 1: R13 "
                    "R1 R2 R5 / 1: R3 R10 R4 R12 / 0: Y6 Y1 Y13 B1 / 3: G4 Y3 G8 R1 / 1: R11 R9 R7 R8 "
                    "/ 1: Y7 Y12 B1"
                ),
            ),
            ["Y1"],
        ),
        Question(
            "rescue",
            Scene(
                "niet-2015",
                2,
                (
                    "R1 R1 R5 R10 R13 Y2 B1 B3 B4 B6 B10 B13 G1 G2 G10",
                    "R7 Y1 Y8 Y9 Y10 Y11 B1 B2 B5 B12 G1 G4 G8 G9 G11",
                    "R1 R2 R3 R8 R9 Y1 Y3 Y4 Y7 Y12 B7 B11 G1 G12 G13",
                    "R4 R6 R11 R12 Y1 Y5 Y6 Y13 B1 B8 B9 G3 G5 G6 G7",
                ),
                vetoes=(
                    "2 trump blue; 3 start 0; 0 trump yellow; 1 trump red; 2 points 4; 3 points -2; 0 "
                    "start 1; 1 start 2; 2 super blue; 3 super red; 0 super yellow; 1 points 1; 2 "
                    "super none; 3 points 2; 0 discard one-not-1; 1 discard two; 2 discard pass-one; "
                    "3 discard one"
                ),
                choices="3 team 1 3",
                tricks=(
                    "3: G3 G2 G11 G12 / 2: Y3 Y1 Y2 Y8 / 1: G4 G13 G5 G1 / 0: B13 B2 B7 B8 / 0: B3 B1 "
                    "B11 B9 / 2: R3 R4 R10 R7 / 0: B10 B12 G1 B1 / 2: R9 R11 R13 G8 / 1: G1 Y4 G6 G10 "
                    "/ 1: B5 R1 Y6"
                ),
            ),
            ["B6"],
            {"own": "B1"},
        ),
    ),
    "minus": (
        Question(
            "duck",
            Scene(
                "niet-2015",
                3,
                (
                    "R3 R6 R8 Y1 Y10 B1 B4 B9 B13 G1 G7 G9 G11 G12 G13",
                    "R1 R1 R1 Y1 Y4 Y7 Y12 B3 B6 G1 G2 G4 G6 G8 G10",
                    "R4 R5 R7 R9 R12 R13 Y5 Y8 Y9 B2 B5 B7 B10 G3 G5",
                    "R2 R10 R11 Y1 Y2 Y3 Y6 Y11 Y13 B1 B1 B8 B11 B12 G1",
                ),
                vetoes=(
                    "3 trump green; 0 trump yellow; 1 points 4; 2 trump blue; 3 points 1; 0 start 1; "
                    "1 points 3; 2 super blue; 3 points 2; 0 start 2; 1 start 3; 2 super none; 3 "
                    "super green; 0 super yellow; 1 discard one; 2 discard pass-one; 3 discard none; "
                    "0 discard one-not-1"
                ),
                choices=(
                    "0 team 0 3; 0 discard Y10; 0 discard R8; 1 discard R1; 1 discard R1; 2 discard "
                    "R13; 2 discard R12; 3 discard R11; 3 discard R10"
                ),
                tricks="0: Y1 Y1 Y8 Y1 / 2: G5 G1 G1 G10 / 1: R1 R9 R2 R6 / 1: B3 B2 B1 B1 / 1: B6 B5 B1",
            ),
            ["B4"],
        ),
        Question(
            "gift",
            Scene(
                "niet-2015",
                1,
                (
                    "R5 R9 Y1 Y1 Y2 Y3 Y7 B6 B13 G5 G6 G7 G9 G10 G11",
                    "R1 R4 Y5 Y10 Y13 B1 B3 B5 B8 B10 B12 G1 G2 G3 G12",
                    "R1 R2 R7 R8 R11 Y1 Y6 Y12 B1 B1 B2 B11 G1 G4 G8",
                    "R1 R3 R6 R10 R12 R13 Y4 Y8 Y9 Y11 B4 B7 B9 G1 G13",
                ),
                vetoes=(
                    "1 trump red; 2 start 1; 3 points 4; 0 trump blue; 1 trump yellow; 2 points 3; 3 "
                    "start 0; 0 start 3; 1 points 2; 2 points 1; 3 super red; 0 super none; 1 super "
                    "blue; 2 super yellow; 3 discard one; 0 discard pass-one; 1 discard none; 2 "
                    "discard one-not-1"
                ),
                choices=(
                    "2 team 1 2; 2 discard Y12; 2 discard Y6; 3 discard G1; 3 discard G13; 0 discard "
                    "G11; 0 discard R9; 1 discard G1; 1 discard G12"
                ),
                tricks=(
                    "2: Y1 Y8 Y7 Y5 / 3: B7 B6 B5 B1 / 3: B9 B13 B8 B11 / 0: R5 R1 R1 R12 / 3: B4 Y3 "
                    "B1 B1 / 3: Y4 Y2 Y10 R11 / 1: R4 R2 R1"
                ),
            ),
            ["Y1"],
        ),
        Question(
            "dump",
            Scene(
                "niet-2015",
                2,
                (
                    "R7 R11 R13 Y3 Y7 Y8 Y13 B2 B3 B9 B11 B13 G1 G2 G11",
                    "R6 R10 Y1 Y1 Y9 Y11 B1 B1 B5 B6 B8 G1 G1 G5 G8",
                    "R1 R2 R3 R5 Y1 Y2 Y4 Y5 B7 B10 G3 G7 G9 G12 G13",
                    "R1 R1 R4 R8 R9 R12 Y6 Y10 Y12 B1 B4 B12 G4 G6 G10",
                ),
                vetoes=(
                    "2 trump blue; 3 start 2; 0 points 4; 1 start 3; 2 start 0; 3 trump green; 0 "
                    "trump red; 1 super red; 2 points 3; 3 super green; 0 super blue; 1 points 2; 2 "
                    "points 1; 3 super none; 0 discard one; 1 discard pass-one; 2 discard none; 3 "
                    "discard two"
                ),
                choices="1 team 1 2; 1 discard R10; 2 discard B10; 3 discard Y12; 0 discard Y13",
                tricks=(
                    "1: R6 R3 R1 R7 / 0: R11 G8 R5 R9 / 0: R13 G5 R2 R8 / 0: Y3 Y1 Y1 Y10 / 2: R1 R1 "
                    "G11 B8 / 3: R12 B11 G1 B7 / 3: R4 B13 G1 G7 / 3: Y6 Y7 Y1 Y5 / 1: B1 G12 B12"
                ),
            ),
            ["B9"],
        ),
    ),
    "piles": (
        Question(
            "order",
            Scene(
                "nichtig",
                3,
                (
                    "B9 B10 G0 G4 G6 G10 G11 P5 P10 R4 R5 R6 R9",
                    "B0 B1 G7 G8 P9 R0 R2 R8 R10 Y0 Y5 Y7 Y11",
                    "B6 B7 G1 G5 P8 P11 R1 R7 Y0 Y4 Y6 Y8 Y10",
                    "B0 B2 B3 B4 B5 G3 G9 P0 P2 P4 R11 Y1 Y2",
                ),
                choices=(
                    "0 lay B10; 0 lay R9; 0 lay G10; 1 lay P9; 1 lay R10; 1 lay G8; 2 lay B7; 2 lay "
                    "Y10; 2 lay P8; 3 lay R11; 3 lay G9; 3 lay B5"
                ),
                tricks=(
                    "0: P5 Y5 G5 G3 / 0: G4 R2 Y4 B3 / 0: R5 Y7 Y6 P4 / 1: R8 Y8 B4 G6 / 1: B0 Y0 P0 G0 / 1: G7 R7 B2"
                ),
            ),
            ["P10"],
            {"green": "G11", "blue": "B9"},
        ),
        Question(
            "zeros",
            Scene(
                "nichtig",
                0,
                (
                    "B5 B8 G1 G2 G6 P3 R5 R7 R10 R11 Y1 Y4 Y8",
                    "B1 B2 B7 G8 G10 P1 P4 P8 R0 R3 R6 Y6 Y9",
                    "B6 B9 B10 G0 G0 G3 G11 P0 P7 R1 R9 Y5 Y10",
                    "B0 B11 G4 G5 P2 P5 P6 P9 P10 R2 Y0 Y3 Y7",
                ),
                choices=(
                    "1 lay G10; 1 lay Y9; 1 lay P8; 2 lay Y10; 2 lay B10; 2 lay R9; 3 lay B11; 3 lay "
                    "Y7; 3 lay P10; 0 lay B8; 0 lay Y8; 0 lay R10"
                ),
                tricks="1: B7 B6 P6 B5 / 1: B1 R1 Y0 G1 / 1: Y6 Y5 P5 R5 / 1: P1 G0 B0",
            ),
            ["Y1"],
        ),
        Question(
            "spoil",
            Scene(
                "nichtig",
                2,
                (
                    "B0 B7 G0 G10 P1 P3 P11 R0 R2 R5 Y5 Y6 Y9",
                    "B8 B11 G1 G5 P0 P5 P7 P10 R0 R8 R10 R11 Y3",
                    "B0 B1 B2 B10 G9 G11 P4 P6 R1 R3 R4 R9 Y11",
                    "B5 B6 B9 G0 G3 G6 P0 P2 P8 P9 Y0 Y7 Y10",
                ),
                choices=(
                    "3 lay Y10; 3 lay B9; 3 lay P9; 0 lay G10; 0 lay P11; 0 lay Y9; 1 lay P10; 1 lay "
                    "R10; 1 lay B8; 2 lay Y11; 2 lay B10; 2 lay G11"
                ),
                tricks=(
                    "3: G6 Y6 P5 P6 / 3: G0 R0 B11 G9 / 1: G5 R4 B5 Y5 / 1: R0 B0 Y0 G0 / 1: Y3 R3 G3 "
                    "P3 / 1: P7 P4 B6 B7 / 1: R8 B2 Y7 R5 / 1: P0 R1 P0"
                ),
            ),
            ["B0"],
            {"wins": "R2"},
        ),
    ),
}
