"""What every HTTP request can reach: the hub, the settings, the guest, and the limits on new guests and tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection

from atout.server.errors import ApiError
from atout.server.identity import Challenges, Identity, Signer, cookie_of
from atout.server.limits import Buckets, CountLimit, network_of
from atout.server.live.hub import Hub
from atout.server.live.my_parts import MyParts
from atout.server.matches.picture import Pictures
from atout.server.matches.replays import Replays
from atout.server.matches.turns import Turns
from atout.server.oidc import OidcCookies, Provider
from atout.server.settings import ServerSettings

HOUR = 3600.0
DAY = 86_400.0
BURST = 10.0
"""New guests of an address, or tables of a guest, at once."""
ASK_BURST = 30.0
"""Requests to be friends and invitations of a guest at once: a whole group of friends."""
EXPORTS_OF_NETWORK = 4
"""Exports of all guests of an address that are sent at a time; of a guest it is one."""
EXPORT_RETRY_SECONDS = 30.0
BURST_SECONDS = 3.0
"""Requests at once: as many as are allowed in this time."""


class Context:
    MAX_LINKS = 20
    """Links of a seat that were not used yet."""
    MAX_LINKS_EVER = 1000
    """Links of a seat over the life of its table, used and revoked ones too."""

    def __init__(
        self,
        hub: Hub,
        settings: ServerSettings,
        signer: Signer,
        challenges: Challenges,
        clock: Callable[[], float] = time.monotonic,
        oidc_cookies: OidcCookies | None = None,
    ) -> None:
        self.hub, self.settings, self.signer, self.challenges = hub, settings, signer, challenges
        self.oidc, self.oidc_cookies = Provider(settings), oidc_cookies or OidcCookies(())
        self.turns, self.upload_turns = Turns(), Turns()
        """For matches that are stored here, and for records that anybody sends: those keep nobody from the others."""
        self.replays = Replays()
        self.pictures = Pictures()
        self.my_parts = MyParts(hub)
        self.exporting = asyncio.Lock()
        """One event log at a time is read for exports."""
        self.checking = asyncio.Lock()
        """The settings of one table at a time are checked, in a thread: house rules take a while."""
        self._exports, self._exports_of_network = CountLimit(1), CountLimit(EXPORTS_OF_NETWORK)
        self._new_guests = Buckets(settings.guests_per_hour / HOUR, min(settings.guests_per_hour, BURST), clock)
        self._new_tables = Buckets(settings.tables_per_hour / HOUR, min(settings.tables_per_hour, BURST), clock)
        self._sign_ins = Buckets(settings.sign_ins_per_hour / HOUR, min(settings.sign_ins_per_hour, BURST), clock)
        self._asks = Buckets(settings.asks_per_hour / HOUR, min(settings.asks_per_hour, ASK_BURST), clock)
        self._reports = Buckets(settings.reports_per_day * 3 / DAY, settings.reports_per_day * 3, clock)
        self._mails = Buckets(settings.mails_per_hour / HOUR, settings.mails_per_hour, clock)
        self._network_mails = Buckets(settings.mail_asks_per_hour / HOUR, settings.mail_asks_per_hour, clock)
        share = settings.mail_asks_in_all / settings.workers
        self._all_mails = Buckets(share / HOUR, max(1.0, share), clock)
        self._requests = Buckets(settings.requests_per_second, settings.requests_per_second * BURST_SECONDS, clock)

    @staticmethod
    def now() -> float:
        return time.time()

    def identity_of(self, request: HTTPConnection) -> Identity | None:
        """Whom a request's cookie names; None without a valid one."""
        return self.signer.identity(cookie_of(request.headers.getlist("cookie")), self.now())

    def guest_of(self, request: HTTPConnection) -> str | None:
        """The guest of a request's cookie; None without a valid one."""
        found = self.identity_of(request)
        return None if found is None else found.guest

    def caller(self, request: HTTPConnection) -> str:
        """For whom a request counts: its guest, or its address without a valid cookie."""
        guest = self.guest_of(request)
        return f"guest {guest}" if guest is not None else f"address {_network(request)}"

    @staticmethod
    def network(request: HTTPConnection) -> str:
        """The network of a request's address, for limits that one attacker with many guests would otherwise evade."""
        return _network(request)

    def check_rate(self, request: HTTPConnection) -> None:
        """Count a request: for its guest, so that no neighbour behind the same address can use the budget up.

        Without a valid cookie it counts for the address. How many guests an address can make is limited, too.
        """
        wait = self._requests.take(self.caller(request))
        if wait:
            raise ApiError(429, "too-many", "too many requests; slow down", seconds=round(wait, 1))

    def check_new_guest(self, request: HTTPConnection) -> None:
        _check(self._new_guests.take(_network(request)), "too-many-guests", "too many new guests from your address")

    def check_sign_in(self, request: HTTPConnection) -> None:
        """Count an attempt to sign in: nobody can try recovery codes faster than this."""
        _check(self._sign_ins.take(_network(request)), "too-many-sign-ins", "too many attempts from your address")

    def check_asking(self, guest: str) -> None:
        """Count a request to be friends, an invitation or a new link."""
        _check(self._asks.take(guest), "too-many-asks", "too many requests and invitations")

    def check_report(self, request: HTTPConnection) -> None:
        """Count a report from an address; those of a guest are counted in the database, for all workers."""
        _check(self._reports.take(_network(request)), "too-many-reports", "too many reports from your address")

    def check_mail(self, guest: str, request: HTTPConnection) -> None:
        """Count a request to confirm a mail address: for the guest, for the network, and for the whole server.

        Guests cost nothing, so that one person could have many strangers written to.
        """
        _check(self._mails.take(guest), "too-many-mails", "too many mails were asked for")
        _check(self._network_mails.take(_network(request)), "too-many-mails", "too many mails from your address")
        _check(self._all_mails.take(""), "too-many-mails", "this server sends no more such mails for now")

    @contextmanager
    def export(self, request: HTTPConnection, guest: str) -> Iterator[None]:
        """Count an export while it is sent; 429 if the guest has one already, or the address several."""
        network = _network(request)
        if not self._exports.enter(guest):
            message = "your file is being sent already; wait for its end"
            raise ApiError(429, "too-many-exports", message, seconds=EXPORT_RETRY_SECONDS)
        try:
            if not self._exports_of_network.enter(network):
                message = "several files are being sent to your address; try again later"
                raise ApiError(429, "too-many-exports", message, seconds=EXPORT_RETRY_SECONDS)
            try:
                yield
            finally:
                self._exports_of_network.leave(network)
        finally:
            self._exports.leave(guest)

    def check_new_table(self, guest: str) -> None:
        _check(self._new_tables.take(guest), "too-many-new-tables", "too many new tables")


def _network(request: HTTPConnection) -> str:
    return network_of(request.client.host) if request.client else ""


def _check(wait: float, code: str, message: str) -> None:
    if wait:
        raise ApiError(429, code, f"{message}; try again later", seconds=round(wait, 1))
