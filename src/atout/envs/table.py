"""What all environments of one table share: the episode, its rewards, and drawing it."""

from __future__ import annotations

import io
import random
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from atout.batch import step
from atout.batch.match import GAIN, WON, Match
from atout.editions import Edition
from atout.envs import MissingPackage
from atout.errors import UsageError
from atout.game.setup import Setup

Episode = Literal["match", "round"]
Rewards = Literal["round", "match"]
RENDER_MODES = ("human", "ansi", "rgb_array")


def check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{name}: {value!r} is not allowed; allowed: {', '.join(allowed)}")


class TableEpisode:
    """A match, or one round, and the rewards of the seats after every step.

    `rewards="round"`: at the end of a round every seat gets its gain, its score less the mean of all others' (with
    fixed teams: the mean of its team less that of the other team).
    `rewards="match"`: at the end of the match, its share of the win less 1 / players.
    """

    def __init__(self, edition: str | Edition, players: int, options: Any, episode: Episode, rewards: Rewards) -> None:
        check_choice("episode", episode, ("match", "round"))
        check_choice("rewards", rewards, ("round", "match"))
        if episode == "round" and rewards == "match":
            raise UsageError("rewards: 'match' needs episode='match'; one round has no winner of the match")
        self.setup = Setup.of(edition, players, options)
        self.match = Match(self.setup, one_round=episode == "round")
        self._row = GAIN if rewards == "round" else WON
        self._seeds = random.Random()  # noqa: S311  # of matches, not of secrets

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode. A seed also fixes later ones that get none; the option `stream` is that of a batch."""
        if seed is not None:
            self._seeds = random.Random(seed)  # noqa: S311
        else:
            seed = self._seeds.getrandbits(62)
        self.match.reset(int(seed), (options or {}).get("stream"))

    def step(self, action: int) -> list[float] | None:
        """One action; returns the rewards of all seats if it ended a round, else None."""
        if self.match.step(action) == step.GOES_ON:
            return None
        row: list[float] = self.match.results[self._row].tolist()
        return row[: self.setup.players]


def render(match: Match, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """The table as the seat in turn sees it; at the end, as a spectator does."""
    from atout.envs.render import picture, text

    view = match.game().view(None if match.turn < 0 else match.turn)
    if mode == "rgb_array":
        return _pixels(picture(view, match.setup))
    written = text(view)
    if mode == "ansi":
        return written
    print(written)  # noqa: T201  # what the mode is for
    return None


def _pixels(svg: str) -> npt.NDArray[np.uint8]:
    try:
        import resvg_py
    except ImportError as error:
        raise MissingPackage("resvg-py") from error
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingPackage("pillow") from error
    from atout.drawing.parts import font_files

    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=font_files()))
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.uint8)
