"""Study: what every decision of a match was worth given what its seat knew, and where points were won and lost.

>>> from atout.study import review
"""

from atout.study.explain import explain
from atout.study.model import (
    ActionValue,
    Alternative,
    Decision,
    ErrorRate,
    Explanation,
    Ledger,
    LedgerStep,
    Review,
    RoundLedger,
)
from atout.study.review import Study, review

__all__ = [
    "ActionValue",
    "Alternative",
    "Decision",
    "ErrorRate",
    "Explanation",
    "Ledger",
    "LedgerStep",
    "Review",
    "RoundLedger",
    "Study",
    "explain",
    "review",
]
