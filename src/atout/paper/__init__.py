"""Paper: score sheets, rules in short, a match as a booklet, deals for a club evening, puzzles, as PDF files.

Each module makes the data of its documents; `typeset.py` sets them with Typst (the extra `atout[print]`), with the
page's own fonts embedded, tagged for screen readers (PDF/UA-1).
"""
