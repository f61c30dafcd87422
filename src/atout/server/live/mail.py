"""Mails: a request to confirm an address, and nudges; by the SMTP server that the operator named.

Every mail has a link that stops them, which works without being signed in: in the text, and for mail programs in its
head (RFC 2369, RFC 8058). What such a link contains is signed, so that nothing is stored for it and it never expires.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import socket
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import formatdate, make_msgid
from typing import Any, Literal, get_args
from urllib.parse import unquote, urlsplit

import itsdangerous
from msgspec import Struct

from atout.errors import UsageError
from atout.i18n import LANGUAGES, catalogue, fill
from atout.server.identity import hashed
from atout.server.live.deliver import tls_context
from atout.server.own_thread import in_own_thread, look_up
from atout.server.settings import ServerSettings

log = logging.getLogger("atout.mail")

SECONDS = 20.0
CONFIRM_SECONDS = 86_400.0
"""How long the link in a request to confirm is valid."""
MAX_ADDRESS = 254
MAX_REASON = 300
LOCAL = ("localhost", "127.0.0.1", "::1")
PORTS = {"smtp": 587, "smtps": 465}
DELIVERED, GONE, FAILED, NO_SERVER = 200, 410, 0, 503
"""What `send` says, in the words of HTTP, like the other channels."""
NO_SUCH_MAILBOX = (550, 551, 553, 556)
NEEDS_PACKAGE = "mails need the package aiosmtplib: pip install 'atout[server]'"
Kind = Literal["turn", "invitation", "test"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Why a guest is written to: a decision is due; a friend invites them; they asked for a test. A request to confirm an
address lists all of them (`mail.kind.*`), because that is what its owner agrees to; the page names them, too."""
STOP, REFUSE = "stop", "refuse"
"""What a link does: it removes a channel, or stops all further requests to an address."""
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")


DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}
"""Hosts at which dots in a name mean nothing, each with the name it is counted under."""


class MailPolicy(EmailPolicy):
    """How mails are written: links in the head as they are. Encoded or folded, mail programs would not find them."""

    UNFOLDED = ("list-unsubscribe",)

    def fold(self, name: str, value: str) -> str:
        """A field of the head."""
        return f"{name}: {value}{self.linesep}" if name.lower() in self.UNFOLDED else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        """The same as bytes."""
        return self.fold(name, value).encode("ascii", "surrogateescape")


POLICY = MailPolicy(linesep="\r\n")


class MailServer(Struct, frozen=True):
    """Where mails are handed over."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    is_tls: bool = False
    """From the first byte on; otherwise by STARTTLS, which only a server on this machine need not offer."""

    @property
    def needs_starttls(self) -> bool | None:
        """None: if the server offers it."""
        return False if self.is_tls else None if self.host in LOCAL else True


def mail_server(url: str) -> MailServer:
    """The server that a setting names.

    >>> mail_server("smtps://ann:p%40ss@mail.example")
    MailServer(host='mail.example', port=465, user='ann', password='p@ss', is_tls=True)
    """
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in PORTS or not parts.hostname or port == -1 or parts.path.strip("/") or parts.query:
        raise UsageError(
            "smtp (ATOUT_SMTP) cannot be read; expected smtps://user:password@host:465, or smtp://host:587"
        )  # without quoting it: it may contain a password
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port or PORTS[parts.scheme], user, password, parts.scheme == "smtps")


def check_mail(settings: ServerSettings) -> None:
    """Raise `UsageError` if mails are wanted and cannot be sent: before the server starts."""
    if settings.smtp:
        mail_server(settings.smtp)
        tidied_address(settings.smtp_from)
        _library()


def tidied_address(text: str) -> str:
    """An address as somebody typed it; `UsageError` if it is none.

    >>> tidied_address(" Ann@Mail.Example ")
    'Ann@mail.example'
    """
    name, _, host = text.strip().rpartition("@")
    address = f"{name}@{host.lower()}"
    if len(address) > MAX_ADDRESS or not ADDRESS.fullmatch(address) or ".." in address:
        raise UsageError(f"{text[:60]!r} is not a mail address; expected one such as name@mail.example")
    return address


def known_as(address: str) -> bytes:
    """The hash under which an address is counted and refused: what follows a plus sign leads to the same person.

    >>> known_as("Ann+cards@mail.example") == known_as("ann@mail.example")
    True
    >>> known_as("a.n.n@googlemail.com") == known_as("ann@gmail.com"), known_as("a.nn@x.org") == known_as("ann@x.org")
    (True, False)
    """
    name, _, host = address.lower().rpartition("@")
    name = name.partition("+")[0]
    if host in DOTLESS:
        name, host = name.replace(".", ""), DOTLESS[host]
    return hashed(f"atout mail {name}@{host}")


class StopLinks:
    """Makes and reads what a link that stops mails contains."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._signer = itsdangerous.Signer(list(reversed(keys)), salt="atout mail", digest_method=hashlib.sha256)

    def make(self, what: Literal["stop", "refuse"], id: str) -> str:
        """`id`: the channel that is to be removed, or the hash of the address that is to be left alone."""
        return self._signer.sign(f"{what}~{id}").decode()

    def read(self, token: str) -> tuple[str, str] | None:
        """What a link does, and to what; None if it was not made here."""
        try:
            what, _, id = self._signer.unsign(token).decode().partition("~")
        except (itsdangerous.BadSignature, UnicodeDecodeError):
            return None
        return what, id


class Mailer:
    """Writes mails and hands them over."""

    def __init__(self, settings: ServerSettings, keys: Sequence[bytes]) -> None:
        self._settings = settings
        self._server = mail_server(settings.smtp) if settings.smtp else None
        self._links = StopLinks(keys)
        self._base = settings.public_url.rstrip("/")
        self._name = ""

    @property
    def is_on(self) -> bool:
        """Whether the operator named a server."""
        return self._server is not None

    def stop_link(self, token: str) -> tuple[str, str] | None:
        """What a link that stops mails does, and to what; None if it was not made here."""
        return self._links.read(token)

    def confirmation(self, address: str, token: str, language: str) -> EmailMessage:
        """A request to confirm an address. It contains nothing that whoever named the address could choose."""
        texts = _texts(language)
        stop = self._links.make("refuse", known_as(address).hex())
        host = urlsplit(self._base).netloc
        kinds = "\n".join(f"- {texts[f'mail.kind.{kind}']}" for kind in KINDS)
        link = f"{self._base}/mail/confirm#{token}"
        body = fill(texts["mail.confirm.body"], {"host": host, "kinds": kinds, "link": link})
        refuse = fill(texts["mail.confirm.refuse"], {"link": f"{self._base}/mail/refuse#{stop}"})
        return self._message(address, fill(texts["mail.confirm.subject"], {"host": host}), f"{body}\n\n{refuse}", stop)

    def nudge(self, address: str, channel: str, message: dict[str, str], language: str) -> EmailMessage:
        """A nudge as a mail."""
        texts, stop = _texts(language), self._links.make("stop", channel)
        link = f"{self._base}{message['path']}"
        text = fill(texts["mail.stop"], {"link": f"{self._base}/mail/stop#{stop}"})
        return self._message(address, message["title"], f"{message['body']}\n{link}\n\n-- \n{text}", stop)

    def _message(self, to: str, subject: str, text: str, stop: str) -> EmailMessage:
        message, sender = EmailMessage(), self._settings.smtp_from
        message["From"] = f"Atout <{sender}>"
        message["To"] = to
        message["Subject"] = " ".join(subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message["List-Unsubscribe"] = f"<{self._base}/api/mail/stop/{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(text + "\n")
        return message

    async def send(self, message: EmailMessage) -> int:
        """Hand a mail over: `DELIVERED`, `GONE` if there is no such mailbox, `FAILED` if that takes none,
        `NO_SERVER` if the operator's server cannot be reached or refuses the login or the mail. The log says why.
        """
        if self._server is None:
            return FAILED
        library, server = _library(), self._server
        try:
            await library.send(
                message.as_bytes(policy=POLICY),
                sender=self._settings.smtp_from,
                recipients=[message["To"]],
                hostname=server.host,
                local_hostname=await self._own_name(),
                sock=await _connected(server),
                username=server.user or None,
                password=server.password or None,
                use_tls=server.is_tls,
                start_tls=server.needs_starttls,
                tls_context=tls_context(),
                timeout=SECONDS,
            )
        except library.SMTPRecipientsRefused as error:
            codes = [refused.code for refused in error.recipients]
            if codes and all(code in NO_SUCH_MAILBOX for code in codes):
                return GONE
            self._log(error.recipients[0])
            return FAILED
        except (library.SMTPException, OSError, UnicodeError) as error:
            self._log(error)
            return NO_SERVER
        return DELIVERED

    def _log(self, error: Exception) -> None:
        """Why a mail was not sent: the server's answer, or the system's, without mail addresses and the login."""
        assert self._server is not None
        answer = [str(part) for part in (getattr(error, "code", ""), getattr(error, "message", error)) if part]
        reason = ADDRESS.sub("…", " ".join(" ".join(answer).split()))
        for secret in (self._server.user, self._server.password):
            reason = reason.replace(secret, "…") if secret else reason
        log.warning("a mail could not be sent", extra={"error": type(error).__name__, "reason": reason[:MAX_REASON]})

    async def _own_name(self) -> str:
        """What this machine calls itself to the mail server. The library would look it up in the shared threads."""
        if not self._name:
            self._name = await in_own_thread(socket.getfqdn)
        return self._name


async def _connected(server: MailServer) -> socket.socket:
    """A connection to the first of the server's addresses that takes it; `OSError` if none does."""
    problem: OSError = TimeoutError()
    async with asyncio.timeout(SECONDS):
        for address in await look_up(server.host, server.port):
            connection = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
            connection.setblocking(False)
            try:
                await asyncio.get_running_loop().sock_connect(connection, (address, server.port))
            except OSError as error:
                connection.close()
                problem = error
            except BaseException:
                connection.close()
                raise
            else:
                return connection
    raise problem


def _texts(language: str) -> Any:
    return catalogue(language if language in LANGUAGES else "en")


def _library() -> Any:
    try:
        import aiosmtplib
    except ModuleNotFoundError:
        raise UsageError(NEEDS_PACKAGE) from None
    return aiosmtplib
