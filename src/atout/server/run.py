"""Starting the server: one process, or several behind one port."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile
import webbrowser
from contextlib import suppress
from threading import Timer

import uvicorn
from uvicorn.supervisors import Multiprocess

from atout.errors import UsageError
from atout.server.identity import find_keys
from atout.server.settings import ServerSettings
from atout.server.wire import Wire
from atout.store import open_store

OPEN_SECONDS = 1.0
BACKLOG = 2048
HEALTH_SECONDS = 60
"""Until a worker that does not answer its parent is replaced; starting takes a while on a busy machine."""


def serve(settings: ServerSettings, open_browser: bool = False) -> None:
    """Until told to stop. What can be wrong is found here, before there are workers to fail one after the other."""
    find_keys(settings)
    asyncio.run(_try_store(settings))
    listener = bind(settings)
    with tempfile.TemporaryDirectory(prefix="atout-") as folder, listener:
        metrics_folder = folder if settings.workers > 1 else ""
        os.environ |= {**settings.to_environment(), "ATOUT_METRICS_FOLDER": metrics_folder}
        host, port = listener.getsockname()[:2]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        sys.stdout.write(f"Atout serves at {address}\n")
        sys.stdout.flush()
        if open_browser:
            Timer(OPEN_SECONDS, webbrowser.open, [address]).start()
        signal.signal(signal.SIGTERM, _end)
        config = configure(settings)
        with suppress(KeyboardInterrupt):
            if settings.workers > 1:
                Multiprocess(config, sockets=[listener]).run()
            else:
                uvicorn.Server(config).run(sockets=[listener])


def _end(_signal: int, _frame: object) -> None:
    """After uvicorn has ended what was begun, it raises the signal again: all is well then."""
    raise SystemExit(0)


def bind(settings: ServerSettings) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise UsageError(f"{settings.host}:{settings.port} cannot be served: {error.strerror or error}") from None
    listener.set_inheritable(True)
    return listener


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
        ws=Wire,
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        timeout_worker_healthcheck=HEALTH_SECONDS,
        timeout_graceful_shutdown=settings.drain_seconds,
    )
