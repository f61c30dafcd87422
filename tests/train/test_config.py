"""What can be wrong before training begins is named; none of it needs PyTorch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from atout.nets.weights import FOLDER
from train import compare
from train.__main__ import main
from train.config import check_editions, read

ROOT = Path(__file__).parents[2] / "train"


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.toml")), ids=lambda path: path.name)
def test_every_configuration_can_be_read(path: Path) -> None:
    check_editions(read(path))


@pytest.mark.parametrize("name", ["cpu.toml", "gpu.toml"])
def test_the_configurations_of_the_house(name: str) -> None:
    """They can be read, their tables exist, and the larger one leaves out no edition, number of players or scoring."""
    config = read(ROOT / name)
    tables = {(place.setup.name, place.setup.options.scoring) for own in config.games.values() for place in own.places}
    assert len(tables) == {"cpu.toml": 1, "gpu.toml": 24}[name]
    assert all((own.places[0].setup.edition.is_njet) == (game == "njet") for game, own in config.games.items())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed = 1", "Object missing required field `device`"),
        ("seed =", "config: "),
        ('seed = 1\ndevice = "tpu"', "Invalid enum value 'tpu'"),
        ('seed = 1\ndevice = "cpu"\nsped = 2', "unknown field `sped`"),
    ],
)
def test_a_wrong_configuration(text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    assert main(["--config", str(path), "--minutes", "1"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "wrong.toml" in error


def test_without_a_file_or_without_torch(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["--config", "nowhere.toml", "--minutes", "1"]) == 2
    assert "there is no file nowhere.toml; train/cpu.toml is one to start from" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["--config", str(ROOT / "cpu.toml"), "--minutes", "1"]) == 2
    assert "make train installs it, or pip install 'atout[train]'" in capsys.readouterr().err


GOOD = """
seed = 1
device = "cpu"
total_minutes = 1.0
[games.nichtig]
width = 16
places = [{ edition = "nichtig", players = 4 }]
[learning]
matches = 8
steps = 8
minibatch = 64
[measuring]
deals = 10
[distil]
"""


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("matches = 8", "matches = -1", "matches: -1 is not allowed; expected 1 or more"),
        ("steps = 8", "steps = 8\nlate = 2.0", "late: 2.0 is not allowed; expected a share from 0 to 1"),
        ("deals = 10", "deals = 1", "deals: 1 is not allowed; expected at least 2"),
        ('[{ edition = "nichtig", players = 4 }]', "[]", "places: [] is not allowed; expected at least one setup"),
        ("width = 16", "width = 0", "width, blocks: 0, 3 is not allowed"),
        ("players = 4", "players = 9", "players: 9 is not allowed in nichtig"),
        ("games.nichtig", "games.njet", "config: games.njet: nichtig with 4 players is a setup of the other game"),
        ("seed = 1", "seed = -1", "seed: -1 is not allowed; expected 0 or more"),
        ("total_minutes = 1.0", "total_minutes = 0.0", "total_minutes: 0 is not allowed; expected a number above 0"),
    ],
)
def test_a_wrong_number(
    right: str, wrong: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The field is named that is wrong."""
    assert right in GOOD
    path = tmp_path / "wrong.toml"
    path.write_text(GOOD.replace(right, wrong, 1), encoding="utf-8")
    assert message in error_of(["--config", str(path), "--minutes", "1"], capsys)


def error_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line of an error."""
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith("train: ")
    assert error.count("\n") == 1
    return error.removeprefix("train: ").rstrip()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--minutes", "0"], "--minutes: 0 is not allowed; expected a number above 0"),
        (["--minutes", "-3"], "--minutes: -3 is not allowed; expected a number above 0"),
        (["--minutes", "nan"], "--minutes: nan is not allowed; expected a number above 0"),
        (["--distil", "a", "--exploit", "b"], "--exploit and --distil are not allowed together; expected one of them"),
        (["--distil-step", "collect"], "--distil-step: is only allowed with --distil FOLDER"),
        (["--exploiter", "pair", "--distil", "a"], "--exploiter: is only allowed with --exploit FOLDER"),
        (["--resume", "a", "--distil", "b"], "--resume: is not allowed with --distil"),
        (["--distil", "a", "--processes", "-1"], "--processes: -1 is not allowed; expected 0 or more"),
        (["--config", str(ROOT)], f"config: {ROOT} is a folder; expected a file such as train/cpu.toml"),
        (["--resume", "nowhere"], "--resume: there is no file nowhere/nichtig.networks; expected a folder with those"),
        (["--start", "nowhere"], "nowhere/nichtig.weights: cannot be read: No such file or directory"),
        (["--start", str(FOLDER)], f"--start: {FOLDER}/nichtig.weights has width 640; the configuration has 16"),
        (["--exploit", str(FOLDER), "--exploiter", "vetoes"], "--exploiter vetoes: Null & nichtig has no vetoes"),
        (["--out", f"{__file__}/out"], f"--out: {__file__}/out cannot be created: Not a directory"),
    ],
)
def test_wrong_arguments(
    words: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    path = tmp_path / "good.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert error_of(["--config", str(path), "--minutes", "1", *words], capsys).startswith(message)


@pytest.mark.parametrize("mode", ["--distil", "--exploit", "--beliefs"])
def test_a_setup_that_the_network_does_not_know(mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mixed.toml"
    path.write_text(GOOD.replace("games.nichtig", "games.njet"), encoding="utf-8")
    error = error_of(["--config", str(path), "--minutes", "1", mode, str(FOLDER)], capsys)
    assert error == "njet: the network was not trained for nichtig with 4 players"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--deals", "0"], "--deals: 0 is not allowed; expected at least 2, for an interval"),
        (["--deals", "1"], "--deals: 1 is not allowed; expected at least 2, for an interval"),
        (["--matches", "1"], "--matches: 1 is not allowed; expected at least 2, or 0 for none"),
        ([], "PyTorch is missing: make train installs it, or pip install 'atout[train]'"),
    ],
)
def test_wrong_arguments_of_compare(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert compare.main([str(FOLDER), str(FOLDER), "--config", str(ROOT / "cpu.toml"), *words]) == 2
    assert capsys.readouterr().err == f"compare: {message}\n"


@pytest.mark.parametrize("module", ["train", "train.compare"])
def test_help_needs_no_torch(module: str) -> None:
    code = "import runpy, sys; sys.modules['torch'] = None; sys.argv[1:] = ['--help']; "
    code += f"runpy.run_module('{module}', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=True)
    assert "--config" in done.stdout
