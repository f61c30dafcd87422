"""The protocol: messages of the WebSocket and bodies of REST, as types (docs/protocol.md).

JSON Schema, TypeScript and the OpenAPI description are generated from these types.
"""

from atout.protocol.messages import (
    PING,
    VERSION,
    Advice,
    Bye,
    ClientMessage,
    Hello,
    Hint,
    Ping,
    Pong,
    Refusal,
    Rematch,
    Resync,
    ServerMessage,
    Told,
    Welcome,
    decode_client,
)

__all__ = [
    "PING",
    "VERSION",
    "Advice",
    "Bye",
    "ClientMessage",
    "Hello",
    "Hint",
    "Ping",
    "Pong",
    "Refusal",
    "Rematch",
    "Resync",
    "ServerMessage",
    "Told",
    "Welcome",
    "decode_client",
]
