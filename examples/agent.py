"""An agent for a task: it plays the last legal move of the list.

    paddock tasks score rasant-2-v1 ./agent.py

docs/match.md describes the lines. Their fields are separated by tabs.
"""

from __future__ import annotations

import json
import sys


def choose(view: dict[str, object], seat: int, moves: list[str]) -> str:
    """The move to make; ``view`` is what the seat sees."""
    return moves[-1]


view: dict[str, object] = {}
for line in sys.stdin:
    kind, *fields = line.rstrip("\n").split("\t")
    if kind == "paddock":
        print("ready", flush=True)
    elif kind == "view":
        view = json.loads(fields[0])
    elif kind == "move":
        print(choose(view, int(fields[0]), fields[1:]), flush=True)
