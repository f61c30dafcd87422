"""The documents are correct: their code runs, their links work, and they name no machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from atout import Game

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")])

NAMED_FILE = re.compile(r"`([\w.-]+/[\w./-]*\w\.(?:py|ts|svelte|toml|json|lock|md))`")
SEARCHED = (
    "WebSocket",
    "event sourcing",
    "group commit",
    "belief sampling",
    "determinization",
    "rate limit",
    "information-set MCTS",
    "double dummy solver",
    "commit-reveal shuffle",
    "NOTIFY",
    "latency",
)
"""What an engineer types into a search box."""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def test_the_python_of_the_readme_runs() -> None:
    (block,) = blocks(ROOT / "README.md", "python")
    names: dict[str, object] = {}
    exec(block, names)  # noqa: S102
    game = names["game"]
    assert isinstance(game, Game)
    assert [str(action) for action in game.actions] == ["2 veto trump red"]


def test_the_bot_of_the_recipe_plays() -> None:
    block = blocks(ROOT / "CONTRIBUTING.md", "python")[-1]
    names: dict[str, object] = {}
    exec(block, names)  # noqa: S102
    assert "Highest" in names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_work(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_named_in_a_page_exist(page: Path) -> None:
    """Names with a folder, such as `rules/step.py`: from the root, the package or the page's source."""
    folders = (ROOT, ROOT / "src" / "atout", ROOT / "web", ROOT / "web" / "src")
    for name in NAMED_FILE.findall(page.read_text(encoding="utf-8")):
        assert any((folder / name).exists() for folder in folders), f"{page.name} names {name}"


def test_the_decisions_are_all_in_their_index() -> None:
    folder = ROOT / "docs" / "decisions"
    linked = set(re.findall(r"\]\((20[\w-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8")))
    assert linked == {page.name for page in folder.glob("20*.md")}


@pytest.mark.parametrize("term", SEARCHED)
def test_a_term_people_search_for_is_in_the_title_of_a_decision(term: str) -> None:
    pages = (ROOT / "docs" / "decisions").glob("20*.md")
    titles = [page.read_text(encoding="utf-8").partition("\n")[0].lower() for page in pages]
    assert any(term.lower() in title for title in titles), term


def test_the_lock_files_contain_no_address() -> None:
    for lock in ROOT.glob("requirements*.lock"):
        assert "://" not in lock.read_text(encoding="utf-8"), lock.name


def test_no_file_contains_the_path_of_this_checkout() -> None:
    files = [path for folder in ("src", "tests", "docs", "bench") for path in (ROOT / folder).rglob("*")]
    for path in [*files, *ROOT.glob("*")]:
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".xz", ".json"):
            assert str(ROOT) not in path.read_text(encoding="utf-8", errors="replace"), path.name
