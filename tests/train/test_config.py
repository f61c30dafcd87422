"""What can be wrong before training begins is named; none of it needs PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from train.__main__ import main
from train.config import read

ROOT = Path(__file__).parents[2] / "train"


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
    assert "pip install atout[train]" in capsys.readouterr().err
