"""Work that waits for others and cannot be ended, such as the lookup of a name: in a thread of its own.

The pool of threads that `asyncio.to_thread` uses has few, and the whole server shares them: a few lookups that hang
would hold up everything else.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_own_thread(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of a call that blocks. Nobody waits for its daemon thread, neither after a timeout nor at the end."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = work(*arguments, **named)
        except Exception as error:  # it is for whoever waits
            done.set_exception(error)
        else:
            done.set_result(result)

    Thread(target=run, name="own-thread", daemon=True).start()
    return await asyncio.wrap_future(done)


async def look_up(host: str, port: int) -> list[str]:
    """The addresses of a name; `OSError` or `UnicodeError` if it has none."""
    infos = await in_own_thread(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in infos]
