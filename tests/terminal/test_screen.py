"""The table on a whole screen: matches played by keys and by the mouse, at two sizes, and what is in sight there."""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text
from textual.pilot import Pilot
from textual.widgets import Static

from atout.bots import Budget, Reason, make_bot
from atout.bots.fallback import PreparingBot
from atout.errors import UsageError
from atout.game import Game, View
from atout.i18n import Texts
from atout.study import Explanation
from atout.study.model import Alternative
from atout.terminal.hint import Adviser
from atout.terminal.match import LocalMatch
from atout.terminal.saves import Saves
from atout.terminal.screen import draw
from atout.terminal.screen.app import Message, TableApp
from atout.terminal.seats import Seating
from atout.terminal.words import Words

SMALL, LARGE = (80, 24), (160, 50)
EVERY_TABLE = [
    ("njet-1997", 3), ("njet-2007", 2), ("njet-2007", 4), ("niet-2015", 4), ("niet-2015", 5), ("nichtig", 3),
    ("nichtig", 6),
]  # fmt: skip


def match_of(
    folder: Path, edition: str = "niet-2015", players: int = 4, people: frozenset[int] = frozenset({0}), **more: Any
) -> LocalMatch:
    options = more.pop("options", {})
    game = Game.new(edition, players, 7, options)
    bots = {seat: make_bot("random") for seat in range(players) if seat not in people}
    saves = Saves(folder / "save.json", is_own=False)
    adviser = Adviser(make_bot("novice"), Budget(nodes=10))
    texts = Texts(more.pop("language", "en"))
    return LocalMatch(game, Seating(players, people, bots), adviser, saves, texts, pace=0, rng=random.Random(1))


Play = Callable[["TableApp", Pilot[bool]], Coroutine[Any, Any, None]]


def run(match: LocalMatch, size: tuple[int, int], play: Play) -> TableApp:
    async def whole() -> TableApp:
        app = TableApp(match)
        async with app.run_test(size=size) as pilot:
            try:
                await play(app, pilot)
            except BaseException:
                await match.close()  # else a check that fails would leave the app waiting for its match
                raise
        return app

    return asyncio.run(whole())


async def until(pilot: Pilot[bool], is_true: Callable[[], bool]) -> None:
    """Wait for something that is worked out beside the screen."""
    for _ in range(100):
        if is_true():
            return
        await pilot.pause(0.1)


def shown(app: TableApp, name: str) -> str:
    content = app.screen_stack[0].query_one(f"#{name}", Static).render()
    return str(content)


async def by_keys(app: TableApp, pilot: Pilot[bool]) -> None:
    await pilot.press("right", "enter")


async def by_mouse(app: TableApp, pilot: Pilot[bool]) -> None:
    """Click where a choice is drawn."""
    for name in ("table", "hand"):
        widget = app.screen_stack[0].query_one(f"#{name}", Static)
        left, top = widget.content_region.offset
        for line in range(widget.content_region.height):
            column = 0
            for segment in widget.render_line(line):
                if segment.style is not None and "choice" in segment.style.meta:
                    assert await pilot.click(offset=(left + column, top + line))
                    return
                column += segment.cell_length
    raise AssertionError("no choice is in sight")


def play_all(decide: Play, rounds: int | None = None) -> Play:
    """To the end of the match, or of so many rounds; every message is read and closed."""

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        for _ in range(20_000):
            await pilot.pause()
            view = app.match.view
            assert view is not None
            if isinstance(app.screen, Message):
                await pilot.press("enter")
            elif view["phase"] == "over" or (rounds is not None and len(view["past"]) >= rounds):
                return
            elif app.legal:
                await decide(app, pilot)
        raise AssertionError("the match does not end")

    return play


def test_a_round_by_keys_and_one_by_mouse(tmp_path: Path) -> None:
    for decide in (by_keys, by_mouse):
        match = match_of(tmp_path, "nichtig", 3)
        run(match, SMALL, play_all(decide, rounds=1))
        assert len(match.game.past()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("decide", "size"), [(by_keys, SMALL), (by_keys, LARGE), (by_mouse, SMALL), (by_mouse, LARGE)])
@pytest.mark.parametrize(("edition", "players"), EVERY_TABLE)
def test_a_whole_match(edition: str, players: int, decide: Play, size: tuple[int, int], tmp_path: Path) -> None:
    match = match_of(tmp_path, edition, players)
    app = run(match, size, play_all(decide))
    assert match.game.is_over
    assert app.was_over


@pytest.mark.parametrize(("players", "marks"), [(4, "●○●○"), (6, "●○●○●○")])
def test_teams_are_in_sight(tmp_path: Path, players: int, marks: str) -> None:
    match = match_of(tmp_path, "nichtig", players, options={"teams": True})
    text = draw.seats(match.game.view(0), match.words, [], 40).plain
    assert "".join(mark for mark in text if mark in "●○") == marks + "●○", "the seats, then the teams"
    alone = match_of(tmp_path, "nichtig", players)
    assert "●" not in draw.seats(alone.game.view(0), alone.words, [], 40).plain


@pytest.mark.slow
def test_what_is_in_sight_while_tricks_are_played(tmp_path: Path) -> None:
    match = match_of(tmp_path)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        while match.game.phase != "play" or not app.legal or not match.game.view(0)["last_trick"]:
            await pilot.pause()
            if app.legal:
                await by_keys(app, pilot)
        head, conditions, seats = (shown(app, name) for name in ("head", "conditions", "seats"))
        assert "Round 1 of 8" in head
        for title in ("Start player", "Discard", "Trump", "Supertrump", "Points"):
            assert title in conditions
        assert "●" in seats
        assert "○" in seats
        view = match.view
        assert view is not None
        assert all(card in shown(app, "hand") for card in view["hand"])
        await pilot.press("t")
        await pilot.pause()
        assert isinstance(app.screen, Message)
        assert "Last trick" in str(app.screen.text)
        await pilot.press("enter", "h")
        await until(pilot, lambda: "Hint: Play" in shown(app, "prompt"))
        assert "Hint: Play" in shown(app, "prompt")
        await pilot.press("q")

    run(match, SMALL, play)


@pytest.mark.slow
def test_resizing_in_the_middle(tmp_path: Path) -> None:
    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        await by_keys(app, pilot)
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        await by_keys(app, pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Start player" in shown(app, "table")

    run(match_of(tmp_path), SMALL, play)


def test_take_back_and_save_and_resume_after_a_kill(tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 3)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        await by_keys(app, pilot)
        made = len(match.game.actions)
        await pilot.press("u")
        assert len(match.game.actions) < made
        await by_keys(app, pilot)
        # the process may be killed here: the file already has the choice
        record = json.loads((tmp_path / "save.json").read_text())
        again = Game.from_record(record, auto_deal=False)
        assert any(action.seat == 0 for action in again.actions)
        assert Seating.of_record(record).people == {0}

    run(match, SMALL, play)


def test_several_people_share_the_keyboard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 3, frozenset({0, 1, 2}))
    monkeypatch.setattr("atout.terminal.screen.app.HELD", 60.0)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        await pilot.pause()
        assert isinstance(app.screen, Message)
        assert not app.legal
        assert not shown(app, "hand").strip()
        await pilot.press("enter", "escape")
        await pilot.click()
        assert not app.legal, "an Enter too many of the last player uncovers nothing"
        monkeypatch.setattr("atout.terminal.screen.app.HELD", 0.0)
        await pilot.press("enter")
        assert app.legal
        assert shown(app, "hand").strip()

    run(match, SMALL, play)


@pytest.mark.parametrize(("language", "words"), [("fr", "Votre veto"), ("de", "Dein Veto")])
def test_three_languages(language: str, words: str, tmp_path: Path) -> None:
    match = match_of(tmp_path, language=language)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        while not app.legal:
            await pilot.pause()
        assert words in shown(app, "prompt")

    run(match, SMALL, play)


def test_a_review_is_shown_after_the_end(tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 3)
    threads: list[int] = []

    def review() -> list[str]:
        threads.append(threading.get_ident())
        return ["Round 1: well played."]

    async def whole() -> None:
        app = TableApp(match, review=review)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("r")
            assert not isinstance(app.screen, Message), "the match is not over"
            app.was_over = True
            await pilot.press("r")
            assert isinstance(app.screen, Message)
            assert "well played" in str(app.screen.text)
            assert threads != [threading.get_ident()], "a review takes long: the screen goes on meanwhile"

    asyncio.run(whole())


def test_without_colours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`NO_COLOR`: what is sent has the terminal's own colours only, no greys and no backgrounds."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        while not app.legal:
            await pilot.pause()
        for keys in ((), ("f1",)):
            await pilot.press(*keys)
            styles = [segment.style for strip in app.screen._compositor.render_strips() for segment in strip]
            assert any(style and style.bold for style in styles)
            for style in filter(None, styles):
                for colour in (style.color, style.bgcolor):
                    assert colour is None or colour.is_default, style

    run(match_of(tmp_path), SMALL, play)


def test_no_colour_is_needed(tmp_path: Path) -> None:
    """Every card has its letter and its symbol."""
    text: Text = draw.card("R12", match_of(tmp_path).words)
    assert text.plain == "♥R12"


@pytest.mark.parametrize(
    ("language", "letters"),
    [
        ("fr", {"R": "R", "Y": "J", "B": "B", "G": "Ve", "P": "Vi"}),
        ("de", {"R": "R", "Y": "Ge", "B": "B", "G": "Gr", "P": "L"}),
    ],
)
def test_drawn_cards_have_the_letters_of_the_reader(language: str, letters: dict[str, str], tmp_path: Path) -> None:
    """In the hand, the trick, the piles, the open hands of the viewer and the result of a round."""
    match = match_of(tmp_path, "nichtig", 3, language=language)
    while sum(match.game.view(0)["tricks"]) < 2 or len(match.game.view(0)["trick"]) != 1:
        match.game.play(match.game.legal()[0])
    view, words = match.game.view(0), match.words
    hand = {f"{letters[card[0]]}{card[1:]}" for card in view["hand"]}
    for has_room in (False, True):
        drawn = draw.hand(view, words, -1, 78, has_room).plain
        assert set(re.findall(r"[♥★◆♣●]([A-Z][a-z]?\d+)", drawn)) == hand
    played = view["trick"][0]["card"]
    assert f"{letters[played[0]]}{played[1:]}" in draw.trick(view, words).plain
    tops = [pile[-1] for own in view["piles"] or [] for pile in own]
    assert all(f"{letters[card[0]]}{card[1:]}" in draw.piles(view, words, 200).plain for card in tops)
    compact = draw.compact(view["hand"], words).plain
    assert {group.split()[0][1:] for group in compact.split("   ")} == {letters[card[0]] for card in view["hand"]}
    while not match.game.is_round_over:
        match.game.play(match.game.legal()[0])
    over = match.game.view(0)
    earned = [line[1].split() for line in words.round_lines(over, 1)]
    assert earned == [[f"{letters[card[0]]}{card[1:]}" for card in tops] for tops in over["past"][0]["tops"]]


def explanation(second: float) -> Explanation:
    """Advice at the first veto: the reason speaks of the third choice, the second is worth `second`."""
    other = Reason("found-by", {"best": "veto points 4", "other": "veto points 1", "best_share": 50, "other_share": 9})
    ranked = (("points 4", 1.0), ("trump red", second), ("points 1", -2.0), ("points 2", -3.0))
    alternatives = tuple(Alternative(f"0 veto {cell}", value, 0.3, 0.1) for cell, value in ranked)
    return Explanation(alternatives[0].action, alternatives, (other,), "test", 8)


def test_a_hint_is_shown_in_full_and_the_cursor_goes_there(tmp_path: Path) -> None:
    match = match_of(tmp_path)
    match.adviser = Adviser(make_bot("novice"), Budget(nodes=10), lambda *_: explanation(0.9))

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        while not app.legal:
            await pilot.pause()
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, Message))
        assert isinstance(app.screen, Message)
        text = str(app.screen.text)
        assert "About equal" in text
        assert app.screen.query_one("#panel").max_scroll_y == 0, "all of it is in sight"
        await pilot.press("enter")
        assert app.legal[app.cursor] == "0 veto points 4"
        assert "Hint: Veto" in shown(app, "prompt")

    run(match, SMALL, play)


def test_the_reason_of_a_hint_speaks_of_what_its_list_shows_in_order(tmp_path: Path) -> None:
    words = match_of(tmp_path).words
    near, far = words.explained(explanation(0.9)), words.explained(explanation(0.0))
    assert "About equal" in near[1]
    assert "Trump: red" in near[1]
    compared = next(line for line in far if line.startswith("Strong players"))
    listed = far[far.index("Expected lead over the others:") + 1 :]
    assert "Points: 1" in compared
    assert any("Points: 1" in line for line in listed)
    values = [float(line.partition("±")[0].split()[-1].replace("−", "-")) for line in listed]
    assert values == sorted(values, reverse=True)
    assert not any("bout equal" in line for line in far)


def test_the_log_after_a_resume_and_after_taking_back(tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 3)

    async def play() -> None:
        while len(match.game.actions) < 60:
            if match.game.turn == 0:
                await match.act(str(match.game.legal()[0]))
            else:
                await match.advance()

    asyncio.run(play())
    assert len(match.game.past()) > 0
    again = LocalMatch(match.game.copy(), match.seating, match.adviser, match.saves, match.texts)
    assert len(again.log) > 20
    assert again.log == match.log
    assert again.log[0].startswith("Round 1 begins.")
    number = next(number for number, line in enumerate(again.log) if line.startswith("Round 1 is over."))
    scores = [str(score) for score in match.game.past()[0]["scores"]]
    assert re.findall(r" (−?\d+)(?:,|$)", again.log[number].replace("−", "-")) == scores
    assert again.log[number + 2].startswith("Round 2 begins.")
    taken = max(number for number, action in enumerate(match.game.actions) if action.seat == 0)
    asyncio.run(match.undo())
    assert match.log[:-1] == again.log[: len(match.log) - 1]
    assert len(match.log) - 1 < len(again.log)
    assert len(match.game.actions) == taken


def test_who_takes_over_the_keyboard_reads_no_secrets_in_the_log(tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 3, frozenset({0, 1, 2}))
    match.take_over()
    first = match.reader
    asyncio.run(match.act(str(match.game.legal()[0])))
    assert "You lay out" in match.log[1]
    while match.game.turn == first:
        asyncio.run(match.act(str(match.game.legal()[0])))
    for _ in range(2):
        assert not any("You lay out" in line for line in match.log), "neither before the next one is there nor then"
        match.take_over()


def on_screen(app: TableApp) -> str:
    """All text that is drawn now, with what lies behind a message."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def test_a_window_that_is_too_small_says_so_and_chooses_nothing(tmp_path: Path) -> None:
    match = match_of(tmp_path)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        await until(pilot, lambda: bool(app.legal))
        made = len(match.game.actions)
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert "60×20" in on_screen(app)
        assert "80×24" in on_screen(app)
        await by_keys(app, pilot)
        assert len(match.game.actions) == made
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Start player" in on_screen(app)
        assert "too small" not in on_screen(app)

    run(match, SMALL, play)


def test_one_enter_too_many_plays_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 3)
    monkeypatch.setattr("atout.terminal.screen.app.PAUSE", 60.0)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        await until(pilot, lambda: bool(app.legal))
        await pilot.press("enter", "enter")
        assert not match.game.actions
        await pilot.press("right", "enter")
        assert len(match.game.actions) == 1
        monkeypatch.setattr("atout.terminal.screen.app.PAUSE", 0.0)
        await pilot.pause()
        await pilot.press("enter")
        assert len(match.game.actions) == 2

    run(match, SMALL, play)


def test_piles_are_explained_and_the_next_round_is_not_seen_behind_a_result(tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 6)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        while match.game.phase == "lay" or not app.legal:
            await pilot.pause()
            if app.legal:
                await by_keys(app, pilot)
        assert "(+4: four beneath)" in on_screen(app)
        assert "You lay out:" not in shown(app, "table")
        view = match.view
        assert view is not None
        full: View = {**view, "piles": [[["R5", "R12"]] * 5] * 6}
        rows = draw.piles(full, match.words, 42).plain.splitlines()[1:]
        assert all(len(row.rstrip()) <= 42 for row in rows)
        assert [row.split()[1] for row in rows if not row.startswith(" ")] == list(map(str, view["round_points"]))
        app.tell(Text("Result"))
        await pilot.pause()
        assert view["hand"][0] in on_screen(app)
        await pilot.press("enter")
        app.tell(Text("Result"), alone=True)
        await pilot.pause()
        assert "Result" in on_screen(app)
        assert view["hand"][0] not in on_screen(app)

    run(match, SMALL, play)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_the_veto_board_and_the_conditions_fit_a_small_window(language: str, tmp_path: Path) -> None:
    """At every veto of a round: no row is cut, no line is too long, and a condition stands on one line."""
    for edition in ("njet-2007", "niet-2015"):
        match, rng = match_of(tmp_path, edition, 5, language=language), random.Random(2)
        game, words = match.game, match.words
        while game.phase == "veto":
            lines = draw.board(game.view(0), words, 0, 42, 18).plain.splitlines()
            assert len(lines) <= 18
            assert max(map(len, lines)) <= 42
            game.play(rng.choice(game.legal()))
        lines = draw.conditions(game.view(0), words, 78).plain.splitlines()
        assert len(lines) <= 2
        assert max(map(len, lines)) <= 78
        assert [part for line in lines for part in line.split(" · ") if part.startswith(words.t("row.super"))]


def test_cards_lie_side_by_side_where_they_fit(tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 6, language="de")
    while sum(match.game.view(0)["tricks"]) < 1 or len(match.game.view(0)["trick"]) != 3:
        match.game.play(match.game.legal()[0])
    view = match.game.view(0)
    for room, is_large in ((98, True), (62, False), (0, False)):
        for part in (draw.trick(view, match.words, room), draw.last_trick(view, match.words, room)):
            lines = part.plain.splitlines()
            assert ("╭─────╮" in part.plain) == is_large
            assert not is_large or max(map(len, lines)) <= room
    hand = draw.hand(view, match.words, 0, 30, has_room=True).plain.splitlines()
    assert len(hand) == 6
    assert max(map(len, hand)) <= 30


def test_a_tall_window_shows_the_score_of_every_round(tmp_path: Path) -> None:
    match = match_of(tmp_path, "nichtig", 3)
    rng = random.Random(3)
    match.game.auto_deal = True
    while len(match.game.past()) < 2:
        match.game.play(rng.choice(match.game.legal()))
    match.game.auto_deal = False

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        await pilot.pause()
        first = match.game.past()[0]["scores"]
        row = next(line for line in shown(app, "seats").splitlines() if line.split()[:1] == ["1"])
        assert row.split()[1:] == [str(score).replace("-", "−") for score in first]
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert not any(line.split()[:1] == ["1"] for line in shown(app, "seats").splitlines())

    run(match, LARGE, play)


def test_the_log_shows_no_line_without_its_beginning(tmp_path: Path) -> None:
    match = match_of(tmp_path)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        await until(pilot, lambda: bool(app.legal))
        match.log[:] = [f"{number} {'word ' * 11}" for number in range(30)]
        app.draw_all()
        await pilot.pause()
        lines = shown(app, "log").splitlines()
        assert lines[0][0].isdecimal()
        assert "29 word" in " ".join(lines)

    run(match, SMALL, play)


def test_the_match_goes_on_while_bots_are_prepared(tmp_path: Path) -> None:
    """The head tells how far the compilation is; a hint comes at once, from a quick look."""
    progress: list[tuple[int, int] | None] = [(0, 0)]
    match = match_of(tmp_path)

    def no_study(*_: object) -> Explanation:
        raise UsageError("not compiled yet")

    match.adviser = Adviser(PreparingBot("expert", lambda: False), Budget(nodes=10), no_study)

    async def whole() -> None:
        app = TableApp(match, progress=lambda: progress[0])
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: bool(app.legal))
            for found, told in (((0, 0), "preparing bots and hints"), ((3, 47), "preparing bots and hints 3/47")):
                progress[0] = found
                app.show_progress()
                await pilot.pause()
                assert shown(app, "head").endswith(told)
            await pilot.press("h")
            await until(pilot, lambda: isinstance(app.screen, Message))
            said = str(app.screen.query_one("#message", Static).render())
            assert app.match.texts.t("reason.preparing") in " ".join(said.split())
            await pilot.press("enter")
            progress[0] = None
            app.show_progress()
            await pilot.pause()
            assert "preparing" not in shown(app, "head")
            await match.close()

    asyncio.run(whole())


@pytest.mark.slow
def test_a_hint_when_it_is_not_your_turn(tmp_path: Path) -> None:
    match = match_of(tmp_path)
    match.pace = 3600.0

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        await until(pilot, lambda: bool(app.legal))
        await pilot.press("right", "enter")
        await until(pilot, lambda: not app.legal)
        await pilot.press("h")
        await pilot.pause()
        assert match.texts.t("refusal.not-your-turn") in shown(app, "prompt")

    run(match, SMALL, play)


def test_the_footer_has_the_same_keys_in_every_language(tmp_path: Path) -> None:
    """What does not fit at 80 columns would differ between languages."""
    for language in ("en", "fr", "de"):
        match = match_of(tmp_path, language=language)
        match.has_proposals = True  # as at a server's table: that has one key more
        app = TableApp(match)
        keys = [(key, name) for key, name in app._keys() if name not in ("save", "review")]
        assert sum(len(key) + len(app.texts.t(f"terminal.key.{name}")) + 2 for key, name in keys) <= SMALL[0]


# -------------------------------------------------------------------- names, keys and lines


def test_names_that_are_cut_can_be_told_apart(tmp_path: Path) -> None:
    match = match_of(tmp_path, people=frozenset({0, 2}))
    game, words = match.game, Words(Texts("de"), ["Spieler 1", "Jonas", "Spieler 3", "Bruno"], None, 1)
    while len(game.actions) < 8:
        game.play(game.legal()[0])
    board = draw.board(game.view(None), words, -1, 60, 40).plain
    assert set(re.findall(r"×(\S+)", board)) == {"Spie…1", "Jonas", "Spie…3", "Bruno"}
    scores = draw.scores(game.view(None), words, 36).plain.splitlines()[0].split()
    assert len(set(scores)) == 4
    assert draw.short_name(replace(words, me=0), 2, 6) == "Spie…3", "as everybody reads it"
    assert draw.short_name(replace(words, me=0), 0, 6) == "Du"
    assert draw.shortened(["Ann-Katrin", "Ann-Kathrin", "Bo"], 8) == ["Ann…trin", "Ann…hrin", "Bo"]
    assert draw.shortened(["Maximilian", "Maximilian"], 6) == ["Maxim…"] * 2, "alike as they are"


def test_a_line_is_not_ended_at_a_no_break_space() -> None:
    said = Text("dites «\u00a0oui\u00a0» ou «\u00a0non\u00a0»\u00a0: c’est «\u00a0tout\u00a0»", "bold")
    for width in range(14, 40):
        lines = draw.wrapped(said, width).plain.split("\n")
        assert " ".join(lines) == said.plain
        assert max(map(len, lines)) <= width
        assert not any(line.endswith("«") or line.startswith(("»", ":")) for line in lines)
    styled = Text.assemble("a b ", ("c d", "red"), "\n\n", "e")
    assert draw.wrapped(styled, 5).plain == "a b c\nd\n\ne"
    assert [(span.start, span.end) for span in draw.wrapped(styled, 5).spans if span.style == "red"] == [(4, 5), (6, 7)]


@pytest.mark.parametrize("is_behind_a_message", [False, True])
def test_ctrl_c_leaves(tmp_path: Path, is_behind_a_message: bool) -> None:
    match = match_of(tmp_path)

    async def play(app: TableApp, pilot: Pilot[bool]) -> None:
        while not app.legal:
            await pilot.pause()
        if is_behind_a_message:
            await pilot.press("f1")
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert not app._notifications, "Textual's own notice is in English"

    run(match, SMALL, play)
    assert match._closed


@pytest.mark.slow
def test_the_key_of_the_review_says_when_it_comes(tmp_path: Path) -> None:
    match = match_of(tmp_path)

    async def play() -> None:
        app = TableApp(match, lambda: ["the review"])
        async with app.run_test(size=SMALL) as pilot:
            while not app.legal:
                await pilot.pause()
            await pilot.press("r")
            await pilot.pause()
            assert "The review comes when the match is over." in shown(app, "prompt")
            await pilot.press("f1")
            await pilot.pause()
            assert isinstance(app.screen, Message)
            assert "r  review, after the end of the match" in str(app.screen.text)

    asyncio.run(play())
