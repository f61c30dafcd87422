"""The command line as a person or a script meets it: output, files, exit codes, never a traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from atout import __version__
from atout.cli import common, main, puzzles
from atout.editions import PUBLISHED, published
from atout.game import Game
from atout.i18n import LANGUAGES, Texts
from atout.puzzles import factory, library, shipped
from atout.puzzles.factory import Header
from atout.puzzles.make import Made
from atout.sheet import new_sheet, write_sheet


class Result(NamedTuple):
    code: int
    out: str
    err: str


Atout = Callable[..., Result]


@pytest.fixture
def atout(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Atout:
    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["atout", *map(str, arguments)])
        capfd.readouterr()
        try:
            main()
            code = 0
        except SystemExit as exit:
            code = exit.code if isinstance(exit.code, int) else 1
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return Result(code, out, err)

    return run


def simulate(atout: Atout, path: Path, *more: object, games: int = 3) -> Result:
    return atout(
        "simulate",
        "--edition",
        "niet-2015",
        "--players",
        4,
        "--matches",
        games,
        "--bots",
        "random",
        "--seed",
        5,
        "--out",
        path,
        *more,
    )


def test_the_version(atout: Atout) -> None:
    assert atout("--version") == (0, f"atout {__version__}\n", "")


def test_simulate_then_verify(atout: Atout, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert simulate(atout, path).code == 0
    assert len(path.read_text().splitlines()) == 3
    assert atout("verify", path) == (0, "3 records verified\n", "")


@pytest.mark.slow
def test_simulate_writes_the_same_file_whatever_the_number_of_cores(tmp_path: Path) -> None:
    files = []
    for workers in (1, 2):
        path = tmp_path / f"{workers}.jsonl"
        command = [
            "simulate",
            "-e",
            "nichtig",
            "-n",
            "3",
            "-g",
            "2101",
            "-b",
            "random",
            "-s",
            "9",
            "-o",
            str(path),
            "-w",
            str(workers),
        ]
        subprocess.run([sys.executable, "-m", "atout", *command], check=True, capture_output=True)
        files.append(path.read_bytes())
    assert files[0] == files[1]
    assert files[0].count(b"\n") == 2101


def test_simulate_shows_progress(atout: Atout, tmp_path: Path) -> None:
    said = simulate(atout, tmp_path / "x.jsonl", games=20).err
    assert "niet-2015, 4 players: matches 2/20" in said
    assert "20/20" in said


@pytest.mark.slow
def test_simulate_takes_options_and_bots(atout: Atout, tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    command = ["simulate", "-e", "njet-1997", "-n", 3, "-g", 2, "-o", path, "--options", '{"length": "short"}']
    assert atout(*command, "--bots", "novice,random,random").code == 0
    games = [json.loads(line) for line in path.read_text().splitlines()]
    assert [len(game["rounds"]) for game in games] == [3, 3]
    assert games[0]["bots"] == ["novice", "random", "random"]
    assert atout("verify", path).out == "2 records verified\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_names_options_that_are_kept_in_the_record(language: str) -> None:
    shown = Texts(language).t("cli.options")
    general, special = (json.loads(text) for text in re.findall(r"'(\{.*?\})'", shown))
    assert shown.index("njet-1997") < shown.index("short")
    for edition in map(published, PUBLISHED):
        options = special if edition.id == "njet-1997" else general
        for players in edition.players:
            assert Game.new(edition, int(players), 1, options).record()["options"] == options


def test_house_rules_work_everywhere(atout: Atout, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('id = "tiny"\nbase = "niet-2015"\n[players.4]\nrounds = 1\n')
    path = tmp_path / "house.jsonl"
    assert atout("simulate", "-e", house, "-n", 4, "-g", 1, "-b", "random", "-o", path).code == 0
    assert atout("verify", path).out == "1 record verified\n"
    assert atout("editions", house).code == 0
    assert "tiny" in atout("show", path).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-e", "chess"], "edition: 'chess' is not known; allowed: njet-1997, njet-2007, niet-2015, nichtig"),
        (["-n", "6"], "players: 6 is not allowed in niet-2015; allowed: 2, 3, 4, 5"),
        (["--options", "{"], "--options: '{' is not JSON"),
        (["--options", "[]"], "options: [] is not allowed"),
        (["--options", '{"length": "short"}'], "options.length: 'short' is not allowed in niet-2015"),
        (["--bots", "genius"], "genius"),
        (["--bots", "random,random"], "bots: 2 are named; expected 1 for all or 4, one per seat"),
        (["--matches", "0"], "greater than or equal to 1"),
        (["--games", "many"], "--matches"),
        (["--seed", "x"], "--seed"),
        (["-o", "/nowhere/at/all.jsonl"], "--out: /nowhere/at/all.jsonl cannot be written"),
        (["-e", "missing.toml"], "missing.toml: cannot be read"),
    ],
)
def test_simulate_explains_wrong_usage(atout: Atout, tmp_path: Path, arguments: list[str], said: str) -> None:
    result = simulate(atout, tmp_path / "x.jsonl", *arguments)
    assert result.code == 2
    assert said in result.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("novise", "or package.module:Class; did you mean novice?"),
        ("wolf", "or package.module:Class; expected wolf:Class, with the name of a class in wolf.py"),
        ("wolff:Wolf", "No module named 'wolff'; searched: the installed packages, then {folder}; did you mean wolf?"),
        ("wolf:Fox", "has no attribute 'Fox'; bots in wolf: Wolf"),
    ],
)
def test_a_bot_that_is_not_found_is_searched_nearby(
    atout: Atout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "wolf", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "wolf.py").write_text("class Wolf:\n    name = 'wolf'\n    def choose(self, *_): ...\n")
    result = simulate(atout, tmp_path / "x.jsonl", "--bots", bot)
    assert result.code == 2
    assert result.err.rstrip().endswith(said.format(folder=tmp_path))
    assert [it.name for it in tmp_path.iterdir()] == ["wolf.py"]


def test_verify_names_every_foul_and_goes_on(atout: Atout, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    simulate(atout, path, games=4)
    lines = path.read_text().splitlines()
    wrong = json.loads(lines[1])
    wrong["rounds"][2]["actions"][4] = "0 play R99"
    lines[1] = json.dumps(wrong)
    lines[2] = "rubbish"
    path.write_text("\n".join(lines) + "\n")
    result = atout("verify", path)
    assert result.code == 1
    first, second = result.out.splitlines()
    assert first.startswith(f"{path}:2: round 3, action 5: '0 play R99' is not an action")
    assert second.startswith(f"{path}:3: not JSON: ")
    assert result.err == "2 records verified, 2 wrong\n"


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"\x00\xff\xfe rubbish \x80", b"[" * 200_000, b"9" * 100_000, b"null"]
)
def test_verify_survives_anything(atout: Atout, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "any"
    path.write_bytes(content)
    result = atout("verify", path)
    assert result.code == 1
    assert result.out.startswith(f"{path}:1: ")


def test_verify_wrong_usage(atout: Atout, tmp_path: Path) -> None:
    assert atout("verify").code == 2
    missing = atout("verify", tmp_path / "missing")
    assert missing.code == 2
    assert "cannot be read: No such file or directory" in missing.err
    assert "cannot be read: Is a directory" in atout("verify", tmp_path).err


@pytest.mark.slow
def test_verify_reads_standard_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "atout"]
    games = subprocess.run(
        [*command, "simulate", "-e", "nichtig", "-n", "3", "-g", "2", "-b", "random", "-o", "-"],
        check=True,
        capture_output=True,
    ).stdout
    result = subprocess.run([*command, "verify", "-"], input=games, capture_output=True, check=False)
    assert (result.returncode, result.stdout) == (0, b"2 records verified\n")


def test_show_a_game_and_a_move(atout: Atout, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    simulate(atout, path, games=2)
    shown = atout("show", path, "--game", 2)
    assert shown.code == 0
    assert "niet-2015" in shown.out
    assert len(atout("show", path, "--match", 2, "--move", 3).out) < len(shown.out)
    assert "--match: 3 is not allowed" in atout("show", path, "--game", 3).err
    assert atout("show", path, "--move", 10_000).code == 2
    path.write_text("{}\n")
    wrong = atout("show", path)
    assert wrong.code == 1
    assert f"{path}:1: object missing required field" in wrong.err


def test_editions(atout: Atout) -> None:
    listed = atout("editions").out
    assert all(edition in listed for edition in ("njet-1997", "njet-2007", "niet-2015", "nichtig"))
    assert "supertrump" in atout("editions", "niet-2015").out.lower()
    assert atout("editions", "bridge").code == 2


def test_help_and_no_command(atout: Atout) -> None:
    assert atout("--help").code == 0
    assert atout().code in (0, 2)
    assert atout("dance").code == 2


def test_old_names_of_options_still_work(atout: Atout, tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    assert atout("simulate", "-e", "nichtig", "-n", 3, "--games", 2, "-b", "random", "-o", path).code == 0
    assert atout("show", path, "--game", 2).code == 0
    assert "--games" not in atout("simulate", "--help").out


def test_every_command_has_the_same_default_level(atout: Atout) -> None:
    from atout.bots import DEFAULT_LEVEL

    for command in ("play", "simulate"):
        assert f"default: {DEFAULT_LEVEL}" in " ".join(atout(command, "--help").out.split())


def test_the_resume_command_names_own_bots_and_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    from atout.bots.random import RandomBot
    from atout.cli.play import shell_commands
    from atout.i18n import Texts

    monkeypatch.setenv("ATOUT_LANGUAGE", "en")
    assert shell_commands(Texts(), {}).resume.endswith("play --resume {path}")
    told = shell_commands(Texts("de"), {"my.own:Fox": RandomBot()})
    assert told.resume.endswith("play --resume {path} --bots my.own:Fox --language de")
    assert told.review.endswith("review {path} --language de")


@pytest.mark.slow
def test_every_command_has_examples_that_the_parser_accepts(atout: Atout) -> None:
    import shlex
    from typing import Any

    from typer.main import get_group

    from atout.cli import app
    from atout.cli.examples import EXAMPLES
    from atout.cli.man import _commands

    group: Any = get_group(app)
    commands = dict(_commands(group))
    assert set(EXAMPLES) == set(commands)
    for name, lines in EXAMPLES.items():
        assert lines[0] in atout(*name.split(), "--help").out
        for line in lines:
            words = shlex.split(line)[1 + len(name.split()) :]
            commands[name].make_context(name, list(words), resilient_parsing=False)


def test_the_man_page_is_up_to_date() -> None:
    from atout.cli.man import PAGE, man_page

    text = (Path(__file__).parents[2] / PAGE).read_text(encoding="utf-8")
    assert text == man_page(), "run: python -m atout.cli.man"


def test_exit_codes_are_in_the_help(atout: Atout) -> None:
    assert "Exit codes:" in atout("--help").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, atout: Atout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_ATOUT_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "atout play --edition nje")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("COMP_WORDS", "atout play --edition nje")
    monkeypatch.setenv("COMP_CWORD", "3")
    found = atout().out
    assert "njet-1997" in found
    assert "nichtig" not in found


def test_figures_as_json(atout: Atout, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    simulate(atout, path)
    assert json.loads(atout("verify", path, "--json").out)["verified"] == 3
    path.write_text("{}\n")
    wrong = atout("verify", path, "--json")
    assert wrong.code == 1
    assert json.loads(wrong.out)["errors"][0]["line"] == 1
    assert [one["id"] for one in json.loads(atout("editions", "--json").out)][-1] == "nichtig"


def test_score_and_print(atout: Atout, tmp_path: Path) -> None:
    sheet = tmp_path / "s.json"
    assert "--names" in atout("score", sheet).err
    assert atout("score", sheet, "-e", "nichtig", "--names", "Ann,Bo,Cy", "--json").code == 0
    assert "--names Ann,Bo,Cy" in atout("score", tmp_path / "t.json").err


def test_score_does_not_ignore_what_does_not_fit_the_sheet(atout: Atout, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    write_sheet(path, [new_sheet("nichtig", ["Ann", "Bo", "Cy"])])
    same = ("--edition", "nichtig", "--names", "Ann,Bo,Cy", "--options", "{}")
    assert atout("score", path, *same, "--json").code == 0
    for wrong in (("--edition", "niet-2015"), ("--names", "Ann,Bo"), ("--options", '{"length": {"target": 9}}')):
        code, _, err = atout("score", path, *wrong, "--json")
        assert code == 2
        assert f"{wrong[0]}: {path} exists already" in err


def test_without_textual_it_is_line_by_line(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    from atout.cli import common

    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(common, "find_spec", lambda _: None)
    assert not common.on_whole_screen(plain=False)
    assert "atout[terminal]" in capfd.readouterr().err
    monkeypatch.setattr(common, "find_spec", lambda _: object())
    assert common.on_whole_screen(plain=False)
    assert not common.on_whole_screen(plain=True)


@pytest.mark.slow
def test_only_a_match_of_ones_own_is_resumed(atout: Atout, tmp_path: Path) -> None:
    """A match is saved to its file again: a file with several records would lose all but one."""
    records = tmp_path / "records.jsonl"
    atout("simulate", "-e", "nichtig", "-n", 3, "--matches", 2, "--seed", 1, "--out", records)
    before = records.read_bytes()
    one, none = tmp_path / "one.jsonl", tmp_path / "none.jsonl"
    one.write_bytes(before.splitlines(keepends=True)[0])
    none.touch()
    for path, said in ((records, "several matches"), (one, "only bots"), (none, "is empty")):
        refused = atout("play", "--plain", "--resume", path)
        assert refused.code == 2
        assert said in refused.err
    assert records.read_bytes() == before


def test_what_is_compiled_is_told_in_whole_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    from rich.console import Console

    from atout import warm
    from atout.i18n import say

    told = Console(file=StringIO(), width=30, force_terminal=True, highlight=False)
    monkeypatch.setattr(common, "err", told)
    monkeypatch.setattr(warm, "missing", lambda *_: ["rules", "search"])
    monkeypatch.setattr(warm, "cores", lambda: 2)
    monkeypatch.setattr(warm, "run", lambda _: None)
    common.prepare("club", what=say("cli.first-use.bots", names="club"))
    lines = told.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert all(len(line) <= 30 for line in lines)
    text = " ".join(line.strip() for line in lines)
    assert text.startswith("Compiling the bots of this match (club) for this computer: about 35 s on a quiet machine.")
    assert "once" not in text


def test_what_a_bot_extends_is_compiled_ahead(atout: Atout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Before a bot of one's own decides: what is compiled during a decision counts as its thinking."""
    twin, table = "tests.arena.misbehaving_bots:Twin", ("--edition", "nichtig", "--players", 3, "--workers", 1)
    prepared: list[tuple[str, ...]] = []
    monkeypatch.setattr(common, "prepare", lambda *names: prepared.append(names))
    bots = f"{twin},random"
    assert atout("arena", "--bots", bots, "--deals", 1, "--out", tmp_path / "x.json", *table).code == 0
    assert atout("simulate", "--bots", twin, "--matches", 1, "--out", tmp_path / "x.jsonl", *table).code == 0
    assert atout("exam", twin, "--edition", "nichtig", "--seconds", 0).code == 0
    assert prepared == [("novice", "random"), ("novice",), ("novice",)]


FILES = ("missing.json", "folder", "empty.json", "broken.json", "list.json", "text.txt", "bytes.dat")
DOORS = (
    "show",
    "verify",
    "review",
    "play --resume",
    "score",
    "print booklet --out x.pdf",
    "print sheet --out x.pdf --filled",
)


@pytest.mark.parametrize("door", DOORS)
def test_a_file_that_is_wrong_is_named(
    atout: Atout, door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name, body in zip(FILES[2:], (b"", b'{"a":', b"[]\n", b"hello\n", b"\xff\xfe\x00"), strict=True):
        (tmp_path / name).write_bytes(body)
    for name in FILES:
        done = atout(*door.split(), name)
        assert done.code in (1, 2), name
        assert name in done.err + done.out
        told = [line for line in (done.err + done.out).splitlines() if " verified" not in line]
        assert len(told) == 1, f"{name}: one line"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("print sheet --players 9 --out x.pdf", "players: 9 is not allowed in niet-2015; allowed: 2, 3, 4, 5"),
        ("puzzle --edition nosuch", "there are no puzzles of 'nosuch'; allowed: nichtig, niet-2015"),
        ("score new.json --names A", "players: 1 is not allowed"),
        ("score no/folder/new.json --names A,B", "no/folder/new.json: cannot be written"),
        ("review x.jsonl --html .", "--html: .: cannot be written: it is a folder"),
        ("puzzles check x.jsonl --output no/folder/x.gz", "--output: no/folder/x.gz cannot be written: No such file"),
        (f"puzzles check x.jsonl --output {'x' * 300}.gz", "x.gz cannot be written: File name too long"),
        ("puzzles check x.jsonl --output x.gz", "puzzles: x.jsonl: cannot be read"),
        ("puzzles check x.jsonl --output ./x.jsonl", "--output: x.jsonl is an input, too; expected another file"),
        ("puzzles pack a.jsonl x.jsonl --output x.jsonl", "--output: x.jsonl is an input, too; expected another file"),
        ("puzzles check /dev/null --output x.gz", "puzzles: no puzzles in /dev/null; expected at least one"),
    ],
)
def test_a_wrong_value_is_answered_with_what_is_right(
    atout: Atout, typed: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = atout(*typed.split())
    assert done.code == 2
    assert said in done.err
    assert not list(tmp_path.iterdir()), "a refused command leaves no file behind"


@pytest.mark.parametrize("ending", ["jsonl.gz", "jsonl"])
def test_packed_puzzles_are_judged_again(
    atout: Atout, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = tmp_path / "before.jsonl.gz", tmp_path / f"after.{ending}"
    some = sorted(shipped()[:3], key=lambda one: one.id)
    before.write_bytes(library.pack(some))
    monkeypatch.setattr(puzzles, "prepare", lambda *_: None)  # nothing is judged, so nothing has to be compiled
    monkeypatch.setattr(factory, "ProcessPoolExecutor", lambda jobs, _: ThreadPoolExecutor(jobs))
    monkeypatch.setattr(factory, "judged_again", lambda puzzle: None if puzzle == some[1] else puzzle)
    done = atout("puzzles", "check", before, "--output", after, "--jobs", 1)
    assert done.code == 0
    assert "1 of 3 puzzles dropped: not clearly right any more, or missed by learned or expert\n" in done.out
    assert f"2 puzzles, {after.stat().st_size} bytes: {after}\n" in done.out
    assert library.read(after) == [some[0], some[2]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_is_told_when_puzzles_are_packed(atout: Atout, tmp_path: Path) -> None:
    made = tmp_path / "made.jsonl"
    made.write_bytes(
        msgspec.json.encode(Header(1, ())) + b"\n" + msgspec.json.encode(Made(0, shipped()[:1], 1)) + b"\n"
    )
    done = atout("puzzles", "pack", made, "--output", "/dev/full", "--sure")
    assert (done.code, done.out) == (2, "")
    assert "--output: /dev/full cannot be written: No space left on device" in done.err


def test_a_pack_without_puzzles_is_not_written(atout: Atout, tmp_path: Path) -> None:
    made, packed = tmp_path / "made.jsonl", tmp_path / "packed.jsonl"
    unsure = msgspec.structs.replace(shipped()[0], found=())
    made.write_bytes(msgspec.json.encode(Header(1, ())) + b"\n" + msgspec.json.encode(Made(0, (unsure,), 1)) + b"\n")
    done = atout("puzzles", "pack", made, "--output", packed, "--sure")
    assert (done.code, done.out) == (2, "")
    assert f"puzzles: none of them is good enough; {packed} was not written" in done.err
    assert not packed.exists()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["show games.jsonl --plain", "editions njet-2007", "verify games.jsonl", "--help"])
def test_a_reader_who_closes_the_output(command: str, atout: Atout, tmp_path: Path) -> None:
    simulate(atout, tmp_path / "games.jsonl")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "atout", *command.split()],
        stdout=writer,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.slow
def test_the_other_kind_of_file_is_named(atout: Atout, tmp_path: Path) -> None:
    sheet, match = tmp_path / "evening.json", tmp_path / "games.jsonl"
    write_sheet(sheet, [new_sheet("nichtig", ["Ann", "Bo", "Cy"])])
    simulate(atout, match)
    for command in (["show"], ["review"], ["play", "--resume"]):
        assert f"{sheet} is a score sheet; expected a match" in atout(*command, sheet).err
    assert atout("verify", sheet).out == f"{sheet}:1: a score sheet; expected a record. `atout score` opens it\n"
    assert f"{match} is a match; expected a score sheet" in atout("score", match).err
    match.write_text(match.read_text().splitlines()[0])
    assert f"{match} is a match; expected a score sheet" in atout("score", match).err


def test_a_seed_that_is_too_large_is_refused_as_it_was_typed(atout: Atout, tmp_path: Path) -> None:
    code, _, err = atout("print", "deals", "--out", tmp_path / "x.pdf", "--seed", 10**22)
    assert code == 2
    assert "--seed" in err
    assert "0001" not in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "values"),
    [("play --language", "en fr de"), ("print deals --paper", "a4 letter"), ("puzzle --theme p", "partner pass plan")],
)
def test_completion_knows_the_values_of_an_option(words: str, values: str) -> None:
    typed = [*words.split(), ""] if words[-1].islower() and "--theme" not in words else words.split()
    environment = {
        **os.environ,
        "_ATOUT_COMPLETE": "complete_bash",
        "COMP_WORDS": f"atout {' '.join(typed)}",
        "COMP_CWORD": str(len(typed)),
    }
    done = subprocess.run([sys.executable, "-m", "atout"], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == values.split()
