"""boardgame.io under the same load, on the same two cores: its own server, and a driver in `bgio`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from bench.server.ours import WARM_SECONDS, Cost
from bench.server.process import two_cores

DRIVER = Path(__file__).parent / "bgio" / "drive.cjs"
"""Plays a trick-taking game with four sockets per table."""
MODULES = Path(os.environ.get("BGIO_MODULES", Path(__file__).parents[2] / ".venv" / "bgio" / "node_modules"))
"""Where boardgame.io is installed (`make bench-server` does it, from `bgio/package.json`)."""


def missing() -> str:
    """Why it cannot be measured, in words; empty if it can."""
    if shutil.which("node") is None:
        return "Node is not on the path"
    if not (MODULES / "boardgame.io").is_dir():
        return "boardgame.io is not installed; BGIO_MODULES names the folder of its node_modules"
    return ""


def measure(tables: int, seconds: float, paced: bool) -> tuple[Cost, str]:
    """What its driver reports, and which versions ran."""
    driver, server = two_cores()
    arguments = {
        "tables": tables, "seconds": seconds, "warm": WARM_SECONDS, "rate": int(paced), "server-core": server,
    }  # fmt: skip
    command = ["node", str(DRIVER), *(f"--{name}={value}" for name, value in arguments.items())]
    environment = {**os.environ, "NODE_PATH": str(MODULES)}
    done = subprocess.run(
        ["taskset", "-c", str(driver), *command], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"boardgame.io could not be measured: {done.stderr.strip()[-500:]}")
    report: Any = json.loads(done.stdout)
    memory = report["kb_per_table"]
    cost = Cost(
        tables, report["moves"], report["seconds"], report["cpu_ms_per_move"], None, tuple(report["seen_ms"]),
        memory["connected"], memory["after"],
    )  # fmt: skip
    return cost, f"boardgame.io {report['boardgame_io']} on Node {report['node']}"
