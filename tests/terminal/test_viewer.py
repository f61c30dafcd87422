"""The viewer of records: stepping, jumping, one seat's view or all cards open."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.widgets import Input, Static

from atout.game import Game, Record, new_rng
from atout.i18n import Texts
from atout.sheet import Keeper, SheetEditor, new_sheet
from atout.terminal.screen.app import Message
from atout.terminal.screen.sheet import SheetApp
from atout.terminal.screen.viewer import ViewerApp


def played(edition: str, players: int, seed: int = 5) -> Record:
    game = Game.new(edition, players, seed=seed)
    rng = new_rng(seed, players)
    while not game.is_over:
        game.play_randomly(rng)
    return game.record()


def shown(app: Any, name: str) -> str:
    return str(app.query_one(f"#{name}", Static).render())


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players"), [("niet-2015", 4), ("nichtig", 3)])
def test_stepping_through_a_match(edition: str, players: int) -> None:
    record = played(edition, players)

    async def whole() -> None:
        app = ViewerApp(record, Texts())
        async with app.run_test(size=(80, 24)) as pilot:
            assert "everybody" in shown(app, "head")
            assert shown(app, "hand").count("\n") == players - 1
            first = shown(app, "hand")
            await pilot.press("right", "right", "left")
            assert app.at == 1
            await pilot.press("t")
            assert app.view["trick"] == []
            await pilot.press("r")
            assert app.view["round"] == 2
            await pilot.press("R")
            assert app.at == 0
            assert shown(app, "hand") == first
            await pilot.press("v")
            assert "\n" not in shown(app, "hand")
            await pilot.press("end")
            assert app.view["phase"] == "over"
            await pilot.press("q")

    asyncio.run(whole())


def test_names_that_are_alike_get_their_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    from atout.cli.records import show_on_screen

    names: list[str] = []
    monkeypatch.setattr(ViewerApp, "run", lambda app: names.extend(app.words.names))
    show_on_screen({**played("nichtig", 3), "bots": ["random"] * 3}, None, "en")
    assert names == ["random 1", "random 2", "random 3"]


def test_a_seats_view_hides_what_others_chose() -> None:
    app = ViewerApp(played("nichtig", 3), Texts())
    lay = next(place for place, action in enumerate(app.positions.actions) if action and action.startswith("1 lay"))
    app.viewer, app.at = 0, lay
    assert "lays out" not in app._told(lay)
    app.at = next(place for place, views in enumerate(app.positions.views) if views[0]["phase"] == "play")
    assert "lays out" in app._told(lay), "all have chosen"
    app.viewer, app.at = None, lay
    assert "lays out" in app._told(lay)


@pytest.mark.slow
def test_a_passed_card_is_told_to_its_receiver_once_it_has_arrived() -> None:
    app = ViewerApp(played("niet-2015", 4, seed=1), Texts())
    actions = app.positions.actions
    passed = next(place for place, action in enumerate(actions) if action and " pass " in action)
    action = actions[passed] or ""
    giver = int(action.split(" ")[0])
    after = next(place for place in range(passed, len(actions)) if app.positions.views[place][0]["phase"] == "play")
    known = {seat: app.positions.seen(passed, after, seat) == action for seat in range(4)}
    assert known == {seat: seat in (giver, (giver + 1) % 4) for seat in range(4)}
    assert app.positions.seen(passed, passed, (giver + 1) % 4) == f"{giver} pass ?"


def test_the_score_sheet_on_a_screen() -> None:
    kept: list[int] = []
    editor = SheetEditor(new_sheet("nichtig", ["Ann", "Bo", "Cy"]), Texts())

    async def whole() -> None:
        app = SheetApp(editor, Keeper(editor, lambda: kept.append(1)))
        async with app.run_test(size=(80, 24)) as pilot:
            app.query_one(Input).value = "add scores=12,5,9"
            await pilot.press("enter")
            assert "12" in shown(app, "sheet")
            assert "Round 1: scores=12,5,9" in shown(app, "details")
            app.query_one(Input).value = "edit 7 scores=1,2,3"
            await pilot.press("enter")
            assert "not allowed" in shown(app, "said")
            app.query_one(Input).value = "quit"
            await pilot.press("enter")

    asyncio.run(whole())
    assert kept == [1]


def test_the_details_are_those_of_the_round_that_was_changed_last() -> None:
    editor = SheetEditor(new_sheet("nichtig", ["Anna", "Bo", "Cy"]), Texts("de"))

    async def whole() -> None:
        app = SheetApp(editor, Keeper(editor, lambda: None))
        async with app.run_test(size=(80, 24)) as pilot:

            async def typed(line: str) -> str:
                app.query_one(Input).value = line
                await pilot.press("enter")
                return shown(app, "details")

            await typed("neu wertung=12,5,9")
            assert await typed("wertung=1,2,3") == "Runde 2: wertung=1,2,3"
            assert await typed("zeigen 1") == "Runde 1: wertung=12,5,9"
            assert await typed("ändern 2 oben=9 7, 3, 1") == "Runde 2: oben=9 7, 3, 1"
            assert await typed("zurück") == "", "no round is shown as it was before"
            await typed("zeigen 1")
            assert await typed("löschen 1") == ""
            await typed("ende")

    asyncio.run(whole())
    assert editor.table()[-1][1:] == ["1", "2", "3"]


def test_ctrl_c_leaves_the_score_sheet() -> None:
    async def keep() -> None:
        editor = SheetEditor(new_sheet("nichtig", ["Ann", "Bo", "Cy"]), Texts("de"))
        app = SheetApp(editor, Keeper(editor, lambda: None))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("a", "ctrl+c")
            await pilot.pause()
            assert not app._notifications
            assert app._exit

    asyncio.run(keep())


def test_six_players_fit_into_eighty_columns() -> None:
    names = ["Maximiliane", "Bartholomäus", "Cy", "Di", "Eve", "Flo"]
    editor = SheetEditor(new_sheet("nichtig", names), Texts())
    editor.do("add scores=100,-20,3,4,5,6")

    async def whole() -> None:
        app = SheetApp(editor, Keeper(editor, lambda: None))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            head, first = shown(app, "names"), shown(app, "sheet")
            assert len(head) <= 77
            assert head.split() == ["Round", "Maximilia…", "Bartholom…", "Cy", "Di", "Eve", "Flo"]
            assert first.split() == ["1", "100", "−20", "3", "4", "5", "6"]

    asyncio.run(whole())


def test_the_sheet_shows_its_help_and_a_past_round() -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts())
    editor.do("add discard=none points=3 side=Ann,Cy tricks=5,4,3,3 loot=1,0,2,0")

    async def whole() -> None:
        app = SheetApp(editor, Keeper(editor, lambda: None))
        async with app.run_test(size=(80, 24)) as pilot:
            assert "help (F1)" in shown(app, "commands")
            await pilot.press("up")
            assert "points=3 discard=no card side=Ann,Cy" in shown(app, "details")
            await pilot.press("f1")
            assert isinstance(app.screen, Message)
            assert "discard=  no card; 1 card; 2 cards; 1 card, not a 1; pass 1 card left" in str(app.screen.text)
            assert "close" in str(app.screen.query_one("#panel").border_subtitle)
            await pilot.press("escape")
            await pilot.press(*"nonsense", "enter")
            assert "not understood" in shown(app, "said")
            await pilot.press("q")
            assert app.query_one(Input).value == "q", "typing replaces a line with a mistake"

    asyncio.run(whole())


def test_a_long_sheet_scrolls_between_the_names_and_the_totals() -> None:
    editor = SheetEditor(new_sheet("nichtig", ["Ann", "Bo", "Cy"], {"length": {"target": 500}}), Texts())
    for number in range(23):
        editor.do(f"scores={number},2,3")

    async def whole() -> None:
        app = SheetApp(editor, Keeper(editor, lambda: None))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            table = app.query_one("#table")
            assert table.scroll_y + table.size.height == 23, "the last round is in sight"
            await pilot.press("pageup")
            await pilot.pause()
            assert table.scroll_y < 5
            await pilot.press("pagedown", "pagedown")
            await pilot.pause()
            assert table.scroll_y + table.size.height == 23
            names, totals = app.query_one("#names"), app.query_one("#totals")
            assert names.region.bottom == table.region.y
            assert table.region.bottom == totals.region.y
            assert totals.region.bottom < app.query_one(Input).region.y

    asyncio.run(whole())


def test_escape_clears_a_line_before_it_leaves() -> None:
    editor = SheetEditor(new_sheet("nichtig", ["Ann", "Bo", "Cy"]), Texts())

    async def whole() -> None:
        app = SheetApp(editor, Keeper(editor, lambda: None))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*"add tops", "escape")
            assert app.query_one(Input).value == ""
            await pilot.press(*"add", "escape")
            assert app.is_running
            assert app.query_one(Input).value == ""
            await pilot.press("escape")
        assert app.return_code == 0

    asyncio.run(whole())


def test_the_viewer_lists_its_keys_and_ctrl_c_leaves() -> None:
    async def look() -> None:
        app = ViewerApp(played("nichtig", 3), Texts("fr"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("f1")
            await pilot.pause()
            assert isinstance(app.screen, Message)
            assert "r R  la manche suivante" in str(app.screen.text)
            await pilot.press("escape")
            assert len(app.screen_stack) == 1
            await pilot.press("ctrl+c")
            await pilot.pause()
            assert not app._notifications
            assert app._exit

    asyncio.run(look())
