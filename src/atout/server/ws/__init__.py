"""WebSockets: one connection, its handshake, frames and heartbeat, and the session that answers its messages."""
