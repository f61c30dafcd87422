"""The review of a match: from my games to one decision and a second try, by mouse and by keyboard."""

from __future__ import annotations

import re

import msgspec
import pytest

from atout.study.model import Phase
from tests.browser.conftest import Visits
from tests.browser.reviewed import place_of, reviewed, serve_review
from tests.browser.test_games import who_has_played
from tests.browser.visitor import DESKTOP, PHONE

CHOICES = ".choices button, .hand-room button[aria-disabled=false], .board .cell[aria-disabled=false]"
"""What can be chosen at a second try."""
CHOSEN = "(cells) => cells.findIndex((cell) => cell.classList.contains('hover'))"


def number(text: str) -> float:
    """A number as any language writes it."""
    return float(text.replace("−", "-").replace(",", "."))


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.slow)], ids=["desktop", "phone"])
def test_a_review_from_my_games_to_a_second_try(visits: Visits, size: tuple[int, int]) -> None:
    ann, played = who_has_played(visits, size=size)
    page = ann.go("/games")
    page.get_by_role("link", name="Review").first.click()
    page.get_by_role("heading", name="Where your lead came from").wait_for()  # before all decisions are judged
    page.get_by_role("heading", name="Error rate").wait_for()  # and when they are
    assert page.url.endswith(f"/review/{played}")
    about = page.get_by_text("Compared with strong players at every seat: “The deal” is what they would make")
    assert about.is_visible(), "what the ledger is compared with"
    words = page.get_by_text("The cards were worth").inner_text()
    assert page.locator("li.result .d").inner_text() in words
    ann.axe()
    ann.fits()

    rows = page.locator("aside ol > li > a")
    costs = [number(text) for text in page.locator("aside ol > li > a > .d").all_inner_texts()]
    assert costs == sorted(costs), "what cost most comes first"
    if not costs:
        page.goto(f"/review/{played}#1")  # nothing to tell: any decision will do
    else:
        rows.first.focus()
        page.keyboard.press("Enter")
    bars = page.locator(".alternatives > li")
    bars.first.wait_for()
    assert page.get_by_text("your choice").count() == 1
    ann.axe()
    ann.fits()
    hands = page.locator(".open-hand")
    assert hands.count() == 0
    ann.pick("Judged by", "Open cards")
    hands.first.wait_for()
    ann.pick("Judged by", "What I knew")
    assert hands.count() == 0

    page.get_by_role("button", name="Try again").click()
    assert bars.count() == 0, "the answer is hidden"
    assert page.locator(".was .value").count() == 0
    page.locator(CHOICES).first.focus()
    page.keyboard.press("Enter")
    ann.axe()
    page.locator(".panel .answer").click()
    bars.first.wait_for()
    assert page.locator(".verdict").count() == 1
    page.get_by_role("link", name="Back to the review").click()
    page.get_by_role("heading", name="What cost most").wait_for()

    page.goto(f"/review/{played}#1")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/table/**")
    page.get_by_text("Played on from round").first.wait_for(state="attached")
    back = page.get_by_role("link", name="Back to the review")
    back.wait_for()
    assert str(back.get_attribute("href")).endswith(f"/review/{played}/0#1"), "at the decision that was left"
    page.goto("/games")
    page.get_by_text("Began in the middle of another match").wait_for()
    page.get_by_role("heading", name="Error rate").wait_for()
    assert page.locator(".list ol > li").count() == 1, "what is played on is no match of mine"
    stranger = visits(size=size)
    stranger.go(f"/review/{played}")
    stranger.page.get_by_text("This match is not in your list.").wait_for()
    stranger.forgive("401")
    stranger.forgive("404")


TRICKS_SCORE = {"en": "Where tricks score", "fr": "Quand les plis rapportent", "de": "Wo Stiche Punkte bringen"}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE, (360, 640)], ids=["desktop", "phone", "small"])
def test_a_decision_of_every_phase(visits: Visits, size: tuple[int, int], language: str) -> None:
    """No part moves when the reader switches to open cards, and the answer is hidden at a second try."""
    looked_at: tuple[tuple[str, tuple[Phase, ...]], ...] = (
        ("niet-2015", ("veto", "partners", "cards", "tricks")), ("nichtig", ("piles", "tricks")),
    )  # fmt: skip
    for edition, phases in looked_at:
        record, review = reviewed(edition, 4)
        ann = visits(size=size, language=language)
        path = serve_review(ann, record, review)
        page = ann.go(path)
        page.locator("aside ol > li").first.wait_for()
        legend = page.locator("aside .note").first.inner_text()
        assert (TRICKS_SCORE[language] in legend) == (edition == "niet-2015"), "in Null & nichtig no trick scores"
        ann.axe()
        ann.fits()
        for phase in phases:
            page.goto(f"{path}#{place_of(review, phase)}")
            page.locator(".alternatives > li").first.wait_for()
            ann.axe()
            ann.fits()
            page.locator(".views fieldset").evaluate("(it) => it.scrollIntoView({ block: 'center' })")
            before = page.locator(".views fieldset").bounding_box()
            page.locator(".views fieldset input").nth(1).check()
            page.locator(".open-hand").first.wait_for()
            assert page.locator(".views fieldset").bounding_box() == before
            worth = [number(text) for text in page.locator(".alternatives .d").all_inner_texts()]
            assert worth == sorted(worth, reverse=True), "the best with open cards comes first"
            assert page.locator(".verdict").count() == 1, "what is best with open cards is said"
            if size != DESKTOP:
                page.evaluate("scrollTo(0, 0)")
                hand = page.locator(".open-hand").first.bounding_box()
                assert hand is not None
                assert hand["y"] < size[1] / 2, "a phone shows an opponent's cards at once"
            ann.fits()
            page.locator(".do .btn").first.click()
            assert page.locator(".was .value, .alternatives").count() == 0
            page.locator(CHOICES).first.click(position={"x": 8, "y": 20})  # the next card of the hand covers the rest
            page.locator(".panel .answer").click()
            page.locator(".verdict").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "heading", "part", "mine"),
    [
        ("en", "Where Ines’s lead came from", "Ines’s decisions", "\\byour?\\b"),
        ("fr", "D’où vient l’avance d’Inès", "Les décisions d’Inès", "\\b(vous|votre|vos)\\b"),
        ("de", "Woher der Vorsprung von Ines kam", "Die Entscheidungen von Ines", "\\b(du|deine?[rnms]?)\\b"),
    ],
)
def test_the_review_of_another_player_names_that_player(
    visits: Visits, language: str, heading: str, part: str, mine: str
) -> None:
    record, review = reviewed("niet-2015", 4, seat=2)
    ann = visits(size=PHONE, language=language)
    path = serve_review(ann, record, msgspec.structs.replace(review, seats=[0, 1, 2, 3]))
    page = ann.go(f"{path}/2")
    page.get_by_role("heading", name=heading).wait_for()
    assert page.locator(".fall .name").nth(1).inner_text() == part
    said = " ".join(page.locator(".review section").all_inner_texts())
    cell = "(?<!: )"  # "Start player: You" is the reader's own seat
    assert re.findall(f"{cell}{mine}", said, re.IGNORECASE) == []
    ann.fits()


@pytest.mark.slow
def test_a_second_try_is_seen_at_once_and_a_mark_of_the_curve_leads_to_its_decision(visits: Visits) -> None:
    record, review = reviewed("niet-2015", 4)
    ann = visits(size=PHONE)
    path = serve_review(ann, record, review)
    page = ann.go(f"{path}#{place_of(review, 'veto')}")
    page.get_by_role("button", name="Try again").click()
    page.locator(CHOICES).first.click()
    chosen = page.locator(".board .cell").evaluate_all(CHOSEN)
    assert chosen >= 0
    page.locator(".panel .answer").click()
    page.locator(".verdict").wait_for()
    assert page.locator(".board .cell").evaluate_all(CHOSEN) == chosen, "the new choice is marked"
    assert page.locator(".head .label").count() == 0, "what was said of the old one is gone"
    verdict, bar = page.locator(".verdict").bounding_box(), page.locator(".panel .do").bounding_box()
    assert verdict is not None
    assert bar is not None
    assert 0 <= verdict["y"] < verdict["y"] + verdict["height"] <= bar["y"]

    page.goto(path)
    mark = page.locator(".plot a").last  # the dearest lie above the others
    mark.click()
    page.locator(".alternatives > li").first.wait_for()
    assert page.locator(".head .label").inner_text() == "Blunder"


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_back_from_a_decision_leads_to_where_one_was(visits: Visits, size: tuple[int, int]) -> None:
    record, review = reviewed("niet-2015", 4)
    ann = visits(size=size)
    path = serve_review(ann, record, review)
    page = ann.go(path)
    rows = page.locator("aside ol > li > a")
    rows.nth(14).wait_for()
    rows.nth(12).scroll_into_view_if_needed()
    there = page.evaluate("scrollY")
    assert there > 100
    for by in ("link", "next", "browser"):
        rows.nth(12).click()
        page.locator(".alternatives > li").first.wait_for()
        assert page.evaluate("scrollY") == 0
        if by == "next":
            page.locator(".panel").get_by_role("link", name="Next").click()
            page.locator(".alternatives > li").first.wait_for()
        if by == "browser":
            page.go_back()
        else:
            page.get_by_role("link", name="Back to the review").first.click()
        seen = rows.nth(13 if by == "next" else 12)
        page.locator("aside ol > li > a[aria-current]").wait_for()
        assert seen.get_attribute("aria-current") == "true"
        page.wait_for_function("(y) => Math.abs(scrollY - y) < 150", arg=there)
        assert seen.evaluate("(it) => it === document.activeElement")
        box = seen.bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= size[1] - box["height"], "it is in sight"
    ann.axe()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.slow
def test_every_decision_can_be_opened_also_where_there_is_nothing_to_tell(
    visits: Visits, size: tuple[int, int]
) -> None:
    record, review = reviewed("niet-2015", 4)
    ann = visits(size=size)
    page = ann.go(serve_review(ann, record, review))
    button = page.get_by_text(f"All decisions ({len(review.decisions)})", exact=True)
    button.scroll_into_view_if_needed()
    before = button.bounding_box()
    button.focus()
    page.keyboard.press("Enter")
    rows = page.locator("details ol > li > a")
    rows.first.wait_for()
    assert button.bounding_box() == before, "nothing above it moves"
    assert rows.count() == len(review.decisions)
    rounds = [f"Round {n + 1}" for n in dict.fromkeys(one.round for one in review.decisions)]
    assert page.locator("details h3").all_inner_texts() == rounds
    fine = next(n for n, one in enumerate(review.decisions) if one.label == "fine" and not one.luck)
    assert rows.nth(fine).locator(".label, .d").count() == 0
    assert rows.nth(fine).locator(".words").text_content(), "what was chosen is said, too"
    ann.fits()
    ann.axe()
    rows.nth(fine).click()
    page.get_by_text("Fine", exact=True).wait_for()
    page.locator(".panel").get_by_role("link", name="Next").click()
    page.wait_for_url(f"**#{fine + 2}")
    page.get_by_role("link", name="Back to the review").first.click()
    seen = page.locator("aside a[aria-current]")
    seen.wait_for()
    assert seen.evaluate("(it) => it === document.activeElement")
    assert rows.nth(fine + 1).get_attribute("aria-current") == "true", "back in the list of all"


@pytest.mark.parametrize("size", [PHONE, (360, 640)], ids=["phone", "small"])
@pytest.mark.slow
def test_the_words_of_a_cell_stay_beside_its_value(visits: Visits, size: tuple[int, int]) -> None:
    """A card and a card that is not a 1 are two things."""
    record, review = reviewed("niet-2015", 4)
    ann = visits(size=size)
    page = ann.go(f"{serve_review(ann, record, review)}#1")
    page.locator(".alternatives > li").first.wait_for()
    cells = page.locator(".board .cell:not(.covered)[data-cell^='discard'] .in")
    said = [" ".join(text.split()) for text in cells.all_inner_texts()]
    assert len(said) > 1
    assert len(set(said)) == len(said)
    assert all(re.search("[a-z]", text) for text in said), said
    words = page.locator(".board .cell:not(.covered) .in > * + span")
    assert words.evaluate_all("(all) => all.every((it) => it.scrollWidth <= it.clientWidth)"), "none is cut"
