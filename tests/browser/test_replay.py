"""A record from a file or as text: stepped through, linked to, reviewed; a bad one is explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.conftest import Visits
from tests.browser.visitor import DESKTOP, PHONE, Visitor
from tests.records.samples import whole

SCRIPTS = Path(__file__).parent / "scripts"


@pytest.fixture(scope="module")
def record() -> str:
    return json.dumps(whole("niet-2015", 4) | {"names": ["Ann", "Bo", "Cy", "Di"]})


def bring(visitor: Visitor, record: str) -> None:
    page = visitor.go("/replay")
    page.get_by_label("Or paste a record").fill(record)
    page.get_by_role("button", name="Replay").click()
    page.get_by_text("Round 1: cards dealt").first.wait_for()


def play_a_match(visitor: Visitor) -> str:
    """By the page's own socket, without its table: the id of the record."""
    id: str = visitor.page.evaluate((SCRIPTS / "match.js").read_text(encoding="utf-8"))
    return id


def now(visitor: Visitor) -> str:
    return visitor.page.locator(".now").inner_text()


@pytest.mark.parametrize("size", [pytest.param(DESKTOP, marks=pytest.mark.slow), PHONE], ids=["desktop", "phone"])
def test_a_record_is_stepped_through(visits: Visits, record: str, size: tuple[int, int]) -> None:
    ann = visits(size=size)
    bring(ann, record)
    page = ann.page
    assert page.locator("[data-phase='veto']").count() == 1
    page.get_by_role("button", name="Forward", exact=True).click()
    assert page.url.endswith("#1")
    assert "vetoes" in now(ann)
    ann.axe()
    page.get_by_role("combobox", name="Trick").select_option("3")
    page.locator("[data-phase='play']").wait_for()
    ann.axe()
    ann.fits()
    page.get_by_role("combobox", name="Round").select_option("2")
    assert now(ann) == "Round 2: cards dealt"
    page.get_by_role("button", name="To the end").click()
    page.locator("[data-phase='over']").wait_for()
    ann.axe()


@pytest.mark.slow
def test_a_link_leads_to_a_move(visits: Visits, record: str) -> None:
    """The link to a move of one's own match: in another tab, and after going back."""
    ann = visits()
    ann.go("/")
    played: str = play_a_match(ann)
    ann.go(f"/replay/{played}#9")
    ann.page.locator(".now").wait_for()
    there = now(ann)
    ann.page.keyboard.press("ArrowRight")
    assert ann.page.url.endswith("#10")
    assert now(ann) != there
    ann.go(f"/replay/{played}#9")
    assert now(ann) == there
    on = ann.page.get_by_role("button", name="Play on from here")
    ann.page.get_by_role("button", name="To the end").click()
    assert on.is_disabled(), "nothing is decided any more"
    ann.go(f"/replay/{played}#9")
    on.press("Enter")
    ann.page.wait_for_url("**/table/**")
    ann.page.get_by_text("Played on from round 1").first.wait_for(state="attached")
    stranger = visits()
    stranger.go(f"/replay/{played}#9")
    stranger.page.get_by_text("This match is not in your list").wait_for()
    stranger.forgive("status of 401")


def test_the_eyes_of_a_seat_see_its_cards_alone(visits: Visits, record: str) -> None:
    ann = visits()
    bring(ann, record)
    assert ann.page.locator(".open-hand[role=group]").count() == 4
    ann.page.get_by_label("Show cards of").select_option("Cy")
    assert ann.page.locator(".open-hand[role=group]").count() == 1
    assert ann.page.locator(".open-hand[role=img]").count() == 3


def test_a_file_of_several_games_offers_them(visits: Visits, record: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(whole("nichtig", 3)) + "\n\n" + record + "\n")
    ann = visits()
    page = ann.go("/replay")
    page.set_input_files("input[type=file]", path)
    page.get_by_text("The file has 2 matches.").wait_for()
    page.get_by_label("Match", exact=True).select_option("2")
    page.get_by_role("button", name="Replay").last.click()
    page.get_by_role("heading", name="Niet! 2015").wait_for()


def test_what_is_no_record_is_told_at_once_and_only_as_long_as_it_matters(
    visits: Visits, record: str, tmp_path: Path
) -> None:
    page = visits().go("/replay")
    files = {"empty": "\n", "diary": "dear diary\nnothing happened\n", "two": f"{record}\n{record}\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    said = page.get_by_role("alert")
    page.set_input_files("input[type=file]", tmp_path / "empty")
    page.get_by_text("This file is empty.").wait_for()
    page.set_input_files("input[type=file]", tmp_path / "diary")
    page.get_by_text("This is not a record").wait_for()
    assert said.count() == 1
    page.set_input_files("input[type=file]", tmp_path / "two")
    page.get_by_text("The file has 2 matches.").wait_for()
    assert said.count() == 0


def test_a_bad_record_gets_the_verifiers_words(visits: Visits, record: str) -> None:
    foul = json.loads(record)
    foul["rounds"][1]["actions"][2] = foul["rounds"][1]["actions"][1]
    ann = visits()
    page = ann.go("/replay")
    page.get_by_label("Or paste a record").fill(json.dumps(foul))
    page.get_by_role("button", name="Replay").click()
    said = page.get_by_role("alert")
    said.wait_for()
    assert "Round 2, move 3: " in said.inner_text()
    ann.axe()
    ann.forgive("status of 422")


WORDS = {
    "en": ("Or paste a record", "Replay", "Review", "for you alone", "Where {}’s lead came from", "Public link"),
    "fr": ("Ou collez un enregistrement", "Revoir", "Analyse", "pour vous seul", "D’où vient l’avance de {}",
           "Lien public"),
    "de": ("Oder hier einfügen", "Ansehen", "Analyse", "nur für dich", "Woher der Vorsprung von {} kam",
           "Öffentlicher Link"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "size"),
    [
        ("en", DESKTOP),
        pytest.param("fr", PHONE, marks=pytest.mark.slow),
        pytest.param("de", PHONE, marks=pytest.mark.slow),
    ],
)
def test_a_record_from_a_file_is_reviewed_at_any_seat(visits: Visits, language: str, size: tuple[int, int]) -> None:
    """By somebody who was never here: the server keeps it for them, and the names stay in their tab."""
    paste, replay, review, note, lead, link = WORDS[language]
    reader = visits(size=size, language=language)
    page = reader.go("/replay")
    page.get_by_label(paste).fill(
        json.dumps(whole("nichtig", 3, {"length": {"rounds": 1}}) | {"names": ["Mia", "Bo", "Cy"]})
    )
    page.get_by_role("button", name=replay).click()
    page.get_by_text(note).wait_for()
    reader.fits()
    page.get_by_role("button", name=review).press("Enter")
    page.wait_for_url("**/review/import-*")
    page.get_by_role("heading", name=lead.format("Mia")).wait_for()
    reader.axe()
    reader.fits()
    page.get_by_role("combobox").first.select_option(label="Cy")
    page.wait_for_url("**/review/import-*/2")
    page.reload()
    page.get_by_role("heading", name=lead.format("Cy")).wait_for()
    page.get_by_role("link", name=replay).click()
    page.wait_for_url("**/replay/import-*")
    page.get_by_text("Mia, Bo, Cy").wait_for()
    assert page.get_by_text(link).count() == 0, "it is not theirs to publish"
    reader.axe()
    kept = reader.go("/replay").locator("a[href^='/review/import-']")
    kept.wait_for()
    assert "Mia, Bo, Cy" in kept.inner_text()
    reader.axe()
    reader.fits()
    address = kept.get_attribute("href")
    stranger = visits(size=size, language=language)
    way_on = stranger.go(f"{address}#3").locator("main a.btn")
    way_on.wait_for()
    assert way_on.get_attribute("href") == "/replay", "what is private to somebody else says so, and leads on"
    stranger.forgive("status of 401")
    page.locator(".one button").click()
    kept.wait_for(state="detached")
