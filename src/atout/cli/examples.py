"""Examples for `--help` and the man page, by command; a test runs their options through the parser."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "play": (
        "atout play",
        "atout play --edition nichtig --players 3 --bots novice",
        "atout play --resume atout-game.json",
        "atout play --join http://127.0.0.1:8000/table/Wv3sM1qzX0kq8kQmJY5E5A --name Ann",
        "atout play --plain --language de",
    ),
    "score": (
        "atout score evening.json --edition niet-2015 --names Ann,Bo,Cy,Di",
        "atout score evening.json --json",
    ),
    "simulate": ("atout simulate -e niet-2015 -n 4 --matches 1000 --bots random --seed 7 --out games.jsonl",),
    "arena": (
        "atout arena --bots club,novice -e nichtig -n 4 --deals 20 --budget 20ms --out arena.json",
        "atout arena --bots club,novice -e niet-2015 -n 4 --deals 20 --out arena.json --json",
    ),
    "exam": ("atout exam club", "atout exam my_bots:Fox --edition nichtig --json"),
    "verify": ("atout verify games.jsonl", "atout verify --fair record.jsonl --json"),
    "show": ("atout show games.jsonl --match 3", "atout show games.jsonl --plain --move 40"),
    "review": (
        "atout review games.jsonl --match 3 --seat 2",
        "atout review games.jsonl --time 2m --html review.html",
    ),
    "puzzle": ("atout puzzle --today", "atout puzzle --theme partner --edition niet-2015 --language de"),
    "puzzles make": ("atout puzzles make --minutes 9 --output puzzles-made.jsonl",),
    "puzzles pack": ("atout puzzles pack puzzles-made.jsonl --sure --output src/atout/puzzles/data/puzzles.jsonl.gz",),
    "puzzles check": ("atout puzzles check src/atout/puzzles/data/puzzles.jsonl.gz --output puzzles.jsonl.gz",),
    "serve": ("atout serve --open", "atout serve --host 0.0.0.0 --port 8000 --database sqlite:///atout.db"),
    "backup": ("atout backup copy.db",),
    "reports": ("atout reports", "atout reports --remove ID"),
    "editions": ("atout editions", "atout editions njet-2007", "atout editions --json"),
    "dataset": ("atout dataset rounds -e nichtig -n 3 --matches 334 --seed 7",),
    "bench-bot": ("atout bench-bot my_bots:Fox --out fox.json",),
    "leaderboard": ("atout leaderboard fox.json club.json --out leaderboard.md",),
    "print sheet": (
        "atout print sheet --edition nichtig --players 3 --out sheet.pdf",
        "atout print sheet --filled evening.json --paper letter --out evening.pdf",
    ),
    "print rules": ("atout print rules --edition njet-1997 --language fr --out rules.pdf",),
    "print booklet": (
        "atout print booklet games.jsonl --match 3 --out match.pdf",
        "atout print booklet games.jsonl --ledger 60s --out match.pdf",
    ),
    "print puzzles": ("atout print puzzles --edition niet-2015 --count 6 --seed 7 --out puzzles.pdf",),
    "print deals": ("atout print deals --players 4 --deals 8 --seed 7 --out evening.pdf",),
}
EXIT_CODES = (0, 1, 2, 130, 141)
"""What they mean is in the catalogues (`cli.exit.0`)."""
