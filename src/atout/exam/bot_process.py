"""The same questions in another process, where sets and hashes have another order: a bot must not depend on it.

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
"""Before it a bot may print what it likes."""
PATIENCE_SECONDS, PATIENCE_TIMES = 120.0, 10.0
"""All questions together may take so many seconds, and so many times what they took here."""


class Errand(Struct, frozen=True):
    """A question that travels."""

    view: View
    nodes: int
    seed: int


def ask_elsewhere(name: str, errands: Sequence[Errand], spent: float) -> list[Choice]:
    """The bot's answers in a new process; `BotError` when it comes to no end. It `spent` so many seconds here."""
    patience = PATIENCE_SECONDS + PATIENCE_TIMES * spent
    hashes = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "atout.exam.bot_process", name],
            input=b"".join(msgspec.json.encode(errand) + b"\n" for errand in errands),
            capture_output=True,
            env=environment,
            timeout=patience,
        )
    except subprocess.TimeoutExpired:
        raise BotError(f"bot {name}: no end after {patience:.0f} seconds in another process") from None
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
        errand = msgspec.json.decode(line, type=Errand)
        view, budget = errand.view, Budget(nodes=errand.nodes)
        chance = random.Random(errand.seed)  # noqa: S311
        choices.append(bot.choose(view, tuple(view["legal"]), budget, chance))
    sys.stdout.flush()
    sys.stdout.buffer.write(MARK + msgspec.json.encode(choices))


if __name__ == "__main__":
    main(sys.argv[1])
