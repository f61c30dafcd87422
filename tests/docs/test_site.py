"""`make docs`: the static site has every page, its links work, and the reference has every public name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import atout
from tests.docs.test_docs import PAGES, ROOT

LINK = re.compile(r'(?:href|src)="(?!\w+:|#)([^"#]+)')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-W", "error::UserWarning:pdoc", str(ROOT / "docs" / "build.py"), str(out)]
    done = subprocess.run(command, cwd=out, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


@pytest.mark.slow
def test_the_site_is_built_without_the_libraries_of_the_environments(tmp_path: Path) -> None:
    """`make docs` installs none of them: what needs one is named and left out."""
    missing = ("gymnasium", "pettingzoo", "pyspiel", "tensordict", "torch", "torchrl")
    start = (
        f"import runpy, sys; sys.modules.update(dict.fromkeys({missing})); sys.argv[1:] = [{str(tmp_path)!r}]; "
        f"runpy.run_path({str(ROOT / 'docs' / 'build.py')!r}, run_name='__main__')"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", start], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    left_out = {f"atout.envs.{name}" for name in ("gymnasium", "openspiel", "pettingzoo", "torchrl")}
    assert set(re.findall(r"left out of the reference: ([\w.]+) ", done.stderr)) == left_out
    assert "Traceback" not in done.stderr
    index = (tmp_path / "reference" / "index.html").read_text(encoding="utf-8")
    assert "The batched environment as a TorchRL" in index.partition("Not described here")[2]
    assert (tmp_path / "reference" / "atout" / "envs" / "batched.html").exists()


@pytest.mark.slow
def test_every_page_is_there_and_its_links_work(site: Path) -> None:
    names = [str(page.relative_to(ROOT).with_suffix(".html")) for page in PAGES if page != ROOT / "README.md"]
    for name in ("index.html", "reference/index.html", *names):
        text = (site / name).read_text(encoding="utf-8")
        links = LINK.findall(text)
        assert links, name
        for link in links:
            assert (site / name).parent.joinpath(link).exists(), f"{name} links to {link}"


@pytest.mark.slow
def test_the_reference_describes_every_public_name(site: Path) -> None:
    text = (site / "reference" / "atout.html").read_text(encoding="utf-8")
    missing = [name for name in atout.__all__ if not name.startswith("__") and f'id="{name}"' not in text]
    assert missing == []


@pytest.mark.slow
def test_the_reference_has_every_package(site: Path) -> None:
    packages = {path.parent.name for path in (ROOT / "src" / "atout").glob("*/__init__.py")}
    assert {path.stem for path in (site / "reference" / "atout").glob("*.html")} >= packages
    assert "atout/rules/step.html" in (site / "reference" / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_compiled_functions_keep_signature_and_docstring(site: Path) -> None:
    """Numba's dispatchers have neither; the site is built with the plain functions."""
    text = (site / "reference" / "atout" / "rules" / "entries.html").read_text(encoding="utf-8")
    assert 'id="legal"' in text
    assert "Dispatcher" not in text
