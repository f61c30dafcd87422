"""What a hint says of a sample of likely deals: its share, and never that something is certain.

The ending is so small that every deal can be counted, so it is known what is true of all of them.
"""

from __future__ import annotations

import asyncio
import json
from itertools import combinations
from typing import Any

import pytest

from atout.game import Game
from atout.i18n import LANGUAGES, Texts
from atout.terminal.words import Words
from tests.server.background import Background
from tests.server.client import Party
from tests.study.certainty import certain_words

DECK = [f"{colour}{value}" for colour in "BGPRY" for value in (0, *range(12))]
HANDS = [
    "B5 B10 B11 G2 G9 P0 P2 P10 P11 R2 Y4 Y8 Y11",
    "B0 B1 B6 B7 G3 G4 G8 P0 P5 P6 R11 Y1 Y6",
    "B2 B4 B9 G0 P8 R0 R0 R3 R6 R9 Y0 Y0 Y2",
]
ACTIONS = [
    "0 lay Y11", "0 lay P11", "0 lay B11", "1 lay R11", "1 lay G8", "1 lay B7", "2 lay B9", "2 lay R9", "2 lay P8",
    "0 play P0", "1 play B0", "2 play Y0", "0 play R2", "1 play B1", "2 play B2", "0 play G2", "1 play Y1",
    "2 play Y2", "0 play P2", "1 play P0", "2 play R0", "0 play Y4", "1 play G4", "2 play B4", "0 play B5",
    "1 play G3", "2 play Y0", "0 play Y8", "1 play Y6", "2 play R6", "0 play G9", "1 play B6", "2 play G0",
    "0 play P10",
]  # fmt: skip
LAST = ["1 play P6", "2 play R3"]
"""Seat 0 leads P10. Seat 1, who asks, holds P5 and P6; seat 2 is last, with two cards that nobody else has seen."""
RECORD: dict[str, Any] = {
    "atout": 1, "edition": "nichtig", "players": 3, "options": {}, "first_dealer": 2,
    "rounds": [{"leader": 0, "hands": HANDS, "actions": [*ACTIONS, *LAST]}],
}  # fmt: skip
SEAT = 1


def unseen() -> list[str]:
    """The cards that seat 1 has not seen: in the hands of the others, or not dealt."""
    left = list(DECK)
    seen = [*HANDS[SEAT].split(), *(words[2] for words in map(str.split, ACTIONS) if words[0] != str(SEAT))]
    for card in seen:
        left.remove(card)
    return left


def share_won_by_the_leader() -> float:
    """The share of all deals in which seat 2 has no card above the 10: else it may win the trick with it."""
    hands = list(combinations(unseen(), 2))
    return sum(all(int(card[1:]) <= 10 for card in hand) for hand in hands) / len(hands)


def test_the_ending_is_what_the_test_says() -> None:
    """In most deals the trick goes to seat 0, and in some it can go to seat 2: counted, and played."""
    assert 0.9 < share_won_by_the_leader() < 1.0
    assert "G11" in unseen()
    hands = [hand.split() for hand in HANDS]
    hands[2][hands[2].index("R3")] = "G11"  # R3 was not dealt instead: seat 1 sees exactly the same
    deal = {**RECORD["rounds"][0], "hands": [" ".join(hand) for hand in hands], "actions": ACTIONS}
    game, same = Game.from_record({**RECORD, "rounds": [deal]}), Game.from_record(_until(RECORD))
    assert game.view(SEAT) == same.view(SEAT)
    for mine in ("P5", "P6"):
        other = game.copy()
        other.play(f"{SEAT} play {mine}")
        other.play("2 play G11")
        assert other.view(None)["trick_winners"][-1] == 2, "not to seat 0, whatever seat 1 plays"


def _until(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "rounds": [{**record["rounds"][0], "actions": ACTIONS}]}


def hint(server: Background) -> list[dict[str, Any]]:
    """The reasons of the server's hint at this decision, at a table that is played on from the record."""

    async def ask() -> list[dict[str, Any]]:
        async with Party(server.url) as party:
            ann = await party.guest("Ann")
            answer = await ann.http.post("/api/records", json={"record": json.dumps(RECORD)})
            assert answer.is_success, answer.text
            path = f"/api/records/{answer.json()['record']}/play-on"
            wanted = {"round": 0, "index": len(ACTIONS), "seat": SEAT}
            socket = await ann.connect((await ann.post(path, wanted))["table"])
            await socket.do("sit", name="Ann", entropy="cd" * 8)
            while not (socket.view["game"] and socket.view["game"]["legal"]):
                await socket.receive()
            assert sorted(socket.view["game"]["legal"]) == ["1 play P5", "1 play P6"]
            found: list[dict[str, Any]] = (await socket.do("hint"))["reasons"]
            return found

    return asyncio.run(ask())


@pytest.fixture(scope="module")
def reasons(lone: Background) -> list[dict[str, Any]]:
    return hint(lone)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_tells_the_share_and_no_certainty(reasons: list[dict[str, Any]], language: str) -> None:
    """The trick goes to seat 0 in every deal that was looked at, and not in every deal there is."""
    words = Words(Texts(language), ["Ann", "Bob", "Cid"], SEAT, None)
    told = [line for one in reasons for line in words.reason(one["code"], one["parameters"])]
    assert [one["code"] for one in reasons] == ["all-same", "trick-goes"], told
    assert [certain_words(line, language) for line in told] == [[], []], told
    tenths = reasons[1]["parameters"]["least_tenths"]
    assert 5 < tenths <= 10 * share_won_by_the_leader(), "at least so many, and that is true"
    share = {"en": f"at least {tenths} of 10", "fr": f"au moins {tenths} donnes probables sur 10",
             "de": f"mindestens {tenths} von 10"}[language]  # fmt: skip
    assert share in told[1]
    assert "Ann" in told[1]
