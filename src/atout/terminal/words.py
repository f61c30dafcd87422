"""What a table shows, as short texts in the reader's language: cards, cells, prompts, log lines, reasons of a hint.

The texts are the page's (`atout.i18n`), and so are the functions (`web/src/table/state/text.ts`, `prompt.ts`). They
read a view and know no rules: what is legal, and what a card must do, is in the view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from atout.bots import Choice
from atout.game import Card, View
from atout.game.view import Team
from atout.i18n import Texts
from atout.study.shown import tenths
from atout.terminal.lines import TOGETHER
from atout.terminal.phrases import giving
from atout.terminal.reasons import NEARLY
from atout.terminal.seats import Seating, bot_name

if TYPE_CHECKING:
    from atout.study import Explanation

SHOWN = 3
"""How many choices a hint lists with their values."""


@dataclass(frozen=True)
class Words:
    """Texts about the seats of one table, for the reader at `me`."""

    texts: Texts
    names: Sequence[str]
    """By seat; the reader's own name is not used."""
    me: int | None
    low: int | None

    def t(self, key: str, **values: object) -> str:
        return self.texts.t(key, **values)

    def name(self, seat: int) -> str:
        return self.t("seat.you") if seat == self.me else self.names[seat]

    def all_names(self, seats: Sequence[int]) -> str:
        return self.texts.listed(self.name(seat) for seat in seats)

    def team(self, seats: Sequence[int]) -> str:
        """The names of a team, the reader first."""
        return self.all_names(sorted(seats, key=lambda seat: seat != self.me))

    def side(self, view: View, number: int) -> str:
        """What a team of the match is called in a table: `Us`, `Them`; for somebody else `Team 1`."""
        if self.me is None:
            return self.t("side.team", n=number + 1)
        return self.t("side.us" if self.me in (view["teams"] or [])[number]["seats"] else "side.them")

    def team_totals(self, teams: Sequence[Team] | None) -> list[str]:
        """Who is in each team of the match, and its points: `Team 1: Ann and Cy, 12 points`. Nothing without teams."""
        found = []
        for number, team in enumerate(teams or [], 1):
            told = f"{self.team(team['seats'])}, {self.texts.count('count.score', team['total'])}"
            found.append(self.t("cell.in-row", row=self.t("side.team", n=number), cell=told))
        return found

    def _who(self, seat: int) -> str | None:
        return None if seat == self.me else self.names[seat]

    # ---------------------------------------------------------------- cards and cells

    def card(self, word: str, form: str = "plain") -> str:
        if word == "?":
            return self.t("card.back")
        card = Card.parse(word)
        return self.t(f"card.{form}", colour=self.t(f"colour.{card.colour}"), value=card.value)

    def letter(self, colour: str) -> str:
        """One letter for a colour, or two where several colours begin with the first: what is enough to type it."""
        return self.t(f"terminal.plain.letter.{colour}")

    def short_card(self, word: str) -> str:
        """A card where there is little room: `G12`, in German `Gr12`."""
        card = Card.parse(word)
        return f"{self.letter(card.colour)}{card.value}"

    def cell(self, row: str, word: str) -> str:
        if row == "start":
            return self.name(int(word))
        if row == "points":
            return self.texts.number(int(word))
        if row == "discard":
            return self.t(f"cell.discard.{word}")
        if word == "none":
            return self.t("cell.none")
        colour = self.t(f"colour.{word}")
        return self.t("cell.lows", colour=colour, low=self.low) if row == "super" else colour

    def row_and_cell(self, row: str, word: str) -> str:
        return self.t("cell.in-row", row=self.t(f"row.{row}"), cell=self.cell(row, word))

    # ---------------------------------------------------------------- actions

    def button(self, action: str) -> str:
        """An action as a choice names it: `Play yellow 12`."""
        seat, verb, *words = action.split(" ")
        if verb == "double":
            return self.texts.sentence("button.double", self._who(int(words[0])))
        if verb == "team":
            partners = [int(word) for word in words if word != seat]
            return self.t("button.team", what=self.all_names(partners)) if partners else self.t("button.alone")
        what = self.row_and_cell(*words) if verb == "veto" else self.card(words[0], "object")
        return self.t(f"button.{verb}", what=what)

    def log(self, action: str) -> str:
        """An action as the log tells it: `Ines: yellow 12`, `You discard red 5`."""
        seat, verb, *words = action.split(" ")
        if verb == "team":
            if len(words) == 1:
                return self.t("log.alone", who=self.all_names([int(seat)]))
            return self.t("log.team", names=self.all_names([int(word) for word in words]))
        if verb == "double":
            return self.t("log.double", who=self.name(int(words[0])))
        if verb == "play":
            return self.t("log.play", who=self.name(int(seat)), what=self.card(words[0]))
        what = self.row_and_cell(*words) if verb == "veto" else self.card(words[0], "object")
        return self.texts.sentence(f"log.{verb}", self._who(int(seat)), what=what)

    def trick_won(self, winner: int, number: int, card: str) -> str:
        return self.texts.sentence("log.trick", self._who(winner), n=number, what=self.card(card))

    def round_begins(self, view: View) -> str:
        """The heading of a round in the log."""
        seat, verb = (view["dealer"], "deals")
        if view["board"] is None and view["leader"] is not None:
            seat, verb = view["leader"], "leads"
        begins = self.t("terminal.plain.begins", n=view["round"])
        return f"{begins} {self.texts.sentence(f'terminal.plain.{verb}', self._who(seat))}"

    def round_ends(self, view: View, number: int) -> str:
        """The result of a finished round in the log: the points of every seat, then those of the teams."""
        past = view["past"][number - 1]
        points = ", ".join(f"{self.name(seat)} {self.texts.number(n)}" for seat, n in enumerate(past["scores"]))
        if view["teams"]:
            scores = zip(view["teams"], past["team_scores"], strict=True)
            points += " · " + ", ".join(f"{self.team(team['seats'])} {self.texts.number(n)}" for team, n in scores)
        return f"{self.t('terminal.plain.round-over', n=number)} {points}"

    # ---------------------------------------------------------------- the round

    def heading(self, view: View) -> str:
        """The edition and where the match stands."""
        key = f"edition.{view['edition']}"
        edition = self.t(key) if self.texts.has(key) else self.t("table.house")
        number = f"{self.t('round.word')} {view['round']}"
        if view["rounds"]:
            number = f"{self.t('round.word')} {self.t('round.of', n=view['round'], all=view['rounds'])}"
        target = f" · {self.t('sheet.to', n=view['target'])}" if view["target"] else ""
        return f"{edition} · {number}{target}"

    def conditions(self, view: View) -> list[tuple[str, str, str]]:
        """Row, its title, and the cell that stayed free; empty before that."""
        held = view["conditions"]
        if held is None:
            return []
        cells = {row: str(held[row]) for row in ("start", "discard", "trump", "super", "points")}
        return [(row, self.t(f"row.{row}"), self.cell(row, word)) for row, word in cells.items()]

    def prompt(self, view: View, asked: Sequence[int]) -> tuple[str, str]:
        """A title, and a note that says what to do or who is waited for."""
        if view["phase"] == "over":
            return self.t("match-end.title"), self.result(view)
        if self.me is None or self.me not in asked:
            others = self.all_names(list(asked))
            if not others:
                return self.t("prompt.moment"), ""
            return others, self.t(f"prompt.waiting.{view['phase']}")
        if view["phase"] == "play":
            return self.t("prompt.play"), self._play_note(view)
        if view["phase"] in ("discard", "pass"):
            title = self.texts.count(f"prompt.{view['phase']}", view["owed"])
            return title, self.t(f"prompt.secret.{'one' if view['owed'] == 1 else 'other'}")
        if view["phase"] == "lay":
            return self.t("prompt.lay"), self.texts.count("prompt.choose", view["owed"])
        return self.t(f"prompt.{view['phase']}"), self.t(f"prompt.{view['phase']}.note")

    def _play_note(self, view: View) -> str:
        """What the view says the card must do; else which card was led."""
        if not view["trick"]:
            return self.t("prompt.play.lead")
        duty, _, suit = (view["must"] or "").partition(" ")
        if duty == "follow":
            key = f"colour.{suit}"
            if self.texts.has(key):
                return self.t("prompt.play.follow", suit=self.t(key))
            return self.t("prompt.play.follow-trump")
        if duty == "trump":
            return self.t("prompt.play.must-trump")
        led = view["trick"][0]
        led_text = self.t("prompt.play.led", who=self.name(led["seat"]), card=self.card(led["card"]))
        return f"{led_text} {self.t('prompt.play.any')}"

    def result(self, view: View) -> str:
        """The totals of all seats, or of the teams. Who won the match is in `Match.winners`."""
        if view["teams"]:
            teams = view["teams"]
            return " · ".join(f"{self.team(team['seats'])} {self.texts.number(team['total'])}" for team in teams)
        totals = view["totals"]
        return " · ".join(f"{self.name(seat)} {self.texts.number(total)}" for seat, total in enumerate(totals))

    def round_lines(self, view: View, number: int) -> list[tuple[str, str, str, str]]:
        """A row for each seat of a finished round: name, what was earned, its score, the total after it.

        In teams a row for each team follows, with its members and their points added up.
        """
        past = view["past"][number - 1]
        totals = [sum(one["scores"][seat] for one in view["past"][:number]) for seat in range(view["players"])]
        rows = []
        for seat in range(view["players"]):
            if "tops" in past:
                earned = " ".join(map(self.short_card, past["tops"][seat]))
            else:
                tricks = self.texts.count("count.tricks", past["tricks"][seat])
                earned = f"{tricks}, {self.texts.count('count.loot', past['loot'][seat])}"
            score, total = past["scores"][seat], totals[seat]
            rows.append((self.name(seat), earned, self.texts.number(score), self.texts.number(total)))
        for index, team in enumerate(view["teams"] or []):
            total = sum(one["team_scores"][index] for one in view["past"][:number])
            score = past["team_scores"][index]
            row = self.texts.number(score), self.texts.number(total)
            rows.append((self.side(view, index), self.team(team["seats"]), *row))
        return rows

    # ---------------------------------------------------------------- hints and refusals

    def hint(self, choice: Choice) -> list[str]:
        """A hint as lines: the move, what it is worth, why."""
        return [self._hint(choice.action), *self.reasons(choice)]

    def reasons(self, choice: Choice) -> list[str]:
        lines = []
        for reason in sorted(choice.reasons, key=lambda it: it.code in ("preparing", "no-weights")):
            lines += self.reason(reason.code, reason.parameters)
        return lines

    def explained(self, found: Explanation) -> list[str]:
        """The advice of a study as lines: the move, why, and what the best choices are worth.

        The list has the choice that the reason speaks of, even where others are better, and is in the order of the
        values. Choices whose values differ by less than their error are called about equal, and a reason that compares
        them is left out.
        """
        lines = [self._hint(found.action)]
        best, *others = found.alternatives
        equal = [one for one in others if best.known - one.known <= max(best.se, one.se)]
        if equal:
            values = self.texts.listed(self.button(one.action) for one in equal[: SHOWN - 1])
            lines.append(self.t("terminal.hint.equal", values=values))
        others_named = {str(reason.parameters["other"]) for reason in found.reason if "other" in reason.parameters}
        compared = [one for one in others if one.action.split(" ", 1)[1] in others_named]
        if not any(one in equal for one in compared):
            for reason in found.reason:
                lines += self.reason(reason.code, reason.parameters)
            others = compared + [one for one in others if one not in compared]
        shown = [best, *sorted(others[: SHOWN - 1], key=lambda one: -one.known)]
        if len(shown) > 1:
            lines.append(self.t("terminal.hint.values"))
            for one in shown:
                value = f"{self.signed(one.known)}{TOGETHER}±{TOGETHER}{self.decimal(one.se)}"
                lines.append(f"  {self.button(one.action)}  {value}")
        return lines

    def _hint(self, action: str) -> str:
        return self.t("cell.in-row", row=self.t("hint.title"), cell=self.button(action))

    def thing(self, action: str, form: str = "plain") -> str:
        """What an action without its seat is about: a card, a cell, a side, a seat."""
        verb, *words = action.split(" ")
        if verb in ("team", "double"):
            return self.all_names([int(word) for word in words])
        return self.row_and_cell(*words) if verb == "veto" else self.card(words[0], form)

    def contrast(self, code: str, parameters: Mapping[str, Any]) -> str:
        """Why one action is better than another: cards, cells and numbers of play-outs (`study/reasons.py`)."""
        if code == "all-same" and abs(float(parameters["apart_n"])) < NEARLY:
            return self.t("reason.same-worth")
        values: dict[str, object] = {}
        for name, value in parameters.items():
            if name in ("best", "other"):
                values[name] = self.thing(str(value), "object")
            elif name in ("kept", "spent", "card"):
                values[name] = self.card(str(value), "object")
            elif name.endswith("_seat"):
                values[name] = self.t("seat.whom") if value == self.me else self.names[int(value)]
            elif "gain" in name:
                values[name] = self.signed(float(value))
            elif name.endswith("_n"):
                values[name] = self.decimal(float(value))
            elif name not in ("row", "cell", "whose", "explains"):
                values[name] = self.texts.number(value)
        if "cell" in parameters:
            values["cell"] = self.row_and_cell(str(parameters["row"]), str(parameters["cell"]))
        key = f"reason.{code}"
        if self.texts.has(f"{key}.side"):
            key = f"{key}.{parameters.get('whose', 'side')}"
        if (seat := parameters.get("winner_seat", parameters.get("opponent_seat"))) is not None:
            text = self.texts.sentence(key, self._who(int(seat)), **values)
        else:
            text = self.t(key, **values)
        whole = text[:1].upper() + text[1:]
        return f"{whole} {self.t('reason.part')}" if parameters.get("explains") == "part" else whole

    def decimal(self, n: float) -> str:
        """With one place: `2.0`, `−0.4`."""
        return self.texts.number(tenths(n), 1)

    def signed(self, n: float) -> str:
        """As `decimal`, with a plus sign."""
        return ("+" if tenths(n) > 0 else "") + self.decimal(n)

    def reason(self, code: str, values: Mapping[str, Any]) -> list[str]:
        """A reason as sentences: what it is worth, then why."""
        if "best" in values and any(self.texts.has(f"reason.{code}{form}") for form in ("", ".you")):
            return [self.contrast(code, values)]
        lines = []
        gain, better = float(values.get("gain", 0)), float(values.get("better_by", 0))
        if "gain" in values:
            lines.append(self.t(self._standing(gain), n=self._points(abs(gain))))
        if "better_by" in values:
            lines.append(
                self.t("reason.better", n=self._points(better)) if better > NEARLY else self.t("reason.as-good")
            )
        key = f"reason.thumb.{values.get('phase')}" if code == "rule-of-thumb" else f"reason.{code}"
        if self.texts.has(key):
            percent = {name: round(100 * float(values.get(name, 0))) for name in ("chance", "next")}
            n = percent["chance"] if "chance" in values else values.get("worlds", values.get("among", 0))
            lines.append(self.t(key, n=n, next=percent["next"]))
        return lines

    def _standing(self, gain: float) -> str:
        """The key of the sentence that says where the reader will end."""
        return "reason.level" if abs(gain) < NEARLY else "reason.ahead" if gain > 0 else "reason.behind"

    def _points(self, n: float) -> str:
        return self.texts.count("count.points", tenths(n))

    def refusal(self, code: str, message: str, parameters: dict[str, Any]) -> str:
        for key in (f"refusal.{code}", f"terminal.refusal.{code}"):
            if self.texts.has(key):
                return self.t(key, **{"low": self.low, **parameters})
        return message


class PlainWords(Words):
    """Words within the sentences of a match line by line: `you` is small, and cards have one notation per language."""

    def name(self, seat: int) -> str:
        return self.t("terminal.plain.you") if seat == self.me else self.names[seat]

    def whom(self, seat: int) -> str:
        """After `by` or `to`."""
        return self.t("seat.whom") if seat == self.me else self.names[seat]

    def card(self, word: str, form: str = "plain") -> str:
        if word == "?" or self.t("terminal.plain.notation") == "words":
            return super().card(word, form)
        return self.short_card(word)

    def say(self, key: str, seat: int, **values: object) -> str:
        """A sentence of the plain mode about a seat."""
        return self.texts.sentence(f"terminal.plain.{key}", self._who(seat), **values)

    def plain(self, key: str, **values: object) -> str:
        return self.t(f"terminal.plain.{key}", **values)

    def amount(self, key: str, n: float, **values: object) -> str:
        return self.texts.count(f"terminal.plain.{key}", n, **values)

    def _standing(self, gain: float) -> str:
        key = super()._standing(gain)
        return f"terminal.plain.{key}" if len(self.names) == 2 else key

    def row(self, row: str) -> str:
        return self.t(f"terminal.show.row.{row}")

    def cell(self, row: str, word: str) -> str:
        """A cell as it reads within its row: `red`, `1 card (not a 1)`, `3 points`."""
        if row == "points":
            return self.amount("points", int(word))
        if row == "super" and word != "none":
            return self.t(f"colour.{word}")
        if row == "discard":
            key = f"cell.discard.{word}"
            cards, barred, which = (self.t(key) if self.texts.has(key) else giving(word)).partition(", ")
            return f"{cards} ({which})" if barred else cards
        return super().cell(row, word)

    def row_and_cell(self, row: str, word: str) -> str:
        """A cell with its row, as a veto names it: `trump red`, `discard: 1 card`, `−2 points`."""
        if row == "start":
            return self.say("start", int(word))
        cell = self.cell(row, word)
        if row == "points":
            return cell
        return self.t("cell.in-row" if row == "discard" else "terminal.plain.full", row=self.row(row), cell=cell)


def names_of(seating: Seating, texts: Texts) -> list[str]:
    """What the seats of a match on this machine are called: by their own names, else bots by those of the page."""
    return [
        name or (bot_name(texts, seat) if seat in seating.bots else texts.t("terminal.seat", n=seat + 1))
        for seat, name in enumerate(seating.names)
    ]
