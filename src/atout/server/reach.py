"""The addresses by which other devices reach this server: for invitations, because 127.0.0.1 leads nobody here."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from urllib.parse import urlsplit

import ifaddr

from atout.server.http.hosts import is_local, name_of
from atout.server.settings import ServerSettings

DOCUMENTATION = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that nobody has: somewhere beyond this machine."""
TUNNELS = ("tun", "tap", "utun", "wg", "ppp", "tailscale", "zt", "ipsec", "nordlynx", "proton")
"""How adapters of VPNs are called. Who sits at the same table is rarely in the same VPN."""
VIRTUAL = ("docker", "br-", "virbr", "vmnet", "vboxnet", "vethernet", "veth", "virtualbox", "vmware", "lxc", "podman")
"""How adapters between a machine and what runs inside it are called."""
INSIDE = 3
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
        return [] if is_local(urlsplit(settings.public_url).netloc) else [settings.public_url.rstrip("/")]
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
    outward = [address for family in families for address in _sending_address(family)]
    adapters = {
        str(ip.ip if ip.is_IPv4 else ip.ip[0]): adapter.nice_name
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4 or socket.AF_INET6 in families
    }
    ranks = dict.fromkeys(outward, 0) | {
        address: _rank(adapter, address in outward) for address, adapter in adapters.items()
    }
    found = {address: rank for address, rank in ranks.items() if is_reachable(address)}
    best = min(found.values(), default=0)
    return sorted((one for one, rank in found.items() if rank < INSIDE or best == INSIDE), key=found.__getitem__)


def _rank(adapter: str, is_outward: bool) -> int:
    """How likely others in the same house reach an adapter's address; the lowest is the likeliest.

    >>> [_rank("wlan0", True), _rank("eth0", False), _rank("tun0", True), _rank("docker0", False)]
    [0, 1, 2, 3]
    """
    name = adapter.lower()
    if name.startswith(VIRTUAL):
        return INSIDE
    return 2 if name.startswith(TUNNELS) else 0 if is_outward else 1


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
