"""The sdist has the built page, and a wheel built from the sdist has it, too."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from atout.server.http.static import STATIC

ROOT = Path(__file__).parents[1]
PAGE = "server/static/index.html"

pytestmark = pytest.mark.slow


def build(folder: Path, target: str, out: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(out)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """As an installer makes it from the sdist, where there is neither git nor Node."""
    if not (STATIC / "index.html").is_file():
        pytest.fail("the page is not built; expected: make web")
    folder = tmp_path_factory.mktemp("dist")
    with tarfile.open(build(ROOT, "sdist", folder / "sdist")) as sdist:
        sdist.extractall(folder, filter="data")
    (source,) = folder.glob("atout-*")
    return zipfile.ZipFile(build(source, "wheel", folder / "wheel"))


def test_the_wheel_has_the_page(wheel: zipfile.ZipFile) -> None:
    assert wheel.read(f"atout/{PAGE}") == (STATIC / "index.html").read_bytes()
    built = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}
    packed = {name.removeprefix("atout/server/static/") for name in wheel.namelist() if "server/static/" in name}
    assert packed == built


def test_the_wheel_has_all_files_that_the_code_reads(wheel: zipfile.ZipFile) -> None:
    """Fonts, drawings, weights, texts and templates."""
    package = ROOT / "src" / "atout"
    left_out = ("server/static/", "web_export/")
    names = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    expected = {name for name in names if not name.startswith(left_out)}
    assert {"drawing/fonts/Karla-Regular.ttf", "drawing/symbols.svg", "paper/paper.typ"} <= expected
    assert {f"atout/{name}" for name in expected} <= set(wheel.namelist())


def test_an_index_can_follow_every_link_of_the_readme(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith("METADATA")]
    text = wheel.read(name).decode()
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert any("/raw/" in link and link.endswith(".png") for link in links)
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert "Project-URL: Source, https://" in text
