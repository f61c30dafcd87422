"""The addresses by which other devices reach this server: for invitations, because 127.0.0.1 leads nobody here."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

from atout.server.http.hosts import is_local, name_of
from atout.server.settings import ServerSettings

DOCUMENTATION = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that nobody has: somewhere beyond this machine."""
DISCARD = 9
"""A port; nothing is sent to it."""


def origins_for_others(settings: ServerSettings) -> list[str]:
    """The origins by which other devices reach this server, the likeliest first; empty if they cannot.

    The public URL, if there is one. Else the address it listens on, or if that is all of them (0.0.0.0 or ::), those of
    this machine in its networks. Such a name may have to be looked up: call it in a thread.

    >>> origins_for_others(ServerSettings()), origins_for_others(ServerSettings(public_url="https://play.example/"))
    ([], ['https://play.example'])
    >>> origins_for_others(ServerSettings(host="192.168.1.7")), origins_for_others(ServerSettings(host="fd00::7"))
    (['http://192.168.1.7:8000'], ['http://[fd00::7]:8000'])
    """
    if settings.public_url:
        return [settings.public_url.rstrip("/")]
    hosts = own_addresses(settings.host) if is_everywhere(settings.host) else [settings.host]
    return [f"http://{f'[{host}]' if ':' in host else host}:{settings.port}" for host in hosts if not is_local(host)]


def is_everywhere(host: str) -> bool:
    """Whether a server that listens on this address listens on all addresses of the machine.

    >>> [is_everywhere(host) for host in ("0.0.0.0", "::", "127.0.0.1", "192.168.1.7", "kitchen.local")]
    [True, True, False, False, False]
    """
    try:
        return ipaddress.ip_address(name_of(host)).is_unspecified
    except ValueError:
        return False


def own_addresses(host: str) -> list[str]:
    """This machine's addresses in its networks, for a server that listens on 0.0.0.0, or on :: and so on both kinds."""
    families = [socket.AF_INET] if ":" not in host else [socket.AF_INET, socket.AF_INET6]
    found = [address for family in families for address in _sending_address(family)]
    if not found:  # without a route to elsewhere, the machine's own name may still have an address
        with suppress(OSError, UnicodeError):
            for family, *_, place in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_DGRAM):
                if family in families:
                    found.append(str(place[0]))
    return list(dict.fromkeys(filter(is_reachable, found)))


def _sending_address(family: socket.AddressFamily) -> list[str]:
    """The address from which this machine would send something elsewhere. To connect a UDP socket sends nothing."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((DOCUMENTATION[family], DISCARD))
        return [str(probe.getsockname()[0])]
    return []


def is_reachable(address: str) -> bool:
    """Whether other machines may reach one by this address, at home or elsewhere.

    >>> [is_reachable(address) for address in ("192.168.1.7", "10.0.0.1", "203.0.113.5", "fd00::7", "2001:db8::7")]
    [True, True, True, True, True]
    >>> [is_reachable(address) for address in ("127.0.1.1", "::1", "0.0.0.0", "169.254.3.4", "fe80::7%eth0", "ff02::1")]
    [False, False, False, False, False, False]
    """
    found = ipaddress.ip_address(address)
    return not (found.is_loopback or found.is_unspecified or found.is_link_local or found.is_multicast)
