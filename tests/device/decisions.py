"""Plays games and says by digests what happened: the same in every Python.

It runs also in the browser's Python, so it needs nothing but Paddock: ``decisions.mjs`` runs it there.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence

import paddock
from paddock.bots import Bot, bot
from paddock.bots.champion import Champion, has_networks
from paddock.core.game import Game
from paddock.core.title import Title
from paddock.kernel.source import Seeded

LONGEST = 500  # decisions of a game: random moves end few races across a continent
RARE = 25  # decisions from one choice of the bots to the next: it costs as much as many decisions


def digests(name: str, some_options: Sequence[str], most: int) -> list[str]:
    """Return the decisions and the digest of games with these options, until there are so many decisions."""
    title, said = paddock.title(name), list[str]()
    seed = 0
    while most:
        options = title.options.read_text(some_options[seed % len(some_options)])
        digest, made = hashlib.sha256(), 0
        for line in played(Game(title, options, Seeded(seed)), random.Random(seed)):
            digest.update(line.encode())
            made += 1
            if made == min(LONGEST, most):
                break
        said.append(f"{made} {digest.hexdigest()}")
        most, seed = most - made, seed + 1
    return said


def played(game: Game, chance: random.Random) -> Iterator[str]:
    """Play to the end; yield each position, who decides there, the legal moves, and what bots choose."""
    bots, made = bots_of(game.title), 0
    while not game.over:
        seat = game.deciders[made % len(game.deciders)]
        legal = game.legal(seat).ids
        asked = bots if made % RARE == 0 else ()
        chosen = [each.choose(game.seen(1 << seat), seat, legal, Seeded(made)) for each in asked]
        yield f"{game.position} {seat} {legal} {chosen}\n"
        game.play(seat, chosen[-1] if chosen else chance.choice(legal))
        made += 1


def bots_of(title: Title) -> Sequence[Bot]:
    """Return the bots that think without a compiler: *Club*, and the network alone."""
    club = bot(title, "club")
    return [club, Champion(club, ahead=False)] if has_networks(title) else [club]
