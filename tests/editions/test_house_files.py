"""House rules from files: they play, record and replay; and a wrong file is told what is wrong with it."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

from atout import EditionError, Game, Setup
from atout.editions import Edition, checks, from_tree, load, to_tree
from atout.editions.loader import MAX_DEPTH, MAX_FILE
from atout.errors import RecordError, Refused
from atout.records import make_replay
from atout.tables.settings import TableSettings, check_settings
from tests.rules.positions import Setting, dealt, house, may_play, new, play, played_out

# ---------------------------------------------------------------- right files

NO_TRUMP = """
id = "niet-no-trump"
base = "niet-2015"
name = "Niet! with a no-trump cell"

[board]
trump = ["red", "yellow", "blue", "green", "none"]
"""
FREE_DISCARD = """
id = "njet-free"
base = "njet-1997"

[trick]
void = "any"
"""
STEEP_POINTS = """
id = "niet-steep"
base = "niet-2015"

[board]
points = [5, 10, 20, -10, -20]
"""
OTHER_ROUNDS = """
id = "nichtig-long"
base = "nichtig"

[players.3]
rounds = 5
short = 2
"""
SIX_PLAYERS = """
id = "njet-six"
base = "njet-2007"

[players.6]
hand = 10
rounds = 2
sides = [2, 3]
"""
FROM_SCRATCH = """
id = "tiny"
game = "njet"
name = "A game of its own"

[deck]
colours = ["purple", "black"]
values = [0, 0, 1, 2, 3, 4, 4]
low = 0

[players.2]
hand = 5
rounds = 3

[players.3]
hand = 4
rounds = 2
sides = [1]

[board]
first = "left-of-dealer"
discard = ["pass-two", "two-not-0"]
trump = ["black", "none"]
super = ["purple"]
points = [0, 3]

[trick]
ties = "first"
supertrump_suit = "printed"
void = "trump"
"""
HOUSE_FILES = {
    "no-trump": (NO_TRUMP, 4),
    "free-discard": (FREE_DISCARD, 3),
    "steep-points": (STEEP_POINTS, 5),
    "other-rounds": (OTHER_ROUNDS, 3),
    "six-players": (SIX_PLAYERS, 6),
    "from-scratch-2": (FROM_SCRATCH, 2),
    "from-scratch-3": (FROM_SCRATCH, 3),
}


def written(folder: Path, text: str) -> Path:
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("text", "players"), HOUSE_FILES.values(), ids=HOUSE_FILES)
def test_a_house_file_plays_records_and_replays(tmp_path: Path, text: str, players: int) -> None:
    path = written(tmp_path, text)
    game = played_out(Game.new(str(path), players, seed=11), seed=4)
    path.unlink()
    line = json.dumps(game.record())
    again = Game.from_record(json.loads(line))
    assert again.record() == game.record()
    assert again.is_over
    assert (again.totals, again.winners) == (game.totals, game.winners)
    assert again.round == game.setup.seats.rounds


def test_a_record_carries_the_house_rules_in_full(tmp_path: Path) -> None:
    edition = load(written(tmp_path, NO_TRUMP))
    record = json.loads(json.dumps(Game.new(edition, 4, seed=1).record()))
    assert record["edition"] == "niet-no-trump"
    assert from_tree(record["rules"], "rules") == edition
    assert json.loads(json.dumps(to_tree(edition))) == record["rules"]
    assert "base" not in record["rules"]
    assert "rules" not in Game.new("niet-2015", 4, seed=1).record()


@pytest.mark.parametrize("name", ["house.toml", "sub/house.toml", "sub/house"])
def test_a_name_with_a_slash_or_an_ending_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    Path(name).write_text(NO_TRUMP, encoding="utf-8")
    assert load(name) == load(Path(name)) == load(tmp_path / name)
    assert load(name).id == "niet-no-trump"


def test_without_trump_the_supertrumps_are_a_suit_of_their_own(tmp_path: Path) -> None:
    edition = load(written(tmp_path, NO_TRUMP))
    wanted = Setting(start=0, trump="none", super="red", side=(0, 2))
    hands = dealt(
        Setup.of(edition, 4),
        {0: "R7 R1 G13", 1: "R5 R1 Y9", 2: "R1 B9 Y13", 3: "G2 R13"},
        without={1: "G", 2: "RG"},
    )
    led_red = play(new(edition, hands, wanted), "R7")
    assert "R5" in may_play(led_red)
    assert "R1" not in may_play(led_red), "a red 1 is no red card"
    led_super = play(new(edition, hands, wanted), "R1")
    assert may_play(led_super) == ["R1"]
    led_green = play(new(edition, hands, wanted), "G13")
    assert {"R1", "R5", "Y9"} <= set(may_play(led_green)), "nobody has to trump"
    play(led_green, "R1")
    assert led_green.view(None)["winning"] == 1, "it beats everything"
    play(led_green, "R1")
    assert led_green.view(None)["winning"] == 2, "the later one wins"
    play(led_green, "G2")
    assert led_green.view(None)["loot"] == [0, 0, 1, 0], "a supertrump is a low card too"


def test_without_trump_the_led_suit_wins(tmp_path: Path) -> None:
    edition = load(written(tmp_path, NO_TRUMP))
    wanted = Setting(start=0, trump="none", super="none", side=(0, 2))
    hands = dealt(Setup.of(edition, 4), {0: "G2", 1: "Y13", 2: "G3", 3: "B13"}, without={1: "G", 3: "G"})
    assert play(new(edition, hands, wanted), "G2 Y13 G3 B13").view(None)["last_winner"] == 2


# ---------------------------------------------------------------- wrong files

NIET = 'id = "house"\nbase = "niet-2015"\n'
NICHTIG = 'id = "house"\nbase = "nichtig"\n'
OWN = 'id = "house"\ngame = "njet"\nname = "House"\n[trick]\nties = "last"\n'
BOARD = '[board]\nfirst = "dealer"\ndiscard = ["none"]\ntrump = ["red"]\nsuper = ["red"]\npoints = [1]\n'
COLOURS = "black, blue, green, purple, red, yellow"
CELLS = "none, one, one-not-0, one-not-1, pass-one, pass-two, two, two-not-0, two-not-1"
SEATS = "hand, rounds, short, remove, sides, lay, teams"
EDITIONS = "njet-1997, njet-2007, niet-2015, nichtig"

WRONG: list[tuple[str, str]] = [
    # what the file as a whole must say
    ("", "id: missing; allowed: lower-case letters, digits and hyphens, 40 at most"),
    ('id = "house"\n', "game: missing; allowed: nichtig, njet"),
    ('base = "niet-2015"\n', "id: missing; house rules need an id of their own"),
    ('id = "house"\nbase = "skat"\n', f"base: 'skat' is not known; allowed: {EDITIONS}"),
    ('id = "house"\nbase = 1997\n', f"base: 1997 is not known; allowed: {EDITIONS}"),
    (NIET + 'game = "nichtig"\n', "game: 'nichtig' is not the game of its base niet-2015"),
    (
        'id = "niet-2015"\nbase = "niet-2015"\nname = "Mine"\n',
        "id: 'niet-2015' belongs to the published edition; choose another id for house rules",
    ),
    (
        'id = "Mein Haus"\nbase = "niet-2015"\n',
        "id: 'Mein Haus' is not allowed; allowed: lower-case letters, digits and hyphens, 40 at most",
    ),
    (NIET + 'name = ""\n', "name: '' is not allowed; allowed: text of length 1 to 60"),
    (
        NIET + f'subtitle = "{"x" * 121}"\n',
        f"subtitle: '{'x' * 56}… is not allowed; allowed: text of length at most 120",
    ),
    (
        NIET + 'colour = "red"\n',
        "colour: not a field; allowed: id, game, name, deck, players, trick, match, board, subtitle, author",
    ),
    # deck
    (NIET + '[deck]\ncolours = ["red", "pink"]\n', f"deck.colours[1]: 'pink' is not allowed; allowed: {COLOURS}"),
    (
        NIET + "[deck]\ncolours = []\n",
        f"deck.colours: [] is not allowed; allowed: a list of length 1 to 5, each: {COLOURS}",
    ),
    (
        NIET + '[deck]\ncolours = "red"\n',
        f"deck.colours: 'red' is not allowed; allowed: a list of length 1 to 5, each: {COLOURS}",
    ),
    (
        NICHTIG + '[deck]\ncolours = ["red", "blue", "green", "yellow", "blue"]\n',
        "deck.colours[4]: 'blue' is not allowed: it is there already; expected every cell once",
    ),
    (NIET + "[deck]\nvalues = [1, 100]\n", "deck.values[1]: 100 is not allowed; allowed: a whole number from 0 to 99"),
    (NIET + "[deck]\nvalues = [1, 2.5]\n", "deck.values[1]: 2.5 is not allowed; allowed: a whole number from 0 to 99"),
    (
        NIET + "[deck]\nvalues = [1, true]\n",
        "deck.values[1]: True is not allowed; allowed: a whole number from 0 to 99",
    ),
    (
        NIET + "[deck]\nvalues = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]\n",
        "deck.values: 64 different cards in all; allowed: at most 60",
    ),
    (
        NICHTIG + "[deck]\nvalues = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9]\n",
        "deck.values: 85 cards in all; allowed: at most 80",
    ),
    (
        NIET + "[deck]\nlow = 0\n",
        "deck.low: 0 is not allowed; allowed: one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13",
    ),
    (NICHTIG + "[deck]\nlow = 0\n", "deck.low: 0 is not allowed: Null & nichtig has no loot cards"),
    (
        OWN + '[deck]\ncolours = ["red"]\nvalues = [4, 4, 2]\n[players.2]\nhand = 1\nrounds = 1\n',
        "deck.low: missing; allowed: one of the values 2, 4",
    ),
    # players
    (
        OWN + '[players]\n[deck]\ncolours = ["red"]\nvalues = [1]\nlow = 1\n' + BOARD,
        "players: missing; give at least one table such as [players.4]",
    ),
    (NIET + "players = 4\n", "players: 4 is not allowed; allowed: tables named 2, 3, 4, 5, 6"),
    (NIET + "[players.7]\nhand = 8\nrounds = 7\n", "players: '7' is not allowed; allowed: 2, 3, 4, 5, 6"),
    (NIET + "[players.6]\nhand = 10\n", "players.6.rounds: missing; allowed: a whole number from 1 to 99"),
    (NIET + "[players]\n4 = 15\n", f"players.4: 15 is not allowed; allowed: a table with {SEATS}"),
    (NIET + "[players.4]\nhands = 15\n", f"players.4.hands: not a field; allowed: {SEATS}"),
    (NIET + "[players.4]\nhand = 0\n", "players.4.hand: 0 is not allowed; allowed: a whole number from 1 to 20"),
    (
        NIET + '[players.4]\nhand = "ten"\n',
        "players.4.hand: 'ten' is not allowed; allowed: a whole number from 1 to 20",
    ),
    (NIET + "[players.4]\nhand = 16\n", "players.4.hand: 16 is not allowed: 60 cards give at most 15 each"),
    (
        NIET + "[players.4]\nhand = 2\n",
        "players.4.hand: 2 is not allowed: the board may take 2 of them; allowed: more",
    ),
    (
        NIET + "[players.4]\nrounds = 100\n",
        "players.4.rounds: 100 is not allowed; allowed: a whole number from 1 to 99",
    ),
    (NIET + "[players.4]\nshort = 0\n", "players.4.short: 0 is not allowed; allowed: a whole number from 1 to 99"),
    (
        NIET + "[players.4]\nremove = [13, 13]\n",
        "players.4.remove: 13 is not allowed: a colour has no such card left to remove",
    ),
    (NIET + "[players.4]\nsides = []\n", "players.4.sides: missing; allowed: sizes from 1 to 3"),
    (NIET + "[players.4]\nsides = [2, 4]\n", "players.4.sides: 4 is not allowed; allowed: sizes from 1 to 3"),
    (NIET + "[players.4]\nsides = [0]\n", "players.4.sides[0]: 0 is not allowed; allowed: a whole number from 1 to 5"),
    (NIET + "[players.2]\nsides = [1]\n", "players.2.sides: 1 is not allowed; allowed: none with two players"),
    (NICHTIG + "[players.4]\nsides = [2]\n", "players.4.sides: not allowed; Null & nichtig has fixed teams, see teams"),
    (NIET + "[players.4]\nlay = 3\n", "players.4.lay: 3 is not allowed; Njet! has no laying out"),
    (NICHTIG + "[players.4]\nlay = 13\n", "players.4.lay: 13 is not allowed; allowed: less than the hand of 13"),
    (NICHTIG + "[players.4]\nlay = 21\n", "players.4.lay: 21 is not allowed; allowed: a whole number from 0 to 20"),
    (
        NIET + "[players.4]\nteams = true\n",
        "players.4.teams: true is not allowed; in Njet! the start player chooses the sides",
    ),
    (
        NICHTIG + "[players.3]\nteams = true\n",
        "players.3.teams: true is not allowed; two equal teams need an even number of players",
    ),
    (NICHTIG + '[players.4]\nteams = "yes"\n', "players.4.teams: 'yes' is not allowed; allowed: true, false"),
    # board
    (
        OWN + '[deck]\ncolours = ["red"]\nvalues = [1, 2]\nlow = 1\n[players.2]\nhand = 1\nrounds = 1\n',
        "board: missing; Njet! needs the rows discard, trump, super and points",
    ),
    (NICHTIG + BOARD, "board: not allowed; Null & nichtig has no veto board"),
    (
        NICHTIG + '[trick]\nvoid = "trump"\n',
        "trick.void: 'trump' is not allowed: Null & nichtig has no such rule; leave it out",
    ),
    (
        NICHTIG + "[match]\ndouble = true\n",
        "match.double: True is not allowed: Null & nichtig has no such rule; leave it out",
    ),
    (
        NIET + "[board]\npoints = [-1, -2]\n",
        "board.points: [-1, -2] is not allowed: a target score needs a value above 0",
    ),
    (
        NIET + "[players.3]\nremove = [1, 1, 1]\n",
        "players.3.remove: 1 is not allowed so often: no low card would be left",
    ),
    (
        NIET + f"[deck]\nvalues = {[1] * 17 + [2]}\n",
        "deck.values: 64 cards equal to another; allowed: at most 60",
    ),
    (
        NIET + "board = 5\n",
        "board: 5 is not allowed; allowed: a table with first, discard, trump, super, points",
    ),
    (NIET + "[board]\nlast = 1\n", "board.last: not a field; allowed: first, discard, trump, super, points"),
    (
        NIET + '[board]\nfirst = "youngest"\n',
        "board.first: 'youngest' is not allowed; allowed: dealer, left-of-dealer",
    ),
    (NIET + '[board]\ndiscard = ["none", "three"]\n', f"board.discard[1]: 'three' is not allowed; allowed: {CELLS}"),
    (
        NIET + "[board]\ndiscard = []\n",
        f"board.discard: [] is not allowed; allowed: a list of length 1 to 8, each: {CELLS}",
    ),
    (
        NIET + '[board]\ndiscard = ["none", "one", "one"]\n',
        "board.discard[2]: 'one' is not allowed: it is there already; expected every cell once",
    ),
    (
        NIET + '[board]\ndiscard = ["none", "two-not-0"]\n',
        "board.discard[1]: 'two-not-0' is not allowed: the low card of this deck is 1; allowed: one-not-1, two-not-1",
    ),
    (
        NIET + '[board]\ntrump = ["red", "purple"]\n',
        "board.trump[1]: 'purple' is not allowed; allowed: red, yellow, blue, green, none",
    ),
    (
        NIET + '[board]\ntrump = ["red", "red"]\n',
        "board.trump[1]: 'red' is not allowed: it is there already; expected every cell once",
    ),
    (NIET + '[board]\ntrump = ["pink"]\n', f"board.trump[0]: 'pink' is not allowed; allowed: {COLOURS} or none"),
    (
        NIET + '[board]\nsuper = ["black", "none"]\n',
        "board.super[0]: 'black' is not allowed; allowed: red, yellow, blue, green, none",
    ),
    (
        NIET + '[board]\nsuper = ["none", "none"]\n',
        "board.super[1]: 'none' is not allowed: it is there already; expected every cell once",
    ),
    (NIET + "[board]\npoints = [21]\n", "board.points[0]: 21 is not allowed; allowed: a whole number from -20 to 20"),
    (
        NIET + "[board]\npoints = [1, -2, 1]\n",
        "board.points[2]: 1 is not allowed: it is there already; expected every cell once",
    ),
    (
        NIET + "[board]\npoints = [1, 2, 3, 4, 5, 6, 7, 8, 9]\n",
        "board.points: [1, 2, 3, 4, 5, 6, 7, 8, 9] is not allowed; "
        "allowed: a list of length 1 to 8, each: a whole number from -20 to 20",
    ),
    # trick and match
    (NIET + '[trick]\nties = "both"\n', "trick.ties: 'both' is not allowed; allowed: first, last"),
    (
        NIET + '[trick]\nsupertrump_suit = "red"\n',
        "trick.supertrump_suit: 'red' is not allowed; allowed: printed, trump",
    ),
    (NIET + '[trick]\nvoid = "none"\n', "trick.void: 'none' is not allowed; allowed: any, trump"),
    (
        NIET + '[match]\nnext_dealer = "right"\n',
        "match.next_dealer: 'right' is not allowed; allowed: left-of-dealer, left-of-start",
    ),
    (NIET + '[match]\nscoring = "half"\n', "match.scoring: 'half' is not allowed; allowed: difference, total"),
    (NIET + '[match]\ndouble = "yes"\n', "match.double: 'yes' is not allowed; allowed: true, false"),
    (NIET + "[match]\ntarget = 100\n", "match.target: 100 is not allowed; allowed: exceeded, reached"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message[:50] for _, message in WRONG])
def test_a_wrong_file_is_told_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(EditionError) as caught:
        load(path)
    first, *rest = str(caught.value).splitlines()
    assert first == (f"{path}: " if rest else f"{path}: {message}")
    assert not rest or message in [line.strip() for line in rest]


@pytest.mark.parametrize("text", ["not TOML at all", 'id = "h\x00"', NIET + 'id = "twice"\n', "[[", "x = 1 2"])
def test_a_file_that_is_not_toml(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(EditionError) as caught:
        load(path)
    assert re.fullmatch(rf"{re.escape(str(path))}: not TOML: .+\(at .+\)", str(caught.value))


def test_every_check_has_its_wrong_file() -> None:
    """Each message that checks.py can yield is one of those above."""
    tree = ast.parse(Path(checks.__file__).read_text(encoding="utf-8"))
    messages = [node.value for node in ast.walk(tree) if isinstance(node, ast.Yield)]
    patterns = [_pattern(message) for message in messages]
    assert len(patterns) >= 20
    for pattern in patterns:
        assert any(re.fullmatch(pattern, message) for _, message in WRONG), f"no wrong file yields {pattern}"


def _pattern(message: ast.expr | None) -> str:
    if isinstance(message, ast.Constant):
        return re.escape(str(message.value))
    assert isinstance(message, ast.JoinedStr)
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in message.values)


def test_an_unknown_name_lists_the_editions() -> None:
    with pytest.raises(EditionError) as caught:
        load("skat")
    assert str(caught.value) == f"edition: 'skat' is not known; allowed: {EDITIONS}, or the path of a .toml file"


def test_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.toml"
    with pytest.raises(EditionError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: cannot be read: No such file or directory"


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(EditionError) as caught:
        load(tmp_path)
    assert str(caught.value) == f"{tmp_path}: cannot be read: Is a directory"


def test_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_bytes(b'id = "\xffouse"')
    with pytest.raises(EditionError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: not UTF-8 text: byte 6 is 0xff"


def test_a_file_nested_without_end(tmp_path: Path) -> None:
    path = written(tmp_path, "x = " + "[" * 20_000)
    with pytest.raises(EditionError, match="not TOML"):
        load(path)


def test_a_file_too_large(tmp_path: Path) -> None:
    path = written(tmp_path, NIET + "#" * (MAX_FILE - len(NIET)))
    assert load(path).id == "house"
    path = written(tmp_path, NIET + "#" * (MAX_FILE - len(NIET) + 1))
    with pytest.raises(EditionError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: larger than 64 KiB; an edition is a page of TOML"


@pytest.mark.parametrize("name", ["two words", 'quo"te'])
def test_an_unknown_field_is_named_whatever_its_letters(name: str) -> None:
    with pytest.raises(EditionError, match=rf"deck\.{re.escape(name)}: not a field; allowed: colours, values, low"):
        house("niet-2015", deck={name: 1})


def equal_cards(copies: int) -> Edition:
    """Four colours, each with the 1 many times and the 2 once: few kinds, and not too many cards."""
    seats = {"3": {"hand": 13}, "4": {"hand": 13}, "5": {"hand": 13}, "6": {"hand": 10}}
    deck = {"colours": ["red", "blue", "green", "yellow"], "values": [1] * copies + [2]}
    return house("nichtig", deck=deck, players=seats)


def test_many_equal_cards_play() -> None:
    """Sixty second copies: the most that fit into the kernel's word for them with four colours."""
    game = played_out(Game.new(equal_cards(16), 4, seed=1))
    assert Game.from_record(game.record()).record() == game.record()


@pytest.mark.parametrize("copies", [17, 19])
def test_too_many_equal_cards_are_refused_in_words(copies: int) -> None:
    """Within 60 kinds and 80 cards, yet more second copies than the kernel's word has bits."""
    with pytest.raises(EditionError, match=r"house: deck\.values: "):
        equal_cards(copies)


def test_all_mistakes_are_named_at_once() -> None:
    text = NIET + "[board]\ntrump = ['red', 'pink']\npoints = [1, 'x']\n[deck]\nsize = 3\n[players.4]\nhand = 99\n"
    with pytest.raises(EditionError) as raised:
        from_tree(tomllib.loads(text), "house.toml")
    lines = str(raised.value).splitlines()
    assert lines[0] == "house.toml: "
    for start in ("board.trump[1]: 'pink'", "board.points[1]: 'x'", "deck.size: not a field", "players.4.hand: 99"):
        assert any(line.strip().startswith(start) for line in lines), (start, lines)


def test_a_forgotten_base_is_mentioned() -> None:
    with pytest.raises(EditionError, match='begin with base = "niet-2015"'):
        from_tree({"id": "house", "board": {"trump": ["red"]}}, "house.toml")


@pytest.mark.parametrize("depth", [MAX_DEPTH, 200, 480, 900])
def test_rules_that_are_nested_too_deep(depth: int, tmp_path: Path) -> None:
    """They come from files, in the settings of a table, and in records."""
    nested = json.loads("[" * depth + "]" * depth)
    with pytest.raises(EditionError, match=r"^x: tables or lists are nested more than 16 deep"):
        from_tree({"a": nested}, "x")
    with pytest.raises(Refused, match="nested"):
        check_settings(TableSettings(edition={"a": nested}, players=4))
    record = {"atout": 1, "edition": "zz", "players": 3, "options": {}, "first_dealer": 0, "rounds": []}
    with pytest.raises(RecordError, match="nested"):
        make_replay(json.dumps({**record, "rules": {"a": nested}}))
    path = tmp_path / "deep.toml"
    path.write_text(f"a = {nested}", encoding="utf-8")
    with pytest.raises(EditionError, match=r"deep.toml: (tables or lists are nested|not TOML)"):
        load(path)
