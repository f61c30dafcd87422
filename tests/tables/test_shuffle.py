"""Fair shuffles: the page's example, honest records, and every way to tamper with one."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from atout import Game, RecordError
from atout.game import Setup
from atout.tables import check_fair
from atout.tables.shuffle import FairVerifier, Shuffler, commitment
from tests.cli.test_cli import Atout, atout
from tests.properties.matches import PLACES
from tests.tables.players import as_json, people

__all__ = ["atout"]
PAGE = Path(__file__).parents[2] / "docs" / "fair-shuffles.md"


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    table = people("nichtig", 3, seats=["open", "open", "random"]).playout(random.Random(1))
    record: dict[str, Any] = json.loads(as_json(table.table.record()))
    return record


def test_the_example_of_the_page() -> None:
    rows = dict(re.findall(r"^\| ([a-z0-9 ,]+?) \| `?([^`|]+?)`? \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    secret = "00" * 32
    shuffler = Shuffler(Setup.of("nichtig", 3), "demo", secret, ["", "ff", "0102"])
    assert rows["commitment"] == commitment("demo", secret)
    assert rows["key"] == shuffler.key.hex()
    assert rows["first dealer"] == f"seat {shuffler.first_dealer()}"
    for seat, hand in enumerate(shuffler.hands(1)):
        assert rows[f"round 1, seat {seat}"] == hand


def test_the_page_is_enough_to_write_it_again() -> None:
    """A second implementation, from the page's words alone."""
    secret, entropy = b"\x00" * 32, [b"", b"\xff", b"\x01\x02"]
    mixed = b"".join(len(one).to_bytes(1, "big") + one for one in entropy)
    key = hmac.new(secret, b"atout-fair-1 key\ndemo\n" + mixed, hashlib.sha256).digest()

    def numbers(label: bytes) -> Any:
        for counter in range(1000):
            block = hmac.new(key, label + b"\n" + counter.to_bytes(4, "big"), hashlib.sha256).digest()
            yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))

    def draw(stream: Any, below: int) -> int:
        while (number := next(stream)) >= 2**32 - 2**32 % below:
            pass
        return int(number % below)

    deck = [f"{letter}{value}" for letter in "BGPRY" for value in (0, *range(12))]
    stream = numbers(b"deal 4")
    for i in range(len(deck) - 1):
        j = i + draw(stream, len(deck) - i)
        deck[i], deck[j] = deck[j], deck[i]
    shuffler = Shuffler(Setup.of("nichtig", 3), "demo", secret.hex(), [one.hex() for one in entropy])
    assert shuffler.deck(4) == deck
    assert shuffler.hands(4) == [" ".join(deck[i : i + 13]) for i in (0, 13, 26)]
    assert shuffler.first_dealer() == draw(numbers(b"dealer"), 3)


@pytest.mark.parametrize(("edition", "players"), PLACES)
def test_a_deal_is_from_the_deck(edition: str, players: int) -> None:
    rules = Setup.of(edition, players)
    shuffler = Shuffler(rules, "t", "11" * 32, [""] * players)
    game = Game.at(rules, 0, 0, lambda number: shuffler.hands(number + 1))
    assert game.round == 1
    copies = Counter(shuffler.deck(2))
    assert copies == {card: rules.rules_record.copies[kind] for card, kind in game.notation.kind_of.items()}
    assert shuffler.deck(1) != shuffler.deck(2)


def test_every_place_is_equally_likely() -> None:
    """Where the first card of the deck lands, over many deals: chi-squared with 38 degrees of freedom, p > 0.0001."""
    shuffler = Shuffler(Setup.of("njet-1997", 4), "t", "22" * 32, [""] * 4)
    places = Counter(shuffler.deck(number).index("R2") for number in range(1, 2001))
    expected = 2000 / 40
    assert sum((places[place] - expected) ** 2 / expected for place in range(40)) < 83


def test_everything_brought_changes_the_deal() -> None:
    rules = Setup.of("nichtig", 3)
    deals = {
        tuple(Shuffler(rules, table, secret, entropy).hands(1))
        for table in ("a", "b")
        for secret in ("00" * 32, "01" * 32)
        for entropy in (
            ["", "", ""],
            ["00", "", ""],
            ["", "00", ""],
            ["", "", "00"],
            ["0000", "", ""],
            ["00", "00", ""],
        )
    }
    assert len(deals) == 24


def test_an_honest_record(record: dict[str, Any]) -> None:
    assert check_fair(record) == 3
    verifier = FairVerifier()
    verifier.check(as_json(record))
    assert verifier.deals == 3


def swap_hands(record: dict[str, Any]) -> None:
    hands = record["rounds"][1]["hands"]
    hands[0], hands[1] = hands[1], hands[0]


def swap_cards(record: dict[str, Any]) -> None:
    hands = [hand.split(" ") for hand in record["rounds"][2]["hands"]]
    hands[0][0], hands[2][-1] = hands[2][-1], hands[0][0]
    record["rounds"][2]["hands"] = [" ".join(hand) for hand in hands]


TAMPERED = [
    (swap_hands, "round 2: fair: the hand of seat 0"),
    (swap_cards, "round 3: fair: the hand of seat 0"),
    (lambda r: r.pop("fair"), "fair: missing"),
    (lambda r: r.update(fair=[]), "fair: expected"),
    (lambda r: r["fair"].update(scheme="mine"), "fair.scheme: 'mine' is not known"),
    (lambda r: r["fair"].update(secret="00" * 32), "does not fit the commitment"),
    (lambda r: r["fair"].update(secret="00" * 31), "fair: secret"),
    (lambda r: r["fair"].update(table="t2"), "does not fit the commitment"),
    (lambda r: r["fair"].update(commitment="00" * 32), "does not fit the commitment"),
    (lambda r: r["fair"].update(entropy=["", "", ""]), "fair: "),
    (lambda r: r["fair"].update(entropy=["", ""]), "fair.entropy: 2 entries"),
    (lambda r: r["fair"].update(entropy=["0", "", ""]), "fair: entropy"),
    (lambda r: r["fair"].update(entropy=["00" * 65, "", ""]), "fair: entropy"),
    (lambda r: r.update(first_dealer=(r["first_dealer"] + 1) % 3), "fair: first_dealer"),
    (lambda r: r["rounds"][0]["hands"].pop(), "round 1: hands: 2 hands"),
]


@pytest.mark.parametrize(("tamper", "problem"), TAMPERED, ids=range(len(TAMPERED)))
def test_a_tampered_record_is_named(record: dict[str, Any], tamper: Any, problem: str) -> None:
    forged = copy.deepcopy(record)
    tamper(forged)
    with pytest.raises(RecordError, match=re.escape(problem)):
        check_fair(forged)


def test_the_command(atout: Atout, record: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(as_json(record) + b"\n" + as_json(record) + b"\n")
    assert atout("verify", "--fair", path) == (0, "2 records verified, 6 deals computed again\n", "")
    plain = {key: value for key, value in record.items() if key != "fair"}
    unfair = Game.new("nichtig", 3, seed=1).record()
    other = {**record, "fair": {**record["fair"], "entropy": ["00", "00", ""]}}
    path.write_bytes(b"\n".join(as_json(line) for line in (record, plain, {**unfair, "fair": record["fair"]}, other)))
    code, out, err = atout("verify", "--fair", path)
    assert code == 1
    assert f"{path}:2: fair: missing" in out
    assert f"{path}:3: " in out
    assert f"{path}:4: " in out
    assert err == "1 record verified, 3 wrong\n"
    assert atout("verify", path).code == 0
