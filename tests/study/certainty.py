"""Words that claim certainty, in three languages: what rests on a sample of likely deals must not be told with them."""

from __future__ import annotations

import re

CERTAIN = {
    "en": re.compile(
        r"\b(always|never|whatever|whichever|certain(ly)?|sure(ly)?|for sure|definitely|guaranteed?|inevitabl[ey]|must|"
        r"cannot|can't|impossible|no matter|in any case|every time|nothing is|nothing else is|all else|nobody|"
        r"no likely|100 of 100|100 times out of 100)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(toujours|jamais|quoi que|quel(le)? que|sûr(e|ement)?|à coup sûr|certain(e|ement)?|forcément|garantie?|"
        r"doit|devez|impossible|dans tous les cas|de toute façon|à chaque fois|rien n|rien de|rien d|tout le reste|"
        r"personne ne|aucune donne|100 donnes probables sur 100|100 fois sur 100)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(immer|stets|nie|niemals|egal|sicher(lich)?|gewiss|garantiert|bestimmt|zwangsläufig|muss|musst|müssen|"
        r"kann nicht|unmöglich|jedenfalls|auf jeden Fall|in jedem Fall|jedes Mal|was du auch|nichts ist|niemand|"
        r"alles andere|keine wahrscheinliche|100 von 100)\b",
        re.IGNORECASE,
    ),
}


def certain_words(text: str, language: str) -> list[str]:
    """The words of a text that claim certainty.

    >>> certain_words("You win the trick whatever you play.", "en"), certain_words("Meistens gewinnst du.", "de")
    (['whatever'], [])
    """
    return [found.group(0) for found in CERTAIN[language].finditer(text)]
