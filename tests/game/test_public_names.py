"""Every public name explains itself with an example."""

from __future__ import annotations

import inspect

import pytest

import atout
import atout.game

NAMES = [(atout, name) for name in atout.__all__ if name != "__version__"]
NAMES += [(atout.game, name) for name in atout.game.__all__]


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_public_name_has_a_docstring_with_an_example(module: object, name: str) -> None:
    assert ">>> " in (inspect.getdoc(getattr(module, name)) or "")


def test_public_methods_have_docstrings() -> None:
    methods = [(name, value) for name, value in vars(atout.Game).items() if not name.startswith("_")]
    assert methods
    for name, value in methods:
        if isinstance(value, (property, classmethod)) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_a_game_shows_where_it_stands() -> None:
    game = atout.Game.new("niet-2015", players=4, seed=7)
    assert repr(game) == "Game('niet-2015', players=4, round=1, phase='veto', turn=2)"
