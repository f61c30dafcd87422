"""The pages of docs/rules as data: sections, numbered paragraphs, tables and notes, in each language.

English is written in `docs/rules/<edition>.md`, other languages in `docs/rules/<language>/<edition>.md`, with the same
paragraphs and tables: a test compares them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from atout.editions import PUBLISHED

LANGUAGES = ("en", "fr", "de")
HEADING = re.compile(r"## (\d+) (.+)")
PARAGRAPH = re.compile(r"\*\*(\d+\.\d+)\*\* (.+?)\.(?: (.+))?")


def rules_pages(folder: Path, language: str) -> dict[str, Any]:
    """The pages of all editions, by id."""
    where = folder if language == "en" else folder / language
    return {name: read_page((where / f"{name}.md").read_text(encoding="utf-8")) for name in PUBLISHED}


def read_page(text: str) -> dict[str, Any]:
    """A page as data: its title, and sections of paragraphs; the lines after a paragraph's first are its blocks."""
    title, *lines = text.splitlines()
    page: dict[str, Any] = {"title": re.sub(r" \(`.*`\)$", "", title.removeprefix("# ")), "sections": []}
    previous = ""
    for line in lines:
        heading, paragraph = HEADING.fullmatch(line), PARAGRAPH.fullmatch(line)
        if heading:
            page["sections"].append({"number": heading[1], "title": heading[2], "text": "", "paragraphs": []})
        elif paragraph:
            number, name, words = paragraph.groups()
            page["sections"][-1]["paragraphs"].append(
                {"number": number, "title": name, "text": words or "", "blocks": []}
            )
        elif line and page["sections"] and page["sections"][-1]["paragraphs"]:
            _block(page["sections"][-1]["paragraphs"][-1]["blocks"], line, previous)
        elif line and page["sections"]:
            page["sections"][-1]["text"] = line
        previous = line
    return page


def _block(blocks: list[dict[str, Any]], line: str, previous: str) -> None:
    if line.startswith("|"):
        row = [cell.strip() for cell in line.strip("|").split("|")]
        if all(set(cell) <= {"-"} for cell in row):
            return
        if previous.startswith("|"):
            blocks[-1]["table"].append(row)
        else:
            blocks.append({"table": [row]})
    elif line.startswith("> "):
        blocks.append({"note": line.removeprefix("> ")})
    else:
        blocks.append({"text": line})
