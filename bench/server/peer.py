"""boardgame.io under the same load: its own server and driver, on the same two cores."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from bench.server.ours import WARM_SECONDS, Cost
from bench.server.process import two_cores

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("BGIO", ROOT.parent / "shared" / "bench" / "bgio"))
"""Holds `drive.cjs`, which plays a trick-taking game with four sockets per table."""
MODULES = Path(os.environ.get("BGIO_MODULES", ROOT / ".venv" / "bgio" / "node_modules"))
"""Where boardgame.io is installed (`make bench-server` does it)."""


def missing() -> str:
    """Why it cannot be measured, in words; empty if it can."""
    if shutil.which("node") is None:
        return "Node is not on the path"
    if not (FOLDER / "drive.cjs").exists():
        return "the driver drive.cjs is not there; BGIO names its folder"
    if not (MODULES / "boardgame.io").is_dir():
        return "boardgame.io is not installed; BGIO_MODULES names the folder of its node_modules"
    return ""


def measure(tables: int, seconds: float, paced: bool) -> tuple[Cost, str]:
    """What its driver reports, and which versions ran."""
    driver, server = two_cores()
    command = ["node", str(FOLDER / "drive.cjs"), str(tables), "--raw", *(["--rate", "1"] if paced else [])]
    command += ["--secs", str(seconds), "--warm", str(WARM_SECONDS), "--server-core", str(server)]
    environment = {**os.environ, "NODE_PATH": str(MODULES)}
    done = subprocess.run(
        ["taskset", "-c", str(driver), *command], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"boardgame.io could not be measured: {done.stderr.strip()[-500:]}")
    told: Any = json.loads(done.stdout)
    moves = round(told["moves_per_s"] * told["secs"])
    seen, memory = told["lat_all_others_ms"], told["kb_per_match"]
    cost = Cost(
        tables, moves, told["secs"], told["server_cpu_ms_per_move"], None, (seen["p50"], seen["p99"]),
        memory["rss_connected"], memory["rss_after_run"],
    )  # fmt: skip
    return cost, f"boardgame.io {told['bgio']} on Node {told['node']}"
