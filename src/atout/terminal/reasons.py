"""A bot's reasons as sentences. A reason is data: a code with parameters.

A new code gets a line in `WORDS`; those of a study are in the catalogues (`words.py`). An unknown code, from somebody
else's bot, is printed as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atout.bots import Reason
from atout.terminal.phrases import capital, points

Parameters = Mapping[str, Any]
Sentence = Callable[[Parameters, str], str]
"""From the parameters of a reason, and what the reader's opponents are called."""
OTHERS = "the others on average"
NEARLY = 0.05
"""Fewer points than this count as none."""
MAX_REASON = 120
RULES_OF_THUMB = {
    "veto": "left free, this cell would hurt your hand most",
    "team": "your hand and the others' vetoes favour this side",
    "double": "with this player the ×2 card helps you most or hurts you least",
    "discard": "it is the card you will miss least",
    "pass": "it is the card you will miss least",
    "lay": "it makes a good first pile",
    "play": "it is a sensible move here",
}


def _over_worlds(parameters: Parameters, others: str) -> str:
    return f"best result over {parameters['worlds']:,} deals that fit what you know. {_compared(parameters, others)}"


def _exact(parameters: Parameters, others: str) -> str:
    worlds = parameters.get("worlds")
    best = f"best result over {worlds:,} deals that fit what you know" if worlds else "best result found"
    return f"{best}, calculated to the end of the round. {_compared(parameters, others)}"


def _compared(parameters: Parameters, others: str) -> str:
    """How far ahead it leaves you, and how much the next best choice is worse."""
    gain, better = float(parameters["gain"]), float(parameters["better_by"])
    ahead = "even with" if abs(gain) < NEARLY else f"{points(abs(gain))} {'ahead of' if gain > 0 else 'behind'}"
    rest = f"{points(better)} better than with the next choice" if better > NEARLY else "the next choice is as good"
    return f"You can expect to end the round {ahead} {others}; {rest}."


def _match(parameters: Parameters, _: str) -> str:
    chance, other = (f"{100 * float(parameters[name]):.0f}" for name in ("chance", "next"))
    return f"few rounds are left, so the match counts: this wins it {chance} times out of 100, the next choice {other}."


def _by_rule_of_thumb(parameters: Parameters, _: str) -> str:
    return f"by rule of thumb: {RULES_OF_THUMB[parameters['phase']]}."


def _by_lot(parameters: Parameters, _: str) -> str:
    return f"it was picked at random from {parameters['among']:,} choices."


def _learned(parameters: Parameters, others: str) -> str:
    gain = float(parameters["gain"])
    ahead = "even with" if abs(gain) < NEARLY else f"{points(abs(gain))} {'ahead of' if gain > 0 else 'behind'}"
    share = f"{100 * float(parameters['chance']):.0f}%"
    return f"the trained network picks this {share} of the time, and expects to end the round {ahead} {others}."


def _no_weights(parameters: Parameters, _: str) -> str:
    return f"no network is trained for {parameters['table']}; {parameters['instead']} was used instead."


def _preparing(parameters: Parameters, _: str) -> str:
    return f"the explanation is not ready yet; this is a quick look of {parameters['instead']}."


WORDS: dict[str, Sentence] = {
    "best-over-worlds": _over_worlds,
    "exact": _exact,
    "match": _match,
    "rule-of-thumb": _by_rule_of_thumb,
    "only-choice": lambda *_: "nothing else is allowed.",
    "chance": _by_lot,
    "learned": _learned,
    "no-weights": _no_weights,
    "preparing": _preparing,
}
"""A sentence for each code; its parameters are those the bots give with it."""


def in_words(reason: Reason, others: str = OTHERS) -> str:
    """A reason as a sentence.

    >>> in_words(Reason("only-choice"))
    'Nothing else is allowed.'
    >>> in_words(Reason("draws-trumps", {"trumps_left": 3}))
    'Draws trumps (trumps left: 3).'
    """
    words = WORDS.get(reason.code)
    try:
        return capital(words(reason.parameters, others) if words else _read_out(reason))
    except (KeyError, TypeError, ValueError):  # a known code, with parameters of a stranger
        return capital(_read_out(reason))


def _read_out(reason: Reason) -> str:
    parameters = [f"{_plain(name)}: {_plain(value, dashes=False)}" for name, value in reason.parameters.items()]
    return _plain(reason.code) + (f" ({', '.join(parameters)})" if parameters else "") + "."


def _plain(it: object, dashes: bool = True) -> str:
    """Fit for a line of a terminal."""
    text = " ".join(map(str, it)) if isinstance(it, list | tuple) else str(it)
    text = text[:MAX_REASON]
    if dashes:
        text = text.replace("-", " ").replace("_", " ")
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
