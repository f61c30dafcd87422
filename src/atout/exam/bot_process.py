"""The same questions in another process with another hash seed: a choice must not depend on the order of sets.

`python -m atout.exam.bot_process BOT` reads one question per line (a view, nodes, a seed) and writes all answers.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from atout.bots import Budget, Choice, make_bot
from atout.errors import BotError
from atout.game import View

MARK = b"\nanswers: "
"""Marks the answers on standard output; a bot may print anything before it."""
PATIENCE_SECONDS, PATIENCE_TIMES = 120.0, 10.0
"""The timeout for all questions: this many seconds, plus this many times what they took here."""


class SentQuestion(Struct, frozen=True):
    """A question as it is sent to the other process."""

    view: View
    nodes: int
    seed: int


def ask_in_process(name: str, sent: Sequence[SentQuestion], spent: float) -> list[Choice]:
    """The bot's answers in a new process; `BotError` when they take too long. `spent` is the time they took here."""
    timeout = PATIENCE_SECONDS + PATIENCE_TIMES * spent
    hashes = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "atout.exam.bot_process", name],
            input=b"".join(msgspec.json.encode(question) + b"\n" for question in sent),
            capture_output=True,
            env=environment,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        raise BotError(f"bot {name}: no answer after {timeout:.0f} seconds in another process") from None
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise BotError(f"bot {name}: ended in another process with {last[:200] or f'status {done.returncode}'}")
    try:
        return msgspec.json.decode(done.stdout.rpartition(MARK)[2], type=list[Choice])
    except msgspec.MsgspecError as error:
        raise BotError(f"bot {name}: its answers from another process cannot be read: {error}") from None


def main(name: str) -> None:
    bot = make_bot(name)
    choices = []
    for line in sys.stdin.buffer:
        question = msgspec.json.decode(line, type=SentQuestion)
        view, budget = question.view, Budget(nodes=question.nodes)
        rng = random.Random(question.seed)  # noqa: S311
        choices.append(bot.choose(view, tuple(view["legal"]), budget, rng))
    sys.stdout.flush()
    sys.stdout.buffer.write(MARK + msgspec.json.encode(choices))


if __name__ == "__main__":
    main(sys.argv[1])
