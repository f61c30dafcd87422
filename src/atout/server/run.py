"""Starting the server: one process, or several workers behind one port."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import shlex
import signal
import socket
import sys
import tempfile
import threading
from contextlib import suppress

import uvicorn
from msgspec.structs import replace
from sqlalchemy import make_url

from atout.errors import UsageError
from atout.server import browser, logs
from atout.server.http.connection import HttpConnection
from atout.server.identity import agree_on_keys, find_keys
from atout.server.live.mail import check_mail
from atout.server.lock import InUse, Lock, locked
from atout.server.metrics import WORKERS_FOLDER, forget_worker
from atout.server.oidc import check_oidc
from atout.server.reach import is_everywhere, origins_for_others, own_addresses
from atout.server.settings import ServerSettings
from atout.server.supervisor import Supervisor, start_process
from atout.server.ws.connection import Connection
from atout.store import open_store
from atout.store.open import sqlite_file

log = logging.getLogger("atout.run")

BACKLOG = 2048
UNSENT_BYTES = 65_536
"""What the system takes from a connection before it was sent: more waits in the process, where it counts as unread.

Without this limit Linux takes up to 4 MB for a client that does not read.
"""
CLOSE_SECONDS = 3.0
"""What a worker may take to close its store, after draining connections and then tables."""


def serve(settings: ServerSettings, open_browser: bool = False) -> None:
    """Serve until a signal comes. Wrong settings are found here, before any worker could fail because of them.

    A SQLite database that another server uses is refused; with `open_browser` that server is shown. With PostgreSQL,
    `open_browser` shows the Atout that already runs at this address. If another program has the port, or an Atout with
    another database, `open_browser` takes any free one.
    """
    is_locked = sqlite_file(settings.database) is not None  # by the server that has it, which then names its address
    if open_browser and not is_locked and browser.is_atout(running := address_of(settings.host, settings.port)):
        browser.show(running, "Atout runs already")
        return
    logs.set_up(settings)
    try:
        with locked(settings) as lock:
            _serve(settings, lock, open_browser)
    except InUse as error:
        if not (open_browser and browser.is_atout(error.address)):
            raise
        browser.show(error.address, "Atout runs already")


def _serve(settings: ServerSettings, lock: Lock, open_browser: bool) -> None:
    find_keys(settings)  # wrong ones are named before the database is opened
    check_mail(settings)
    check_oidc(settings)
    listener = bind(settings, or_any=open_browser)
    with listener:
        file = sqlite_file(settings.database)
        is_new = file is not None and not file.exists()
        asyncio.run(_try_store(settings))
        host, port = listener.getsockname()[:2]
        address, database = address_of(host, port), database_line(settings, is_new)
        lock.write_holder(address)
        if settings.port not in (0, port):
            is_atout = browser.is_atout(address_of(settings.host, settings.port))
            who = "an Atout with another database" if is_atout else "another program"
            sys.stdout.write(f"port {settings.port} is in use by {who}, so another one was taken\n")
        settings = replace(settings, port=port)
        os.environ |= settings.to_environment()
        sys.stdout.write(f"Atout serves at {address}\n{for_others(settings)}\n{database}\n")
        sys.stdout.flush()
        if open_browser:
            browser.show_when_ready(address)
        if settings.workers > 1:
            supervise(settings, listener)
        else:
            work(listener)


def supervise(settings: ServerSettings, listener: socket.socket) -> None:
    """Run several workers, which share the listening socket and a folder for their metrics."""
    patience = patience_of(settings)
    with tempfile.TemporaryDirectory(prefix="atout-") as folder:
        os.environ[WORKERS_FOLDER] = folder
        Supervisor(lambda: start_process(work, listener), settings.workers, patience, forget_worker).run()


def patience_of(settings: ServerSettings) -> float:
    """Seconds that a worker may take to end."""
    return 2 * settings.drain_seconds + CLOSE_SECONDS


def work(listener: socket.socket) -> None:
    """Serve in this process, with the settings of the environment."""
    signal.signal(signal.SIGTERM, _exit)
    settings = ServerSettings.read()
    with suppress(KeyboardInterrupt):
        PunctualServer(configure(settings), patience_of(settings)).run(sockets=[listener])


class PunctualServer(uvicorn.Server):
    """Ends in time when told to. A thread that waits for another machine would otherwise keep the process alive."""

    def __init__(self, config: uvicorn.Config, patience: float) -> None:
        super().__init__(config)
        self._patience = patience

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        end_after(self._patience)
        await super().shutdown(sockets)


def end_after(seconds: float) -> None:
    """End the process after so many seconds, whatever it does then."""

    def end() -> None:
        log.warning("worker did not end in time")
        os._exit(0)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()


def address_of(host: str, port: int) -> str:
    """The URL that a browser on this machine opens."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 — shown, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def for_others(settings: ServerSettings) -> str:
    """How other devices open the page, in one line."""
    origins = origins_for_others(settings)
    if origins:
        return f"Other devices open {' or '.join(origins)}"
    if is_everywhere(settings.host):
        if own_addresses("::"):
            return "No IPv4 address was found by which other devices could open it; with --host :: they can by IPv6"
        return "No address was found by which other devices could open it; this computer seems to be in no network"
    arguments = [argument.replace(settings.database, shown_url(settings)) for argument in sys.argv[1:]]
    command = shlex.join([os.environ.get("ATOUT_COMMAND", "atout"), *arguments, "--host", "0.0.0.0"])  # noqa: S104
    return f"Only this computer can open it. To let others in your network in, stop it and run: {command}"


def database_line(settings: ServerSettings, is_new: bool) -> str:
    """Which database is served, in one line: started in another folder, a server has another one, and knows nobody."""
    path = sqlite_file(settings.database)
    if path is None:
        return f"Database {shown_url(settings)}"
    return f"Database {path.absolute()}{' (new: nobody is known here yet)' if is_new else ''}"


def shown_url(settings: ServerSettings) -> str:
    """The address of the database without its password: what is printed at the start is kept in logs."""
    url = settings.database
    return url if sqlite_file(url) is not None else make_url(url).render_as_string(hide_password=True)


def _exit(_signal: int, _frame: object) -> None:
    """Uvicorn raises the signal again after it has shut down; the process then ends with 0."""
    raise SystemExit(0)


def bind(settings: ServerSettings, or_any: bool = False) -> socket.socket:
    """Listen on the port of the settings; with `or_any`, on any free one if it is taken."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in [settings.port, 0] if or_any else [settings.port]:
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)  # connections inherit it
        try:
            listener.bind((settings.host, port))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            problem = f"{settings.host}:{settings.port} cannot be served: {error.strerror or error}"
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise UsageError(f"{problem}; --host names an address of this machine, 0.0.0.0 all of them") from None
            if error.errno == errno.EACCES:
                break
        else:
            listener.set_inheritable(True)
            return listener
    raise UsageError(f"{problem}; --port names another, 0 any that is free")


async def _try_store(settings: ServerSettings) -> None:
    """Create or migrate the schema and compare the keys once, before workers start."""
    store = await open_store(settings.database)
    try:
        await agree_on_keys(settings, store)
    finally:
        await store.close()


def configure(settings: ServerSettings) -> uvicorn.Config:
    return uvicorn.Config(
        "atout.server.app:create",
        factory=True,
        host=settings.host,
        port=settings.port,
        http=HttpConnection,
        ws=Connection,
        ws_max_size=settings.message_bytes,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        timeout_graceful_shutdown=settings.drain_seconds,
    )
