"""`RemoteMatch`: a match at a server's table, as `Match` describes it. It speaks the protocol of docs/protocol.md."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import urllib.error
import urllib.request
from typing import Any, cast

from atout.bots import Choice, Reason
from atout.editions import from_tree, published
from atout.errors import EditionError, UsageError
from atout.game import View
from atout.i18n import Texts, say
from atout.terminal.seats import tidy_name
from atout.terminal.words import Words, bot_name

LINK = re.compile(r"(https?://[^/\s]+)(?:/[^\s]*)?/([\w-]{8,64})/?(?:[?#].*)?")
AGAIN = 2.0
"""Seconds until a lost connection is tried again."""
PATIENCE = 20.0
"""Seconds for an answer of the server before something is said."""


def parse_link(url: str) -> tuple[str, str]:
    """The server's address and the table's id, from the link that the page shows.

    >>> parse_link("http://127.0.0.1:8000/table/Wv3sM1qzX0kq8kQmJY5E5A")
    ('http://127.0.0.1:8000', 'Wv3sM1qzX0kq8kQmJY5E5A')
    """
    found = LINK.fullmatch(url.strip().replace("/#/", "/"))
    if not found:
        raise UsageError(say("cli.error.link", text=repr(url[:80])))
    return found[1], found[2]


def introduce(server: str, name: str) -> str:
    """Become a guest of the server; the cookie is the identity."""
    body = json.dumps({"name": name}).encode()
    request = urllib.request.Request(f"{server}/api/guest", body, {"Content-Type": "application/json"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return str(answer.headers["Set-Cookie"].split(";")[0])
    except (urllib.error.URLError, OSError, AttributeError) as error:
        raise UsageError(say("cli.error.server", server=server, reason=error)) from None


class RemoteMatch:
    """A seat at a server's table."""

    def __init__(self, server: str, table: str, name: str, texts: Texts) -> None:
        self.server, self.table, self.name, self.texts = server, table, tidy_name(name), texts
        self.log: list[str] = []
        self.note = ""
        self.can_undo, self.can_save = True, False
        self.advised = ""
        self._cookie = ""
        self._state: dict[str, Any] = {}
        self._socket: Any = None
        self._ids = 0
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._closed = False
        self._changes: asyncio.Queue[bool] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None

    # ---------------------------------------------------------------- what a screen reads

    @property
    def view(self) -> View | None:
        game = self._state.get("game")
        return cast("View", game) if game else None

    @property
    def words(self) -> Words:
        names = []
        for seat, told in enumerate(self._state.get("seats", [])):
            name = tidy_name(told["name"]) if told.get("name") else ""
            is_bot = told.get("kind") == "bot"
            names.append(name or (bot_name(self.texts, seat) if is_bot else self.texts.t("seat.open")))
        me = self._state.get("seat") if self._state.get("is_yours") else None
        return Words(self.texts, names, me, self._low())

    def _low(self) -> int | None:
        view = self.view
        if view is None:
            return None
        try:
            edition = published(view["edition"]) if view["rules"] is None else from_tree(view["rules"], "view")
        except EditionError:
            return None
        return edition.deck.low

    @property
    def asked(self) -> list[int]:
        return list(self._state.get("asked", []))

    @property
    def waits_for(self) -> int | None:
        return None

    def take_over(self) -> None:
        """Nobody shares the keyboard at a server's table."""

    @property
    def winners(self) -> list[int]:
        return list(self._state.get("winners", []))

    @property
    def is_finished(self) -> bool:
        return self._state.get("status") in ("over", "closed", "aborted")

    # ---------------------------------------------------------------- the connection

    async def advance(self) -> bool:
        if self._reader is None:
            self._cookie = await asyncio.to_thread(introduce, self.server, self.name)
            self._reader = asyncio.create_task(self._read())
        return await self._changes.get()

    async def _read(self) -> None:
        """Read messages until the match is left; after a lost connection resume from the last event seen."""
        import websockets

        address = f"{self.server.replace('http', 'ws', 1)}/ws/{self.table}"
        while not self._closed:
            try:
                async with websockets.connect(address, additional_headers={"Cookie": self._cookie}) as socket:
                    self._socket, self.note = socket, ""
                    await socket.send(json.dumps({"do": "hello", "seen": self._state.get("number")}))
                    async for text in socket:
                        if not await self._receive(json.loads(text)):
                            return
            except (OSError, websockets.WebSocketException) as error:
                self.note = f"{self.texts.t('connection.lost')} ({type(error).__name__})"
                self._changes.put_nowait(True)
            self._socket = None
            await asyncio.sleep(AGAIN)

    async def _receive(self, message: dict[str, Any]) -> bool:
        """Take a message in; False when the server wants no more of us."""
        kind = message["type"]
        if kind == "welcome":
            self._state = message["view"]
        elif kind == "told":
            self._update(message)
        elif kind == "bye" and not message.get("again", True):
            self.note = message["message"]
            self._changes.put_nowait(True)
            return False
        answered = self._answers.pop(message.get("id") or message.get("done") or "", None)
        if answered is not None and not answered.done():
            answered.set_result(message)
        for event in message.get("events", []):
            self._tell(event)
        if kind == "welcome" and not self._state.get("is_yours") and self._state.get("status") == "waiting":
            await self._send({"do": "sit", "name": self.name, "entropy": secrets.token_hex(8)})
        self._say_who_is_missing()
        self._changes.put_nowait(True)
        return True

    def _update(self, message: dict[str, Any]) -> None:
        """The new view, as docs/protocol.md says."""
        self._state = {**self._state, **message["view"]}
        if message.get("game") or message.get("more"):
            game = {**self._state["game"], **message.get("game", {})}
            for name, new in message.get("more", {}).items():
                game[name] = game[name] + new
            self._state["game"] = game

    def _say_who_is_missing(self) -> None:
        if self._state.get("status") == "waiting":
            free = sum(seat.get("kind") == "open" for seat in self._state.get("seats", []))
            if free:
                self.note = self.texts.t("terminal.waiting", n=free)
            else:
                self.note = self.texts.t("waiting.full")
        elif self.note in (self.texts.t("waiting.full"),) or self._socket is not None:
            self.note = ""

    def _tell(self, event: dict[str, Any]) -> None:
        """A line of the log for an event, if it has one."""
        words, kind, seat = self.words, event["kind"], event.get("seat")
        who = None if seat is None or seat == words.me or seat >= len(words.names) else words.names[seat]
        if kind == "acted":
            self.log.append(words.log(event["action"]))
            self._tell_trick()
        elif kind == "revealed":
            self.log.append(self.texts.t("event.revealed"))
            self.log += [words.log(action) for action in event.get("actions", []) if not action.endswith("?")]
        elif kind == "chosen" and event.get("complete"):
            self.log.append(self.texts.sentence("event.chosen", who))
        elif kind == "said":
            self.log.append(self.texts.t("event.said", who=words.name(int(seat or 0)), text=tidy_name(event["text"])))
        elif self.texts.has(f"event.{kind}.you") and seat is not None:
            self.log.append(self.texts.sentence(f"event.{kind}", who))
        elif self.texts.has(f"event.{kind}"):
            self.log.append(self.texts.t(f"event.{kind}"))

    def _tell_trick(self) -> None:
        view, words = self.view, self.words
        if view is None or view["trick"] or view["last_winner"] is None or view["phase"] not in ("play", "deal"):
            return
        card = next(it["card"] for it in view["last_trick"] if it["seat"] == view["last_winner"])
        self.log.append(words.trick_won(view["last_winner"], sum(view["tricks"]), card))

    # ---------------------------------------------------------------- commands

    async def _send(self, command: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
        self._ids += 1
        name = f"t{self._ids}"
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[name] = answer
        if self._socket is None:
            answer.set_result({"type": "refusal", "code": "", "message": self.texts.t("connection.lost")})
        else:
            await self._socket.send(json.dumps({**command, "id": name}))
        return answer

    async def _asked(self, command: dict[str, Any]) -> dict[str, Any]:
        try:
            return await asyncio.wait_for(await self._send(command), PATIENCE)
        except TimeoutError:
            return {"type": "refusal", "code": "", "message": self.texts.t("connection.lost")}

    def _refused(self, answer: dict[str, Any]) -> str:
        if answer["type"] != "refusal":
            return ""
        return self.words.refusal(answer["code"], answer["message"], answer.get("parameters", {}))

    async def act(self, action: str) -> str:
        return self._refused(
            await self._asked({"do": "act", "action": action, "decision": self._state.get("decision")})
        )

    async def hint(self) -> list[str]:
        self.advised = ""
        answer = await self._asked({"do": "hint"})
        if answer["type"] != "advice":
            return [self._refused(answer)]
        reasons = tuple(Reason(one["code"], one.get("parameters", {})) for one in answer.get("reasons", []))
        self.advised = answer["action"]
        return self.words.hint(Choice(answer["action"], answer.get("estimates", {}), reasons))

    async def undo(self) -> str:
        return self._refused(await self._asked({"do": "offer", "what": "takeback"}))

    def save(self) -> str:
        return ""

    async def close(self) -> None:
        self._closed = True
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            self._reader.cancel()
        self._changes.put_nowait(False)
