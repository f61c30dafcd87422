"""Score sheets for matches with real cards, in the page's own file format, scored by the rules.

A sheet that the page exported opens here, and one that was kept here opens on the page (`web/src/sheet/model.ts`).
"""

from atout.sheet.editor import SheetEditor
from atout.sheet.keeper import Keeper, SheetFile
from atout.sheet.model import Sheet, new_sheet, read_sheets, write_sheet
from atout.sheet.scoring import is_over, problems_of, score_rounds, winners_of

__all__ = [
    "Keeper",
    "Sheet",
    "SheetEditor",
    "SheetFile",
    "is_over",
    "new_sheet",
    "problems_of",
    "read_sheets",
    "score_rounds",
    "winners_of",
    "write_sheet",
]
