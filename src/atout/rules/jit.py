"""Decorators for compiled functions, so that the same source runs compiled, checked and as plain Python.

    @rule    a function of the rules: inlined into whatever calls it
    @part    a large function with many callers: compiled once per process and called, where inlining would repeat it
    @entry   a function that Python calls: compiled once, kept on disk

`ATOUT_JIT` in the environment chooses how they run:

    on      (default) compiled by Numba
    check   compiled, every array index checked (`IndexError` instead of silence)
    off     plain Python; Numba is not imported

A CUDA kernel may call any `@rule` directly: Numba compiles the same function for the device.

An entry is compiled when it is first called, or ahead of time and on several cores by `python -m atout.warm`.

Numba's disk cache watches only the file of the function it caches. Everything is inlined into the
entries, so an edit anywhere below them must invalidate them: the cache folder is named after a digest of
all compiled sources.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
log = logging.getLogger("atout.jit")

MODES = ("on", "check", "off")
MODE = os.environ.get("ATOUT_JIT", "on")
if MODE not in MODES:
    raise SystemExit(f"ATOUT_JIT: {MODE!r} is not allowed; allowed: {', '.join(MODES)}")
COMPILED = MODE != "off"
COMPILED_PACKAGES = ("rules", "knowledge", "search", "nets", "batch")
"""Packages whose functions are compiled."""


def source_digest() -> str:
    """A digest of every compiled source: the name under which compiled code is kept."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for part in COMPILED_PACKAGES:
        for path in sorted((package / part).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_base() -> Path:
    """The folder for compiled code: `ATOUT_CACHE`, else inside the virtual environment, else the user's cache.

    A virtual environment has one cache, whether its Python is started by `make`, by path or as `atout`.
    """
    chosen = os.environ.get("ATOUT_CACHE")
    if chosen:
        return Path(chosen)
    if sys.prefix != sys.base_prefix and os.access(sys.prefix, os.W_OK):
        return Path(sys.prefix) / "cache" / "atout"
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path("~").expanduser() / ".cache") / "atout"


def cache_folder() -> Path:
    """The cache of these sources, this Python, this Numba and this processor; in a temporary folder if need be."""
    python = f"py{sys.version_info[0]}{sys.version_info[1]}"
    name = f"{source_digest()}-{python}-numba{numba.__version__}-{llvm.get_host_cpu_name()}-{MODE}"
    owner = os.getuid() if hasattr(os, "getuid") else 0
    with suppress(OSError, RuntimeError):  # not writable, or there is no home
        folder = cache_base() / name
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    folder = Path(tempfile.gettempdir()) / f"atout-{owner}" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


FIRST_USE = (
    "atout: compiling %s, and what else this program calls for the first time: on one core about half a minute for "
    "what a Game does, some minutes for a searching bot. It is kept in %s until Atout, Python or Numba changes. "
    "To compile everything ahead, on all cores: python -m atout.warm"
)
"""Said once in each process that has to compile: what, for about how long, and how to have it done before."""
ENTRIES: list[Any] = []
"""Every compiled entry, in order of definition."""

if not COMPILED:

    def rule(function: Function) -> Function:
        return function

    def part(function: Function) -> Function:
        return function

    def entry(function: Function) -> Function:
        return function

else:
    import llvmlite.binding as llvm
    import numba
    from numba.core import config as _config
    from numba.core import event
    from numba.core.registry import CPUDispatcher

    config: Any = _config
    njit: Any = numba.njit

    _BOUNDS = MODE == "check"
    _FOLDER = cache_folder()

    class _Inner(CPUDispatcher):
        """Compiled without a wrapper for Python, which saves a quarter of the work. Python calls the plain function."""

        def __call__(self, *arguments: Any) -> Any:
            return self.py_func(*arguments)

    def _inner(function: Function, **options: Any) -> Any:
        compiled: Any = njit(
            nogil=True, boundscheck=_BOUNDS, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options
        )(function)
        compiled.__class__ = _Inner
        return compiled

    def rule(function: Function) -> Function:
        return _inner(function, forceinline=True)

    def part(function: Function) -> Function:
        return _inner(function)

    def entry(function: Function) -> Function:
        # The folder is read when the function is decorated; other users of Numba keep their own.
        kept, config.CACHE_DIR = config.CACHE_DIR, str(_FOLDER)
        try:
            compiled: Any = njit(nogil=True, cache=True, boundscheck=_BOUNDS)(function)
        finally:
            config.CACHE_DIR = kept
        ENTRIES.append(compiled)
        return compiled

    class _FirstUse(event.Listener):
        """Logs a line when this process first has to compile an entry that is not on disk."""

        def on_start(self, event: Any) -> None:
            global _told
            if not _told and event.data["dispatcher"] in ENTRIES:
                _told = True
                log.warning(FIRST_USE, event.data["dispatcher"].py_func.__name__, _FOLDER)

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", _FirstUse())


_told = False


def say_nothing() -> None:
    """No line at the first compilation of this process: the caller reports what is compiled."""
    global _told
    _told = True
