"""`RemoteMatch`: a match at a server's table, as `Match` describes it. It speaks the protocol of docs/protocol.md."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
import urllib.error
import urllib.request
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from atout.bots import Choice, Reason
from atout.editions import from_tree, published
from atout.errors import EditionError, UsageError
from atout.game import View
from atout.i18n import Texts, reason_of, say
from atout.terminal.guests import Guests
from atout.terminal.match import Notice
from atout.terminal.phrases import capital
from atout.terminal.seats import bot_name, tidy_name
from atout.terminal.words import Words

VACATIONS = (3, 7, 14)
"""The days of a pause that the menu offers at a table with days per move, as on the page."""
LINK = re.compile(r"(https?://[^/\s]+)(?:/[^\s]*)?/([\w-]{8,64})/?(?:[?#].*)?")
AGAIN = 2.0
"""Seconds until a lost connection is tried again."""
SILENCE = 5.0
"""Seconds between pings, and until one that is not answered ends the connection."""
PATIENCE = 20.0
"""Seconds to wait for an answer of the server."""
RECORD_TRIES, RECORD_PAUSE = 5, 0.5
"""The server writes the record of a match shortly after its end: how often it is asked for, and the seconds between."""


def parse_link(url: str) -> tuple[str, str]:
    """The server's address and the table's id, from the link that the page shows.

    >>> parse_link("http://127.0.0.1:8000/table/Wv3sM1qzX0kq8kQmJY5E5A")
    ('http://127.0.0.1:8000', 'Wv3sM1qzX0kq8kQmJY5E5A')
    """
    found = LINK.fullmatch(url.strip().replace("/#/", "/"))
    if not found:
        raise UsageError(say("cli.error.link", text=repr(url[:80])))
    return found[1], found[2]


def introduce(server: str, name: str, known: str = "") -> str:
    """Become a guest of the server, or come back as one: the cookie is the identity."""
    body = json.dumps({"name": name}).encode()
    headers = {"Content-Type": "application/json", **({"Cookie": known} if known else {})}
    request = urllib.request.Request(f"{server}/api/guest", body, headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return str(answer.headers["Set-Cookie"].split(";")[0])
    except urllib.error.HTTPError as error:
        if known and error.code == HTTPStatus.UNAUTHORIZED:  # the server has forgotten the guest
            return introduce(server, name)
        raise UsageError(say("cli.error.server", server=server, reason=reason_of(error))) from None
    except (urllib.error.URLError, OSError, AttributeError) as error:
        raise UsageError(say("cli.error.server", server=server, reason=reason_of(error))) from None


@dataclass(frozen=True)
class Happening:
    """An event of the table, to be shown as a sentence."""

    event: dict[str, Any]
    line: str
    """Its line in the log; empty if it has none."""
    before: View | None
    after: View | None
    """The views before and after the message that had the event."""


class RemoteMatch:
    """A seat at a server's table."""

    def __init__(self, server: str, table: str, name: str, texts: Texts, guests: Guests | None = None) -> None:
        """`guests` remembers who sat at which table, so that a player who left can take the seat again."""
        self.server, self.table, self.name, self.texts = server, table, tidy_name(name), texts
        self._guests = guests
        self.farewell = ""
        """Why the server closed the connection permanently; empty while it has not."""
        self.happened: list[Happening] = []
        self.beginnings = 0
        """How often the log was started again: with the first view, and after a connection that was lost for long."""
        self.log: list[str] = []
        self.news = ""
        """What the reader should know of the connection or the table now; empty when all is well."""
        self.can_undo, self.can_save, self.has_proposals = True, False, True
        self.advised = ""
        self._cookie, self._is_remembered = "", False
        self._state: dict[str, Any] = {}
        self._socket: Any = None
        self._ids, self._run = 0, secrets.token_hex(4)
        """Commands have ids that no earlier visit of the same guest has used."""
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._proposer: int | None = None
        """Who made the last proposal."""
        self._patient: set[int] = set()
        """Absent players for whom the reader waits: they are not asked about again until they are back."""
        self._closed = False
        self._changes: asyncio.Queue[bool] = asyncio.Queue()
        self._reader: asyncio.Task[None] | None = None

    # ---------------------------------------------------------------- what a screen reads

    @property
    def lost(self) -> str:
        """Says that the seat cannot be taken again, where who has it could not be kept; else empty."""
        if self._guests is None or not self._guests.failure:
            return ""
        return self.texts.t("terminal.rejoin.lost", path=self._guests.path, reason=self._guests.failure)

    @property
    def note(self) -> str:
        return "\n".join(filter(None, (self.news, self.lost and f"{self.lost}.")))

    @property
    def view(self) -> View | None:
        game = self._state.get("game")
        return cast("View", game) if game else None

    @property
    def words(self) -> Words:
        names = []
        for number, seat in enumerate(self._state.get("seats", [])):
            name = tidy_name(seat["name"]) if seat.get("name") else ""
            is_bot = seat.get("kind") == "bot"
            names.append(name or (bot_name(self.texts, number) if is_bot else self.texts.t("seat.open")))
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
    def levels(self) -> list[str]:
        """By seat: the level of a bot, empty for a person."""
        return [str(seat.get("bot", "")) for seat in self._state.get("seats", [])]

    @property
    def notice(self) -> Notice | None:
        offer, me, t = self._state.get("offer"), self.words.me, self.texts.t
        if offer:
            text = self._offer_text(offer)
            if me is None or me in (offer["seat"], *offer["agreed"]):
                answers = {"no": t("offer.drop")} if me == offer["seat"] else {}
                return Notice(f"{text}. {t('offer.waiting')}", answers)
            return Notice(f"{text}.", {"yes": t("offer.yes"), "no": t("offer.no")})
        if self._state.get("status") == "paused":
            answers = {} if me is None else {"resume": t("menu.resume")}
            return Notice(f"{t('prompt.paused')}. {t('prompt.paused.note')}", answers)
        if self.is_finished and not self.winners:  # closed, or abandoned by agreement
            return Notice(f"{t('table.closed')}. {t('table.closed.text')}")
        if self._is_replaced:
            return Notice(f"{t('event.stood-in.you')}.", {"reclaim": t("seat.reclaim")})
        return self._absence()

    def _absence(self) -> Notice | None:
        """Somebody is not there and the table waits for them: the reader may let a bot play, or wait too."""
        t = self.texts.t
        for seat in self._absent:
            has_left = self._state["seats"][seat].get("has_left")
            if seat not in self._patient and (has_left or seat in self.asked):
                who = self.words.names[seat]
                text = f"{t('absent.left' if has_left else 'absent.away', who=who)}. {t('absent.ask', who=who)}"
                return Notice(text, {f"stand-in {seat}": t("absent.bot"), "no": t("absent.wait")})
        return None

    async def reply(self, answer: str) -> str:
        if answer in ("yes", "no") and self._state.get("offer"):
            return await self.answer(answer == "yes")
        if answer == "no":  # nobody has proposed anything: the reader waits for those who are absent
            self._patient.update(self._absent)
            self._changes.put_nowait(True)
            return ""
        return await self.propose(answer)

    @property
    def proposals(self) -> dict[str, str]:
        """What the reader may propose or do about the table now, with a label: for `propose`.

        `pause` (`pause 7`: for so many days), `resume`, `abort`; `stand-in 2`: a bot for the absent player of seat 2;
        `stand-in`: a bot for the reader, and `reclaim`: to play again. A move is taken back with `undo`. Without other
        people at the table everything takes effect at once.
        """
        status, me, t = self._state.get("status"), self.words.me, self.texts.t
        if me is None or status not in ("playing", "paused"):
            return {}
        if self._is_replaced:
            return {"reclaim": t("seat.reclaim")}
        found = {} if self._state.get("offer") else self._offers(status)
        return {**found, "stand-in": t("menu.stand-in")}

    def _offers(self, status: str) -> dict[str, str]:
        """The proposals that need the consent of the other people, as the page's menu has them."""
        t, clock = self.texts.t, self._clock
        found = {}
        if status == "paused":
            found["resume"] = t("menu.resume")
        elif clock != "none" or not self.is_alone:
            found["pause"] = t("menu.pause.alone" if self.is_alone else "menu.pause")
            if clock == "days":
                days = {n: t("menu.vacation.days", n=n) for n in VACATIONS}
                found |= {f"pause {n}": t("cell.in-row", row=t("menu.vacation"), cell=days[n]) for n in days}
        found["abort"] = t("menu.abort.alone" if self.is_alone else "menu.abort")
        return found | {f"stand-in {seat}": t("absent.menu", who=self.words.names[seat]) for seat in self._absent}

    async def propose(self, what: str) -> str:
        """Make one of the `proposals`; the reason if it is refused, else an empty text."""
        kind, _, number = what.partition(" ")
        command: dict[str, Any] = {"do": "offer", "what": kind}
        if what in ("stand-in", "reclaim"):
            command = {"do": what}
        elif number:
            command["whom" if kind == "stand-in" else "days"] = int(number)
        return self._refused(await self._asked(command))

    @property
    def is_proposing(self) -> bool:
        """Whether a proposal of the reader waits for the others."""
        offer = self._state.get("offer")
        return offer is not None and offer["seat"] == self.words.me

    @property
    def is_alone(self) -> bool:
        """Whether nobody else at the table has to agree to anything: bots play all other seats."""
        return not any(
            seat.get("kind") == "person" and not (seat.get("is_stood_in") or seat.get("has_left"))
            for number, seat in enumerate(self._state.get("seats", []))
            if number != self.words.me
        )

    @property
    def _clock(self) -> str:
        """The kind of clock of the table; `none` is omitted by the server."""
        settings = self._state.get("settings", {})
        return str(settings.get("clock", {}).get("kind", "none"))

    @property
    def _is_replaced(self) -> bool:
        """Whether a bot plays for the reader, or may soon."""
        me = self.words.me
        seat = {} if me is None else self._state["seats"][me]
        return self._state.get("status") in ("playing", "paused") and bool(
            seat.get("is_stood_in") or seat.get("has_left")
        )

    @property
    def _absent(self) -> list[int]:
        """The seats for which the people who are there may let a bot play; with a clock the clock decides."""
        if self.words.me is None or self._state.get("status") != "playing" or self._clock != "none":
            return []
        return [
            number
            for number, seat in enumerate(self._state["seats"])
            if seat.get("kind") == "person" and not seat.get("is_here", True) and not seat.get("is_stood_in")
        ]

    def _offer_text(self, offer: dict[str, Any]) -> str:
        """Who proposes what."""
        words, seat = self.words, offer["seat"]
        who = None if seat == words.me else words.names[seat]
        return self.texts.sentence("offer.open", who, what=self._offered(offer))

    def _offered(self, offer: dict[str, Any]) -> str:
        if offer.get("days") is not None:
            return self.texts.t("offer.vacation", n=offer["days"])
        if offer["what"] == "stand-in":
            whom = offer.get("whom")
            return self.texts.sentence("offer.stand-in", None if whom == self.words.me else self.words.names[whom or 0])
        return self.texts.t(f"offer.{offer['what']}")

    @property
    def asked(self) -> list[int]:
        """Where a bot plays for the reader, nothing is asked of them."""
        asked = list(self._state.get("asked", []))
        return [seat for seat in asked if seat != self.words.me] if self._is_replaced else asked

    @property
    def waits_for(self) -> int | None:
        return None

    def take_over(self) -> None:
        """Nothing to do: nobody shares the keyboard at a server's table."""

    @property
    def winners(self) -> list[int]:
        return list(self._state.get("winners", []))

    @property
    def is_finished(self) -> bool:
        return self._state.get("status") in ("over", "closed", "aborted")

    # ---------------------------------------------------------------- the connection

    async def advance(self) -> bool:
        if self._reader is None:
            known = self._guests.cookie(self.server, self.table, self.name) if self._guests else ""
            self._cookie = await asyncio.to_thread(introduce, self.server, self.name, known)
            self._reader = asyncio.create_task(self._read())
        return await self._changes.get()

    async def _read(self) -> None:
        """Read messages until the match is left; after a lost connection resume from the last event seen."""
        import websockets

        address = f"{self.server.replace('http', 'ws', 1)}/ws/{self.table}"
        while not self._closed:
            try:
                async with websockets.connect(
                    address,
                    additional_headers={"Cookie": self._cookie},
                    ping_interval=SILENCE,
                    ping_timeout=SILENCE,
                    close_timeout=1,
                ) as socket:
                    self._socket, self.news = socket, ""
                    await socket.send(json.dumps({"do": "hello", "seen": self._state.get("number")}))
                    async for text in socket:
                        if not await self._receive(json.loads(text)):
                            return
            except (OSError, websockets.WebSocketException) as error:
                reason = f" ({reason_of(error)})" if isinstance(error, OSError) else ""
                self.news = self.texts.t("connection.lost") + reason
                self._changes.put_nowait(True)
            self._socket = None
            await asyncio.sleep(AGAIN)

    async def _receive(self, message: dict[str, Any]) -> bool:
        """Apply a message; False when the server closes the connection permanently."""
        kind, before = message["type"], self.view
        if kind == "welcome":
            self._state = message["view"]
            if not message.get("resumed"):
                self._begin()
        elif kind == "told":
            self._update(message)
        elif kind == "bye" and not message.get("again", True):
            self.farewell = self.news = capital(self.words.refusal(message["code"], message["message"], {}))
            self._changes.put_nowait(False)
            return False
        self._remember()
        answered = self._answers.pop(message.get("id") or message.get("done") or "", None)
        if answered is not None and not answered.done():
            answered.set_result(message)
        for event in message.get("events", []):
            self._tell(event, before)
        if kind == "welcome" and not self._state.get("is_yours") and self._state.get("status") == "waiting":
            await self._send({"do": "sit", "name": self.name, "entropy": secrets.token_hex(8)})
        self._say_who_is_missing()
        self._patient.intersection_update(self._absent)
        self._changes.put_nowait(True)
        return True

    def _remember(self) -> None:
        """Keep who has this seat, once there is one: whoever only looked has nothing to come back to."""
        if self._guests is not None and self._state.get("is_yours") and not self._is_remembered:
            self._guests.remember(self.server, self.table, self.name, self._cookie)
            self._is_remembered = True

    def _update(self, message: dict[str, Any]) -> None:
        """Change the view by a delta, as docs/protocol.md says."""
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
                self.news = self.texts.t("terminal.waiting", n=free)
            else:
                self.news = self.texts.t("waiting.full")
        elif self.news in (self.texts.t("waiting.full"),) or self._socket is not None:
            self.news = ""

    def _begin(self) -> None:
        """Write the log of the round from the view, because the events before it were not sent."""
        self.beginnings += 1
        self._proposer = (self._state.get("offer") or {}).get("seat")
        self.log.clear()
        view, words = self.view, self.words
        if view is None:
            return
        if view["phase"] != "over":
            self.log.append(words.round_begins(view))
        played, tricks = 0, iter(enumerate(view["trick_winners"], 1))
        trick: dict[int, str] = {}
        for action in view["actions"]:
            seat, verb, *rest = action.split(" ")
            if action.endswith("?"):
                chosen = self.texts.sentence("event.chosen", None if int(seat) == words.me else words.names[int(seat)])
                if self.log[-1:] != [chosen]:
                    self.log.append(chosen)
                continue
            self.log.append(words.log(action))
            if verb != "play":
                continue
            played += 1
            trick[int(seat)] = rest[0]
            if played % view["players"] == 0:
                number, winner = next(tricks)
                self.log.append(words.trick_won(winner, number, trick[winner]))

    def _tell(self, event: dict[str, Any], before: View | None) -> None:
        """An event, with its line in the log if it has one."""
        logged = len(self.log)
        self._log(event)
        line = self.log[logged] if len(self.log) > logged else ""
        self._log_round(event, before)
        self.happened.append(Happening(event, line, before, self.view))

    def _log(self, event: dict[str, Any]) -> None:
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
        elif kind == "answered":
            key = "event.agreed" if event["yes"] else "event.declined"
            self.log.append(self.texts.sentence("terminal.withdrawn" if seat == self._proposer else key, who))
        elif kind == "offered":
            self._proposer = seat
            self.log.append(self.texts.sentence("event.offered", who, what=self._offered(event)))
        elif self.texts.has(f"event.{kind}.you") and seat is not None:
            if kind == "came-back" and self._state["seats"][seat].get("is_stood_in"):
                kind = "online-again"  # a bot still plays for them; of several events at once the last state is told
            self.log.append(self.texts.sentence(f"event.{kind}", who))
        elif self.texts.has(f"event.{kind}"):
            self.log.append(self.texts.t(f"event.{kind}"))

    def _log_round(self, event: dict[str, Any], before: View | None) -> None:
        """The result of a round that an action has ended, and the heading of the next one."""
        view, words = self.view, self.words
        if view is not None and event["kind"] == "started":
            self.log.append(words.round_begins(view))
        if view is None or before is None or event["kind"] != "acted":
            return
        if (number := len(view["past"])) > len(before["past"]):
            self.log.append(words.round_ends(view, number))
            if view["phase"] != "over":
                self.log += ["", words.round_begins(view)]

    def _tell_trick(self) -> None:
        view, words = self.view, self.words
        if view is None:
            return
        if view["last_round"] is not None and not view["actions"]:  # the last trick of a round
            view = cast("View", {**view, **view["last_round"]})
        if view["trick"] or view["last_winner"] is None or view["phase"] not in ("play", "deal", "over"):
            return
        card = next(it["card"] for it in view["last_trick"] if it["seat"] == view["last_winner"])
        self.log.append(words.trick_won(view["last_winner"], sum(view["tricks"]), card))

    # ---------------------------------------------------------------- commands

    async def _send(self, command: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
        self._ids += 1
        name = f"{self._run}-{self._ids}"
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
        reason = capital(self.words.refusal(answer["code"], answer["message"], answer.get("parameters", {})))
        return f"{reason} ({answer['paragraph']})" if answer.get("paragraph") else reason

    async def act(self, action: str) -> str:
        return self._refused(
            await self._asked({"do": "act", "action": action, "decision": self._state.get("decision")})
        )

    async def advice(self) -> Choice | str:
        """What a strong bot would do; or the reason why there is no hint."""
        self.advised = ""
        answer = await self._asked({"do": "hint"})
        if answer["type"] != "advice":
            return self._refused(answer)
        reasons = tuple(Reason(one["code"], one.get("parameters", {})) for one in answer.get("reasons", []))
        self.advised = answer["action"]
        return Choice(answer["action"], answer.get("estimates", {}), reasons)

    async def hint(self) -> list[str]:
        advice = await self.advice()
        return [advice] if isinstance(advice, str) else self.words.hint(advice)

    async def undo(self) -> str:
        return self._refused(await self._asked({"do": "offer", "what": "takeback"}))

    async def answer(self, yes: bool) -> str:
        """Agree to the open proposal, or decline it."""
        return self._refused(await self._asked({"do": "answer", "yes": yes}))

    def save(self) -> str:
        """Nothing to do: the server keeps the match."""
        return ""

    def save_as(self, name: str) -> str:  # noqa: ARG002
        return ""

    def keep(self) -> str:
        return ""

    @property
    def saved(self) -> str:
        return ""

    def record(self) -> dict[str, Any]:
        """The record of the finished match, as the server has it.

        This waits for the network and between its tries, so it belongs in a thread: `asyncio.to_thread(match.record)`.
        """
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            raise AssertionError("record() would block the event loop; call it in a thread")
        address = f"{self.server}/api/records/{self.table}"
        request = urllib.request.Request(address, headers={"Cookie": self._cookie})  # noqa: S310
        for left in reversed(range(RECORD_TRIES)):
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                    return cast("dict[str, Any]", json.load(answer))
            except (urllib.error.URLError, OSError, ValueError) as error:
                if not left:
                    raise UsageError(say("cli.error.record", server=self.server, reason=reason_of(error))) from None
            time.sleep(RECORD_PAUSE)
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        self._closed = True
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            self._reader.cancel()
        self._changes.put_nowait(False)
