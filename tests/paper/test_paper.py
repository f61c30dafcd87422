"""PDF files: their text, their pages, embedded fonts, tags; for every edition, number of players and language."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from pypdf import PdfReader

from atout.editions import PUBLISHED, published
from atout.errors import UsageError
from atout.game import Game
from atout.game.knowledge import new_rng
from atout.i18n import LANGUAGES, Texts
from atout.paper import documents
from atout.paper.typeset import PAPERS, typeset
from atout.sheet import SheetEditor, new_sheet


def made(document: dict[str, Any], language: str = "en", paper: str = "a4") -> bytes:
    pdf = typeset(document, Texts(language), paper)
    assert pdf.startswith(b"%PDF")
    return pdf


def read(pdf: bytes) -> PdfReader:
    """The file, which must be tagged: screen readers find their way in it by its tags."""
    reader = PdfReader(io.BytesIO(pdf))
    root: Any = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    return reader


def texts_of(pdf: bytes) -> list[str]:
    """By page."""
    return [page.extract_text() for page in read(pdf).pages]


def text_of(pdf: bytes) -> str:
    return "\n".join(texts_of(pdf))


def fonts_of(pdf: bytes) -> dict[str, list[str]]:
    """By name, the keys of what the file says of each font; an embedded one has the key of its data among them."""
    found = {}
    for page in read(pdf).pages:
        resources: Any = page["/Resources"]
        for font in resources["/Font"].values():
            for one in font.get_object()["/DescendantFonts"]:
                found[str(one.get_object()["/BaseFont"])] = list(one.get_object()["/FontDescriptor"])
    return found


def lines_of(pdf: bytes) -> list[tuple[str, float, float]]:
    """Pieces of text of the first page, with the height of the line they stand on, in points, and their size."""
    found: list[tuple[str, float, float]] = []

    def visit(text: str, current: list[float], _matrix: object, _font: object, size: float) -> None:
        if text.strip():
            found.append((text.strip(), current[5], size))

    read(pdf).pages[0].extract_text(visitor_text=visit)
    return found


@pytest.mark.parametrize("paper", PAPERS)
def test_blank_sheets_are_one_page_each(paper: str) -> None:
    for name in PUBLISHED:
        for players in published(name).counts:
            document = documents.score_sheet(published(name), players, Texts())
            assert len(read(made(document, paper=paper)).pages) == 1, (name, players)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_in_short_are_one_page_each(language: str) -> None:
    for name in PUBLISHED:
        document = documents.rules_in_short(published(name), Texts(language))
        for paper in PAPERS:
            assert len(read(made(document, language, paper)).pages) == 1, (name, paper)
    text = text_of(made(document, language))
    assert Texts(language).t("paper.rules.score") in text


def test_only_our_fonts_and_all_embedded() -> None:
    game = Game.new("niet-2015", 3, seed=3)
    rng = new_rng(1, 2)
    while not game.is_over:
        game.play_randomly(rng)
    pdf = made(documents.booklet(game.record(), Texts()))
    fonts = fonts_of(pdf)
    assert {name.partition("+")[2] for name in fonts} == {"Karla-Regular", "Karla-Bold", "LeagueSpartan-Bold"}
    assert all(any(key.startswith("/FontFile") for key in keys) for keys in fonts.values()), fonts
    text = text_of(pdf)
    assert len(read(pdf).pages) == 1 + game.setup.options.rounds
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


def test_a_filled_sheet() -> None:
    editor = SheetEditor(new_sheet("niet-2015", ["Ann", "Bo", "Cy", "Di"]), Texts("fr"))
    assert editor.do("add discard=one trump=red points=3 side=1,3 tricks=5,4,3,2 loot=1,0,2,0") == ""
    document = documents.filled_sheet(editor.sheet, Texts("fr"))
    text = text_of(made(document, "fr"))
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


def test_deal_slips_hold_every_card_once() -> None:
    document = documents.deal_slips(published("nichtig"), 6, 2, 7, Texts("de"))
    cards = [value for seat in document["deals"][0]["seats"] for _, values in seat["hand"] for value in values.split()]
    assert len(cards) == 60
    assert document == documents.deal_slips(published("nichtig"), 6, 2, 7, Texts("de"))
    text = text_of(made(document, "de"))
    assert "Platz 6" in text
    assert "Alle Hände" in text


@pytest.mark.parametrize("paper", PAPERS)
def test_deal_slips_fill_their_pages(paper: str) -> None:
    """Eight deals of 32 slips, and a page or two with all hands."""
    document = documents.deal_slips(published("niet-2015"), 4, 8, 7, Texts())
    text = texts_of(made(document, paper=paper))
    slips = [len(re.findall(r"is the dealer. Seat \d", page)) for page in text]
    assert slips[0] >= 12, slips
    assert sum(slips[:3]) == 32, slips


def test_a_match_short_enough_begins_below_its_totals() -> None:
    """A round stays on one page, and none is left empty for it."""
    game, rng = Game.new("nichtig", 3, seed=3), new_rng(1, 2)
    while not game.is_over:
        game.play_randomly(rng)
    text = texts_of(made(documents.booklet(game.record(), Texts())))
    assert [page.count("The deal") for page in text] == [1, 1, 1]
    assert [f"Round {number}\n" in page for number, page in enumerate(text[:3], 1)] == [True] * 3


def test_a_round_that_has_no_room_below_the_totals_leaves_it_to_their_chart() -> None:
    game, rng = Game.new("niet-2015", 4, seed=3), new_rng(1, 2)
    while not game.is_over:
        game.play_randomly(rng)
    document = documents.booklet(game.record(), Texts())
    pdf = made(document)
    assert [page.count("The deal") for page in texts_of(pdf)] == [0, *[1] * len(document["rounds"])]
    names = [text for text, _, _ in lines_of(pdf) if text in document["names"]]
    assert sorted(names) == sorted(document["names"] * 2), "in the table, and at the lines of the chart"


def test_long_names_stay_in_their_cells() -> None:
    names = ["Maximilian-Alexander von Hohenzollern", "Bo", "Ann-Kathrin Müller", "Di"]
    editor = SheetEditor(new_sheet("niet-2015", names), Texts())
    found = lines_of(made(documents.filled_sheet(editor.sheet, Texts())))
    title, counts = (next(one for one in found if one[0].startswith(word)) for word in ("Niet!", "tricks"))
    of_name = [one for one in found if any(one[0] in name for name in names)]
    assert [text for text, _, _ in of_name] == [
        "Maximilian-Alexander", "von Hohenzollern", "Bo", "Ann-Kathrin Müller", "Di",
    ]  # fmt: skip
    for text, height, size in of_name:
        assert height + size < title[1] - 10, f"{text} lies on the line below the title"
        assert height > counts[1] + counts[2], f"{text} lies on the row below"


def test_solutions_of_puzzles_begin_on_a_new_page() -> None:
    puzzle: documents.Puzzle = {
        "title": "Capture", "text": "Dealer: You", "names": ["You", "Player 2"], "own": [], "board": [], "tricks": [],
        "won": [["0", "0"]] * 2, "piles": [], "deck": ["blue", "red"], "hand": ["B1", "R4"],
        "question": "What do you play?", "solution": ["The blue 1."],
    }  # fmt: skip
    pdf = made(documents.puzzle_sheet([puzzle] * 3, "Puzzles", Texts()))
    front, *back = texts_of(pdf)
    assert "What do you play?" in front
    assert "The blue 1." not in front
    assert "The blue 1." in "".join(back)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_shipped_puzzle_can_be_printed(language: str) -> None:
    from atout import puzzles

    by_phase = {(one.edition, one.phase): one for one in puzzles.shipped()}
    shown = [documents.printed(one, Texts(language)) for one in by_phase.values()]
    assert all(one["solution"] and one["hand"] and "{" not in one["text"] + "".join(one["solution"]) for one in shown)
    pages = texts_of(made(documents.puzzle_sheet(shown, "Puzzles", Texts(language)), language))
    assert f"{len(shown)}. " in "\n".join(pages)
    assert all(len(page.split()) > 40 for page in pages), "no page is empty"


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


def test_a_ledger_in_a_booklet() -> None:
    from atout.study.model import RoundLedger

    game, rng = Game.new("nichtig", 3, 5), new_rng(5, 3)
    while len(game.past()) < 2:
        game.play_randomly(rng)
    one = RoundLedger(0, 1.5, -2.3, 0.0, 0.0, -0.8, 0.0, -2.3, is_finished=True)
    document = documents.booklet(game.record(), Texts(), {1: [one] * 3})
    assert document["rounds"][0]["ledger"][1] == ["Player 1", "+1.5", "−2.3", "0.0", "0.0", "−0.8"]
    text = text_of(made(document))
    assert text.count("Where the points came from") == 1
    assert "no time left" in text


def test_a_wrong_paper_is_explained() -> None:
    with pytest.raises(UsageError, match="--paper: 'a9' is not known; allowed: a4, letter"):
        typeset(documents.score_sheet(published("nichtig"), 3, Texts()), Texts(), "a9")
