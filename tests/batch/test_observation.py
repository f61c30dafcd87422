"""The observation: its legend is complete, it tells nothing a seat may not know, and colours have no names in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from atout import Game, RecordError
from atout.batch.legend import page
from atout.game.view import read_view
from atout.knowledge import entries as knowledge_entries
from atout.knowledge import features
from atout.knowledge.features import BLOCK, PARTS, SIZE, first_of
from atout.rules.layout import NOBODY
from tests.properties.expected_views import disguised
from tests.properties.matches import PLACES, SETTINGS, Setting, chance, lopsided, new_game, play_on
from tests.properties.test_views import positions

ROOT = Path(__file__).parents[2]
PLACED = [Setting(edition, players, {}) for edition, players in PLACES]
every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=[setting.id for setting in SETTINGS])
every_place = pytest.mark.parametrize("place", PLACED, ids=[place.id for place in PLACED])


def part(vector: npt.NDArray[np.int8], name: str, seat: int = 0) -> list[int]:
    wide = next(part.width for part in PARTS if part.name == name)
    first = first_of(name) + seat * wide
    return [int(number) for number in vector[first : first + wide]]


def seen_by(game: Game, seat: int | None = None) -> npt.NDArray[np.int8]:
    return game.knowledge(game.turn if seat is None else seat).encode()[0]


def test_the_page_is_fresh() -> None:
    written = (ROOT / "docs" / "observation.md").read_text(encoding="utf-8")
    assert written == page(), "it is stale; write it with: python -m atout.batch.legend > docs/observation.md"


def test_every_name_of_an_index_is_its_part() -> None:
    """The constants the encoder writes to are the legend's, each part once."""
    names = {"DOUBLED": "double", "TABLE": "nichtig"}
    constants = {
        name: value
        for name, value in vars(features).items()
        if name.isupper() and isinstance(value, int) and any(part.name == name.lower() for part in PARTS)
    } | {name: getattr(features, name) for name in names}
    for name, value in constants.items():
        assert value == first_of(names.get(name, name.lower())), name
    named = {names.get(name, name.lower()) for name in constants}
    setup = [part.name for part in PARTS][[part.name for part in PARTS].index("nichtig") :]
    assert named | set(setup) == {part.name for part in PARTS}
    with pytest.raises(KeyError):
        first_of("nothing")


def test_every_number_is_used_and_none_is_lost() -> None:
    """Over random positions of all tables every part says something, and no number leaves its 8 bits."""
    used = np.zeros(SIZE, bool)
    for setting in SETTINGS:
        for seed in range(3):
            rng = chance("used", setting.id, seed)
            game = new_game(setting, seed, lopsided(setting, seed) if seed % 2 else None)
            while not game.is_over and game.round <= 3:
                used |= seen_by(game) != 0
                play_on(game, rng, rng.randrange(1, 9))
    first = 0
    for one in PARTS:
        size = one.times * one.width
        assert used[first : first + size].any(), one.name
        first += size
    assert first == SIZE


@every_setting
def test_hidden_cards_change_nothing(setting: Setting) -> None:
    """When cards that a seat has not seen are exchanged, its observation stays the same."""
    rng = chance("disguise", setting.id)
    compared = different = 0
    for seed in range(2):
        for game, referee in positions(setting, seed, often=0.06):
            if game.turn is None:
                continue
            for seat in range(setting.players):
                record = game.record()
                now = record["rounds"][-1]
                before = now["hands"], now["actions"]
                now["hands"], now["actions"] = disguised(referee, seat, rng, swaps=rng.choice((1, 2, 9)))
                try:
                    twin = Game.from_record(record)
                except RecordError:
                    continue
                compared += 1
                different += (now["hands"], now["actions"]) != before
                assert (seen_by(twin, seat) == seen_by(game, seat)).all()
                assert twin.knowledge(seat).encode()[1] == game.knowledge(seat).encode()[1]
    assert different > compared // 2 > 10, "too few disguises to prove anything"


@every_setting
def test_places_are_the_legal_actions(setting: Setting) -> None:
    """One place for each legal action and back, from a view as well as from the game."""
    rng = chance("places", setting.id)
    for game, _ in positions(setting, 1, often=0.2):
        if game.turn is None:
            continue
        known = game.knowledge(game.turn)
        vector, mask = known.encode()
        actions = [knowledge_entries.action_at(known.redacted, known.setup.rules, place) for place in range(BLOCK)]
        assert [place for place in range(BLOCK) if actions[place] != NOBODY] == [
            place for place in range(BLOCK) if (mask >> place) & 1
        ]
        assert sum(1 << action for action in actions if action != NOBODY) == known.legal
        if rng.random() < 0.3:
            again, same_mask = read_view(game.view(game.turn)).encode()
            assert (again == vector).all()
            assert same_mask == mask


@every_place
def test_colours_have_no_names(place: Setting) -> None:
    """The same match with colours renamed looks the same, wherever colours do not weigh the same."""
    rng = chance("colours", place.id)
    letters = sorted({card[0] for card in place.book.deck})
    names = dict(zip("RKBGYP", ("red", "black", "blue", "green", "yellow", "purple"), strict=True))
    compared = 0
    for seed in range(12):
        renamed = dict(zip(letters, rng.sample(letters, len(letters)), strict=True))
        words = renamed | {names[old]: names[new] for old, new in renamed.items()}
        game = play_on(new_game(place, seed), rng, rng.randrange(70))
        record = game.record()
        now = record["rounds"][0]
        now["hands"] = [" ".join(renamed[card[0]] + card[1:] for card in hand.split()) for hand in now["hands"]]
        now["actions"] = [" ".join(translated(word, words) for word in action.split()) for action in now["actions"]]
        if len(record["rounds"]) > 1:
            continue
        twin = Game.from_record(record)
        for seat in range(place.players):
            if not has_ties(game, seat):
                assert (seen_by(twin, seat) == seen_by(game, seat)).all()
                compared += 1
    assert compared > 4


def translated(word: str, words: dict[str, str]) -> str:
    if word in words and len(word) > 1:
        return words[word]
    return words[word[0]] + word[1:] if word[0] in words and word[1:].isdigit() else word


def has_ties(game: Game, seat: int) -> bool:
    """Two colours weigh the same for the seat: then the lower number decides, which is a name."""
    view = game.view(seat)
    if view["phase"] == "lay" and view["chosen"]:
        return True  # piles are built already, but in an order the view does not tell
    weights = {word[0]: [0, 0] for word in game.notation.cards}
    for card in view["hand"]:
        weights[card[0]][1] += 32 + int(card[1:])
    for pile in view["piles"][seat] if view["piles"] else []:
        weights[pile[-1][0]][0] = int(pile[-1][1:]) + 1
    return len({tuple(weight) for weight in weights.values()}) < len(weights)


def test_a_position_by_hand() -> None:
    """Null & nichtig, three players: what the numbers say can be read off the table."""
    game = Game.new("nichtig", 3, seed=3)
    vector = seen_by(game)
    assert sum(part(vector, "hand")) == 13
    assert part(vector, "players") == [0, 0, 1, 0, 0, 0]
    assert part(vector, "nichtig") == [1]
    assert part(vector, "undealt") == [65 - 39]
    assert sum(part(vector, "unseen")) == 65 - 13
    assert part(vector, "todo") == [3]
    assert part(vector, "in_hand", seat=1) == [13]
    game = Game.new("niet-2015", 4, seed=7)
    game.play("2 veto trump red")
    vector = seen_by(game)
    assert sum(part(vector, "free")) == 22
    assert sum(part(vector, "marks", seat=3)) == 1
    assert sum(part(vector, "marks", seat=0)) == 0
