"""The Sprinter at a table of a running server. It needs bot.py and sprinter.py beside it.

python guest.py http://127.0.0.1:8000/t/TABLE --name Sprinter
"""

from __future__ import annotations

from typing import Any

import bot
from sprinter import Sprinter

from paddock import Seeded, records


def choose(server: bot.Paddock, table: dict[str, Any], ask: dict[str, Any]) -> str:
    """Ask the Sprinter.

    The record of a running game has what our player has seen. ``complete`` deals the rest at random: the bot
    does not see that part.
    """
    seat: int = ask["seat"]
    record = records.read(server.get(f"/tables/{table['id']}/record"))
    seen = records.complete(record, Seeded(1)).seen(1 << seat)
    move = Sprinter().choose(seen, seat, seen.legal(seat), Seeded(ask["decision"]))
    return str(seen.title.text.move(seen.setup, move))


if __name__ == "__main__":
    bot.main(choose)
