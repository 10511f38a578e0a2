"""A bot in a process of its own: it takes an open seat at a table and plays until the podium.

    python bot.py http://127.0.0.1:8000/t/TABLE --name Robo

It needs Python and nothing else. Put a better idea into ``choose``: it gets the table as its own seat sees
it, with what a person there sees in ``table["view"]``, and the legal moves in notation. A token in
PADDOCK_TOKEN, as the API gives it, makes it the player of another time: it sits down where it sat.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any


def choose(paddock: Paddock, table: dict[str, Any], ask: dict[str, Any]) -> str:
    """The move to make, one of ``ask["moves"]``; at random. ``table`` is what the API says of it."""
    move: str = random.choice(ask["moves"])["move"]
    return move


class Refused(Exception):
    """The server's sentence, and its status."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Paddock:
    """A server's API, and who we are there."""

    def __init__(self, server: str, token: str = "") -> None:
        self.base = f"{server}/api/v1"
        self.headers = {"Content-Type": "application/json"}
        token = token or self.post("/tokens", {"label": "bot"})["token"]
        self.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Any:
        """What is there."""
        return self._ask("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Do something."""
        return self._ask("POST", path, json.dumps(body).encode())

    def _ask(self, method: str, path: str, body: bytes | None) -> Any:
        request = urllib.request.Request(self.base + path, body, self.headers, method=method)
        for attempt in itertools.count():
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    text = answer.read().decode()
                    return json.loads(text) if "json" in answer.headers["Content-Type"] else text
            except urllib.error.HTTPError as error:
                if error.code == 429:
                    time.sleep(int(error.headers["Retry-After"]))
                    continue
                raise Refused(error.code, json.load(error)["error"]) from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if not attempt:
                    print(f"{self.base} does not answer; trying again until it does.", file=sys.stderr)
                time.sleep(1)  # the server restarts: what it has acknowledged, it still knows
        raise AssertionError

    def told(self, path: str) -> Iterator[dict[str, Any]]:
        """What there is to see, now and whenever that has changed."""
        while True:
            try:
                request = urllib.request.Request(self.base + path, headers=self.headers)
                with urllib.request.urlopen(request, timeout=60) as stream:  # a sign of life every 20 s
                    for line in stream:
                        if line.startswith(b"data:"):
                            yield json.loads(line.removeprefix(b"data:"))
            except urllib.error.HTTPError as error:
                if error.code != 429:
                    raise Refused(error.code, json.load(error)["error"]) from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            time.sleep(1)


Choose = Callable[[Paddock, dict[str, Any], dict[str, Any]], str]


def sit_down(paddock: Paddock, id: str, name: str) -> None:
    """Take the first open seat, unless one is ours already, and say that we are ready.

    In a running game that is a request, and we wait until the others have answered it.
    """
    asked = False
    for table in paddock.told(f"/tables/{id}/stream"):
        if table["you"]:
            break
        if asked and table["asking"] is None:
            sys.exit("The request for a seat was declined, or has ended.")
        if asked:
            continue
        free = [player["index"] for player in table["players"] if player["kind"] == "open"]
        if not free:
            sys.exit("No seat is open at this table.")
        try:
            table = paddock.post(f"/tables/{id}/seats/{free[0]}/claim", {"name": name})
        except Refused:
            if paddock.get(f"/tables/{id}")["players"][free[0]]["kind"] == "open":
                raise
            continue  # somebody was faster: look for another
        if table["you"]:
            break
        asked = True
    for player in table["players"]:
        if player["yours"] and table["phase"] == "lobby" and not player["ready"]:
            paddock.post(f"/tables/{id}/seats/{player['index']}/ready", {"ready": True})


def play(paddock: Paddock, id: str, choose: Choose) -> dict[str, Any]:
    """Answer every decision of our seats until it is over; the table as it is then."""
    known = 0
    for table in paddock.told(f"/tables/{id}/stream"):
        # What was told before our last move may come after its answer. The number of a decision only grows.
        while table["decision"] >= known:
            known = table["decision"]
            due = [ask for ask in table["asks"] if ask["committed"] is None]
            if table["phase"] == "over":
                return table
            if not due:
                break
            try:
                move = {
                    "seat": due[0]["seat"],
                    "decision": due[0]["decision"],
                    "move": choose(paddock, table, due[0]),
                }
                table = paddock.post(f"/tables/{id}/moves", move)["table"]
            except Refused as refusal:
                if refusal.status != 409:  # 409: the game went on meanwhile, and the stream says how
                    raise
                break
    raise AssertionError


def main(choose: Choose = choose) -> None:
    """Play at the table that the command line names."""
    parser = argparse.ArgumentParser(description="A bot that takes an open seat at a Paddock table.")
    parser.add_argument("link", nargs="?", help="the table's link, as its host sends it")
    parser.add_argument("--name", default="Robo")
    given = parser.parse_args()
    if given.link is None:
        parser.print_help()
        return
    try:
        link = urllib.parse.urlsplit(given.link)
    except ValueError:
        link = urllib.parse.urlsplit("")
    if link.scheme not in ("http", "https") or not link.netloc or not link.path.startswith("/t/"):
        parser.error("give the link of a table, as http://127.0.0.1:8000/t/TABLE")
    id = link.path.removeprefix("/t/").partition("/")[0]
    try:
        paddock = Paddock(f"{link.scheme}://{link.netloc}", os.environ.get("PADDOCK_TOKEN", "").strip())
        sit_down(paddock, id, given.name)
        table = play(paddock, id, choose)
    except Refused as refusal:
        sys.exit(str(refusal))
    for line in table["standings"]["players"]:
        print(f"{line['rank']}. {table['players'][line['who']]['name']}: {line['total']}")


if __name__ == "__main__":
    main()
