"""Tries a title's room ``records.py`` on records of random games: ``paddock invariants``."""

from __future__ import annotations

import random

from paddock.core.errors import BadRecord
from paddock.core.game import Game
from paddock.core.title import Title
from paddock.kernel.source import Seed, Seeded
from paddock.kernel.watch import random_options
from paddock.records.fill import complete
from paddock.records.reader import read
from paddock.records.writer import write

GAMES = 6
MOST_DECISIONS = 150  # of each game


def trial(title: Title, seed: Seed) -> str:
    """Fill in the records that a spectator and a player get of random games; return what fails, if any."""
    choose = random.Random(f"{seed}")
    for index in range(GAMES):
        options = random_options(title, choose)
        game = Game(title, options, Seeded(seed, index))
        for _decision in range(MOST_DECISIONS):
            if game.over:
                break
            seat = choose.choice(game.deciders)
            game.play(seat, choose.choice(game.legal(seat).ids))
        people = [(name, None) for name in game.names]
        for eyes in (0, options.eyes(choose.randrange(options.players))):
            text = write(game, date="2000-01-01", players=people, eyes=eyes)
            try:
                complete(read(text), Seeded(seed, index))
            except BadRecord as fault:
                notes = " ".join(getattr(fault, "__notes__", ()))
                return f"a record of a game with {options.text} cannot be filled in: {fault}; {notes}"
    return ""
