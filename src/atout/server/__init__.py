"""The table server: HTTP and WebSockets around `atout.tables`, with `atout.store` as its event log.

    ws/connection ─► ws/session ─┐
                                 ├─► live/hub ─► live/table (state, lock, subscribers) ─► store
    http/operations ─────────────┘                   └─ live/bot_pool (bots in processes of their own)

Any worker serves any table. Event numbers keep two workers from overwriting each other: there is no lock between them.
"""

from atout.server.settings import ServerSettings

__all__ = ["ServerSettings"]
