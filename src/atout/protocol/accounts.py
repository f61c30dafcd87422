"""Bodies of the REST interface about accounts and nudges."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

MAX_PASSKEY_NAME = 40
CodeText = Annotated[str, Meta(max_length=100)]
OidcId = Annotated[str, Meta(max_length=100)]
PasskeyName = Annotated[str, Meta(min_length=1, max_length=MAX_PASSKEY_NAME)]
"""The name that somebody gives to a passkey."""


class PasskeyEntry(Struct):
    """One of my passkeys."""

    id: str
    """As base64url."""
    name: str
    created: float
    used: float | None


class SessionEntry(Struct):
    """A device that is signed in to my account."""

    session: str
    """Names the session, and lets nobody in."""
    device: str
    created: float
    seen: float
    is_here: bool
    """It is the one that asks."""


class AccountAnswer(Struct):
    """How my name is kept; a guest without an account has none of it."""

    name: str
    is_kept: bool
    """I have an account: I can come back on any device."""
    passkeys: list[PasskeyEntry]
    code_made: float | None
    """When my recovery code was made; null without one. The code itself is not stored."""
    code_used: float | None
    oidc_since: float | None
    """Since when my name is kept by an account at the provider of OpenID Connect; null: it is not."""
    sessions: list[SessionEntry]
    matches: int
    """Finished matches in my list, as far as they count."""
    tables: int
    """Unfinished tables of mine."""


class Options(Struct):
    """What the browser's `navigator.credentials` is to be asked, in its JSON form."""

    options: dict[str, Any]


class NewPasskey(Struct, forbid_unknown_fields=True):
    credential: dict[str, Any]
    """What `navigator.credentials.create` answered, in its JSON form."""
    name: PasskeyName


class RenamePasskey(Struct, forbid_unknown_fields=True):
    name: PasskeyName


class NewCode(Struct, forbid_unknown_fields=True):
    """A recovery code, told now and never again. It works, and the one before it is void, once it was sent back."""

    code: CodeText
    proof: Annotated[str, Meta(max_length=300)]
    """Says that it was made here, for this guest, a short while ago."""


class SignIn(Struct, forbid_unknown_fields=True):
    """With a passkey, with a recovery code, or by a provider of OpenID Connect."""

    credential: dict[str, Any] | None = None
    """What `navigator.credentials.get` answered, in its JSON form."""
    code: CodeText = ""
    oidc: OidcId = ""
    """The `id` of what a provider of OpenID Connect confirmed (`OidcConfirmed`), once somebody agreed to it."""
    join: Literal["ask", "join", "forget"] = "ask"
    """What becomes of the guest of this device: `join`: what they have belongs to the account from now on; `forget`:
    they are forgotten; `ask`: if there is anything to lose, nothing is done yet, and the answer is 409 `join-first`."""


class WaysIn(Struct):
    oidc: str
    """What people call the provider of OpenID Connect; empty: there is none."""


class BeginOidc(Struct, forbid_unknown_fields=True):
    """Go to the provider of OpenID Connect: to `keep` the name of this device by an account there, or to sign in."""

    purpose: Literal["keep", "sign-in"]


class OidcAddress(Struct):
    address: str
    """Where the browser goes now. It comes back to `/settings#oidc-` and the purpose, or `failed`, with a cookie."""


class OidcConfirmed(Struct):
    """Who came back from the provider, to be shown and agreed to. Nothing was done with it yet."""

    id: str
    """Names this confirmation: to agree is to send it to `POST /api/account/oidc` or `POST /api/sign-in`."""
    provider: str
    """What people call the provider."""
    name: str
    """What the provider calls whoever has the account; empty if it does not say."""
    mail: str
    """Their mail address, likewise."""
    number: str
    """How the provider numbers the account, where it says neither; else empty."""
    keeps: str
    """The name that is kept here by this account, as which it signs in; empty: none is."""


class UseOidc(Struct, forbid_unknown_fields=True):
    id: OidcId
    """What `OidcConfirmed` named."""


class SignedIn(Struct):
    name: str
    joined: bool
    """What the guest of this device had belongs to the account now."""


# ---------------------------------------------------------------- nudges


class ChannelEntry(Struct):
    """A way to reach me."""

    id: str
    type: Literal["push", "webhook", "mail"]
    to: str
    """The host that it goes to, or the mail address."""
    created: float
    sent: float | None
    """When something was last sent, and taken by the next machine on the way."""
    delivered: float | None
    """When something last arrived: a browser tells when it has a push message, a webhook and a mail server answer."""
    failures: int
    """How often in a row it failed since."""


Minute = Annotated[int, Meta(ge=0, le=1439)]


class NudgeChoices(Struct, forbid_unknown_fields=True):
    """How I want to be nudged."""

    language: Literal["en", "fr", "de"] = "en"
    zone: Annotated[str, Meta(max_length=60)] = "UTC"
    """A time zone, such as Europe/Berlin."""
    quiet_from: Minute | None = None
    """Minutes after midnight from which I am not nudged; null: at any time."""
    quiet_to: Minute | None = None


class NudgesAnswer(Struct):
    key: str
    """What a browser subscribes with: the server's public key. Empty: there are no push messages here."""
    channels: list[ChannelEntry]
    choices: NudgeChoices
    has_mail: bool = False
    """Whether this server sends mails."""
    unconfirmed: list[str] = []
    """Mail addresses of mine that wait for the link in a mail to be opened."""


class PushKeys(Struct, forbid_unknown_fields=True):
    p256dh: Annotated[str, Meta(min_length=80, max_length=100, pattern="^[A-Za-z0-9_-]+=*$")]
    auth: Annotated[str, Meta(min_length=20, max_length=30, pattern="^[A-Za-z0-9_-]+=*$")]


class NewChannel(Struct, forbid_unknown_fields=True):
    """A browser's push subscription, with its keys; or a webhook, without."""

    url: Annotated[str, Meta(min_length=8, max_length=1000)]
    keys: PushKeys | None = None


class NewMail(Struct, forbid_unknown_fields=True):
    address: Annotated[str, Meta(min_length=3, max_length=254)]


class MailToken(Struct, forbid_unknown_fields=True):
    """What a link in a mail contains."""

    token: Annotated[str, Meta(min_length=8, max_length=300)]


class MailConfirmed(Struct):
    address: str


class Delivered(Struct):
    delivered: bool
    """Whether it was sent; `ChannelEntry` says whether it arrived."""


class TableNudges(Struct, forbid_unknown_fields=True):
    """When I want to be nudged for a table."""

    choice: Literal["always", "away", "never"]
