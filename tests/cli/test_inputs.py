"""No command writes over a file that it reads: refused before any work, by whatever name the file is called."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from atout.bots import make_bot
from atout.cli.common import LONGEST
from atout.game import Game
from atout.puzzles import library, shipped
from atout.puzzles.factory import Header
from atout.puzzles.make import Made
from atout.sheet import new_sheet, write_sheet
from atout.terminal.saves import saved
from atout.terminal.seats import Seating
from tests.cli.test_cli import Atout, atout
from tests.cli.test_research import results
from tests.depth import first

__all__ = ["atout"]
HOUSE = 'id = "tiny"\nbase = "niet-2015"\n[players.4]\nrounds = 1\n'
BOT = "from atout.bots.random import RandomBot\n\nclass Fox(RandomBot):\n    pass\n"
TABLE = "-e niet-2015 -n 4"
COMMANDS = {
    "print sheet --edition house.toml --out {out}": "house.toml",
    "print sheet --filled sheet.json --out {out}": "sheet.json",
    "print rules --edition house.toml --out {out}": "house.toml",
    "print deals --edition house.toml --out {out}": "house.toml",
    "print booklet games.jsonl --out {out}": "games.jsonl",
    "review games.jsonl --html {out}": "games.jsonl",
    "simulate -e house.toml -n 4 -g 1 -b random -o {out}": "house.toml",
    f"simulate {TABLE} -g 1 -b my_bots:Fox -o {{out}}": "my_bots.py",
    "arena -e house.toml -n 4 -d 1 -b random,novice --out {out}": "house.toml",
    "arena -e house.toml -n 4 -d 1 -b random,novice --out x.json --picture {out}": "house.toml",
    f"arena {TABLE} -d 1 -b random,my_bots:Fox --out {{out}}": "my_bots.py",
    "bench-bot my_bots:Fox --out {out}": "my_bots.py",
    "leaderboard one.json two.json --out {out}": "two.json",
    "puzzles pack made.jsonl --sure --output {out}": "made.jsonl",
    "puzzles check packed.jsonl.gz --output {out}": "packed.jsonl.gz",
}
"""Every command with an input and an output that are files, by the input."""
NAMES: dict[str, Callable[[Path], str]] = {
    "the same": lambda path: path.name,
    "a link": lambda path: linked(path, os.symlink),
    "a second name": lambda path: linked(path, os.link),
    "from here": lambda path: f"./{path.name}",
    "in full": str,
    "there and back": lambda path: f"folder/../{path.name}",
}


def linked(path: Path, link: Callable[[Path, Path], None]) -> str:
    link(path, path.with_name("other"))
    return "other"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of each kind."""
    game = Game.new("nichtig", 3, 5)
    while not game.is_over:
        game.play(game.legal()[0])
    made = msgspec.json.encode(Header(1, ())) + b"\n" + msgspec.json.encode(Made(0, shipped()[:1], 1)) + b"\n"
    bodies = {
        "house.toml": HOUSE.encode(),
        "my_bots.py": BOT.encode(),
        "games.jsonl": json.dumps(game.record()).encode() + b"\n",
        "one.json": results(),
        "two.json": results(),
        "made.jsonl": made,
        "packed.jsonl.gz": library.pack(shipped()[:1]),
    }
    for name, body in bodies.items():
        (tmp_path / name).write_bytes(body)
    write_sheet(tmp_path / "sheet.json", [new_sheet("nichtig", ["Ann", "Bo", "Cy"])])
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.suffix != ".pyc"}


@pytest.mark.parametrize("named", first(NAMES, 3))
@pytest.mark.parametrize("command", COMMANDS)
def test_an_output_that_is_an_input(command: str, named: str, atout: Atout, folder: Path) -> None:
    name = NAMES[named](folder / COMMANDS[command])
    before = everything(folder)
    done = atout(*command.format(out=name).split())
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f"{Path(name)} is an input, too; expected another file\n"), done.err
    assert everything(folder) == before


@pytest.mark.parametrize(
    ("command", "input"),
    [
        ("simulate -e ./house.part -n 4 -g 1 -b random -o house", "house.part"),
        ("arena -e ./house.part -n 4 -d 1 -b random,novice --out house", "house.part"),
        ("arena -e niet-2015 -n 4 -d 1 -b random,novice --out x --picture x.part", ""),
        ("leaderboard page.part --out page", "page.part"),
        ("dataset rows -e rows/README.md -n 4 --matches 1", "rows/README.md"),
    ],
)
def test_what_a_command_writes_beside_its_output(command: str, input: str, atout: Atout, folder: Path) -> None:
    """Unfinished results, and the card of a data set."""
    (folder / "rows").mkdir()
    if input:
        (folder / input).write_text(HOUSE)
    done = atout(*command.split())
    assert done.code == 2
    assert "too; expected another" in done.err
    assert not input or (folder / input).read_text() == HOUSE


KEPT = {
    "print sheet --out {out}": "--out",
    "print sheet --filled sheet.json --out {out}": "--out",
    "print rules --out {out}": "--out",
    "print deals --out {out}": "--out",
    "print booklet games.jsonl --out {out}": "--out",
    "print puzzles --out {out}": "--out",
    "review games.jsonl --html {out}": "--html",
    f"simulate {TABLE} -g 1 -b random -o {{out}}": "--out",
    f"arena {TABLE} -d 1 -b random,novice --out {{out}}": "--out",
    f"arena {TABLE} -d 1 -b random,novice --out x --picture {{out}}": "--picture",
    "bench-bot random --out {out}": "--out",
    "leaderboard one.json two.json --out {out}": "--out",
    "puzzles make --output {out}": "--output",
    "puzzles pack made.jsonl --sure --output {out}": "--output",
    "puzzles check packed.jsonl.gz --output {out}": "--output",
}
"""Every command with an output, by its option."""


@pytest.mark.parametrize("command", KEPT)
def test_an_output_that_somebody_would_miss(command: str, atout: Atout, folder: Path) -> None:
    """A saved match, a match that a server's table has left here, and a score sheet are kept, open or not."""
    game = Game.new("nichtig", 3, 5)
    seating = Seating(3, {0}, {1: make_bot("random"), 2: make_bot("random")})
    (folder / "match.json").write_text(json.dumps(saved(game, seating)) + "\n")
    (folder / "served.json").write_text(json.dumps({**game.record(), "names": ["Ann", "Bo", "Cy"]}) + "\n")
    write_sheet(folder / "evening.json", [new_sheet("nichtig", ["Ann", "Bo", "Cy"])] * 2)
    before = everything(folder)
    for name in ("match.json", "served.json", "evening.json"):
        done = atout(*command.format(out=name).split())
        told = f"{KEPT[command]}: {name} holds a match or a score sheet, which would be lost; expected another file\n"
        assert (done.code, done.out) == (2, "")
        assert done.err.endswith(told), done.err
    assert everything(folder) == before


def sorted_again(path: Path, indent: int | None = None) -> bytes:
    """A file as `jq -S` writes it."""
    return json.dumps(json.loads(path.read_bytes()), sort_keys=True, indent=indent, ensure_ascii=False).encode() + b"\n"


@pytest.mark.parametrize("form", ["on a line", "on many lines", "with a mark", "after a record of bots"])
@pytest.mark.parametrize("command", ["print rules --out {out}", f"simulate {TABLE} -g 1 -b random -w 1 -o {{out}}"])
def test_somebody_would_miss_it_in_another_form(command: str, form: str, atout: Atout, folder: Path) -> None:
    """Fields in another order, a byte order mark, lines of other matches: nothing of it is overwritten."""
    seating = Seating(3, {0}, {1: make_bot("random"), 2: make_bot("random")})
    (folder / "match.json").write_text(json.dumps(saved(Game.new("nichtig", 3, 5), seating)) + "\n")
    for name in ("match.json", "sheet.json"):
        body = (folder / name).read_bytes()
        forms = {
            "on a line": sorted_again(folder / name),
            "on many lines": sorted_again(folder / name, 2),
            "with a mark": b"\xef\xbb\xbf" + body,
            "after a record of bots": (folder / "games.jsonl").read_bytes() + sorted_again(folder / name),
        }
        (folder / name).write_bytes(forms[form])
    before = everything(folder)
    for name in ("match.json", "sheet.json"):
        done = atout(*command.format(out=name).split())
        assert (done.code, done.out) == (2, "")
        assert f"--out: {name} holds a match or a score sheet, which would be lost" in done.err
    assert everything(folder) == before


@pytest.mark.parametrize("command", ["print rules --out {out}", f"simulate {TABLE} -g 1 -b random -w 1 -o {{out}}"])
def test_a_file_that_is_too_large_to_look_through(command: str, atout: Atout, folder: Path) -> None:
    """Refused instead of replaced."""
    room = b'{"id": "' + b"x" * LONGEST
    for name, body in {"a line": room + b'", "atoutSheet": 1}', "lines": b"{\n" + room + b'"\n}\n'}.items():
        (folder / "large").write_bytes(body)
        done = atout(*command.format(out="large").split())
        assert (done.code, done.out) == (2, ""), name
        assert "--out: large is too large to see whether it holds a match or a score sheet" in done.err
        assert (folder / "large").read_bytes() == body


def test_many_records_of_bots_are_not_too_large(atout: Atout, folder: Path) -> None:
    """Also where the last of them was cut off."""
    record = (folder / "games.jsonl").read_bytes()
    (folder / "large").write_bytes(record * (LONGEST // len(record) + 1) + record[:-9])
    assert atout(*f"simulate {TABLE} -g 1 -b random -w 1 -o large".split()).code == 0


LONG = "x" * 300


@pytest.mark.parametrize(
    "command",
    [
        "print sheet --out {name}",
        "print rules --out {name}/x.pdf",
        "review games.jsonl --html {name}",
        f"simulate {TABLE} -g 1 -b random -o {{name}}",
        "bench-bot random --out {name}",
        f"arena {TABLE} -d 1 -b random,novice --out {{name}}",
        f"arena {TABLE} -d 1 -b random,novice --out x --picture {{name}}",
        "leaderboard one.json --out {name}",
        "score {name} --names A,B,C,D",
        "score {name} --json",
        "play --plain --resume {name}",
        "show {name}",
        "review {name}",
        "print booklet {name} --out x",
        "print sheet --filled {name} --out x",
        "puzzles make --output {name}",
        "puzzles pack made.jsonl --sure --output {name}",
        "puzzles check packed.jsonl.gz --output {name}",
    ],
)
def test_a_name_that_is_too_long(command: str, atout: Atout, folder: Path) -> None:
    """One line, whether the file is read or written."""
    before = everything(folder)
    done = atout(*command.format(name=LONG).split())
    assert (done.code, done.out) == (2, "")
    assert "File name too long" in done.err
    assert done.err.count("\n") == 1
    assert everything(folder) == before


def test_records_of_bots(atout: Atout, folder: Path) -> None:
    """Another command keeps them; the one that writes them may replace them, as its results can be made again."""
    simulated = f"simulate {TABLE} -g 1 -b random -w 1 -o records.jsonl"
    assert atout(*simulated.split()).code == 0
    before = everything(folder)
    done = atout(*["print", "rules", "--out", "records.jsonl"])
    assert done.code == 2
    assert "records.jsonl holds a match or a score sheet" in done.err
    assert everything(folder) == before
    assert atout(*simulated.split(), "--seed", "2").code == 0
    assert everything(folder) != before


@pytest.mark.parametrize(
    "command",
    [
        f"simulate {TABLE} -g 1 -b random -o .",
        f"arena {TABLE} -d 1 -b random,novice --out .",
        "bench-bot random --out .",
        "leaderboard one.json --out .",
        "print rules --out .",
        "print booklet games.jsonl --out missing/x.pdf --ledger 60s",
        "print sheet --out missing/x.pdf",
    ],
)
def test_an_output_that_no_file_can_have(command: str, atout: Atout, folder: Path) -> None:
    """Refused before the work, in a sentence."""
    before = everything(folder)
    done = atout(*command.split())
    assert (done.code, done.out) == (2, "")
    assert "is a folder" in done.err
    assert done.err.count("\n") == 1, "nothing else was said or done"
    assert everything(folder) == before


def test_a_sheet_over_its_house_rules(atout: Atout, folder: Path) -> None:
    done = atout("score", "house.toml", "--edition", "house.toml", "--names", "A,B,C,D")
    assert done.code == 2
    assert "house.toml: not JSON" in done.err
    assert (folder / "house.toml").read_text() == HOUSE


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("fr", "--html\u00a0: games.jsonl est aussi lu par cette commande"),
        ("de", "--html: games.jsonl ist auch eine Eingabe; erwartet: eine andere Datei"),
    ],
)
def test_what_is_read_from_standard_input(language: str, said: str, folder: Path) -> None:
    before = everything(folder)
    with (folder / "games.jsonl").open("rb") as file:
        done = subprocess.run(
            [sys.executable, "-m", "atout", "review", "-", "--html", "games.jsonl", "--language", language],
            stdin=file,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert said in done.stderr
    assert everything(folder) == before
