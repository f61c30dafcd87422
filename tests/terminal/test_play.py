"""Playing at the keyboard: whole matches, every command, nothing lost, nothing betrayed."""

from __future__ import annotations

import io
import itertools
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from atout import Game, View
from atout.bots import Budget, Choice, ask, make_bot
from atout.bots.random import RandomBot
from atout.errors import BotError, RecordError, UsageError
from atout.i18n import Texts
from atout.terminal import Seating, play
from atout.terminal.events import make_move, tell
from atout.terminal.guide import COMMANDS, PARTS, also, command_of
from atout.terminal.match import chance_of
from atout.terminal.saves import Saves, game_of
from atout.terminal.seats import bot_name
from atout.terminal.words import names_of

from .keyboard import CARD, Keyboard, Screen, at_random, novices, script, sit_down, until

MATCHES: list[tuple[str, int, dict[str, Any]]] = [
    ("njet-1997", 3, {"length": "short"}),
    ("njet-2007", 5, {"length": {"target": 20}}),
    ("niet-2015", 4, {"length": {"target": 60}}),
    ("niet-2015", 2, {"length": {"target": 60}, "scoring": "difference"}),
    ("nichtig", 4, {"teams": True}),
    ("nichtig", 6, {"length": {"target": 60}}),
]


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


def new(edition: str = "niet-2015", players: int = 4, seed: int = 5) -> Game:
    return Game.new(edition, players=players, seed=seed)


def my_turn(game: Game, phase: str = "veto") -> Game:
    return until(game, lambda game: game.turn == 0 and game.phase == phase)


# -------------------------------------------------------------------- whole matches


@pytest.mark.parametrize(("edition", "players", "options"), MATCHES)
def test_a_whole_match(edition: str, players: int, options: dict[str, Any], save: Path) -> None:
    game = Game.new(edition, players=players, seed=9, options=options)
    table = sit_down(game, at_random(2), save)
    assert table.is_over
    assert game.is_over
    assert saved_game(save)["totals"] == game.totals
    assert f"The match is saved in {save}.\nReview your decisions with: atout review {save}\n" in table.flat
    for number in range(1, game.round + 1):
        assert f"Round {number} is over." in table.text
    assert f"Round {game.round + 1} is over." not in table.text
    end = table.flat.partition("The match is over. ")[2].partition("\n")[0]
    for seat in range(players):
        label = "You" if seat == 0 else bot_name(Texts(), seat)
        assert (label.lower() in end.lower()) == (seat in game.winners)
        total = str(game.totals[seat]).replace("-", "−")
        assert re.search(rf"{re.escape(label)}: .*total +{total}$", table.text, re.MULTILINE | re.IGNORECASE)


def test_bots_alone_need_no_keyboard_and_show_no_hand(save: Path) -> None:
    game = Game.new("nichtig", players=3, seed=1)
    table = sit_down(game, script([]), save, me=())
    assert table.is_over
    assert "Your" not in table.text
    assert "choice" not in table.text


def test_the_prompt_states_the_situation(save: Path) -> None:
    game = my_turn(new(), "play")
    view = game.view(0)
    table = sit_down(game, script([]), save)
    for it in view["trick"]:
        assert re.search(rf"{bot_name(Texts(), it['seat'])} (led|played) {it['card']}", table.flat)
    for number, action in enumerate(game.legal(), 1):
        assert re.search(rf"\b{number}\. {action.words[0]}\b", table.text)
    assert view["conditions"] is not None
    assert f"Trump: {view['conditions']['trump']}." in table.text


@pytest.mark.parametrize(
    ("edition", "players"),
    [("njet-2007", 2), ("njet-2007", 4), ("njet-2007", 5), ("njet-1997", 3), ("niet-2015", 3), ("niet-2015", 4)],
)
def test_loot_and_winners_of_tricks_are_told_as_the_rules_count_them(edition: str, players: int) -> None:
    """Captured are the low cards of the other side, and they are named."""
    game = until(new(edition, players), lambda game: game.phase == "play")
    game.auto_deal = False
    seating, rng = Seating(players, {0}, novices(players, {0})), random.Random(3)
    told: list[str] = []
    while game.round == 1:
        told += tell(make_move(game, rng.choice(game.legal()), seating), None)
    names = names_of(seating, Texts())
    for seat, (tricks, loot) in enumerate(zip(game.past()[0]["tricks"], game.past()[0]["loot"], strict=True)):
        wins = [line for line in told if re.match(rf" *{names[seat]} wins the trick", line.replace("\u00a0", " "))]
        assert len(wins) == tricks
        assert sum(_captured(line) for line in wins) == loot


def _captured(line: str) -> int:
    return len(CARD.findall(line.partition("captures")[2]))


def test_who_covered_their_own_cell_is_named_once(save: Path) -> None:
    game = my_turn(new())
    table = sit_down(game, script(["start 0", "quit"]), save)
    assert "Covered: you by yourself" in table.flat


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("fr", ["Vous avez donné le ", "Vous avez reçu le ", " distribue."]),
        ("de", [", die vorn liegt", " teilt aus."]),
    ],
)
def test_sentences_of_a_round(language: str, said: list[str], save: Path) -> None:
    """Cards after a verb have their article, and dealing is not called as passing a card is."""

    def is_passed(game: Game) -> bool:
        view = game.view(0)
        return game.turn == 0 and game.phase == "play" and bool(view["received"] and view["trick"])

    game = until(new(seed=2), is_passed)
    rest = iter(["1"] * 200)
    told = sit_down(game, lambda _: next(rest, None), save, texts=Texts(language)).flat.replace("\xa0", " ")
    for words in said:
        assert words in told


# -------------------------------------------------------------------- what may be typed


@pytest.mark.parametrize(
    "typed", ["{n}", "{row} {cell}", "veto {row} {cell}", "0 veto {row} {cell}", "VETO  {row} {cell} "]
)
def test_a_choice_by_number_or_by_words(typed: str, save: Path) -> None:
    game = my_turn(new())
    number, action = next((n, a) for n, a in enumerate(game.legal(), 1) if a.words[0] == "points")
    row, cell = action.words
    sit_down(game, script([typed.format(n=number, row=row, cell=cell)]), save)
    assert action in game.actions


@pytest.mark.parametrize("typed", ["{card}", "play {card}", "0 play {card}"])
def test_a_card_by_its_words(typed: str, save: Path) -> None:
    game = my_turn(new("nichtig", 3), "play")
    action = game.legal()[-1]
    sit_down(game, script([typed.format(card=action.words[0]).lower()]), save)
    assert action in game.actions


def test_enter_takes_the_only_choice(save: Path) -> None:
    game = until(new("nichtig", 3), lambda game: game.turn == 0 and len(game.legal()) == 1)
    action = game.legal()[0]
    table = sit_down(game, script([""]), save)
    assert action in game.actions
    assert f"press Enter for {action.words[0]}" in table.text


RUBBISH = [
    "foo",
    "",
    "0",
    "99",
    "999999999999999999999",
    "-1",
    "1.5",
    "play Z9",
    "trump purple",
    "\x00",
    "é ☃",
    "1 2 3",
]
RUBBISH += ["{}", "%s", "a" * 5000, "veto", "1 veto trump red"]


@pytest.mark.parametrize("typed", RUBBISH)
def test_rubbish_gets_an_answer_and_changes_nothing(typed: str, save: Path) -> None:
    game = my_turn(new())
    count = len(game.actions)
    before = sit_down(game.copy(), script([]), save).text
    table = sit_down(game, script([typed, "view"]), save)
    answer = table.flat[len(re.sub(r"\n +", " ", before.partition("\nYou have made no choice yet")[0])) :]
    assert len(game.actions) == count
    assert re.search(r"1 to \d+", answer), "the answer says what would be right"
    assert "a" * 100 not in answer.replace(typed, "", 1), "the answer stays short"


def test_red_alone_may_mean_two_things(save: Path) -> None:
    game = until(Game.new("niet-2015", players=4, seed=5, first_dealer=0), lambda game: game.turn == 0)
    table = sit_down(game, script(["red"]), save)
    assert (
        "“red” is ambiguous: it can mean 10. trump red or 14. supertrump red. Say which, or type a number" in table.flat
    )
    assert not game.actions


def test_a_forbidden_choice_is_answered_with_its_rule(save: Path) -> None:
    game = until(new(), lambda game: game.turn == 0 and game.phase == "play" and bool(refused_cards(game)))
    card = refused_cards(game)[0]
    table = sit_down(game, script([card, "veto trump red", "G99"]), save)
    assert f"{card} is not allowed: {Texts().t('refusal.must-follow')} (niet-2015 §6.3)" in table.flat
    assert "Trump red is not allowed: this is not asked for now. (niet-2015 §1.2)" in table.flat
    assert "“G99” is not understood." in table.flat


def is_covered(game: Game, row: str, cell: str) -> bool:
    cells = [one["cells"] for one in game.view(0)["board"] or [] if one["row"] == row]
    return any(one["word"] == cell and one["by"] is not None for one in cells[0])


@pytest.mark.parametrize(
    ("language", "typed", "said"),
    [
        ("en", "trump re", "Trump red is not allowed: That cell is already covered. (niet-2015 §3.3)"),
        ("en", "tr r", "Trump red is not allowed: That cell is already covered. (niet-2015 §3.3)"),
        ("fr", "atout rou", "Atout rouge n’est pas permis : Cette case est déjà couverte. (niet-2015 §3.3)"),
        ("de", "trumpf r", "Trumpf Rot ist nicht erlaubt: Dieses Feld ist schon abgedeckt. (niet-2015 §3.3)"),
    ],
)
def test_a_shortened_choice_that_is_forbidden_is_answered_with_its_rule(
    language: str, typed: str, said: str, save: Path
) -> None:
    game = until(new(), lambda game: game.turn == 0 and game.phase == "veto" and is_covered(game, "trump", "red"))
    count = len(game.actions)
    table = sit_down(game, script([typed]), save, texts=Texts(language))
    assert said in table.flat.replace("\xa0", " ")
    assert len(game.actions) == count


def test_a_beginning_that_only_forbidden_cells_have(save: Path) -> None:
    def is_settled(game: Game) -> bool:
        return game.turn == 0 and game.phase == "veto" and not any(it.words[0] == "trump" for it in game.legal())

    game = until(new(), is_settled)
    table = sit_down(game, script(["tru"]), save)
    assert re.search(
        r"“tru” can mean trump red, trump yellow, .* or .*, and none of these is allowed now: \? says why", table.flat
    )


def test_a_shortened_card_that_is_forbidden(save: Path) -> None:
    """A colour alone is enough where one card of it is in the hand; of several, the answer names them."""

    def has_one(game: Game) -> bool:
        return game.turn == 0 and game.phase == "play" and any(by_letter(game, 1)) and any(by_letter(game, 2))

    def by_letter(game: Game, count: int) -> list[list[str]]:
        refused, colours = refused_cards(game), {card[0] for card in refused_cards(game)}
        groups = [[card for card in refused if card[0] == colour] for colour in colours]
        return [group for group in groups if len(group) == count]

    game = until(new(seed=6), has_one)
    (one, *_), (first, second) = by_letter(game, 1)[0], by_letter(game, 2)[0]
    names = {"R": "red", "Y": "yellow", "B": "blue", "G": "green"}
    table = sit_down(game, script([one[0].lower(), names[first[0]][:2] + first[1:], first[0]]), save)
    for card in (one, first):
        assert f"{card} is not allowed: {Texts().t('refusal.must-follow')}" in table.flat
    assert f"“{first[0]}” can mean {first} or {second}, and none of these is allowed now" in table.flat


def test_a_shortened_partner_that_is_forbidden(save: Path) -> None:
    """With four players a side has two of them, and the ×2 card belongs to the smaller side."""
    game = my_turn(new("niet-2015", 4), "team")
    first, second = (bot_name(Texts(), seat) for seat in (1, 2))
    table = sit_down(game, script([f"{second[:2]} {first[:2]}"]), save)
    assert f"{first} and {second} is not allowed: {Texts().t('terminal.refusal.bad-side')}" in table.flat
    game = my_turn(new("niet-2015", 5), "double")
    wrong = next(seat for seat in range(1, 5) if str(seat) not in {it.words[0] for it in game.legal()})
    name = bot_name(Texts(), wrong)
    table = sit_down(game, script([name[:3]]), save)
    assert f"{name} is not allowed: {Texts().t('terminal.refusal.bad-double')} (niet-2015 §4.3)" in table.flat


def test_partners_in_any_order(save: Path) -> None:
    game = my_turn(new("niet-2015", 5), "team")
    first, second = (bot_name(Texts(), seat) for seat in (1, 3))
    sit_down(game, script([f"{second} {first}"]), save)
    assert "0 team 0 1 3" in map(str, game.actions)


def refused_cards(game: Game) -> list[str]:
    legal = {action.words[0] for action in game.legal()}
    return [card for card in game.view(game.turn)["hand"] if card not in legal]


# -------------------------------------------------------------------- ?


def explained(game: Game, save: Path) -> tuple[str, str]:
    """What `?` says is allowed, and what not."""
    text = sit_down(game, script(["?"]), save).flat
    allowed, _, forbidden = text.partition("Allowed now:")[2].partition("Not allowed now:")
    return allowed, forbidden.partition("Your choice")[0].partition("Only one")[0]


def test_a_question_mark_names_the_rule_for_every_card_that_may_not_be_played(save: Path) -> None:
    game = until(new(), lambda game: game.turn == 0 and game.phase == "play" and bool(refused_cards(game)))
    refused, legal = set(refused_cards(game)), {action.words[0] for action in game.legal()}
    allowed, forbidden = explained(game, save)
    assert set(CARD.findall(allowed)) >= legal
    assert set(CARD.findall(forbidden)) == refused
    assert f"{Texts().t('refusal.must-follow')} (niet-2015 §6.3)" in forbidden


def test_a_question_mark_knows_that_the_first_edition_makes_you_trump(save: Path) -> None:
    def must_trump(game: Game) -> bool:
        if game.turn != 0 or game.phase != "play" or not refused_cards(game):
            return False
        return explained(game.copy(), save)[1].count("§6.4") == 1

    game = until(new("njet-1997", 4), must_trump)
    assert f"{Texts().t('refusal.must-trump')} (njet-1997 §6.4)" in explained(game, save)[1]


def test_a_question_mark_explains_the_board(save: Path) -> None:
    def has_settled_row(game: Game) -> bool:
        board = game.view(0)["board"] or []
        return game.turn == 0 and any(sum(cell["free"] for cell in row["cells"]) == 1 for row in board)

    game = until(new(), has_settled_row)
    _, forbidden = explained(game, save)
    assert "That cell is already covered. (niet-2015 §3.3)" in forbidden
    assert f"{Texts().t('refusal.last-free')} (niet-2015 §3.4)" in forbidden
    covered = forbidden.partition(": That cell is already covered")[0]
    assert covered.count(",") + 1 == len(game.actions)


def test_a_question_mark_when_everything_is_allowed(save: Path) -> None:
    table = sit_down(my_turn(new("nichtig", 3), "play"), script(["?"]), save)
    assert "Every card of your hand is allowed." in table.text


# -------------------------------------------------------------------- view, help


def test_view_tells_everything(save: Path) -> None:
    game = until(new(), lambda game: game.turn == 0 and game.phase == "play" and sum(game.view(0)["tricks"]) > 2)
    view = game.view(0)
    text = sit_down(game, script(["view"]), save).flat.rpartition("Round 1 of 8: tricks.")[2]
    for card in view["hand"]:
        assert card in text
    labels = ["you", *(bot_name(Texts(), seat) for seat in (1, 2, 3))]
    assert view["last_winner"] is not None
    assert f"won by {labels[view['last_winner']]}" in text
    covered = [cell["by"] for row in view["board"] or [] for cell in row["cells"] if cell["by"] is not None]
    for seat, label in enumerate(labels):
        assert text.count(f"by {label}") == covered.count(seat) + (view["last_winner"] == seat)
        assert re.search(
            rf"{re.escape(label)} {view['tricks'][seat]} tricks? and {(view['loot'] or [])[seat]} loot", text
        )
        assert f"{label} 0" in text.partition("Points before this round")[2]


def test_help_lists_every_command(save: Path) -> None:
    text = sit_down(my_turn(new()), script(["help"]), save).text
    assert all(f"  {name}" in text for name in ("?", "view", "undo", "save [file]", "quit", "help"))


@pytest.mark.parametrize(
    ("language", "board", "hand", "last", "scores", "table"),
    [
        ("en", "board", "cards", "last", "score", "table"),
        ("fr", "plateau", "main", "pli", "scores", "situation"),
        ("de", "Brett", "hand", "Stich", "Stand", "lage"),
    ],
)
def test_one_part_of_the_situation(
    language: str, board: str, hand: str, last: str, scores: str, table: str, save: Path
) -> None:
    game = until(new(), lambda game: game.turn == 0 and game.phase == "play" and sum(game.view(0)["tricks"]) > 2)
    texts = Texts(language)

    def answer(typed: str) -> str:
        told = sit_down(game.copy(), script([typed]), save, texts=texts)
        prompt = texts.t("terminal.plain.prompt", n=len(game.legal())).replace("\xa0", " ")
        return told.flat.replace("\xa0", " ").split(f"{prompt} {typed}\n")[1]

    def front(key: str) -> str:
        return texts.t(f"terminal.plain.{key}").partition("{")[0].replace("\xa0", " ").strip()

    assert answer(board).strip().startswith(front("board"))
    assert front("this-round") in answer(board)
    assert front("last-trick") not in answer(board)
    assert texts.count("terminal.plain.hand", 5)[:6] in answer(hand)
    assert answer(last).count(front("last-trick")) == 1
    assert front("before") not in answer(last)
    assert front("before") in answer(scores)
    assert front("board") not in answer(scores)
    whole = answer(table)
    assert all(front(key) in whole for key in ("board", "last-trick", "before"))


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_help_names_every_word_that_works(language: str, save: Path) -> None:
    texts = Texts(language)
    told = sit_down(my_turn(new()), script(["help"]), save, texts=texts).flat.replace("\xa0", " ")
    for command in (*COMMANDS, *PARTS):
        if command == "piles":
            continue
        words = [texts.t(f"terminal.plain.command.{command}"), *also(texts, command), command]
        for word in words:
            assert re.search(rf"\b{word}\b", told), word
            assert command_of(texts, word) == command
    assert not re.search(r"\bpiles\b", told), "Njet! has no piles"


def test_the_piles_of_null_and_nichtig(save: Path) -> None:
    game = my_turn(new("nichtig", 3), "lay")
    assert "There are no piles yet." in sit_down(game.copy(), script(["piles"]), save).text
    game = my_turn(new("nichtig", 3), "play")
    told = [sit_down(game.copy(), script(typed), save).text for typed in ([], ["board"])]
    assert [text.count("Piles, top card first:") for text in told] == [1, 2]


# -------------------------------------------------------------------- undo


def own_moves(game: Game) -> list[int]:
    return [number for number, action in enumerate(game.actions) if action.seat == 0]


def test_undo_goes_back_to_my_decision_and_takes_the_bots_along(save: Path) -> None:
    game = my_turn(new())
    start = len(game.actions)
    table = sit_down(game, script(["1", "2", "undo"]), save)
    assert len(game.actions) == own_moves(game)[0] + 4
    assert game.turn == 0
    table = sit_down(game, script(["undo", "undo"]), save)
    assert "Taken back. The choice is yours again." in table.text
    assert len(game.actions) == start
    assert "There is no choice of yours to take back yet." in table.text


def test_undo_crosses_into_the_round_before(save: Path) -> None:
    game = until(new("nichtig", 3), lambda game: game.round == 2 and game.turn == 0)
    hand = game.view(0)["hand"]
    sit_down(game, script(["undo"]), save)
    assert game.round == 1
    assert game.turn == 0
    sit_down(game, script([""]), save)
    assert game.round == 2
    assert game.view(0)["hand"] == hand, "the same cards come again"


def test_undo_when_the_match_is_over(save: Path) -> None:
    game = until(new("nichtig", 3), lambda game: game.round == 3 and game.turn == 0 and len(game.legal()) == 1)
    table = sit_down(game, script(["", "undo", "", "what", ""]), save)
    assert table.text.count("The match is over.") == 2
    assert "“what” is not understood" in table.text
    assert table.is_over


# -------------------------------------------------------------------- nothing is lost


def saved_game(path: Path) -> dict[str, Any]:
    (line,) = path.read_text(encoding="utf-8").splitlines()
    record: dict[str, Any] = json.loads(line)
    return record


@pytest.mark.parametrize("leaving", [["quit"], ["q"], []])
def test_leaving_saves_the_game_and_says_how_to_resume(leaving: list[str], save: Path) -> None:
    game = my_turn(new())
    table = sit_down(game, script(["1", *leaving]), save)
    assert not table.is_over
    record = saved_game(save)
    assert record["names"] == ["", "Jonas", "Ines", "Bruno"], "as the table showed them; a person without a name"
    assert record["bots"] == [None, "novice", "novice", "novice"]
    assert Game.from_record(record).actions == game.actions
    assert table.text.endswith(f"Resume it with:\n  atout play --resume {save}\n")


@pytest.mark.parametrize("leaving", [["quit"], []])
def test_leaving_before_any_choice_leaves_no_file(leaving: list[str], save: Path) -> None:
    table = sit_down(new(), script(leaving), save)
    assert not table.is_over
    assert not save.exists()
    assert table.text.rstrip().endswith("You have made no choice yet, so nothing is saved.")


def test_ctrl_c_saves_too(save: Path) -> None:
    def interrupt(_prompt: str) -> str:
        raise KeyboardInterrupt

    game = my_turn(new())
    game.play(game.legal()[0])
    assert not sit_down(game, interrupt, save).is_over
    assert Game.from_record(saved_game(save)).actions == game.actions


def test_a_saved_game_is_resumed_to_its_end(save: Path) -> None:
    game = my_turn(Game.new("njet-1997", players=3, seed=4, options={"length": "short"}), "play")
    sit_down(game, script(["1", "quit"]), save, names=["Anna", "Ben", "Cleo"])
    record, screen = saved_game(save), Screen()
    seating = Seating.of_record(record)
    assert play(
        Game.from_record(record),
        seating.people,
        seating.bots,
        names=seating.names,
        source=Keyboard(screen, at_random(1)),
        target=screen,
        save_path=save,
        resumed=True,
    )
    finished = saved_game(save)
    assert finished["winners"]
    assert finished["names"] == ["Anna", "Ben", "Cleo"]
    assert finished["rounds"][0]["actions"][: len(record["rounds"][0]["actions"])] == record["rounds"][0]["actions"]
    assert [path.name for path in save.parent.iterdir()] == [save.name]


def test_save_plays_on_and_takes_a_name(save: Path) -> None:
    other = save.with_name("other file.json")
    game = my_turn(new())
    table = sit_down(game, script(["save", f"save {other}", "1"]), save)
    assert f"The match is saved in {save}." in table.flat
    assert f"\n  atout play --resume '{other}'\n" in table.text
    assert len(saved_game(save)["rounds"][0]["actions"]) < len(saved_game(other)["rounds"][0]["actions"])


def test_an_earlier_game_is_not_overwritten(save: Path) -> None:
    save.write_text("precious\n")
    sit_down(my_turn(new()), script(["1"]), save)
    assert save.read_text() == "precious\n"
    assert saved_game(save.with_name("game-2.json"))["edition"] == "niet-2015"


def test_a_file_that_is_there_is_not_overwritten(save: Path) -> None:
    notes = save.with_name("notes.txt")
    notes.write_text("precious\n")
    table = sit_down(my_turn(new()), script([f"save {notes}"]), save)
    assert notes.read_text() == "precious\n"
    assert "exists already; choose another name" in table.flat


@pytest.mark.parametrize("name", ["/no/such/folder/x", "~nobody-at-all/x", "x" * 300, "/", "."])
def test_a_name_that_cannot_be_saved_to(name: str, save: Path) -> None:
    game = my_turn(new())
    table = sit_down(game, script([f"save {name}", "1"]), save)
    assert "Not saved: " in table.flat
    assert saved_game(save), "leaving saved it all the same"


def test_quit_asks_twice_when_nothing_can_be_saved(tmp_path: Path) -> None:
    game = my_turn(new())
    table = sit_down(game, script(["1", "quit", "1", "quit"]), tmp_path / "missing" / "game.json")
    assert len(own_moves(game)) == 2, "the game went on after the first"
    assert table.flat.count("Not saved: ") == 3, "at once, and whenever somebody leaves"
    assert "quit again to leave without saving" in table.text


def test_every_choice_is_saved_at_once(save: Path) -> None:
    game = my_turn(new())
    files = []

    def asked(_: str) -> str | None:
        files.append(saved_game(save)["rounds"][-1]["actions"] if save.exists() else [])
        return "1" if len(files) < 3 else None

    sit_down(game, asked, save)
    own = [[action for action in actions if action.startswith("0 ")] for actions in files]
    assert [len(actions) for actions in own] == [0, 1, 2]


@pytest.mark.parametrize(
    ("language", "typed", "said"),
    [("en", "review", "Review your"), ("fr", "analyse", "Pour analyser"), ("de", "ana", "Deine Entscheidungen")],
)
def test_a_finished_match_is_reviewed(language: str, typed: str, said: str, save: Path) -> None:
    game = until(new("nichtig", 3), lambda game: game.round == 3 and game.turn == 0 and len(game.legal()) == 1)
    screen, texts, seats = io.StringIO(), Texts(language), []

    def reviewer(seat: int) -> list[str]:
        seats.append(seat)
        return ["what it was worth"]

    source = io.StringIO(f"\n{typed}\nsave {save.with_name('other.json')}\n\n")
    play(game, {0}, novices(3, {0}), source=source, target=screen, save_path=save, texts=texts, reviewer=reviewer)
    assert seats == [0]
    assert "what it was worth" in screen.getvalue()
    assert f"{said}" in screen.getvalue()
    assert f"  atout review {save}\n" in screen.getvalue()
    assert saved_game(save)["totals"] == saved_game(save.with_name("other.json"))["totals"] == game.totals
    assert texts.t("terminal.resume") not in screen.getvalue()


class Cheat:
    name = "cheat"

    def choose(self, view: View, legal: Sequence[str], budget: Budget, rng: random.Random) -> Choice:
        return Choice(legal[0] if view["phase"] == "lay" else "1 play B99")


def test_a_bot_that_cheats_does_not_cost_the_game(save: Path) -> None:
    game, screen = Game.new("nichtig", players=3, seed=5, first_dealer=2), Screen()
    bots = {1: Cheat(), 2: make_bot("random")}
    with pytest.raises(BotError, match="bot cheat"):
        play(game, {0}, bots, source=Keyboard(screen, at_random(1)), target=screen, save_path=save)
    assert Game.from_record(saved_game(save)).actions == game.actions


# -------------------------------------------------------------------- several people at one keyboard


PLAYERS = tuple(Texts().t("terminal.seat", n=n) for n in (1, 2, 3))


def by_reader(text: str, people: Sequence[str] = PLAYERS) -> list[tuple[int, str]]:
    """The text in pieces, each with the seat that was alone with the screen."""
    parts = re.split(rf"({'|'.join(people)}): press Enter when you alone can see the screen\. \n", text)
    pieces = []
    for seat, piece in zip(parts[1::2], parts[2::2], strict=True):
        own, curtain, after = piece.partition("\n" * 40)
        assert not CARD.search(after), "nothing is shown after the curtain"
        assert curtain or piece is parts[-1]
        pieces.append((people.index(seat), own))
    return pieces


NOSY = ["view", "?", "help", "save"]


def test_a_shared_keyboard_shows_nobody_anothers_cards(save: Path) -> None:
    hands = [" ".join(f"{letter}{value}" for value in (1, 1, *range(1, 14))) for letter in "RY"]
    game = Game.new("niet-2015", players=2, seed=3, deals=lambda _: hands)
    typing, asked = at_random(8), itertools.count()

    def nosy(prompt: str) -> str | None:
        """Asks for everything at every second prompt, and stops after the first round."""
        number = next(asked)
        if game.round > 1:
            return None
        return typing(prompt) if number % 2 or "choice" not in prompt else NOSY[number // 2 % len(NOSY)]

    pieces = by_reader(sit_down(game, nosy, save, me=(0, 1)).text)
    played: list[set[str]] = [set(), set()]
    secret: list[set[str]] = [set(), set()]
    for action in game.actions:
        if action.verb == "play":
            played[action.seat].add(action.words[0])
        elif action.verb in ("discard", "pass"):
            secret[action.seat].add(action.words[0])
    assert all(secret), "both had something to hide"
    for seat, text in pieces:
        others = {card for card in CARD.findall(text) if card[0] == "YR"[seat]}
        assert others <= played[1 - seat]
    assert any("Player 2 plays Y" in text for seat, text in pieces if seat == 0), "what is public is told"


def test_laid_out_cards_stay_secret_until_everyone_has_chosen(save: Path) -> None:
    hands = [" ".join(f"{letter}{value}" for value in (0, *range(12))) for letter in "BGP"]
    game = Game.new("nichtig", players=3, seed=3, deals=lambda _: hands)
    typing = at_random(8)

    def nosy(prompt: str) -> str | None:
        if game.phase == "play" and len(game.actions) > 12:
            return None
        return typing(prompt)

    text = sit_down(game, nosy, save, me=(0, 1, 2), names=["Anna", "Ben", "Cleo"]).text
    before, revealed, _ = text.partition("Piles, top card first:")
    assert revealed
    pieces = by_reader(before, ["Anna", "Ben", "Cleo"])
    assert {seat for seat, _ in pieces} == {0, 1, 2}
    for seat, piece in pieces:
        assert {card[0] for card in CARD.findall(piece)} == {"BGP"[seat]}


def vetoes_told(text: str) -> int:
    """How many vetoes were told before the hand is shown."""
    return len(re.findall(r"veto(es)? ", text.partition("Your hand")[0]))


def test_who_comes_to_the_keyboard_hears_what_happened_and_no_more(save: Path) -> None:
    game = Game.new("niet-2015", players=4, seed=6, first_dealer=0)
    typed = ["", "1", "", "1", "", "1", "", "quit"]
    pieces = by_reader(sit_down(game, script(typed), save, me=(0, 2)).text)
    assert [(seat, vetoes_told(text)) for seat, text in pieces] == [(0, 0), (2, 2), (0, 4), (2, 4)]


def test_what_was_taken_back_is_not_told(save: Path) -> None:
    game = Game.new("niet-2015", players=4, seed=6, first_dealer=0)
    typed = ["", "1", "", "undo", "", "2", "", "quit"]
    pieces = by_reader(sit_down(game, script(typed), save, me=(0, 2)).text)
    assert [(seat, vetoes_told(text)) for seat, text in pieces] == [(0, 0), (2, 2), (0, 0), (2, 2)]
    assert "Taken back. The choice is with Player 1 again." in pieces[1][1]


def test_quit_works_while_the_keyboard_changes_hands(save: Path) -> None:
    game = new("niet-2015", 2)
    table = sit_down(game, script(["quit"]), save, me=(0, 1))
    assert not game.actions
    assert not table.is_over
    assert not save.exists()


# -------------------------------------------------------------------- seats and streams


def test_every_seat_is_taken_once() -> None:
    with pytest.raises(UsageError, match="expected each of the seats 0 to 2 once"):
        Seating(3, {0}, {1: make_bot("random")})
    with pytest.raises(UsageError, match="expected each of the seats"):
        Seating(2, {0, 1}, {1: make_bot("random")})
    with pytest.raises(UsageError, match="one for each of 2 seats"):
        Seating(2, {0, 1}, {}, names=["Anna"])


def test_names_are_fit_for_a_terminal() -> None:
    seating = Seating(2, {0, 1}, {}, names=["\x1b[31mEve\r\n", "B" * 100])
    assert seating.names == ["[31mEve", "B" * 30]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({}, "bots: missing"),
        ({"bots": [None]}, "bots: missing"),
        ({"bots": [None, "os:system"]}, "'os:system', which is no bot of Atout"),
        ({"bots": [None, 7]}, "'7', which is no bot of Atout"),
        ({"bots": [None, "random"], "names": "Anna"}, "names: not a list of names"),
    ],
)
def test_a_record_that_does_not_say_who_sits_where(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(RecordError, match=re.escape(said)):
        Seating.of_record({"players": 2, **keys})


class Fox(RandomBot):
    name = "fox"


def test_a_bot_from_outside_is_given_again() -> None:
    seating = Seating.of_record({"players": 2, "bots": [None, "fox"]}, own={"my.own:Fox": Fox()})
    assert seating.bots[1].name == "fox"
    assert seating.people == {0}


def test_a_terminal_without_unicode_and_input_that_is_no_text(save: Path) -> None:
    raw = io.BytesIO()
    source = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n1\n"), encoding="utf-8")
    target = io.TextIOWrapper(raw, encoding="ascii")
    game = my_turn(new())
    play(game, {0}, novices(4, {0}), source=source, target=target, save_path=save, rng=random.Random(1))
    target.flush()
    text = raw.getvalue().decode("ascii")
    assert "-2 points" in text
    assert len(own_moves(game)) == 1


def test_a_saved_match_goes_on_as_it_would_have(tmp_path: Path) -> None:
    """The same deals and the same answers of the bots, and as many rounds: leaving is no second draw."""
    options = {"length": {"rounds": 2}}
    ends = []
    for stops in ((), (3, 17, 45)):
        game, bots = Game.new("nichtig", 3, 5, options), {seat: make_bot("novice") for seat in range(3)}
        seating = Seating(3, set(), bots)
        while (seat := game.turn) is not None:
            if len(game.actions) in stops:
                path = Saves(tmp_path / "match.json", is_own=True).save(game, seating)
                game = game_of(json.loads(path.read_text(encoding="utf-8")))
            game.play(ask(bots[seat], game.view(seat), chance_of(game)).action)
        ends.append(game.record()["rounds"])
    assert ends[0] == ends[1]
    assert len(ends[0]) == 2
