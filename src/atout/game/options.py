"""`Options`: what a record writes under `options`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from atout.editions import Edition
from atout.editions.loader import check_size
from atout.errors import EditionError

MAX_TARGET = 100_000


class Options(msgspec.Struct, frozen=True):
    """The options of a match, with the edition's defaults filled in.

    >>> from atout import Setup
    >>> Setup.of("nichtig", 4, {"teams": True}).options
    Options(rounds=4, target=0, scoring='total', teams=True)
    """

    rounds: int
    """Rounds of the match; 0 when a target ends it."""
    target: int
    """Target score; 0 for none."""
    scoring: Literal["total", "difference"]
    teams: bool

    def written(self, edition: Edition, players: int) -> dict[str, Any]:
        """The options as a record writes them: only those that differ from the edition's default."""
        seats = edition.at(players)
        result: dict[str, Any] = {}
        if self.target:
            result["length"] = {"target": self.target}
        elif self.rounds != seats.rounds:
            result["length"] = "short" if self.rounds == seats.short else {"rounds": self.rounds}
        if edition.is_njet and self.scoring != edition.match.scoring:
            result["scoring"] = self.scoring
        if self.teams:
            result["teams"] = True
        return result


def resolve(edition: Edition, players: int, options: Any) -> Options:
    """Check the options that a user or a record gives against what the edition offers."""
    if isinstance(options, Options):
        options = options.written(edition, players)
    if not isinstance(options, dict):
        raise EditionError(
            f"options: {_short(options)} is not allowed; allowed: an object such as {{}}",
            "option.object",
            text=_short(options),
        )
    check_size(options, "options")
    for name in options:
        if name not in _offered(edition, players):
            offered = ", ".join(_offered(edition, players)) or "none"
            raise EditionError(
                f"options: {_short(name)} is not an option of {edition.id} with {players} players; allowed: {offered}",
                "option.name",
                text=_short(name),
                edition=edition.id,
                n=players,
                allowed=offered,
            )
    rounds, target = _length(edition, players, options.get("length", "full"))
    scoring = options.get("scoring", edition.match.scoring)
    if scoring not in ("total", "difference"):
        raise _not_allowed("scoring", scoring, "", '"total", "difference"')
    teams = options.get("teams", False)
    if not isinstance(teams, bool):
        raise _not_allowed("teams", teams, "", "true, false")
    return Options(rounds, target, scoring, teams)


def lengths(edition: Edition, players: int) -> list[str]:
    """The values that `length` may have, as text."""
    seats = edition.at(players)
    allowed = ['"full"']
    if seats.short is not None:
        allowed.append('"short"')
    if seats.rounds > 1:
        allowed.append(f'{{"rounds": 1 to {seats.rounds - 1}}}')
    if edition.match.target is not None:
        allowed.append(f'{{"target": 1 to {MAX_TARGET}}}')
    return allowed


def _offered(edition: Edition, players: int) -> list[str]:
    offered = ["length"]
    if edition.is_njet:
        offered.append("scoring")
    if edition.at(players).teams:
        offered.append("teams")
    return offered


def _length(edition: Edition, players: int, length: Any) -> tuple[int, int]:
    """Rounds and target; one of them is 0."""
    seats = edition.at(players)
    if length == "full":
        return seats.rounds, 0
    if length == "short" and seats.short is not None:
        return seats.short, 0
    if isinstance(length, dict) and set(length) == {"rounds"}:
        rounds = length["rounds"]
        if isinstance(rounds, int) and not isinstance(rounds, bool) and 1 <= rounds < seats.rounds:
            return rounds, 0
    if isinstance(length, dict) and set(length) == {"target"} and edition.match.target is not None:
        target = length["target"]
        if isinstance(target, int) and not isinstance(target, bool) and 1 <= target <= MAX_TARGET:
            return 0, target
    where = f" in {edition.id} with {players} players"
    raise _not_allowed("length", length, where, ", ".join(lengths(edition, players)))


def _not_allowed(name: str, value: Any, where: str, allowed: str) -> EditionError:
    return EditionError(
        f"options.{name}: {_short(value)} is not allowed{where}; allowed: {allowed}",
        "option.value",
        name=name,
        text=_short(value),
        allowed=allowed,
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
