"""`python -m atout.web_export [--check]`, from the root of the repository."""

from __future__ import annotations

import sys
from pathlib import Path

from atout.web_export.files import stale, write


def main(arguments: list[str]) -> int:
    root = Path.cwd()
    if not (root / "web").is_dir():
        sys.stderr.write(f"web_export: {root} has no folder web; run it from the root of the repository\n")
        return 2
    if arguments == ["--check"]:
        old = stale(root)
        for path in old:
            sys.stderr.write(f"stale: {path}; update it with python -m atout.web_export\n")
        return 1 if old else 0
    if arguments:
        sys.stderr.write(f"web_export: {' '.join(arguments)} is not allowed; expected --check, or nothing\n")
        return 2
    for path in write(root):
        sys.stdout.write(f"written: {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
