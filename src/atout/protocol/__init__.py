"""What goes over the wire: the messages of the socket and of REST, as types (docs/protocol.md).

JSON Schema, TypeScript and the OpenAPI description are generated from these types.
"""

from atout.protocol.messages import (
    VERSION,
    Advice,
    Bye,
    ClientMessage,
    Hello,
    Hint,
    Refusal,
    Rematch,
    Resync,
    ServerMessage,
    Told,
    Welcome,
    decode_client,
)

__all__ = [
    "VERSION",
    "Advice",
    "Bye",
    "ClientMessage",
    "Hello",
    "Hint",
    "Refusal",
    "Rematch",
    "Resync",
    "ServerMessage",
    "Told",
    "Welcome",
    "decode_client",
]
