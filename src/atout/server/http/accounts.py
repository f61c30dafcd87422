"""Keeping a name: passkeys, recovery codes, signing in, sessions. A guest without an account needs none of it."""

from __future__ import annotations

import base64
import binascii
import re

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from atout.errors import UsageError
from atout.protocol import accounts as p
from atout.server import passkeys
from atout.server.errors import ApiError
from atout.server.http.call import Call, Operation
from atout.server.http.oidc import agreed_in, use_up
from atout.server.http.responses import json_response
from atout.server.identity import MAX_AGE, Challenges, Identity, code_hash, new_code, new_id
from atout.server.live.forgetting import forget_guest, join_guest
from atout.server.settings import parts
from atout.store import AccountSession, Guest, OidcIdentity, Passkey
from atout.tables.guards import is_name, tidied

MAX_PASSKEYS = 20
SEEN_SECONDS = 3600.0
"""How exactly a session says when it was last seen."""
TABLES = 50

CREATE, USE, KEEP_CODE = "create", "use", "code"
"""For what a challenge is made."""
COOKIE = "atout-sign-in"
"""Binds a challenge to a browser without a guest."""

BROWSERS = (("Edg", "Edge"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac", "macOS"),
           ("CrOS", "ChromeOS"), ("Linux", "Linux"))  # fmt: skip


def device_of(agent: str) -> str:
    """A device in two words, from what its browser says of itself; nothing else of that is kept.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), device_of("curl/8")
    ('Firefox, Linux', 'curl')
    """
    browser = next((name for sign, name in BROWSERS if sign in agent), "")
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    if not browser:
        found = re.match(r"[A-Za-z-]{1,20}", agent)
        browser = found[0] if found else ""
    return ", ".join(part for part in (browser, system) if part) or "?"


# ---------------------------------------------------------------- what is kept


async def account(call: Call) -> p.AccountAnswer:
    """How my name is kept, and where I am signed in."""
    guest, identity = await _profile(call), call.identity
    assert identity is not None
    found = await call.store.account(guest.id)
    here = identity.session_hash
    if here:
        await _note_seen(call, here)
    listed = await call.store.tables_of(guest.id, TABLES)
    return p.AccountAnswer(
        name=guest.name,
        is_kept=found is not None,
        passkeys=[
            p.PasskeyEntry(_text(one.id), one.name, one.created, one.used)
            for one in await call.store.passkeys(guest.id)
        ],
        code_made=found.code_made if found else None,
        code_used=found.code_used if found else None,
        oidc_since=min((one.created for one in await call.store.identities(guest.id)), default=None),
        sessions=[
            p.SessionEntry(one.hash.hex(), one.device, one.created, one.seen, one.hash == here)
            for one in await call.store.sessions(guest.id)
        ],
        matches=sum(one.matches for one in await call.store.statistics(guest.id)),
        tables=sum(one.card.state not in ("over", "closed") for one in listed),
    )


async def _profile(call: Call) -> Guest:
    guest = await call.store.guest(call.guest)
    if guest is None:
        raise ApiError(401, "no-guest", "introduce yourself first: POST /api/guest")
    return guest


async def _note_seen(call: Call, session: bytes) -> None:
    now = call.context.now()
    known = {one.hash: one.seen for one in await call.store.sessions(call.guest)}
    if known.get(session, now) < now - SEEN_SECONDS:
        await call.store.saw_session(session, now)


def _text(id: bytes) -> str:
    return base64.urlsafe_b64encode(id).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return b""


# ---------------------------------------------------------------- passkeys


def _site(call: Call) -> passkeys.Site:
    return passkeys.site_of(
        call.request.headers.get("host", ""), call.request.url.scheme, parts(call.context.settings.origins)
    )


def _cookie_name(call: Call) -> str:
    return f"__Host-{COOKIE}" if call.is_secure else COOKIE


def _browser(call: Call) -> str:
    """For whom a challenge is made: the guest of the browser, or the browser itself; empty without either."""
    if call.known is not None:
        return call.known
    cookie = call.request.cookies.get(_cookie_name(call), "")
    return f"browser {cookie}" if cookie else ""


async def _challenge(call: Call, credential: dict[str, object], purpose: str) -> bytes:
    """The challenge of a credential, if it was made here for this purpose and this browser."""
    challenge, browser = passkeys.challenge_in(credential), _browser(call)
    if not browser or not call.context.challenges.is_good(challenge, purpose, browser, call.context.now()):
        raise passkeys.refused("its challenge is unknown or too old; try again")
    return challenge


async def _use_up(call: Call, challenge: bytes) -> None:
    """After everything else was checked: a second answer to the same challenge is a replay."""
    if not await call.store.use_challenge(passkeys.challenge_hash(challenge)):
        raise passkeys.refused("it was used before")


async def passkey_options(call: Call) -> p.Options:
    guest = await _profile(call)
    known = await _check_room(call, guest)
    challenge = call.context.challenges.make(CREATE, guest.id, call.context.now())
    try:
        options = await run_in_threadpool(
            passkeys.creation_options, _site(call), guest.id, guest.name, challenge, known
        )
    except UsageError as error:
        raise ApiError(501, "no-passkeys", str(error)) from None
    return p.Options(options)


async def _check_room(call: Call, guest: Guest) -> list[Passkey]:
    """The passkeys of a guest, if one more is allowed."""
    known = await call.store.passkeys(guest.id)
    if len(known) >= MAX_PASSKEYS:
        raise ApiError(409, "too-many-passkeys", f"an account has {MAX_PASSKEYS} passkeys at most", most=MAX_PASSKEYS)
    return known


async def add_passkey(call: Call) -> p.AccountAnswer:
    """Keep my name by a new passkey. The cookie of this browser becomes a session of the account."""
    guest, name = await _profile(call), tidied(call.body.name)
    if not is_name(name[:30]):
        raise ApiError(422, "bad-name", "a passkey has a name with a letter or a digit")
    await _check_room(call, guest)
    challenge = await _challenge(call, call.body.credential, CREATE)
    found = await run_in_threadpool(passkeys.verify_creation, _site(call), call.body.credential, challenge)
    await _use_up(call, challenge)
    now = call.context.now()
    added = await call.store.add_passkey(Passkey(found.id, guest.id, name, found.public_key, found.sign_count, now))
    if not added:
        raise ApiError(409, "passkey-known", "this passkey is in use already")
    await _be_signed_in(call, guest.id)
    return await account(call)


async def rename_passkey(call: Call) -> None:
    name = tidied(call.body.name)
    if not is_name(name[:30]):
        raise ApiError(422, "bad-name", "a passkey has a name with a letter or a digit")
    if not await call.store.rename_passkey(call.guest, _bytes(call.path("passkey")), name):
        raise ApiError(404, "no-passkey", "you have no such passkey")


async def remove_passkey(call: Call) -> None:
    id = _bytes(call.path("passkey"))
    if id not in [one.id for one in await call.store.passkeys(call.guest)]:
        raise ApiError(404, "no-passkey", "you have no such passkey")
    if not await call.store.remove_passkey(call.guest, id):
        raise ApiError(409, "last-way", "it is the only way into your account; make a recovery code first")


# ---------------------------------------------------------------- recovery codes


async def make_code(call: Call) -> p.NewCode:
    """A new recovery code. Nothing changes before it is sent back.

    If the answer is lost, nobody has the code: an account would be there that nothing leads into.
    """
    guest, code = await _profile(call), new_code()
    proof = call.context.challenges.make(KEEP_CODE, _made_for(guest, code), call.context.now())
    return p.NewCode(code, proof.decode())


async def keep_code(call: Call) -> None:
    """Keep my name by a recovery code that was made for me just now. The one before it is void."""
    guest = await _profile(call)
    proof, who = call.body.proof.encode(), _made_for(guest, call.body.code)
    if not call.context.challenges.is_good(proof, KEEP_CODE, who, call.context.now()):
        raise ApiError(403, "code-expired", "this code was not made for you here, or too long ago; make another one")
    await call.store.set_code(guest.id, code_hash(call.body.code))
    await _be_signed_in(call, guest.id)


def _made_for(guest: Guest, code: str) -> str:
    return f"{guest.id} {code_hash(code).hex()}"


async def remove_code(call: Call) -> None:
    found = await call.store.account(call.guest)
    if found is None or found.code_made is None:
        raise ApiError(404, "no-code", "you have no recovery code")
    if not await call.store.set_code(call.guest, None):
        raise ApiError(409, "last-way", "it is the only way into your account; add a passkey first")


# ---------------------------------------------------------------- OpenID Connect


async def keep_by_oidc(call: Call) -> p.AccountAnswer:
    """Keep my name by an account at the provider, which confirmed it just now, and which I was shown and agreed to."""
    guest, confirmed = await _profile(call), agreed_in(call, "keep", call.body.id)
    await use_up(call, confirmed)
    for known in await call.store.identities(guest.id):
        if known.issuer == confirmed.issuer and known.subject != confirmed.subject:
            raise ApiError(409, "identity-other", "another account of the provider keeps your name; remove it first")
    added = await call.store.add_identity(
        OidcIdentity(confirmed.issuer, confirmed.subject, guest.id, call.context.now())
    )
    if not added:
        raise ApiError(409, "identity-taken", "another name is kept by this account")
    await _be_signed_in(call, guest.id)
    return await account(call)


async def remove_oidc(call: Call) -> None:
    if not await call.store.identities(call.guest):
        raise ApiError(404, "no-identity", "your name is not kept by a provider")
    if not await call.store.remove_identities(call.guest):
        raise ApiError(409, "last-way", "it is the only way into your account; add a passkey first")


# ---------------------------------------------------------------- signing in and out


async def _be_signed_in(call: Call, guest: str) -> None:
    """The request's browser has a session of the account from now on, unless it has one.

    Connections with a cookie from before the account end: a page opens them again with the new one.
    """
    identity = call.identity
    if identity is not None and identity.guest == guest and identity.session:
        return
    now, session = call.context.now(), Identity(guest, new_id())
    device = device_of(call.request.headers.get("user-agent", ""))
    await call.store.begin_session(AccountSession(session.session_hash, guest, now, now, device))
    call.set_cookie(call.context.signer.sign(guest, now, session.session), MAX_AGE)
    call.identity, call.known = session, guest
    call.context.hub.start(call.context.hub.end_forgotten())


async def sign_in_options(call: Call) -> Response:
    """A browser without a guest gets a cookie that it must bring back with the answer."""
    name = _cookie_name(call)
    cookie = call.request.cookies.get(name, "") or new_id()
    challenge = call.context.challenges.make(USE, call.known or f"browser {cookie}", call.context.now())
    try:
        options = await run_in_threadpool(passkeys.request_options, _site(call), challenge)
    except UsageError as error:
        raise ApiError(501, "no-passkeys", str(error)) from None
    response = json_response(p.Options(options))
    if call.known is None:
        age = int(Challenges.SECONDS)
        response.set_cookie(name, cookie, max_age=age, secure=call.is_secure, httponly=True, samesite="strict")
    return response


async def sign_in(call: Call) -> p.SignedIn:
    """Sign this browser in. What its guest has is joined to the account, or forgotten, as was said.

    Only a request with the cookie of a guest can join them: nobody joins somebody else's.
    """
    call.context.check_sign_in(call.request)
    wanted: p.SignIn = call.body
    if wanted.credential is not None:
        guest = await _by_passkey(call, wanted.credential)
    elif wanted.oidc:
        guest = await _by_oidc(call)
    else:
        found = await call.store.use_code(code_hash(wanted.code)) if wanted.code else None
        if found is None:
            raise ApiError(403, "bad-code", "there is no such recovery code, or no longer")
        guest = found
        await _ask_first(call, guest)
    joined = await _leave_guest(call, guest, wanted.join)
    await _be_signed_in(call, guest)
    profile = await call.store.guest(guest)
    return p.SignedIn("" if profile is None else profile.name, joined)


async def _by_passkey(call: Call, credential: dict[str, object]) -> str:
    challenge = await _challenge(call, credential, USE)
    known = await call.store.passkey(passkeys.id_in(credential))
    if known is None:
        raise passkeys.refused("it is not known here, or was removed")
    found = await run_in_threadpool(passkeys.verify_use, _site(call), credential, challenge, known)
    await _ask_first(call, known.guest)  # whoever is asked answers with the same credential once more
    await _use_up(call, challenge)
    if not await call.store.used_passkey(known.id, found.sign_count):
        raise passkeys.refused("it was removed")
    return known.guest


async def _by_oidc(call: Call) -> str:
    confirmed = agreed_in(call, "sign-in", call.body.oidc)
    found = await call.store.identified(confirmed.issuer, confirmed.subject)
    if found is None:
        raise ApiError(403, "unknown-identity", "no name is kept by this account yet")
    await _ask_first(call, found)
    await use_up(call, confirmed)
    return found


async def _ask_first(call: Call, account: str) -> None:
    """Nothing of this browser's guest is joined or lost before somebody said so."""
    guest = call.known
    if call.body.join != "ask" or guest is None or guest == account or await call.store.account(guest) is not None:
        return
    has = await call.store.belongings(guest)
    if has:
        profile, into = await _profile(call), await call.store.guest(account)
        message = "say what becomes of what the guest of this device has: join it to the account, or forget it"
        raise ApiError(409, "join-first", message, name=profile.name, into=into.name if into else "", has=has)


async def _leave_guest(call: Call, account: str, choice: str) -> bool:
    """The guest of this browser makes room for the account; whether what they have was joined to it.

    Nothing is deleted unless somebody chose to forget it. Who was not asked had nothing; they are joined all the same,
    because another request may give them something at this moment.
    """
    guest, identity = call.known, call.identity
    if guest is None or guest == account:
        return False
    if identity is not None and identity.session:  # another account is signed in here
        await call.store.end_session(guest, identity.session_hash)
        await call.context.hub.end_forgotten()
        return False
    if choice == "forget":
        await forget_guest(call.context.hub, guest)
        return False
    joined = await join_guest(call.context.hub, guest, account)
    if joined == "same-table":
        raise ApiError(409, "same-table", "both names are at the same unfinished table; finish or leave it first")
    return joined == "joined" and choice == "join"


async def sign_out(call: Call) -> None:
    """End the session of this browser. A guest without an account has none: they would lose their name."""
    identity = call.identity
    if identity is None or not identity.session:
        raise ApiError(409, "not-kept", "your name is not kept: signed out, you could never come back")
    await call.store.end_session(identity.guest, identity.session_hash)
    await call.context.hub.end_forgotten()
    call.clear_cookie()


async def end_session(call: Call) -> None:
    """End a session of mine, on whatever device."""
    try:
        session = bytes.fromhex(call.path("session"))
    except ValueError:
        session = b""
    if not await call.store.end_session(call.guest, session):
        raise ApiError(404, "no-session", "you have no such session")
    await call.context.hub.end_forgotten()


ACCOUNT_OPERATIONS: tuple[Operation, ...] = (
    Operation("GET", "/api/account", account, "How my name is kept, and where I am signed in", p.AccountAnswer,
              tag="account"),
    Operation("POST", "/api/account/passkeys/options", passkey_options, "What to ask the browser for a new passkey",
              p.Options, tag="account"),
    Operation("POST", "/api/account/passkeys", add_passkey, "Keep my name by a new passkey", p.AccountAnswer,
              p.NewPasskey, 201, "account"),
    Operation("POST", "/api/account/passkeys/{passkey}", rename_passkey, "Rename a passkey", None, p.RenamePasskey,
              204, "account"),
    Operation("DELETE", "/api/account/passkeys/{passkey}", remove_passkey, "Remove a passkey", status=204,
              tag="account"),
    Operation("POST", "/api/account/code/keep", keep_code, "Keep my name by a new recovery code", None, p.NewCode, 204,
              "account"),
    Operation("POST", "/api/account/code", make_code, "A new recovery code, told once", p.NewCode,
              tag="account"),
    Operation("DELETE", "/api/account/code", remove_code, "Remove my recovery code", status=204, tag="account"),
    Operation("POST", "/api/account/oidc", keep_by_oidc, "Keep my name by an account at the provider",
              p.AccountAnswer, p.UseOidc, 201, "account"),
    Operation("DELETE", "/api/account/oidc", remove_oidc, "Keep my name without the provider", status=204,
              tag="account"),
    Operation("DELETE", "/api/account/sessions/{session}", end_session, "Sign a device of mine out", status=204,
              tag="account"),
    Operation("POST", "/api/sign-in/options", sign_in_options, "What to ask the browser for a passkey", p.Options,
              tag="account", needs_guest=False),
    Operation("POST", "/api/sign-in", sign_in, "Sign in with a passkey or a recovery code", p.SignedIn, p.SignIn,
              tag="account", needs_guest=False),
    Operation("POST", "/api/sign-out", sign_out, "Sign this browser out", status=204, tag="account"),
)  # fmt: skip
