"""Help for a newcomer: a welcome, a lesson when a decision comes up for the first time, the commands."""

from __future__ import annotations

from atout.terminal.describe import Scene, letters
from atout.terminal.phrases import counted, listed

COMMANDS = {
    "a number": "make that choice",
    "its words": "the same: 'trump red', 'play {card}', or just '{card}'",
    "?": "what is allowed now, and why the rest is not",
    "hint": "what a strong bot would do, and why; it knows no more than you",
    "view": "the whole situation again",
    "undo": "take your last choice back, and what others did since",
    "save [file]": "save the match to a file and continue",
    "quit": "save the match and leave; it can be resumed",
    "help": "this list",
}


def welcome(scene: Scene) -> list[str]:
    """The game in a few lines."""
    view, edition = scene.view, scene.edition
    length = f"to {counted(view['target'], 'point')}" if view["target"] else counted(view["rounds"] or 0, "round")
    lines = [
        f"{edition.name}: {view['players']} players, {length}.",
        f"At the table: {listed(map(scene.read_by(None).label, range(view['players'])))}.",
        _njet(scene) if edition.is_njet else _nichtig(scene),
        letters(edition),
    ]
    if scene.seating.people:
        lines.append(
            "Type the number of a choice. ? explains what is allowed, hint shows what a "
            "strong bot would do, help lists all commands."
        )
    return lines


def _njet(scene: Scene) -> str:
    sides = "Each round the start player chooses the sides; you keep your points for yourself. "
    return (
        "A round in short: first the players veto cells of a board until each row has one free cell. The free cells "
        "set the start player, the discard, the trump and the points of the round. Then tricks are played. "
        f"Tricks count, and so does every {scene.edition.deck.low} captured from the other side. "
        f"{sides if scene.view['players'] > 2 else ''}Whoever has the most points wins the match."
    )


def _nichtig(scene: Scene) -> str:
    teams = " Every second seat is in the same team, and the sum of the team decides."
    return (
        "A round in short: everybody lays out a few cards as piles, one pile for each colour. Then tricks are "
        "played: any card may be played, the highest number wins, and the winner must lay all cards of the trick on "
        "their piles. At the end only the top card of each pile counts. Whoever has the most points wins the match."
        f"{teams if scene.view['options'].get('teams') else ''}"
    )


def lesson(scene: Scene) -> str:
    """What the decision of this phase is about, for somebody who sees it for the first time."""
    low, owed = scene.edition.deck.low, scene.view["owed"]
    return {
        "veto": "Veto one free cell: it cannot apply this round. Each row keeps one free cell in the end.",
        "team": "You are the start player: choose who plays on your side this round. Everyone on a side scores the "
        "same.",
        "double": "The ×2 card doubles its holder's own points, losses too. You decide who gets it.",
        "discard": f"Everyone secretly discards {counted(owed, 'card')}. Discards count for nobody.",
        "pass": f"Everyone secretly passes {counted(owed, 'card')} to the left, before seeing the cards received.",
        "lay": f"Choose {counted(owed, 'card')}, one after the other, as your first piles. A later card covers an "
        "earlier one of its colour. All are shown when everyone has chosen.",
        "play": f"Play a card. The winner of the trick also captures each {low} that the other side played into it."
        if low is not None
        else "Play a card. The winner of the trick lays all its cards on their own piles, their own card first.",
    }[scene.view["phase"]]


def task(scene: Scene) -> str:
    """The decision in one line."""
    view = scene.view
    leads = "You lead the trick. " if not view["trick"] else ""
    left = f" ({view['owed']} to choose)" if view["owed"] > 1 else ""
    return {
        "veto": "Which cell do you veto?",
        "team": "Who plays on your side?",
        "double": "Who gets the ×2 card?",
        "discard": f"Which card do you discard?{left}",
        "pass": f"Which card do you pass to the left?{left}",
        "lay": f"Which card do you lay out?{left}",
        "play": f"{leads}Which card do you play?",
    }[view["phase"]]


def commands(scene: Scene) -> list[str]:
    width, card = max(map(len, COMMANDS)), scene.view["hand"][0]
    return ["You can type:", *(f"  {name:{width}}  {text.format(card=card)}" for name, text in COMMANDS.items())]
