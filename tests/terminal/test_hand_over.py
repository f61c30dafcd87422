"""Several people at one keyboard, on a terminal: whoever takes over sees no card that only the last one may know."""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from atout.bots import Bot
from atout.bots.random import RandomBot
from atout.game import Game, View
from atout.terminal.saves import game_of, saved
from atout.terminal.seats import Seating
from tests.depth import first

from .keyboard import CARD

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

from .pseudo import PAUSE, PseudoTerminal

SMALL, WIDE, LARGE = (80, 24), (150, 28), (160, 50)
MESSAGE = "Pass the device to"
IN_WORDS = re.compile(r"\b(red|yellow|blue|green|purple) (\d+)\b")
TALLEST = 150
"""Lines that a window shows at most, also where it is made taller before the next player takes over."""
TURNS = 5
"""Decisions of a test: all that are secret, and some tricks."""
Table = tuple[str, int, str]
TABLES: list[Table] = [("niet-2015", 2, "discard"), ("niet-2015", 3, "pass"), ("nichtig", 3, "lay")]


def begun(folder: Path, edition: str, players: int, phase: str, bot: Bot | None = None) -> Path:
    """A saved match in which the secret choices of this phase begin. `bot` has the next seat and the third one.

    It is the first round: a tall window also shows the log of the rounds before, which is full of cards.
    """
    rng = random.Random(4)
    for seed in range(100):
        game = Game.new(edition, players, seed)
        while game.phase != phase and game.round == 1:
            game.play(rng.choice(game.legal()))
        if game.phase == phase:
            break
    assert (game.phase, game.round) == (phase, 1), "the position never came"
    turn = game.turn
    assert turn is not None
    bots = {} if bot is None else {(turn + step) % players: bot for step in (1, 3)}
    path = folder / "match.json"
    seating = Seating(players, set(range(players)) - set(bots), bots)
    path.write_text(json.dumps(saved(game, seating)) + "\n", encoding="utf-8")
    return path


def load(path: Path) -> Game:
    return game_of(json.loads(path.read_text(encoding="utf-8")))


def own(view: View) -> set[str]:
    """What a seat alone knows of the cards: its hand, what it gave away, what it received."""
    return {*view["hand"], *view["chosen"], *view["received"]}


def secrets(game: Game, last: int, after: int) -> set[str]:
    """Cards that the last player knows and the next one may not know: not theirs, not seen by all."""
    view = game.view(after)
    told = {word for action in view["actions"] for word in CARD.findall(action)}
    piles = {card for piles in view["piles"] or [] for pile in piles for card in pile}
    return own(game.view(last)) - own(view) - told - piles - {it["card"] for it in view["last_trick"]}


def shown(text: str) -> set[str]:
    """The cards in a picture, in short (`R12`) or as the log writes them (`red 12`)."""
    words = (f"{colour[0].upper()}{value}" for colour, value in IN_WORDS.findall(text))
    return {*CARD.findall(text), *words}


def take_over(terminal: PseudoTerminal, hand: list[str]) -> None:
    terminal.take_over(lambda screen: MESSAGE not in screen and set(hand) <= shown(screen))


def choose(terminal: PseudoTerminal, save: Path, last: int) -> None:
    """Make a choice by keys. If somebody else is to act then, look at every picture from the choice on."""
    hand, is_made, place = set(load(save).view(last)["hand"]), is_changed(save), len(terminal.frames)
    terminal.press("right", "enter")
    terminal.wait("the choice", is_made)
    game = load(save)
    if game.turn in (None, last):
        return
    terminal.wait("the message", MESSAGE)
    secret = secrets(game, last, game.turn)
    assert secret or game.phase == "play", "there was something to hide"
    pictures = terminal.frames[place:]
    message = next(number for number, picture in enumerate(pictures) if MESSAGE in picture)
    for picture in pictures[:message]:
        assert hand <= shown(picture) or not secret & shown(picture), picture
    for picture in pictures[message:]:
        assert not shown(picture), f"no cards are shown until then\n{picture}"


@pytest.mark.parametrize(
    "case", first([(table, size) for size in (SMALL, LARGE, WIDE) for table in TABLES], len(TABLES))
)
def test_the_whole_screen(case: tuple[Table, tuple[int, int]], tmp_path: Path) -> None:
    """All cells of every picture, from the choice of the last player to the next one's table."""
    table, size = case
    save, last = begun(tmp_path, *table), None
    with PseudoTerminal(["play", "--resume", save.name], tmp_path, size) as terminal:
        for turn in range(TURNS):
            game = load(save)
            seat = game.turn
            assert seat is not None
            if seat != last:
                terminal.wait("the message", f"{MESSAGE} Player {seat + 1}")
                take_over(terminal, game.view(seat)["hand"])
                if last is not None:
                    place = next(n for n in reversed(range(len(terminal.frames))) if MESSAGE in terminal.frames[n])
                    secret = secrets(game, last, seat)
                    assert not any(secret & shown(picture) for picture in terminal.frames[place:])
            if turn == 0 and table == TABLES[0]:  # a hint names a card, too
                terminal.press("h")
                terminal.wait("the hint", "Hint: ")
                terminal.press_until("escape", "the table", lambda screen: "close" not in screen)
            choose(terminal, save, seat)
            last = seat


WAITING = """
import time
from pathlib import Path
from atout.bots.random import RandomBot

class Waiting(RandomBot):
    name = "waiting"
    def choose(self, *given):
        while not Path("go").exists():
            time.sleep(0.01)
        return super().choose(*given)
"""
"""A bot that acts when the test says so."""


def test_what_the_last_player_has_opened(tmp_path: Path) -> None:
    """The log is read while a bot thinks; then somebody else is to act, and does not find it open."""
    (tmp_path / "waiting.py").write_text(WAITING)
    waiting = RandomBot()
    waiting.name = "waiting"
    save = begun(tmp_path, "niet-2015", 4, "discard", waiting)
    game = load(save)
    last, is_made = game.turn, is_changed(save)
    assert last is not None
    seat = (last + 2) % 4
    with PseudoTerminal(["play", "--resume", save.name, "--bots", "waiting:Waiting"], tmp_path) as terminal:
        terminal.wait("the message", f"{MESSAGE} Player {last + 1}")
        take_over(terminal, game.view(last)["hand"])
        terminal.press("right", "enter")
        terminal.wait("the choice", is_made)
        secret = secrets(load(save), last, seat)
        terminal.press_until("l", "the log", lambda screen: "Esc: close" in screen and "You discard" in screen)
        assert secret & shown(terminal.screen)
        (tmp_path / "go").touch()
        terminal.wait("the message", f"{MESSAGE} Player {seat + 1}")
        place = len(terminal.frames) - 1
        for size in ((60, 20), LARGE, SMALL):
            terminal.resize(*size)
            terminal.wait("the message", MESSAGE)
        assert not any(shown(picture) for picture in terminal.frames[place:])
        take_over(terminal, game.view(seat)["hand"])
        assert not any(secret & shown(picture) for picture in terminal.frames[place:])
        assert "close" not in terminal.screen, "the log of another player is not open any more"


@pytest.mark.parametrize("size", first([(88, 100), (40, 30), (88, 24)], 2))
@pytest.mark.parametrize("table", first(TABLES))
def test_line_by_line(table: Table, size: tuple[int, int], tmp_path: Path) -> None:
    """Nothing is drawn over, so what was there is pushed out of sight, however tall the window is."""
    save, last = begun(tmp_path, *table), None
    with PseudoTerminal(["play", "--plain", "--resume", save.name], tmp_path, size) as terminal:
        for _ in range(TURNS):
            game = load(save)
            seat = game.turn
            assert seat is not None
            if seat != last:
                screen = terminal.wait("the next player", waits_for(seat))
                assert last is None or not shown(screen)
                assert last is None or not shown("\n".join(terminal.lines.split("\n")[-TALLEST:]))
                assert last is None or "Scrolling back still shows" in flat(screen)
                terminal.take_over(is_asked)
            terminal.wait("the question", is_asked)
            if last not in (None, seat):
                assert not secrets(game, last, seat) & shown(terminal.screen)
            last = seat
            is_made = is_changed(save)
            terminal.type("1")
            terminal.wait("the choice", is_made)


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_keys_that_were_not_meant_for_it(plain: list[str], tmp_path: Path) -> None:
    """Typed ahead, held, or not Enter alone: the next hand stays covered, until Enter is pressed after a pause."""
    save = begun(tmp_path, "nichtig", 3, "play")
    last = load(save).turn
    assert last is not None
    is_made = is_changed(save)
    with PseudoTerminal(["play", *plain, "--resume", save.name], tmp_path) as terminal:
        terminal.wait("the first player", waits_for(last) if plain else MESSAGE)
        terminal.take_over(is_asked if plain else lambda screen: MESSAGE not in screen)
        terminal.press(*(["1", "enter", "enter", "enter"] if plain else ["right", "enter", "enter", "enter"]))
        terminal.wait("the choice", is_made)
        game = load(save)
        assert game.turn not in (None, last)
        assert game.turn is not None
        is_covered = waits_for(game.turn) if plain else lambda screen: MESSAGE in screen
        terminal.wait("the next player", is_covered)
        hand, ends = set(game.view(game.turn)["hand"]), time.monotonic() + 1.5 * PAUSE
        while time.monotonic() < ends:  # as a key that is held
            terminal.press("enter")
            assert not terminal.settles(lambda screen: bool(hand & shown(screen)), 0.05)
        terminal.settles(lambda _: False, PAUSE)
        terminal.press(*(["x", "enter"] if plain else ["escape", " ", "l"]))
        assert not terminal.settles(lambda screen: bool(hand & shown(screen)), 0.5)
        assert is_covered(terminal.screen)
        terminal.take_over(lambda screen: bool(hand & shown(screen)))


def test_whoever_leaves_instead_of_taking_over(tmp_path: Path) -> None:
    save = begun(tmp_path, "nichtig", 3, "lay")
    with PseudoTerminal(["play", "--resume", save.name], tmp_path) as terminal:
        terminal.wait("the way to leave", lambda screen: MESSAGE in screen and "q: leave" in screen)
        terminal.press("q")
        assert terminal.wait_for_end() == 0


def is_asked(screen: str) -> bool:
    return flat(screen).endswith("(? for help):")


def waits_for(seat: int) -> Callable[[str], bool]:
    return lambda screen: f"Player {seat + 1}: press Enter when you alone can see the screen." in flat(screen)


def is_changed(path: Path) -> Callable[[str], bool]:
    """Whether a file has other bytes than now."""
    before = path.read_bytes()
    return lambda _: path.read_bytes() != before


def flat(screen: str) -> str:
    """Without the folds of long lines."""
    return re.sub(r"\s+", " ", screen).strip()
