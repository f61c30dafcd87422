"""The table server: HTTP and WebSockets around `atout.tables`, kept by `atout.store`.

    wire ── sockets ─┐
                     ├─ hub ── table (a Sitting, its lines) ── store
    api ─────────────┘           └── pool (bots, in processes of their own)

Any worker serves any table; what keeps two of them from harming each other is the number of an event, not a lock.
"""

from atout.server.settings import ServerSettings

__all__ = ["ServerSettings"]
