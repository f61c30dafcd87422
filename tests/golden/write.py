"""Writes the golden games, the counts of positions and the picture of the README: `make golden`.

Also `python -m tests.golden.write`.

Read the difference before committing it: it is a change of the rules.
"""

from __future__ import annotations

from tests.golden import picture
from tests.golden.games import FOLDER, matches, render
from tests.rules import counts


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    expected = set()
    for match in matches():
        expected.add(match.path)
        match.path.write_text(render(match.play().record()), encoding="utf-8")
    for path in set(FOLDER.iterdir()) - expected:
        path.unlink()
    for path in counts.files():
        path.write_text(counts.render(counts.read(path)), encoding="utf-8")
    picture.PATH.write_text(picture.draw(), encoding="utf-8")
    print(f"wrote {len(expected)} games to {FOLDER} and {len(counts.files())} counts to {counts.FOLDER}")


if __name__ == "__main__":
    main()
