"""`--join`: a seat at a real server's table, on a screen and line by line, beside somebody else at the same table."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from atout.cli.play import language_option
from atout.errors import UsageError
from atout.i18n import Texts
from atout.terminal.choices import from_text, phrase
from atout.terminal.describe import Scene
from atout.terminal.guests import Guests
from atout.terminal.lines import Lines
from atout.terminal.phrases import capital
from atout.terminal.plain import PlainTable
from atout.terminal.remote import RemoteMatch, introduce, parse_link
from atout.terminal.saves import Saves, ShellCommands
from atout.terminal.screen.app import Message, TableApp
from tests.server.background import Background, serve_in_background
from tests.terminal.test_screen import until

if sys.platform != "win32":
    from .pseudo import PseudoTerminal


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    folder = tmp_path_factory.mktemp("join")
    with serve_in_background(f"sqlite:///{folder / 'atout.db'}", folder) as running:
        yield running


def open_table(server: Background, seats: list[str], edition: str = "nichtig") -> str:
    cookie = introduce(server.url, "Host")
    settings = {
        "edition": edition,
        "players": len(seats),
        "seats": seats,
        "pace": "at-once",
        "options": {"length": {"target": 1}},
    }
    body = json.dumps({"settings": settings}).encode()
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    request = urllib.request.Request(f"{server.url}/api/tables", body, headers)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return str(json.load(answer)["table"])


async def play(match: RemoteMatch) -> None:
    """The first legal action, always."""
    while await match.advance():
        view = match.view
        if view is not None and view["phase"] == "over":
            return
        if view is not None and match.words.me in match.asked and view["legal"]:
            assert await match.act(view["legal"][0]) == ""


@pytest.mark.slow
def test_two_people_and_a_bot_at_one_table(server: Background) -> None:
    table = open_table(server, ["open", "open", "random"])
    one, other = (RemoteMatch(server.url, table, name, Texts()) for name in ("Ann", "Bo"))

    async def both() -> None:
        await asyncio.wait_for(asyncio.gather(play(one), play(other)), 120)
        await one.close()
        await other.close()

    asyncio.run(both())
    assert one.view is not None
    assert other.view is not None
    assert one.view["totals"] == other.view["totals"]
    assert one.winners
    assert any(line.startswith(("Bo", "Ann")) for line in one.log)


def plain_table(match: RemoteMatch, typed: str, target: io.StringIO, path: Path) -> PlainTable:
    saves = Saves(path, is_own=False)
    return PlainTable(match, io.StringIO(typed), target, saves, ShellCommands(), lambda seat: [f"reviewed {seat}"])


@pytest.mark.slow
def test_line_by_line(server: Background, tmp_path: Path) -> None:
    table, path = open_table(server, ["open", "random", "random"]), tmp_path / "match.json"
    target = io.StringIO()
    match = RemoteMatch(server.url, table, "Ann", Texts("de"))
    plain = plain_table(match, "1\n" * 150 + "analyse\n\n", target, path)
    assert asyncio.run(asyncio.wait_for(plain.run(), 120))
    told = target.getvalue()
    assert "Die Partie ist vorbei" in told
    assert Texts("de").t("terminal.plain.round-over", n=1) in told
    assert told.count("Jonas wählt Karten zum Auslegen.") == 1
    assert f"Jonas ({Texts('de').t('level.random')})".replace(" ", "\xa0") in told.replace(" ", "\xa0")
    assert f"atout review {path} --seat 0\n" in told
    assert match.view is not None
    assert json.loads(path.read_text())["totals"] == match.view["totals"]


def test_what_is_forbidden_is_explained_and_the_seat_is_taken_again(server: Background, tmp_path: Path) -> None:
    """`?` and a refusal name the rule; whoever comes back has the same seat, and the log of the round."""
    table = open_table(server, ["open", "random", "random", "random"], "niet-2015")
    guests = Guests(tmp_path / "state" / "guests.json")
    told, matches = [], []

    def visit(typed: str) -> None:
        matches.append(RemoteMatch(server.url, table, "Ann", Texts(), guests))
        target = io.StringIO()
        plain = plain_table(matches[-1], typed, target, tmp_path / "match.json")
        assert not asyncio.run(asyncio.wait_for(plain.run(), 120))
        told.append(target.getvalue())

    visit("1\n2\nquit\n")
    view = matches[0].view
    assert view is not None
    own = next(action for action in view["actions"] if action.startswith("0 veto"))
    visit(f"?\n{own.removeprefix('0 veto ')}\npink\nhint\nhelp\nquit\n")
    told = [re.sub(r"\n +", " ", text) for text in told]
    texts, cell = Texts(), phrase(Scene.of_view(view, matches[0].words), from_text(own))
    assert f"You veto {cell}." in told[0]
    assert "The match continues after" in told[1], "the second visit has the same seat"
    assert matches[1].log[: len(matches[0].log[2:])] == matches[0].log[2:], "but who sat down, and the beginning"
    covered = re.findall(rf"(.*): {re.escape(texts.t('refusal.covered'))} \(niet-2015 §3.3\)", told[1])[0]
    assert cell in covered
    assert f"{capital(cell)}: {texts.t('refusal.covered')} (niet-2015 §3.3)" in told[1]
    assert "“pink” is not understood" in told[1]
    assert texts.t("terminal.refusal.no-hints") in told[1]
    assert texts.t("terminal.plain.help.quit.server") in told[1]
    assert (guests.path.stat().st_mode & 0o777) == 0o600


def test_a_proposal_is_answered(server: Background, tmp_path: Path) -> None:
    table = open_table(server, ["open", "open", "random"])
    one, other = (RemoteMatch(server.url, table, name, Texts()) for name in ("Ann", "Bo"))
    target = io.StringIO()

    class Keyboard(io.StringIO):
        """Bo answers before anything was proposed, reads the proposal while a choice is asked for, and agrees."""

        asked = 0

        def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
            self.asked += 1
            ends = time.monotonic() + 60
            while self.asked == 2 and "Answer yes or no" not in target.getvalue() and time.monotonic() < ends:
                time.sleep(0.02)
            return ["no\n", "yes\n", "quit\n"][min(self.asked, 3) - 1]

    plain, keyboard = plain_table(other, "", target, tmp_path / "x.json"), Keyboard()
    plain.lines = Lines(keyboard, target)

    async def watch() -> None:
        while await one.advance():
            if one._state.get("status") == "aborted" or one.is_finished:
                break
        await one.close()

    async def propose() -> None:
        while keyboard.asked < 2 or one.view is None:
            await asyncio.sleep(0.02)
        assert (await one._asked({"do": "offer", "what": "abort"}))["type"] != "refusal"

    async def both() -> None:
        await asyncio.wait_for(asyncio.gather(watch(), propose(), plain.run()), 120)

    asyncio.run(both())
    told = target.getvalue()
    assert "Nobody has proposed anything." in told
    assert told.count("Ann proposes: to abandon the match.") == 1
    assert one.is_finished
    assert any("to abandon the match" in line for line in other.log)


async def click_on(app: TableApp, pilot: Pilot[bool], answer: str) -> None:
    """Click where an answer to a proposal is drawn."""
    await pilot.pause()
    widget = app.screen_stack[0].query_one("#notice", Static)
    left, top = widget.content_region.offset
    for line in range(widget.content_region.height):
        column = 0
        for segment in widget.render_line(line):
            if segment.style is not None and segment.style.meta.get("answer") == answer:
                assert await pilot.click(offset=(left + column, top + line))
                return
            column += segment.cell_length
    raise AssertionError(f"no answer {answer} is in sight")


@pytest.mark.slow
def test_proposals_on_a_screen(server: Background) -> None:
    """A pause, to continue, and to abandon the match: answered by keys and by the mouse, and withdrawn."""
    table = open_table(server, ["open", "open", "random"])
    one, other = RemoteMatch(server.url, table, "Ann", Texts()), RemoteMatch(server.url, table, "Bo", Texts("de"))

    async def read() -> None:
        while await one.advance():
            pass

    async def propose(what: str) -> None:
        assert (await one._asked({"do": "offer", "what": what}))["type"] != "refusal"

    async def whole() -> None:
        reading = asyncio.create_task(read())
        app = TableApp(other)
        async with app.run_test(size=(80, 24)) as pilot:

            async def sees(*words: str) -> None:
                for _ in range(500):
                    shown = str(app.screen_stack[0].query_one("#notice", Static).render())
                    if all(word in shown for word in words) and bool(shown) == bool(words):
                        return
                    await pilot.pause(0.02)
                raise AssertionError(f"{words} never seen; {shown!r}")

            try:
                await until(pilot, lambda: one.view is not None and other.view is not None)
                await sees()
                assert not app.screen_stack[0].query_one("#notice").display
                await propose("pause")
                await sees("Ann schlägt vor: eine Pause", "[j] Einverstanden", "[n] Nein")
                await pilot.press("j")
                await sees("Pause. Der Tisch wartet.", "[j] Weiterspielen")
                await click_on(app, pilot, "resume")
                await sees("Du schlägst vor: weiterspielen", "[n] Zurückziehen")
                await pilot.press("n")
                await sees("Der Tisch wartet.")
                await pilot.press("j")
                await sees("Du schlägst vor: weiterspielen")
                assert await one.reply("yes") == ""
                await sees()
                await propose("abort")
                await sees("die Partie abbrechen")
                await click_on(app, pilot, "no")
                await sees()
                await propose("abort")
                await sees("die Partie abbrechen")
                await click_on(app, pilot, "yes")
                await sees("Dieser Tisch ist geschlossen")
                assert other.is_finished
            finally:
                await other.close()
                await one.close()
                await reading

    asyncio.run(asyncio.wait_for(whole(), 120))


async def reading(match: RemoteMatch) -> None:
    while await match.advance():
        pass


async def settled(is_so: Callable[[], object]) -> None:
    """Wait until something has arrived from the server."""
    ends = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < ends, "never happened"
        await asyncio.sleep(0.02)


def test_what_may_be_proposed(server: Background) -> None:
    """A pause, its end, a bot for the reader and the end of the match, each while it makes sense."""
    table = open_table(server, ["open", "open", "random"])
    one, other = RemoteMatch(server.url, table, "Ann", Texts()), RemoteMatch(server.url, table, "Bo", Texts("de"))

    async def whole() -> None:
        tasks = [asyncio.create_task(reading(one)), asyncio.create_task(reading(other))]
        assert one.proposals == {}, "before the match"
        await settled(lambda: one.view is not None and other.view is not None)
        await settled(lambda: one.proposals.keys() == {"pause", "abort", "stand-in"})
        assert other.proposals == {
            "pause": "Um eine Pause bitten",
            "abort": "Abbruch vorschlagen",
            "stand-in": "Bot für mich spielen lassen",
        }
        assert await other.propose("resume") == "Der Tisch macht keine Pause."
        assert await one.propose("pause") == ""
        await settled(lambda: other.notice is not None)
        assert other.proposals.keys() == {"stand-in"}, "one proposal at a time"
        assert await other.reply("yes") == ""
        await settled(lambda: "resume" in one.proposals)
        assert one.proposals.keys() == {"resume", "abort", "stand-in"}
        assert await one.propose("resume") == ""
        await settled(lambda: other.notice is not None and "yes" in other.notice.answers)
        assert await other.reply("yes") == ""
        await settled(lambda: "pause" in one.proposals)
        assert await one.propose("stand-in") == ""
        await settled(lambda: one.proposals.keys() == {"reclaim"})
        assert one.words.me not in one.asked, "nothing is asked of them"
        assert one.notice is not None
        assert one.notice.answers == {"reclaim": "I am back"}
        assert await one.reply("reclaim") == ""
        await settled(lambda: "abort" in one.proposals)
        assert await one.propose("abort") == ""
        await settled(lambda: other.notice is not None and "yes" in other.notice.answers)
        assert await other.reply("yes") == ""
        await settled(lambda: one.is_finished)
        assert one.proposals == {}
        await one.close()
        await other.close()
        await asyncio.gather(*tasks)

    asyncio.run(asyncio.wait_for(whole(), 120))


def test_a_bot_for_somebody_who_is_away(server: Background, tmp_path: Path) -> None:
    """The player who is left is asked about it when the table waits; they may also wait, and ask later.

    Whoever comes back is only online again until they take back their seat.
    """
    table = open_table(server, ["open", "open", "random"])
    guests = Guests(tmp_path / "guests.json")
    one = RemoteMatch(server.url, table, "Ann", Texts())
    other, again = (RemoteMatch(server.url, table, "Bo", Texts(language), guests) for language in ("en", "de"))

    async def whole() -> None:
        tasks = [asyncio.create_task(reading(one)), asyncio.create_task(reading(other))]
        await settled(lambda: one.view is not None and other.view is not None)
        seat = other.words.me
        await other.close()
        await settled(lambda: one.notice is not None)
        assert one.notice is not None
        assert one.notice.text.startswith("Bo is offline.")
        assert list(one.notice.answers) == [f"stand-in {seat}", "no"]
        assert await one.reply("no") == ""
        await settled(lambda: one.notice is None)
        assert one.proposals[f"stand-in {seat}"] == "Let a bot play for Bo"
        assert await one.propose(f"stand-in {seat}") == ""
        await settled(lambda: f"stand-in {seat}" not in one.proposals)
        assert "A bot now plays for Bo" in one.log
        tasks.append(asyncio.create_task(reading(again)))
        await settled(lambda: "Bo is online again, but a bot still plays" in one.log)
        await settled(lambda: "Du bist wieder online, aber noch spielt ein Bot für dich" in again.log)
        assert await again.reply("reclaim") == ""
        await settled(lambda: "Bo takes back the seat" in one.log)
        assert "Bo is back" not in one.log
        await again.close()
        await one.close()
        await asyncio.gather(*tasks)

    asyncio.run(asyncio.wait_for(whole(), 120))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_proposals_line_by_line(server: Background, tmp_path: Path) -> None:
    """Everything that the menu of the page proposes has a command, in the reader's language too.

    Lines are typed at a terminal, which is always read: once the stand-in has chosen for Bo, nothing is asked of him.
    """
    import os
    import pty

    table = open_table(server, ["open", "open", "random"])
    one, other = RemoteMatch(server.url, table, "Ann", Texts()), RemoteMatch(server.url, table, "Bo", Texts("fr"))
    keyboard, terminal = pty.openpty()
    target = io.StringIO()
    typed = (
        ("Votre choix", "robot Zoé"),
        ("n’est personne à cette table", "robot ann"),
        ("Cette personne est là", "pause"),
        ("non retire la proposition", "non"),
        ("Vous retirez votre proposition", "PAUSE 3"),
        ("Seule une table avec des jours par coup", "robot"),
        ("pour rejouer en personne", "retour"),
        ("Vous reprenez votre place", "abandonner"),
        ("les autres doivent accepter", "quitter"),
    )

    async def agree() -> None:
        while await one.advance():
            if one.notice is not None and "abandon" in one.notice.text and "yes" in one.notice.answers:
                assert await one.reply("yes") == ""
            if one.is_finished:
                break
        await one.close()

    async def whole() -> None:
        with os.fdopen(terminal) as source:
            saves = Saves(tmp_path / "x.json", is_own=False)
            plain = PlainTable(other, source, target, saves, ShellCommands(), lambda _: [])
            tasks = [asyncio.create_task(agree()), asyncio.create_task(plain.run())]
            for seen, line in typed:
                await settled(lambda seen=seen: seen in " ".join(target.getvalue().split()))  # type: ignore[misc]
                os.write(keyboard, f"{line}\n".encode())
            await asyncio.gather(*tasks)

    try:
        asyncio.run(asyncio.wait_for(whole(), 120))
    finally:
        os.close(keyboard)
    assert one.is_finished
    assert not one.winners


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_is_read_while_others_are_to_act(server: Background, tmp_path: Path) -> None:
    """Somebody is away when it is their turn: only then does the other player want a bot, and must be heard."""
    import os
    import pty

    table = open_table(server, ["open", "open", "random"])
    one, other = RemoteMatch(server.url, table, "Ann", Texts()), RemoteMatch(server.url, table, "Bo", Texts())
    keyboard, terminal = pty.openpty()
    target = io.StringIO()

    def told() -> str:
        return " ".join(target.getvalue().split())

    def typing(line: str) -> None:
        os.write(keyboard, f"{line}\n".encode())

    async def whole() -> None:
        with os.fdopen(terminal) as source:
            saves = Saves(tmp_path / "x.json", is_own=False)
            plain = PlainTable(one, source, target, saves, ShellCommands(), lambda _: [])
            running = asyncio.create_task(plain.run())
            await settled(lambda: "Free seats: 1" in told())
            typing("help")
            tasks = [asyncio.create_task(reading(other))]
            await settled(lambda: one.view is not None and other.view is not None)
            await other.close()
            await settled(lambda: "Bo is offline." in told())
            typing("no")
            await settled(lambda: one.notice is None)
            while one.asked != [other.words.me]:  # Ann and the bot have made their choices
                typing("1")
                await asyncio.sleep(0.2)
            typing("hand")
            await settled(lambda: "Your hand" in told())
            typing("1")
            await settled(lambda: "It is not your turn." in told())
            typing("help")
            await settled(lambda: "let a bot play for you" in told())
            typing("bot bo")
            await settled(lambda: "A bot now plays for Bo" in told())
            typing("abandon")
            await settled(lambda: "Type abandon again to do it." in told())
            typing("quit")
            assert not await running
            await asyncio.gather(*tasks)

    try:
        asyncio.run(asyncio.wait_for(whole(), 120))
    finally:
        os.close(keyboard)


def test_a_pause_of_days_at_a_table_with_days_per_move() -> None:
    match = RemoteMatch("http://127.0.0.1:9", "abcdefghij", "Ann", Texts())
    people = [{"name": name, "kind": "person"} for name in ("Ann", "Bo")]
    clock = {"kind": "days", "time": 1}
    match._state = {
        "status": "playing",
        "seat": 0,
        "is_yours": True,
        "seats": people,
        "settings": {"clock": clock},
    }
    assert match.proposals["pause 7"] == "Holiday pause: 7 days"
    assert "pause" in match.proposals
    sent = []

    async def note(command: dict[str, object]) -> dict[str, object]:
        sent.append(command)
        return {"type": "told"}

    match._asked = note  # type: ignore[method-assign]
    assert asyncio.run(match.propose("pause 7")) == ""
    assert sent == [{"do": "offer", "what": "pause", "days": 7}]


def test_a_record_is_not_waited_for_in_the_event_loop(server: Background) -> None:
    match = RemoteMatch(server.url, "abcdefghij", "Ann", Texts())

    async def ask() -> None:
        with pytest.raises(AssertionError, match="block the event loop"):
            match.record()

    asyncio.run(ask())


@pytest.mark.slow
def test_on_a_screen(server: Background) -> None:
    match = RemoteMatch(server.url, open_table(server, ["open", "random", "random"]), "Ann", Texts())

    async def whole() -> None:
        app = TableApp(match)
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(3000):
                await pilot.pause(0.01)
                if isinstance(app.screen, Message):
                    await pilot.press("enter")
                elif app.was_over:
                    break
                elif app.legal:
                    await pilot.press("enter")
            assert app.was_over
            await pilot.press("q")

    asyncio.run(whole())


@pytest.mark.parametrize("link", ["", "example.org/x", "ftp://host/table/abcdefghij", "http://host"])
def test_a_wrong_link_is_explained(link: str) -> None:
    with pytest.raises(UsageError, match="is no link to a table"):
        parse_link(link)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="does not answer"):
        introduce("http://127.0.0.1:9", "Ann")


def test_a_table_that_does_not_exist(server: Background, tmp_path: Path) -> None:
    match = RemoteMatch(server.url, "abcdefghij", "Ann", Texts())
    plain = plain_table(match, "", io.StringIO(), tmp_path / "x.json")
    assert not asyncio.run(asyncio.wait_for(plain.run(), 60))
    assert match.farewell == Texts().t("terminal.refusal.no-table")


def test_the_only_seat_at_a_table_is_taken_again_without_a_name(tmp_path: Path) -> None:
    guests = Guests(tmp_path / "guests.json")
    assert guests.name_at("http://a", "t", "root") == "root"
    guests.remember("http://a", "t", "Bjørn Ås", "cookie")
    guests.remember("http://a", "u", "Ann", "cookie")
    assert guests.name_at("http://a", "t", "root") == "Bjørn Ås"
    guests.remember("http://a", "t", "Cy", "cookie")
    with pytest.raises(UsageError, match="as Cy and Bjørn Ås; say which one you take, such as --name Cy"):
        guests.name_at("http://a", "t", "root")
    guests.remember("http://a", "t", "root", "cookie")
    assert guests.name_at("http://a", "t", "root") == "root"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_full_table_that_nobody_may_watch(server: Background, tmp_path: Path, language: str) -> None:
    """Whoever finds no seat is told so in their language, and is not remembered as somebody with a seat."""
    table = open_table(server, ["open", "random", "random"])
    guests = Guests(tmp_path / "guests.json")

    async def both() -> str:
        first = RemoteMatch(server.url, table, "Ann", Texts(), guests)
        await settled_in(first)
        late = RemoteMatch(server.url, table, "Bo", Texts(language), guests)
        while await late.advance():
            pass
        await first.close()
        return late.farewell

    said = asyncio.run(asyncio.wait_for(both(), 60))
    assert said == Texts(language).t("terminal.refusal.no-spectators")
    assert guests.names(server.url, table) == ["Ann"]


async def settled_in(match: RemoteMatch) -> None:
    """Read until the match has begun."""
    while match.view is None:
        await match.advance()


def test_line_by_line_one_is_told_for_whom_the_table_waits(server: Background, tmp_path: Path) -> None:
    table = open_table(server, ["open", "open", "random"])
    target = io.StringIO()
    ann, bo = (RemoteMatch(server.url, table, name, Texts()) for name in ("Ann", "Bo"))

    async def both() -> None:
        plain = asyncio.create_task(plain_table(ann, "1\n1\n1\n1\n", target, tmp_path / "x.json").run())
        await settled_in(bo)
        while "waits for" not in target.getvalue():
            await asyncio.sleep(0.02)
        plain.cancel()
        await ann.close()
        await bo.close()

    asyncio.run(asyncio.wait_for(both(), 60))
    assert "The table waits for Bo." in target.getvalue()


def test_the_command_to_come_back_keeps_a_language_that_is_not_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATOUT_LANGUAGE", "fr")
    assert [language_option(Texts(language)) for language in ("fr", "de")] == ["", " --language de"]


def on_a_terminal(words: list[str], folder: Path, **environment: str) -> PseudoTerminal:
    """`atout` on a pseudo-terminal, where there are such."""
    if sys.platform == "win32":
        pytest.skip("there are no pseudo-terminals")
    return PseudoTerminal(words, folder, environment={"ATOUT_STATE": str(folder / "state"), **environment})


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_a_server_that_is_not_there_on_a_terminal(plain: list[str], tmp_path: Path) -> None:
    with on_a_terminal(["play", *plain, "--join", "http://127.0.0.1:9/table/iglYcMVaYHUoEKPZsCfQHA"], tmp_path) as one:
        assert one.wait_for_end() == 2
        assert one.lines.count("http://127.0.0.1:9 does not answer") == 1
        assert "Traceback" not in one.lines
        assert "Take your seat again" not in one.lines


def test_a_table_that_does_not_exist_while_keys_are_pressed(server: Background, tmp_path: Path) -> None:
    with on_a_terminal(["play", "--join", f"{server.url}/table/doesnotexist"], tmp_path) as one:
        while one.settles(lambda _: False, 0.05) is False and one.is_running:
            one.press("l")
        assert one.wait_for_end() == 2
        assert "Traceback" not in one.lines
        assert "NoMatches" not in one.lines


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_a_seat_that_cannot_be_taken_again(plain: list[str], server: Background, tmp_path: Path) -> None:
    """Said on joining, and once more after leaving."""
    (tmp_path / "state").write_text("no folder\n")
    link, told = f"{server.url}/table/{open_table(server, ['open', 'random', 'random'])}", "cannot be taken again"
    with on_a_terminal(["play", *plain, "--join", link, "--name", "Ann"], tmp_path) as one:
        one.wait("the table", "Your choice" if plain else "Choose 3 cards")
        if not plain:  # there it stays; line by line it may have left the window with the lines before the first choice
            one.wait("the warning", told)
        one.press(*(["quit", "enter"] if plain else ["q"]))
        assert one.wait_for_end() == 2
        assert one.lines.count(told) == 2 or not plain


def test_the_command_to_come_back_keeps_the_lines(server: Background, tmp_path: Path) -> None:
    link = f"{server.url}/table/{open_table(server, ['open', 'random', 'random'])}"
    with on_a_terminal(["play", "--plain", "--join", link, "--name", "Ann"], tmp_path) as one:
        one.wait("the table", "Your choice")
        one.type("quit")
        assert one.wait_for_end() == 0
        assert one.lines.rstrip().endswith(" --name Ann --plain")
