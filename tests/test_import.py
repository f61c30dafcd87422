"""What `import atout` loads, and what happens where packages of an extra are not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import atout

ROOT = Path(__file__).parents[1]
HEAVY = ("numba", "numpy", "msgspec", "typer", "rich")
BLOCK = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return None

sys.meta_path.insert(0, Missing())
"""


def packages(*extras: str) -> list[str]:
    """The modules of the packages that extras install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [line for extra in extras for line in project["optional-dependencies"][extra]]
    wanted = [line for line in lines if not line.startswith("atout[")]
    return [line.partition(">")[0].partition("[")[0].replace("-", "_") for line in wanted]


def python(code: str, *arguments: str, missing: list[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCK.format(missing=missing) + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"COLUMNS": "200"})


def test_import_alone_loads_nothing_else() -> None:
    done = python(f"import atout; print([name for name in {HEAVY} if name in sys.modules])", missing=[])
    assert done.stdout == "[]\n", done.stderr


def test_every_public_name_is_there() -> None:
    assert set(atout.__all__) <= set(dir(atout))
    for name in atout.__all__:
        assert getattr(atout, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = atout.Nothing


def test_the_core_needs_no_package_of_an_extra() -> None:
    code = """
import random
from atout import Game
from atout.arena import Simulation
from atout.batch import Batch
from atout.bots import Budget, ask, make_bot
from atout.exam import Examination
from atout.records import Verifier
from atout.tables import Table
from atout.terminal.play import play

game = Game.new("nichtig", players=3, seed=1)
choice = ask(make_bot("learned"), game.view(game.turn), random.Random(1), Budget(nodes=10))
print(choice.action in map(str, game.legal()))
"""
    done = python(code, missing=packages("server", "arena", "ray", "train"))
    assert done.stdout == "True\n", done.stderr


COMMAND = "from atout.cli import main; main()"


def test_commands_without_extras() -> None:
    done = python(COMMAND, "editions", missing=packages("server", "arena"))
    assert done.returncode == 0, done.stderr
    assert "niet-2015" in done.stdout


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        (["serve"], "server"),
        (["arena", "-b", "novice,club", "-e", "nichtig", "-n", "3", "-d", "1", "-o", "x.json"], "arena"),
    ],
)
def test_a_missing_package_names_its_extra(command: list[str], extra: str, tmp_path: Path) -> None:
    done = python(f"import os; os.chdir({str(tmp_path)!r}); {COMMAND}", *command, missing=packages(extra))
    assert done.returncode == 2
    assert done.stderr.startswith(f"atout: atout {command[0]} needs the {extra}'s packages")
    assert f"pip install 'atout[{extra}]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())
