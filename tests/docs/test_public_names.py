"""Every public name of `atout` explains itself, with an example."""

from __future__ import annotations

import inspect
import tomllib

import pytest

import atout
from tests.docs.test_docs import ROOT

NAMES = [name for name in atout.__all__ if not name.startswith("__")]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_a_docstring_with_an_example(name: str) -> None:
    """An exception only has to say when it is raised: an example of it is in the docstring of what raises it."""
    thing = getattr(atout, name)
    text = inspect.getdoc(thing) or ""
    assert vars(thing).get("__doc__"), f"{name} has no docstring of its own"
    assert text.strip()
    if not (isinstance(thing, type) and issubclass(thing, BaseException)):
        assert ">>>" in text or "```" in text, f"the docstring of {name} has no example"


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project.get("version", atout.__version__) == atout.__version__
