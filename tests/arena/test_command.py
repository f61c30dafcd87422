"""`atout arena` as a person or a script meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

from atout.arena.chart import ratings_svg
from atout.arena.ratings import Rating
from tests.arena.in_process import repeatable_part

ATOUT = [sys.executable, "-m", "atout", "arena"]
BASE = ["--bots", "novice,random", "--edition", "nichtig", "--players", "3", "--seed", "3"]


def atout(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*ATOUT, *map(str, arguments)], capture_output=True, text=True)


def numbers_in(tree: ElementTree.Element, attribute: str) -> Iterator[float]:
    return (float(it.get(attribute, "")) for it in tree.iter() if attribute in it.attrib)


@pytest.mark.slow
def test_rounds_tables_json_and_picture(tmp_path: Path) -> None:
    path, picture = tmp_path / "out.json", tmp_path / "out.svg"
    done = atout(*BASE, "--deals", 6, "--budget", "2000", "--out", path, "--picture", picture, "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert "nichtig, 3 players: duplicates 6/6" in done.stderr
    assert "novice – random" in done.stdout
    assert sorted(it.name for it in tmp_path.iterdir()) == ["out.json", "out.svg"]

    found = json.loads(path.read_text())
    assert list(found) == ["arena", "settings", "deals", "pairs", "ratings", "bots", "speed"]
    settings = found["settings"]
    assert (settings["seed"], settings["budget"], settings["span"]) == (3, {"nodes": 2000, "seconds": None}, "round")
    assert settings["version"]
    [pair] = found["pairs"]
    assert (pair["bots"], pair["matches"], len(pair["margins"])) == (["novice", "random"], 36, 6)
    assert pair["margin"]["low"] < pair["margin"]["mean"] < pair["margin"]["high"]
    assert pair["margin"]["mean"] > 0
    assert [rating["bot"] for rating in found["ratings"]] == ["novice", "random"]
    assert {it["bot"]: it["forfeits"] for it in found["bots"]} == {"novice": {}, "random": {}}
    assert all(it["milliseconds"] > 0 and it["decisions_per_second"] > 0 for it in found["speed"])
    assert "novice" in ElementTree.parse(picture).getroot().itertext()  # noqa: S314


@pytest.mark.slow
def test_matches_have_win_rates(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    options = '{"length": {"target": 60}}'
    done = atout(*BASE, "--deals", 2, "--span", "match", "--options", options, "--out", path, "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert "share of matches won" in done.stdout
    [pair] = json.loads(path.read_text())["pairs"]
    assert len(pair["win_shares"]) == 2
    assert 0 <= pair["wins"]["mean"] <= 1


def _hear_ctrl_c() -> None:
    """A shell lets what it starts in the background ignore it, and so would all that is started from there."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_finished(tmp_path: Path) -> None:
    path, part = tmp_path / "out.json", tmp_path / "out.json.part"
    command = [*ATOUT, *BASE, "--workers", "1", "--out", str(path), "--deals", "2000"]
    running = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, preexec_fn=_hear_ctrl_c
    )
    while not (part.exists() and part.read_bytes().count(b"\n") > 3):
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said = running.communicate()[1]
    assert running.returncode == 130
    assert f"finished results are in {part}; run the same command to continue" in " ".join(said.split())
    assert "Traceback" not in said
    finished = part.read_bytes().count(b"\n") - 1

    again = atout(*BASE, "--workers", 1, "--out", path, "--deals", finished + 1)
    assert again.returncode == 0
    assert f"{finished} of {finished + 1} duplicates are finished already" in again.stderr
    whole = atout(*BASE, "--workers", 2, "--out", tmp_path / "whole.json", "--deals", finished + 1)
    assert whole.returncode == 0
    assert repeatable_part(path) == repeatable_part(tmp_path / "whole.json")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bots", "novice"], "--bots: 1 is named; expected two or more"),
        (["--bots", "novice,novice"], "--bots: 'novice' is named twice"),
        (["--bots", "novice,genius"], "bot: 'genius' is not known"),
        (["--players", "9"], "players: 9 is not allowed in nichtig"),
        (["--budget", "soon"], "--budget: 'soon' is not allowed; expected"),
        (["--span", "trick"], "--span: 'trick' is not allowed; allowed: round, match"),
        (["--runner", "cloud"], "--runner: 'cloud' is not allowed; allowed: local, ray"),
        (["--deals", "0"], "--deals"),
        (["--seed", str(1 << 70)], "--seed"),
        (["--out", "/nowhere/at/all.json"], "--out: /nowhere/at/all.json.part cannot be written"),
        (["--picture", "/nowhere/at/all.svg"], "--picture: /nowhere/at/all.svg cannot be written"),
        (["--out", "-"], "--out: - is not allowed; expected the name of a file; --json prints the results, too"),
        (["--out", "x.svg", "--picture", "./x.svg"], "--picture: x.svg is the file of --out, too; expected another"),
    ],
)
def test_wrong_usage_is_explained(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: list[str],
    said: str,
) -> None:
    from atout.cli import main

    argv = ["atout", "arena", *BASE, "--deals", "1", "--out", str(tmp_path / "x.json"), *arguments]
    monkeypatch.setattr(sys, "argv", argv)
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 2
    assert said in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_picture_shows_every_interval_on_one_scale() -> None:
    ratings = [Rating("a<b", 30, 2, 26, 34), Rating("my.bots:Fox", 20, 1, 18, 22)]
    tree = ElementTree.fromstring(ratings_svg(ratings, "A & B"))  # noqa: S314
    words = [text.strip() for text in tree.itertext() if text.strip()]
    assert {"A & B", "a<b", "Fox", "30.0 ± 4.0", "20.0 ± 2.0"} <= set(words)
    first, second = numbers_in(tree, "cx")
    whiskers = [it for it in tree.iter() if it.get("stroke-width") == "3"]
    (low, high), (low2, high2) = [(float(it.get("x1", "")), float(it.get("x2", ""))) for it in whiskers]
    assert low2 < second < high2 < low < first < high
    assert first - low == pytest.approx(2 * (second - low2), abs=0.3)


@pytest.mark.slow
def test_simulate_names_the_bot_that_ended_a_worker(tmp_path: Path) -> None:
    dying = "tests.arena.misbehaving_bots:Dying"
    command = ["simulate", "--bots", f"random,{dying},random", "-e", "nichtig", "-n", "3"]
    command += ["--matches", "150", "--workers", "2", "--out", str(tmp_path / "x.jsonl")]
    done = subprocess.run([sys.executable, "-m", "atout", *command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"atout: simulate: a worker process ended while bot {dying} was asked"
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_ray_plays_the_same(tmp_path: Path) -> None:
    """Needs the extra `ray`, which `make check-all` installs: two workers of a cluster on this machine."""
    bots = [
        "--bots",
        "novice,random,tests.arena.misbehaving_bots:Dying",
        "--patience",
        "2",
        "--deals",
        "4",
        "--workers",
        "2",
    ]
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    for runner in ("local", "ray"):
        command = [*ATOUT, *BASE, *bots, "--runner", runner, "--out", str(tmp_path / runner)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
    assert repeatable_part(tmp_path / "ray") == repeatable_part(tmp_path / "local")
