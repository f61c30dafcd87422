"""One decorator for the rules, so that the same source runs at three speeds.

    @rule    a function of the rules: inlined into whatever calls it
    @part    a large function that many call: compiled once and called, where inlining would compile it many times
    @entry   a function Python calls: compiled once, kept on disk

`ATOUT_JIT` in the environment chooses how they run:

    on      (default) compiled by Numba
    check   compiled, every array index checked (`IndexError` instead of silence)
    off     plain Python; Numba is not even imported

A CUDA kernel may call any `@rule` directly: Numba compiles the same function for the device.

Numba's disk cache watches only the file of the function it caches. Everything is inlined into the
entries, so an edit anywhere below them must void them: the cache folder is named after a digest of
all compiled sources.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

MODES = ("on", "check", "off")
MODE = os.environ.get("ATOUT_JIT", "on")
if MODE not in MODES:
    raise SystemExit(f"ATOUT_JIT: {MODE!r} is not allowed; allowed: {', '.join(MODES)}")
COMPILED = MODE != "off"
COMPILED_ROOMS = ("rules", "knowledge", "search", "nets", "batch")
"""Folders of the package whose functions are compiled."""


def source_digest() -> str:
    """A digest of every compiled source: the name under which compiled code is kept."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for room in COMPILED_ROOMS:
        for path in sorted((package / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept: `ATOUT_CACHE`, else the user's cache, else a temporary folder."""
    chosen = os.environ.get("ATOUT_CACHE")
    if chosen:
        base = Path(chosen)
    elif os.environ.get("XDG_CACHE_HOME"):
        base = Path(os.environ["XDG_CACHE_HOME"]) / "atout"
    else:
        base = Path("~").expanduser() / ".cache" / "atout"
    folder = base / f"{source_digest()}-py{sys.version_info[0]}{sys.version_info[1]}-{MODE}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"atout-{owner}" / folder.name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


ENTRIES: list[Any] = []
"""Every compiled entry, in order of definition; `warm` compiles them one by one."""

if not COMPILED:

    def rule(function: Function) -> Function:
        return function

    def part(function: Function) -> Function:
        return function

    def entry(function: Function) -> Function:
        return function

else:
    import numba
    from numba.core import config as _config

    config: Any = _config

    _BOUNDS = MODE == "check"
    _FOLDER = str(cache_folder())

    def rule(function: Function) -> Function:
        compiled: Any = numba.njit(forceinline=True, nogil=True, boundscheck=_BOUNDS)(function)
        return compiled

    def part(function: Function) -> Function:
        compiled: Any = numba.njit(nogil=True, boundscheck=_BOUNDS)(function)
        return compiled

    def entry(function: Function) -> Function:
        # The folder is read when the function is decorated; other users of Numba keep their own.
        kept, config.CACHE_DIR = config.CACHE_DIR, _FOLDER
        try:
            compiled: Any = numba.njit(nogil=True, cache=True, boundscheck=_BOUNDS)(function)
        finally:
            config.CACHE_DIR = kept
        ENTRIES.append(compiled)
        return compiled
