"""Setting a document: its data goes into `paper.typ`, a PDF comes out."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from atout.drawing.parts import FONTS
from atout.errors import AtoutError, UsageError
from atout.files import replace_file
from atout.i18n import Texts, reason_of, say

PAPERS = {"a4": "a4", "letter": "us-letter"}
SHAPES = {
    "red": (
        '<path d="M12.6.6c.6 4.4 7.9 7.4 7.9 14.6 0 4.8-3.8 8.2-8.5 8.2s-8.5-3.4-8.5-8.2c0-4.2 2.3-6.4 3.3-9.9 1.9 1 3 '
        "2.5 3.4 4.3C12 7.4 12.9 4 12.6.6Zm-.4 12.6c-1.7 2-3.3 3-3.3 5.1 0 1.8 1.4 3.1 3.2 3.1s3.2-1.3 "
        '3.2-3.1c0-2.1-1.9-2.9-3.1-5.1Z" fill-rule="evenodd"/>'
    ),
    "yellow": '<circle cx="12" cy="12" r="5.4"/>'
    + "".join(
        f'<path d="M12 .2 15 5.1a7.6 7.6 0 0 0-6 0Z" transform="rotate({turn} 12 12)"/>' for turn in range(0, 360, 45)
    ),
    "blue": (
        '<g fill="none" stroke="COLOUR" stroke-width="4.3"><path d="M.6 7.6c2.9-4.6 7-4.6 11.4-1.3s8.5 3.3 11.4-1.3"/>'
        '<path d="M.6 19c2.9-4.6 7-4.6 11.4-1.3s8.5 3.3 11.4-1.3"/></g>'
    ),
    "green": (
        '<path d="M2.6 18.9C.2 8.6 8.2.9 22.6 1.1L4.8 18.9 2.6 21Z"/><path d="M5.1 21.4C15.4 23.8 23.1 15.8 22.9 '
        '1.4L7.4 16.9 2 22.3Z" transform="translate(.9 .9)"/>'
    ),
    "black": '<path d="M6.5 1.8h11L23.6 9H.4Z"/>'
    '<path d="M.8 11h6.7l3.7 11.5ZM9.6 11h4.8L12 19ZM16.5 11h6.7L12.8 22.5Z"/>',
    "purple": '<path d="M14.8.9A11.3 11.3 0 1 0 23 16.3 9.3 9.3 0 0 1 14.8.9Z"/>',
}
"""The page's symbols of the colours (`web/src/art/shapes.ts`)."""
INKS = {
    "red": "#bc3019",
    "yellow": "#e9ac0c",
    "blue": "#2f66c4",
    "green": "#2b7340",
    "black": "#2b2724",
    "purple": "#56246a",
}


def symbols() -> dict[str, str]:
    """The symbol of each colour as SVG."""
    frame = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="{0}">{1}</svg>'
    return {name: frame.format(INKS[name], shape.replace("COLOUR", INKS[name])) for name, shape in SHAPES.items()}


def typeset(document: dict[str, Any], texts: Texts, paper: str) -> bytes:
    """The document as a PDF: fonts embedded, tagged."""
    import typst

    if paper not in PAPERS:
        raise UsageError(say("cli.error.paper", text=repr(paper[:20]), allowed=", ".join(PAPERS)))
    data = {
        "language": texts.language,
        "paper": PAPERS[paper],
        "footer": texts.t("paper.footer"),
        "symbols": symbols(),
        "colours": {colour: texts.t(f"colour.{colour}") for colour in SHAPES},
        **document,
    }
    with resources.as_file(resources.files(__package__).joinpath("paper.typ")) as main:
        try:
            pdf = typst.compile(
                str(main),
                font_paths=[str(FONTS)],
                ignore_system_fonts=True,
                sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
                pdf_standards="ua-1",
            )
        except typst.TypstError as error:
            raise AtoutError(f"the document cannot be set: {error.message}") from None
    assert isinstance(pdf, bytes)
    return pdf


def write(path: Path, pdf: bytes) -> None:
    try:
        replace_file(path, pdf)
    except OSError as error:
        raise UsageError(say("cli.error.write", path=f"--out: {path}", reason=reason_of(error))) from None
