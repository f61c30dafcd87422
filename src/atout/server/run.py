"""Starting the server: one process, or several behind one port."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import sys
import tempfile
from contextlib import suppress

import uvicorn
from uvicorn.supervisors import Multiprocess

from atout.errors import UsageError
from atout.server import browser
from atout.server.identity import find_keys
from atout.server.settings import ServerSettings
from atout.server.ws.connection import Connection
from atout.store import open_store

BACKLOG = 2048
HEALTH_SECONDS = 60
"""Until a worker that does not answer its parent is replaced; starting takes a while on a busy machine."""


def serve(settings: ServerSettings, open_browser: bool = False) -> None:
    """Until told to stop. What can be wrong is found here, before there are workers to fail one after the other.

    Who asks for a browser wants to play: if Atout runs at this address already, that one is opened; if something else
    has the port, any other will do.
    """
    if open_browser and browser.is_atout(running := address_of(settings.host, settings.port)):
        browser.show(running, "Atout runs already")
        return
    find_keys(settings)
    asyncio.run(_try_store(settings))
    listener = bind(settings, or_any=open_browser)
    with tempfile.TemporaryDirectory(prefix="atout-") as folder, listener:
        metrics_folder = folder if settings.workers > 1 else ""
        os.environ |= {**settings.to_environment(), "ATOUT_METRICS_FOLDER": metrics_folder}
        address = address_of(*listener.getsockname()[:2])
        sys.stdout.write(f"Atout serves at {address}\n")
        sys.stdout.flush()
        if open_browser:
            browser.show_when_ready(address)
        signal.signal(signal.SIGTERM, _end)
        config = configure(settings)
        with suppress(KeyboardInterrupt):
            if settings.workers > 1:
                Multiprocess(config, sockets=[listener]).run()
            else:
                uvicorn.Server(config).run(sockets=[listener])


def address_of(host: str, port: int) -> str:
    """As a browser on this machine takes it."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 — said, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _end(_signal: int, _frame: object) -> None:
    """After uvicorn has ended what was begun, it raises the signal again: all is well then."""
    raise SystemExit(0)


def bind(settings: ServerSettings, or_any: bool = False) -> socket.socket:
    """The port that is set; if it is taken and that is good enough, any free one."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in [settings.port, 0] if or_any else [settings.port]:
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((settings.host, port))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            problem = f"{settings.host}:{settings.port} cannot be served: {error.strerror or error}"
            if error.errno != errno.EADDRINUSE:
                break
        else:
            listener.set_inheritable(True)
            return listener
    raise UsageError(f"{problem}; --port names another, 0 any that is free")


async def _try_store(settings: ServerSettings) -> None:
    """Set up or brought up to date once, by one process."""
    store = await open_store(settings.database)
    await store.close()


def configure(settings: ServerSettings) -> uvicorn.Config:
    return uvicorn.Config(
        "atout.server.app:create",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        ws=Connection,
        ws_max_size=settings.message_bytes,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        timeout_worker_healthcheck=HEALTH_SECONDS,
        timeout_graceful_shutdown=settings.drain_seconds,
    )
