"""Where the exported files are, and whether they are up to date."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from atout.game.view import SECRET_NAMES
from atout.web_export.catalogues import catalogue
from atout.web_export.editions import editions, team_of_seat
from atout.web_export.lessons import lessons
from atout.web_export.pages import LANGUAGES, rules_pages
from atout.web_export.scores import kept_sheet, scored_matches
from atout.web_export.shuffles import shuffled_matches

GENERATED = Path("web/src/generated")
VECTORS = Path("web/tests/generated")
TEXTS = Path("src/atout/i18n/data")


def exports(root: Path) -> dict[Path, str]:
    """Every file with its text, by its path from the root of the repository."""
    files = {
        GENERATED / "names.ts": _names(),
        GENERATED / "editions.json": _text(editions()),
        GENERATED / "lessons.json": _text(lessons()),
        VECTORS / "scores.json": _lines(scored_matches()),
        VECTORS / "shuffles.json": _lines(shuffled_matches()),
        VECTORS / "sheet.json": _text(kept_sheet()),
    }
    texts = root / "web" / "src" / "i18n"
    for language in LANGUAGES:
        parts = (texts / f"{language}.ts", texts / "study" / f"{language}.ts")
        files[TEXTS / f"page.{language}.json"] = _text(
            {key: text for part in parts for key, text in catalogue(part).items()}
        )
        files[GENERATED / f"rules.{language}.json"] = _text(rules_pages(root / "docs" / "rules", language))
    return files


def stale(root: Path) -> list[Path]:
    """Files that are missing or differ from what would be written."""
    return [path for path, text in exports(root).items() if _read(root / path) != text]


def write(root: Path) -> list[Path]:
    """Write the files that are stale; returns their paths."""
    changed = stale(root)
    for path, text in exports(root).items():
        if path in changed:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
    return changed


def _names() -> str:
    """Names that the page's types are made of (TypeScript reads no literal types from JSON), and the teams."""
    lists: dict[str, Sequence[Any]] = {
        "EDITION_IDS": [edition["id"] for edition in editions()],
        "LANGUAGES": LANGUAGES,
        "SECRET_PHASES": SECRET_NAMES,
        "TEAM_OF_SEAT": team_of_seat(),
    }
    lines = [f"export const {name} = {json.dumps(list(names))} as const;" for name, names in lists.items()]
    return "\n".join(["// Written by `python -m atout.web_export`: do not edit.", *lines, ""])


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _lines(items: list[Any]) -> str:
    """A list with one item per line, so that a diff shows which one changed."""
    return "[\n" + ",\n".join(json.dumps(item, ensure_ascii=False) for item in items) + "\n]\n"
