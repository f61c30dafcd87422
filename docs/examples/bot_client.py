"""A bot that plays at a table server over WebSocket: `python bot_client.py http://127.0.0.1:8000 TABLE`.

It takes a seat, plays at random and prints the result. It needs the package websockets and nothing from Atout.
"""

import asyncio
import json
import random
import secrets
import sys
import urllib.request

import websockets


def introduce(server: str, name: str) -> str:
    """Register as a guest; the returned cookie is the identity."""
    body = json.dumps({"name": name}).encode()
    request = urllib.request.Request(f"{server}/api/guest", body, {"Content-Type": "application/json"})
    return urllib.request.urlopen(request).headers["Set-Cookie"].split(";")[0]


def update(view: dict, message: dict) -> dict:
    """The view after a message of the server."""
    if message["type"] == "welcome":
        return message["view"]
    if message["type"] == "told":
        view = {**view, **message["view"]}
        if message.get("game") or message.get("more"):
            view["game"] = {**view["game"], **message.get("game", {})}
        for name, new in message.get("more", {}).items():
            view["game"][name] = view["game"][name] + new
    return view


async def play(server: str, table: str, name: str = "Stranger") -> dict:
    cookie, view, ids = introduce(server, name), {}, 0
    while True:  # after a lost connection, reconnect and resume from the last event seen
        address = f"{server.replace('http', 'ws', 1)}/ws/{table}"
        async with websockets.connect(address, additional_headers={"Cookie": cookie}) as socket:
            await socket.send(json.dumps({"do": "hello", "version": 1, "seen": view.get("number")}))
            async for text in socket:
                message = json.loads(text)
                view, command = update(view, message), None
                if message["type"] == "bye" and not message.get("again", True):
                    raise SystemExit(message["message"])
                if view.get("status") in ("over", "closed"):
                    return view
                if message["type"] == "welcome" and not view.get("is_yours"):
                    command = {"do": "sit", "name": name, "entropy": secrets.token_hex(8)}
                elif view.get("decision") is not None and view["status"] == "playing" and message["type"] != "refusal":
                    action = random.choice(view["game"]["legal"])
                    command = {"do": "act", "action": action, "decision": view["decision"]}
                if command:
                    ids += 1
                    await socket.send(json.dumps({**command, "id": f"c{ids}"}))


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[1].startswith("http"):
        sys.exit("usage: bot_client.py SERVER TABLE; the table's id is the last part of its link")
    end = asyncio.run(play(*sys.argv[1:]))
    print(end["status"], (end.get("game") or {}).get("totals"))
