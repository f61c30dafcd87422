"""The arena: luck cancels, results repeat, and no bot stops it."""

from __future__ import annotations

import io
import sys
from itertools import chain
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from atout.arena import ArenaSettings, Tournament, make_runner, parse_budget, warmup
from atout.arena.duplicate import Duplicate, MatchResult, Work, play_duplicate
from atout.arena.ratings import rate
from atout.arena.report import print_results
from atout.arena.results import Results, results
from atout.arena.runners import LocalRunner
from atout.arena.seatings import match_seatings, mirrored, seatings
from atout.arena.watchdog import Watchdog
from atout.bots import Budget, make_bot, registry
from atout.errors import BotError, UsageError
from atout.game import Setup
from atout.search.gain import gain
from atout.server.settings import ServerSettings
from tests.arena.in_process import MISBEHAVING, InProcessRunner, repeatable_part, run_in_process, settings_of
from tests.arena.misbehaving_bots import SLOW_PATIENCE

# -------------------------------------------------------------------- duplicate


@pytest.mark.parametrize(("players", "matches"), [(2, 2), (3, 6), (4, 8), (5, 10), (6, 12)])
def test_every_seat_is_everybodys_equally_often(players: int, matches: int) -> None:
    found = seatings(players)
    assert len(set(found)) == len(found) == matches
    assert all(len(seating) == players and set(seating) == {"a", "b"} for seating in found)
    assert {mirrored(seating) for seating in found} == set(found)
    assert all(sum(seating[seat] == "a" for seating in found) == matches // 2 for seat in range(players))
    assert all(1 in (seating.count("a"), seating.count("b")) for seating in found), "one against the others"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_matches_go_through_all_seatings(players: int) -> None:
    everything = seatings(players)
    two = [match_seatings(players, number) for number in range(len(everything) // 2)]
    assert sorted(chain.from_iterable(two)) == sorted(everything)
    assert all(second == mirrored(first) for first, second in two)


@pytest.mark.parametrize(
    ("edition", "players", "span"),
    [("njet-1997", 3, "round"), ("niet-2015", 4, "round"), ("njet-2007", 5, "round"), ("nichtig", 6, "match")],
)
def test_twins_end_level(tmp_path: Path, edition: str, players: int, span: str) -> None:
    settings = settings_of(edition, players, ["novice", MISBEHAVING + "Twin"], span=span, budget=Budget(nodes=10))
    pair = run_in_process(tmp_path / "twins.json", 2, settings).pairs[0]
    assert pair.margins == [0.0, 0.0]
    assert (pair.margin.mean, pair.margin.low, pair.margin.high) == (0, 0, 0)
    assert pair.win_shares in (None, [0.5, 0.5])


@pytest.mark.parametrize("players", [4, 6])
def test_in_teams_a_bot_has_all_seats_of_a_team(tmp_path: Path, players: int) -> None:
    """Both ways round, for rounds and for matches; the margin is what a team gains."""
    assert seatings(players, teams=True) == ["ab" * (players // 2), "ba" * (players // 2)]
    assert match_seatings(players, 3, teams=True) == seatings(players, teams=True)
    for span in ("round", "match"):
        options = {"teams": True, "length": {"target": 30}}
        settings = settings_of("nichtig", players, ["novice", "random"], span=span, options=options)
        (it,) = InProcessRunner(settings).run([0])
        assert [match.seating for match in it.matches] == seatings(players, teams=True)
        for match in it.matches:
            assert sorted(match.winners) in (
                [list(range(side, players, 2)) for side in (0, 1)] if span == "match" else [[]]
            )
        gains = [
            gain([score / match.rounds for score in match.scores], settings.setup, match.seating.index("a"))
            for match in it.matches
        ]
        assert results(settings, [it]).pairs[0].margins[0] == pytest.approx(sum(gains) / 2)


def test_twins_end_level_in_teams(tmp_path: Path) -> None:
    bots = ["novice", MISBEHAVING + "Twin"]
    settings = settings_of("nichtig", 4, bots, budget=Budget(nodes=10), options={"teams": True})
    assert run_in_process(tmp_path / "twins.json", 2, settings).pairs[0].margins == [0.0, 0.0]


def test_the_dealer_moves_on_and_all_pairs_get_the_same_deals() -> None:
    settings = settings_of("nichtig", 3, ["random", MISBEHAVING + "ByNodes", MISBEHAVING + "Twin"])
    assert [settings.place(number)[0] for number in range(6)] == [0, 0, 0, 1, 1, 1]
    duplicates = list(InProcessRunner(settings).run([0, 3]))
    by_nodes_is_random = [[match.scores for match in duplicate.matches] for duplicate in duplicates]
    assert all(scores == rows[0] for rows in by_nodes_is_random for scores in rows)
    assert by_nodes_is_random[0] != by_nodes_is_random[1]


# -------------------------------------------------------------------- what comes out


def duplicate(number: int, *matches: MatchResult) -> Duplicate:
    return Duplicate(number, list(matches), {"x": Work(3, 0.5, {"hung": 1}), "y": Work(4, 0.0)})


def test_results_by_literal_rows() -> None:
    settings = settings_of("nichtig", 3, ["random", "novice"])
    settings = ArenaSettings(
        **{name: getattr(settings, name) for name in settings.__struct_fields__} | {"bots": ("x", "y")}
    )
    found = results(
        settings,
        [
            duplicate(0, MatchResult("abb", [4, 1, 3], 1, []), MatchResult("baa", [1, 2, 4], 1, [])),
            duplicate(1, MatchResult("abb", [0, 1, 1], 1, []), MatchResult("baa", [0, 5, 5], 1, [])),
        ],
    )
    assert found.pairs[0].margins == [2.0, 2.0]
    assert (found.pairs[0].margin.mean, found.pairs[0].matches, found.pairs[0].wins) == (2.0, 4, None)
    assert (found.bots[0].decisions, found.bots[0].forfeits) == (6, {"hung": 2})
    assert found.speed[0].milliseconds == pytest.approx(1000 / 6)
    assert found.speed[0].decisions_per_second == 6.0
    assert found.speed[1].milliseconds is None
    assert [rating.bot for rating in found.ratings] == ["x", "y"]


def test_shared_wins_count_in_parts_and_margins_by_round(tmp_path: Path) -> None:
    settings = settings_of("nichtig", 3, ["novice", "random"], span="match", options={"length": {"target": 60}})
    for it in InProcessRunner(settings).run([0]):
        assert [match.seating for match in it.matches] == match_seatings(3, 0)
        assert all(match.rounds > 0 and max(match.scores) > 60 and match.winners for match in it.matches)
    tie = Duplicate(0, [MatchResult("aab", [9, 9, 9], 3, [0, 1, 2]), MatchResult("bba", [3, 0, 9], 3, [2])], {})
    pair = results(settings, [tie]).pairs[0]
    assert pair.win_shares is not None
    assert pair.win_shares[0] == pytest.approx((2 / 3 + 1) / 2)
    assert pair.margins[0] == pytest.approx((0 + 7.5 / 3) / 2)
    assert "A fair share is its share of the seats: 50 % over a seating and its mirror." in printed(
        results(settings, [tie])
    )


def test_ratings_follow_the_meetings() -> None:
    a, b, c = rate(["c", "a", "b"], [("a", "b", 1.0), ("b", "c", 2.0), ("a", "c", 0.5)] * 30)
    assert (a.bot, b.bot, c.bot) == ("a", "b", "c")
    assert a.low < a.mu < a.high
    assert a.sigma < 25 / 3
    assert [it.mu for it in rate(["a", "b"], [("a", "b", 0.0)])] == [25.0, 25.0]


# -------------------------------------------------------------------- repeatable


@pytest.mark.slow
def test_a_budget_of_nodes_repeats_exactly(tmp_path: Path) -> None:
    def run(nodes: int, seed: int = 1) -> dict[str, object]:
        bots = [MISBEHAVING + "ByNodes", "novice"]
        return repeatable_part(
            run_in_process(tmp_path / "x.json", 3, settings_of("nichtig", 4, bots, budget=Budget(nodes), seed=seed))
        )

    assert run(20) == run(20)
    assert run(20)["pairs"] != run(21)["pairs"]
    assert run(20)["pairs"] != run(20, seed=2)["pairs"]


@pytest.mark.slow
def test_workers_and_interruptions_change_nothing(tmp_path: Path) -> None:
    settings = settings_of("nichtig", 3, ["novice", MISBEHAVING + "ByNodes", "random"], budget=Budget(nodes=9))
    once = repeatable_part(run_in_process(tmp_path / "once.json", 3, settings))
    assert not (tmp_path / "once.json.part").exists()

    path = tmp_path / "twice.json"
    first = Tournament(settings, 2, path)
    playing = first.play(LocalRunner(settings, 2))
    numbers = {next(playing).number, next(playing).number}
    playing.close()
    part = tmp_path / "twice.json.part"
    part.write_bytes(part.read_bytes() + b'{"number": 5, "ga')

    second = Tournament(settings, 3, path)
    assert set(range(9)) - set(second.todo) == numbers
    assert {it.number for it in second.play(LocalRunner(settings, 1))} == set(range(9)) - numbers
    assert repeatable_part(second.finish()) == once == repeatable_part(path)
    assert not part.exists()


def test_a_journal_of_other_settings_is_refused(tmp_path: Path) -> None:
    def tournament(**more: object) -> Tournament:
        settings = settings_of("nichtig", 3, ["novice", "random"], **more)
        tournament = Tournament(settings, 2, tmp_path / "x.json")
        playing = tournament.play(InProcessRunner(settings))
        next(playing)
        playing.close()
        return tournament

    assert tournament(seed=4).leave() == tmp_path / "x.json.part"
    with pytest.raises(
        UsageError, match=r"x\.json\.part holds unfinished work of other settings: seed is 4 there and 5"
    ):
        tournament(seed=5)
    with pytest.raises(UsageError, match=r'budget is .*"nodes":null.* there and .*"nodes":7'):
        tournament(seed=4, budget=Budget(nodes=7))
    (tmp_path / "x.json.part").write_text("something else\n")
    with pytest.raises(UsageError, match="is not an arena journal"):
        tournament(seed=4)


# -------------------------------------------------------------------- misbehaving bots


def printed(found: Results) -> str:
    """The tables and what is below them, on a wide screen."""
    console = Console(file=io.StringIO(), width=1000)
    print_results(found, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("bot", "why", "said"),
    [
        ("Crashing", "failed", "failed 9 times; the first: ZeroDivisionError: oh"),
        ("Illegal", "illegal", "answered illegally 9 times; the first: '0 play Z9' is not legal; allowed: "),
        (
            "Textual",
            "illegal",
            "answered illegally 9 times; the first: answered with str; expected an atout.bots.Choice",
        ),
        ("Exiting", "failed", "failed 9 times; the first: SystemExit: 0"),
    ],
)
def test_a_misbehaving_bot_forfeits_that_decision(tmp_path: Path, bot: str, why: str, said: str) -> None:
    found = run_in_process(tmp_path / "x.json", 1, settings_of("nichtig", 3, [MISBEHAVING + bot, "random"]))
    assert found.bots[0].forfeits == {why: 9}
    assert printed(found).splitlines()[-1].startswith(f"{MISBEHAVING}{bot} {said}")
    written = msgspec.json.decode((tmp_path / "x.json").read_bytes())["bots"]
    assert [list(it["errors"]) for it in written] == [[why], []]
    assert found.bots[0].decisions > 50
    assert found.bots[1].forfeits == {}


def test_a_bot_that_cannot_be_made_again_forfeits(tmp_path: Path) -> None:
    settings = settings_of("nichtig", 3, [MISBEHAVING + "Unmade", "random"])
    found = run_in_process(tmp_path / "x.json", 1, settings)
    assert found.bots[0].decisions == 0
    assert found.bots[0].forfeits["failed"] > 50
    assert "the first: " in printed(found)
    assert "cannot be made: RuntimeError: only one of me" in printed(found)


def test_a_journal_without_errors_is_still_read() -> None:
    """Earlier versions wrote no errors into their journals."""
    line = b'{"number":0,"matches":[],"work":{"x":{"decisions":3,"seconds":0.5,"forfeits":{"hung":1}}}}'
    assert msgspec.json.decode(line, type=Duplicate).work["x"].errors == {}


def test_what_benched_means_is_below_the_table_where_there_are_forfeits(tmp_path: Path) -> None:
    settings = settings_of("nichtig", 3, [MISBEHAVING + "ByNodes", "random"])
    (fine,) = InProcessRunner(settings).run([0])
    benched = play_duplicate(settings, 0, Watchdog([0.0, 0.0]), {MISBEHAVING + "ByNodes": "its process ended"})
    assert "benched" not in printed(results(settings, [fine]))
    said = printed(results(settings, [benched]))
    assert "benched: the bot hung 3 times in a duplicate or ended its process" in said
    assert "was benched " in said
    assert " times; the first: its process ended" in said


@pytest.mark.slow
def test_bots_that_hang_or_take_the_process_down_are_benched(tmp_path: Path) -> None:
    names = ["Hanging", "Deaf", "Dying"]
    settings = settings_of("nichtig", 3, [MISBEHAVING + name for name in names], patience=4.0)
    tournament = Tournament(settings, 1, tmp_path / "x.json")
    assert len(list(tournament.play(LocalRunner(settings, 2)))) == 3
    hanging, deaf, dying = tournament.finish().bots
    assert hanging.forfeits["hung"] == 6
    assert hanging.forfeits["benched"] > 50
    assert hanging.decisions > 0
    assert hanging.errors == {"benched": "it hung 3 times in a duplicate", "hung": "no answer within 4 seconds"}
    assert deaf.errors == {"benched": "it was stuck, so its process was ended"}
    assert dying.errors == {"benched": "its process ended while it was asked"}
    for it in (deaf, dying):
        assert set(it.forfeits) == {"benched"}
        assert it.decisions == 0


def test_a_bot_that_extends_a_level_is_warmed_up_as_that_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the level's code is compiled during its first decision, which then counts as hung."""
    called: list[tuple[str, str]] = []
    monkeypatch.setattr(warmup, "quick_round", lambda _, name: called.append(("played", name)))
    monkeypatch.setattr(warmup, "make_bot", lambda name: called.append(("made", name)))
    twin, other = MISBEHAVING + "Twin", MISBEHAVING + "FirstVeto"
    settings = settings_of("nichtig", 3, [twin, other, "club"])
    for name in settings.bots:
        warmup.warm_up(settings, name, Watchdog([0.0, 0.0, 0.0]))
    assert called == [("made", twin), ("played", "novice"), ("made", other), ("played", "club")]


def test_a_level_that_a_bot_makes_is_warmed_up_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []
    monkeypatch.setattr(registry, "MADE", set())
    monkeypatch.setattr(warmup, "MADE", registry.MADE)
    monkeypatch.setattr(warmup, "quick_round", lambda _, name: played.append(name))
    settings = settings_of("nichtig", 3, [MISBEHAVING + "Calling", "novice"])
    warmup.warm_up(settings, settings.bots[0], Watchdog([0.0, 0.0]))
    assert played == ["random"]


def test_a_bot_that_leaves_when_it_is_made_is_named_in_one_line() -> None:
    with pytest.raises(BotError, match=r"^bot: '.*:Leaving' cannot be made: SystemExit: no weights: weights.bin$"):
        make_bot(MISBEHAVING + "Leaving")


def test_the_watchdog_also_watches_the_import_of_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that a bot does while it is loaded may keep a worker waiting for ever."""
    watched: list[bool] = []
    cell = [0.0, 0.0]
    monkeypatch.setattr(warmup, "level_behind", lambda _: watched.append(cell[0] > 0))
    settings = settings_of("nichtig", 3, [MISBEHAVING + "Twin", "novice"])
    warmup.warm_up(settings, settings.bots[0], Watchdog(cell))
    assert watched == [True]


@pytest.mark.slow
def test_loading_is_no_thinking(tmp_path: Path) -> None:
    settings = settings_of("nichtig", 3, [MISBEHAVING + "Slow", "novice"], patience=SLOW_PATIENCE)
    tournament = Tournament(settings, 1, tmp_path / "x.json")
    assert len(list(tournament.play(LocalRunner(settings, 1)))) == 1
    assert [it.forfeits for it in tournament.finish().bots] == [{}, {}]


# -------------------------------------------------------------------- words


@pytest.mark.parametrize("text", ["", "0", "fast", "-5", "0.5", "1.5n", "0s", "2h", "ms", "1e3", "9999999s", "٣s"])
def test_a_wrong_budget_is_explained(text: str) -> None:
    with pytest.raises(UsageError, match=r"--budget: .* expected a time \(200ms, 0.5s\) or nodes \(2000\)"):
        parse_budget(text)


def test_patience_grows_with_the_budget() -> None:
    def patience(budget: str) -> float:
        return settings_of("nichtig", 3, ["novice", "random"], budget=parse_budget(budget), patience=None).patience

    assert [patience(it) for it in ("2000", "200ms", "2s")] == [10, 10, 40]


def test_the_default_budget_is_the_servers() -> None:
    budget = ArenaSettings.of(Setup.of("nichtig", 3), ["novice", "random"]).budget
    assert budget == Budget(seconds=ServerSettings().bot_seconds)


@pytest.mark.parametrize("vetoes", ["novice", "random"])
def test_all_vetoes_may_be_made_by_others(vetoes: str) -> None:
    """Two bots that differ in their vetoes alone then make the same boards, so they end level in every match."""
    bots = [MISBEHAVING + "FirstVeto", MISBEHAVING + "LastVeto"]
    own, others = (settings_of("niet-2015", 4, bots, vetoes=it) for it in ("own", vetoes))
    (first,), (second,) = InProcessRunner(own).run([0]), InProcessRunner(others).run([0])
    assert len({tuple(match.scores) for match in first.matches}) > 1
    assert len({tuple(match.scores) for match in second.matches}) == 1


def test_vetoes_are_explained_where_there_are_none() -> None:
    with pytest.raises(UsageError, match="--vetoes: novice is not allowed here; nichtig has no vetoes"):
        settings_of("nichtig", 3, ["novice", "random"], vetoes="novice")
    with pytest.raises(UsageError, match="--vetoes: 'x' is not allowed; allowed: own, novice, random"):
        settings_of("niet-2015", 3, ["novice", "random"], vetoes="x")


def test_without_ray_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match=r"pip install atout\[ray\]"):
        make_runner("ray", settings_of("nichtig", 3, ["novice", "random"]), 1)
