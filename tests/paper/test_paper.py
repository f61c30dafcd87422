"""PDF files: their text, their pages, embedded fonts, tags; for every edition, number of players and language."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from atout.editions import PUBLISHED, published
from atout.errors import UsageError
from atout.game import Game
from atout.game.knowledge import new_rng
from atout.i18n import LANGUAGES, Texts
from atout.paper import documents
from atout.paper.typeset import PAPERS, typeset
from atout.sheet import SheetEditor, new_sheet

needs_poppler = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext reads the PDF back")


def poppler(tool: str, pdf: bytes, folder: Path, *options: str) -> str:
    path = folder / "x.pdf"
    path.write_bytes(pdf)
    end = ["-"] if tool == "pdftotext" else []
    return subprocess.run([tool, *options, str(path), *end], capture_output=True, text=True, check=True).stdout


def made(document: dict[str, Any], language: str = "en", paper: str = "a4") -> bytes:
    pdf = typeset(document, Texts(language), paper)
    assert pdf.startswith(b"%PDF")
    return pdf


def pages(pdf: bytes, folder: Path) -> int:
    info = poppler("pdfinfo", pdf, folder)
    assert "Tagged:" in info
    assert "yes" in info.split("Tagged:")[1].splitlines()[0]
    return int(info.split("Pages:")[1].split()[0])


@needs_poppler
@pytest.mark.parametrize("paper", PAPERS)
def test_blank_sheets_are_one_page_each(paper: str, tmp_path: Path) -> None:
    for name in PUBLISHED:
        for players in published(name).counts:
            document = documents.score_sheet(published(name), players, Texts())
            assert pages(made(document, paper=paper), tmp_path) == 1, (name, players)


@needs_poppler
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_in_short_are_one_page_each(language: str, tmp_path: Path) -> None:
    for name in PUBLISHED:
        document = documents.rules_in_short(published(name), Texts(language))
        for paper in PAPERS:
            assert pages(made(document, language, paper), tmp_path) == 1, (name, paper)
    text = poppler("pdftotext", made(document, language), tmp_path)
    assert Texts(language).t("paper.rules.score") in text


@needs_poppler
def test_only_our_fonts_and_all_embedded(tmp_path: Path) -> None:
    game = Game.new("niet-2015", 3, seed=3)
    rng = new_rng(1, 2)
    while not game.is_over:
        game.play_randomly(rng)
    pdf = made(documents.booklet(game.record(), Texts()))
    rows = [line.split() for line in poppler("pdffonts", pdf, tmp_path).splitlines()[2:]]
    assert {row[0].partition("+")[2] for row in rows} == {"Karla-Regular", "Karla-Bold", "LeagueSpartan-Bold"}
    assert all(row[-5] == "yes" for row in rows), rows
    text = poppler("pdftotext", pdf, tmp_path, "-layout")
    assert pages(pdf, tmp_path) == 1 + game.setup.options.rounds
    assert "Round 9" in text
    for total in game.totals:
        assert str(total).replace("-", "−") in text


def test_names_that_are_alike_get_their_seats_in_a_booklet() -> None:
    game = Game.new("nichtig", 3, 5)
    alike = documents.booklet({**game.record(), "bots": ["random"] * 3}, Texts())
    assert alike["names"] == ["random 1", "random 2", "random 3"]
    assert documents.booklet({**game.record(), "names": ["Ann", "Bo", None]}, Texts())["names"] == [
        "Ann", "Bo", "Player 3",
    ]  # fmt: skip


@needs_poppler
def test_a_filled_sheet(tmp_path: Path) -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts("fr"))
    assert editor.do("add discard=one trump=red points=3 side=1,3 tricks=5,4,3,2 loot=1,0,2,0") == ""
    document = documents.filled_sheet(editor.sheet, Texts("fr"))
    text = poppler("pdftotext", made(document, "fr"), tmp_path, "-layout")
    for word in ("Ann", "Bo", "5+1", "33", "18", "rouge"):
        assert word in text.replace(" + ", "+")
    assert document["rows"][0]["sides"] == ["Ann et Cy", "Bo et Di"]
    assert "Bo et Di" in text
    assert [row["number"] for row in document["rows"]] == [1, 2, 3, 4, 5, 6, 7, 8], "room for the rounds to come"
    assert document["rows"][1]["sides"] == []


def test_a_finished_sheet_has_no_empty_rows() -> None:
    editor = SheetEditor(new_sheet("nichtig", ["Ann", "Bo", "Cy"], {"length": {"target": 9}}), Texts())
    assert editor.do("add scores=3,4,5") == ""
    assert len(documents.filled_sheet(editor.sheet, Texts())["rows"]) == 3
    assert editor.do("add scores=9,4,5") == ""
    document = documents.filled_sheet(editor.sheet, Texts())
    assert len(document["rows"]) == 2
    assert not document["has_sides"]
    assert made(document)


def test_a_sheet_tells_only_what_its_table_has() -> None:
    seen: dict[tuple[str, int], dict[str, Any]] = {}
    for name in PUBLISHED:
        for players in published(name).counts:
            document = documents.score_sheet(published(name), players, Texts())
            seen[name, players] = document
            legend, is_njet = document["texts"]["legend"], published(name).is_njet
            assert document["has_sides"] == (is_njet and players > 2), (name, players)
            assert ("side" in legend) == document["has_sides"], (name, players)
            assert ("×2" in legend) == (is_njet and players == 5), (name, players)
            assert ("lone player" in legend) == (is_njet and players == 3), (name, players)
            assert ("lead" in legend) == (name == "njet-2007"), (name, players)
            assert document["texts"]["points"] != document["texts"]["score"]
    text = seen["niet-2015", 5]["texts"]
    assert (text["points"], text["score"], text["sides"]) == ("Points per trick", "Score", "Sides")


def test_french_signs_have_a_space_before_them() -> None:
    from atout import puzzles
    from atout.i18n import catalogue

    glued = re.compile(r"(?<![\u00a0\u202f])[:;](?=\s|$)")
    texts = {key: text for key, text in catalogue("fr").items() if key.startswith(("paper.", "terminal."))}
    assert [key for key, text in texts.items() if glued.search(text)] == []
    for phase in ("tricks", "partners", "veto", "cards", "piles"):
        shown = documents.printed(next(it for it in puzzles.shipped() if it.phase == phase), Texts("fr"))
        assert not glued.search(" ".join([shown["text"], shown["question"], *shown["solution"]])), shown
    document = documents.booklet(Game.new("niet-2015", 3, seed=3).record(), Texts("fr"))
    assert (document["texts"]["named"], document["texts"]["then"]) == ("\u00a0:", "\u202f; ")


@needs_poppler
def test_deal_slips_hold_every_card_once(tmp_path: Path) -> None:
    document = documents.deal_slips(published("nichtig"), 6, 2, 7, Texts("de"))
    cards = [value for seat in document["deals"][0]["seats"] for _, values in seat["hand"] for value in values.split()]
    assert len(cards) == 60
    assert document == documents.deal_slips(published("nichtig"), 6, 2, 7, Texts("de"))
    text = poppler("pdftotext", made(document, "de"), tmp_path)
    assert "Platz 6" in text
    assert "Alle Hände" in text


@needs_poppler
@pytest.mark.parametrize("paper", PAPERS)
def test_deal_slips_fill_their_pages(paper: str, tmp_path: Path) -> None:
    """Eight deals of 32 slips, and a page or two with all hands."""
    document = documents.deal_slips(published("niet-2015"), 4, 8, 7, Texts())
    text = poppler("pdftotext", made(document, paper=paper), tmp_path).split("\f")
    slips = [sum(line.startswith("Seat ") and "dealer" not in line for line in page.splitlines()) for page in text]
    assert slips[0] >= 12, slips
    assert sum(slips[:3]) == 32, slips


@needs_poppler
def test_a_match_short_enough_begins_below_its_totals(tmp_path: Path) -> None:
    """A round stays on one page, and none is left empty for it."""
    game, rng = Game.new("nichtig", 3, seed=3), new_rng(1, 2)
    while not game.is_over:
        game.play_randomly(rng)
    text = poppler("pdftotext", made(documents.booklet(game.record(), Texts())), tmp_path).split("\f")
    assert [page.count("The deal") for page in text] == [1, 1, 1, 0]
    assert [f"Round {number}\n" in page for number, page in enumerate(text[:3], 1)] == [True] * 3


@needs_poppler
def test_a_round_that_has_no_room_below_the_totals_leaves_it_to_their_chart(tmp_path: Path) -> None:
    game, rng = Game.new("niet-2015", 4, seed=3), new_rng(1, 2)
    while not game.is_over:
        game.play_randomly(rng)
    document = documents.booklet(game.record(), Texts())
    text = poppler("pdftotext", made(document), tmp_path).split("\f")
    assert [page.count("The deal") for page in text] == [0, *[1] * len(document["rounds"]), 0]
    names = [line for line in text[0].splitlines() if line in document["names"]]
    assert sorted(names) == sorted(document["names"] * 2), "in the table, and at the lines of the chart"


@needs_poppler
def test_long_names_stay_in_their_cells(tmp_path: Path) -> None:
    names = ["Maximilian-Alexander von Hohenzollern", "Bo", "Ann-Kathrin Müller", "Di"]
    editor = SheetEditor(new_sheet("niet-2015", names), Texts())
    boxes = poppler("pdftotext", made(documents.filled_sheet(editor.sheet, Texts())), tmp_path, "-bbox")
    found = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]+)<', boxes)
    title, counts = (next(one for one in found if one[2] == word) for word in ("Niet!", "tricks"))
    of_name = [one for one in found if one[2] in " ".join(names).split()]
    assert len(of_name) == 7
    for top, bottom, word in of_name:
        assert float(top) > float(title[1]) + 10, f"{word} lies on the line below the title"
        assert float(bottom) < float(counts[0]) + 2, f"{word} lies on the row below"


@needs_poppler
def test_solutions_of_puzzles_begin_on_a_new_page(tmp_path: Path) -> None:
    puzzle: documents.Puzzle = {
        "title": "Capture", "text": "Dealer: You", "names": ["You", "Player 2"], "own": [], "board": [], "tricks": [],
        "won": [["0", "0"]] * 2, "piles": [], "deck": ["blue", "red"], "hand": ["B1", "R4"],
        "question": "What do you play?", "solution": ["The blue 1."],
    }  # fmt: skip
    pdf = made(documents.puzzle_sheet([puzzle] * 3, "Puzzles", Texts()))
    front = poppler("pdftotext", pdf, tmp_path, "-l", "1")
    back = poppler("pdftotext", pdf, tmp_path, "-f", "2")
    assert "What do you play?" in front
    assert "The blue 1." not in front
    assert "The blue 1." in back


@needs_poppler
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_shipped_puzzle_can_be_printed(language: str, tmp_path: Path) -> None:
    from atout import puzzles

    by_phase = {(one.edition, one.phase): one for one in puzzles.shipped()}
    shown = [documents.printed(one, Texts(language)) for one in by_phase.values()]
    assert all(one["solution"] and one["hand"] and "{" not in one["text"] + "".join(one["solution"]) for one in shown)
    text = poppler("pdftotext", made(documents.puzzle_sheet(shown, "Puzzles", Texts(language)), language), tmp_path)
    assert f"{len(shown)}. " in text
    assert all(len(page.split()) > 40 for page in text.rstrip("\f").split("\f")), "no page is empty"


def test_a_printed_puzzle_shows_all_that_the_seat_knows() -> None:
    from atout import puzzles

    for edition, phase in {(one.edition, one.phase) for one in puzzles.shipped()}:
        one = next(it for it in puzzles.shipped() if (it.edition, it.phase) == (edition, phase))
        view, shown = one.view(), documents.printed(one, Texts())
        vetoes = [action for action in view["actions"] if " veto " in action]
        assert sum(bool(cell["by"]) for row in shown["board"] for cell in row["cells"]) == len(vetoes), one.id
        told = sorted(card for trick in shown["tricks"] for card in trick["cards"] if card)
        assert told == sorted(action.split()[2] for action in view["actions"] if " play " in action), one.id
        assert [trick["cards"][0] for trick in shown["tricks"] if trick["cards"][0]] == [
            action.split()[2] for action in view["actions"] if action.startswith(f"{one.seat} play ")
        ], "the reader's cards come first"
        if shown["tricks"] and view["trick_winners"]:
            wins = [trick["winner"] for trick in shown["tricks"]]
            assert wins.count(0) == view["tricks"][one.seat] == int(shown["won"][0][0]), one.id
        laid = sorted(card for own in view["piles"] or [] for pile in own for card in pile)
        assert sorted(card for own in shown["piles"] for pile in own for card in pile) == laid
        if view["phase"] == "play" and view["chosen"] and view["piles"] is None:
            assert shown["own"][0][1] == view["chosen"]


def test_a_solution_compares_values_of_the_same_kind() -> None:
    from atout import puzzles

    one = next(it for it in puzzles.shipped() if it.phase == "partners" and len(it.values) > 2 and len(it.best) == 1)
    answer, *_, values, lead = documents.printed(one, Texts())["solution"]
    ranked = sorted((value.known for value in one.values.values()), reverse=True)
    for value in ranked:
        assert f"{value:+.1f}".replace("-", "−") in values
    assert lead.startswith(f"{round(ranked[0], 1) - round(ranked[1], 1):.1f} points more than")
    assert answer[:-1] in values
    other = lead.split(": ")[1][:-1]
    assert other != answer[:-1]
    assert other in values


@needs_poppler
def test_a_ledger_in_a_booklet(tmp_path: Path) -> None:
    from atout.study.model import RoundLedger

    game, rng = Game.new("nichtig", 3, 5), new_rng(5, 3)
    while len(game.past()) < 2:
        game.play_randomly(rng)
    one = RoundLedger(0, 1.5, -2.3, 0.0, 0.0, -0.8, 0.0, -2.3, is_finished=True)
    document = documents.booklet(game.record(), Texts(), {1: [one] * 3})
    assert document["rounds"][0]["ledger"][1] == ["Player 1", "+1.5", "−2.3", "0.0", "0.0", "−0.8"]
    text = poppler("pdftotext", made(document), tmp_path)
    assert text.count("Where the points came from") == 1
    assert "no time left" in text


def test_a_wrong_paper_is_explained() -> None:
    with pytest.raises(UsageError, match="--paper: 'a9' is not known; allowed: a4, letter"):
        typeset(documents.score_sheet(published("nichtig"), 3, Texts()), Texts(), "a9")
