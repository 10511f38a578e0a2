"""Watch the Sprinter race against three bots of Paddock, move by move.

python watch.py
"""

from __future__ import annotations

from sprinter import Sprinter

import paddock
from paddock.bots import bot

bots = [Sprinter(), bot("lacorsa", "rookie"), bot("lacorsa", "rookie"), bot("lacorsa", "club")]
names = ["Sprinter", "Rookie 1", "Rookie 2", "Club"]
game = paddock.start("lacorsa", drivers=4, races=1, names=names, seed=7)
rng = paddock.Seeded(1)  # the random numbers of the bots
while not game.over:
    told = len(game.log)
    for seat in game.deciders:
        seen = game.seen(1 << seat)  # what this seat sees, and nothing else
        game.play(seat, bots[seat].choose(seen, seat, seen.legal(seat), rng))
    print(*game.story_for(1 << 0, since=told), sep="\n")  # the story as the Sprinter learns it
