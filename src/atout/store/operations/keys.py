"""Operations on the keys that sign cookies: a database knows them by fingerprints and refuses servers with others."""

from __future__ import annotations

from collections.abc import Sequence

from atout.store.model import KeyCheck
from atout.store.operations import Operation

LOST_LETTERS = 8
UNKNOWN = "unknown"
"""The name of a lost key whose fingerprint no version of Atout has stored yet."""


def use(fingerprints: Sequence[bytes], is_new: bool, lost: str) -> Operation[KeyCheck]:
    """Check the keys of a server, by their fingerprints. If they are accepted, the first one signs from now on.

    They are accepted if one of them is known. In a database that knows none, any are, but a key that was made just now
    (`is_new`) only as long as there are no guests. `lost` is the name of the key (`KeyCheck.name`) that is given up.
    Without fingerprints nothing is stored: it is the question whether a new key would be accepted.

    An old key that is not listed any more is retired once a later one signs alone. A server that still has only the old
    key retires no later one: while keys are changed on several machines, each of them may be started again. A retired
    key signs no more, even if a later one is listed behind it: other servers would not accept its cookies.
    """
    rows = yield "SELECT fingerprint, number FROM cookie_keys ORDER BY number", {}
    numbers = {bytes(fingerprint): number for fingerprint, number in rows}
    known = {fingerprint: number for fingerprint, number in numbers.items() if number > 0}
    name = next(reversed(known)).hex()[:LOST_LETTERS] if known else UNKNOWN
    if known:
        is_listed = any(fingerprint in known for fingerprint in fingerprints)
    else:
        is_listed = not (is_new and (yield "SELECT 1 FROM guests LIMIT 1", {}))
    is_retired = is_listed and numbers.get(next(iter(fingerprints), b""), 1) < 0
    is_accepted = is_listed and not is_retired
    is_given_up = not is_accepted and lost == name
    answer = KeyCheck(is_accepted or is_given_up, name, is_given_up, is_retired and not is_given_up)
    if not (answer.is_accepted and fingerprints):
        return answer
    first, latest = fingerprints[0], max(map(abs, numbers.values()), default=0)
    if first not in known:
        yield (
            "INSERT INTO cookie_keys (fingerprint, number) VALUES (:fingerprint, :number) "
            "ON CONFLICT (fingerprint) DO UPDATE SET number = excluded.number",
            {"fingerprint": first, "number": latest + 1},
        )
    for fingerprint, number in known.items():
        if fingerprint not in fingerprints and number < known.get(first, latest + 1):
            yield (
                "UPDATE cookie_keys SET number = -number WHERE fingerprint = :fingerprint",
                {"fingerprint": fingerprint},
            )
    return answer
