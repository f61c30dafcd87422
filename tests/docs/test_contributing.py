"""CONTRIBUTING.md matches the tree: the folders of the page, and the files of a language."""

from __future__ import annotations

import re

from tests.docs.test_docs import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
TRANSLATED = ("web/src", "src/atout/i18n", "docs/rules")


def test_every_folder_of_the_page_has_a_row() -> None:
    table = TEXT.partition("| folder of `web/src` |")[2].partition("\n\n")[0]
    named = [name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)/`", line.split("|")[1])]
    folders = [path.name for path in (ROOT / "web" / "src").iterdir() if path.is_dir()]
    assert sorted(named) == sorted(folders)


def test_the_recipe_for_a_language_names_all_its_files() -> None:
    recipe = TEXT.partition("## Recipe: add a language\n")[2].partition("\n## ")[0]
    named = {name.rstrip("/") for name in re.findall(r"`(\S*<language>\S*)`", recipe)}
    found = {
        path.relative_to(ROOT).with_name(re.sub(r"\bde\b", "<language>", path.name)).as_posix()
        for folder in TRANSLATED
        for path in (ROOT / folder).rglob("*")
        if re.fullmatch(r"(\w+\.)?de(\.\w+)?", path.name)
    }
    assert named == found
    assert len(found) > 8
