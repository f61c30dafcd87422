"""How `old.db` and `old.json` were made: by the server of commit b804688, played by that commit's own test client.

    git archive b804688 | tar x -C OLD && cd OLD
    ATOUT_JIT=off PYTHONPATH=src:. python …/tests/store/data/make_old.py FOLDER

The server is killed in the end, so that some events still lie in SQLite's `recent` table. `old.json` names the tables
and holds what the guests held: cookies, a link to a seat, and the server's key, which signs nothing else.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
from pathlib import Path

from tests.server.background import Background, start
from tests.server.client import Party, Socket


async def one_move(sockets: list[Socket], rng: random.Random) -> None:
    while True:
        for socket in sockets:
            if socket.legal and socket.view.get("decision") is not None:
                await socket.act(rng.choice(socket.legal))
                number = socket.view["number"]
                for other in sockets:
                    while other.view["number"] < number:
                        await other.receive()
                return
        await sockets[0].receive()


async def play(server: Background) -> dict[str, object]:
    rng = random.Random(17)
    async with Party(server.url) as party:
        ann = await party.guest("Ann")
        finished = await ann.open_table(edition="nichtig", players=3, seats=["open", "random", "random"])
        socket = await ann.connect(finished)
        await socket.do("sit", name="Ann")
        await socket.play_on(rng)
        tricks = await ann.open_table(edition="niet-2015", players=4, seats=["open", "random", "random", "random"])
        socket = await ann.connect(tricks)
        await socket.do("sit", name="Ann")
        await socket.do("say", text="Bonjour à tous")
        await socket.play_on(rng, lambda view: sum((view["game"] or {}).get("tricks", [0])) > 2)
        lobby = await ann.open_table(edition="njet-1997", players=4, visibility="public")
        socket = await ann.connect(lobby)
        await socket.do("sit", name="Ann")
        veto, people, sockets = await party.table()
        for _ in range(3):
            await one_move(sockets, rng)
        link = await people[1].post(f"/api/tables/{veto}/links")
        tables = {"lobby": lobby, "veto": veto, "tricks": tricks, "finished": finished}
        cookies = {person.name: person.http.cookies["atout"] for person in (ann, *people)}
        server.kill()
        return {"tables": tables, "cookies": cookies, "link": link["token"]}


def main(folder: Path) -> None:
    server = start(f"sqlite:///{folder}/old.db", folder)
    notes = asyncio.run(play(server)) | {"key": (folder / "key").read_text().strip()}
    (folder / "old.json").write_text(json.dumps(notes, indent=2) + "\n")
    connection = sqlite3.connect(folder / "old.db")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
