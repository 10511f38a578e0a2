"""Keeps games of the rules as they are now: ``python tests/kept/keep.py lacorsa 40``, from the root.

It writes ``TITLE-REVISION.jsonl``, which ``test_kept.py`` plays again from then on. Run it when a title has a
new revision of its rules, and never for a file that is there.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/kept")]

from test_kept import digest, halfway, play_out  # noqa: E402

from paddock.core.game import Game  # noqa: E402
from paddock.core.title import Title, title  # noqa: E402
from paddock.kernel.source import Seeded  # noqa: E402
from titles import random_options  # noqa: E402


def kept(found: Title, number: int) -> dict[str, Any]:
    """Return a game with any options as the README describes it; the number is its seed."""
    options = random_options(found, random.Random(f"{found.name} {number}"))
    game = Game(found, options, Seeded(number))
    for _move in play_out(game, number):
        pass
    again = Game(found, options, Seeded(number))
    return {
        "title": found.name,
        "revision": found.revision,
        "options": options.text,
        "seed": number,
        "prefer": [],
        "log": len(game.log),
        "digest": digest(game.log),
        "halfway": halfway(again, number, [], len(game.log)),
        "position": game.position,
    }


def main() -> None:
    """Write the file that the command line names."""
    name, count = sys.argv[1:]
    found = title(name)
    file = ROOT / "tests/kept" / f"{found.name}-{found.revision}.jsonl"
    lines = [json.dumps(kept(found, number), separators=(",", ":")) for number in range(int(count))]
    with file.open("x", encoding="utf-8") as new:
        new.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
