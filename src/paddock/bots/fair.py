"""Fair cards: all chance of a race follows from one secret, and so does what its bots play.

What is played by such a secret says its hash before, and the secret itself after the last race.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from paddock.bots.interface import Bot
from paddock.core.game import MOST_LINKS, Game
from paddock.core.title import Seen
from paddock.kernel.keyed import Keyed
from paddock.kernel.source import Seeded


def new_secret() -> str:
    """Return a random secret of 256 bits in hex."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """Return what is shown of a secret before its day is over: the SHA-256 of its 32 bytes, in hex."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def keyed(secret: str, said: str) -> Keyed:
    """Return the chance of a race: ``said`` names the race, and nothing else has this name."""
    return Keyed(hmac.digest(bytes.fromhex(secret), said.encode(), "sha256"))


# Bots


def answer(chance: Keyed, player: Bot, seen: Seen, seat: int) -> tuple[int, ...]:
    """Return what a bot submits at a decision: a move, and more links while its chain is open."""
    links: list[int] = []
    legal: Sequence[int] = seen.legal(seat)
    while True:
        links.append(player.choose(seen, seat, legal, Seeded(bot_seed(chance, seen, seat))))
        after = seen.preview(links[-1:], seat)
        seen, legal = after.seen, after.legal
        if after.ended or len(links) == MOST_LINKS:
            return tuple(links)


def bot_seed(chance: Keyed, seen: Seen, seat: int) -> int:
    """Return the seed for a bot's decision. It follows from what the seat sees, and not from the time."""
    head = f"bot {seat} {len(seen.rounds)} "
    return chance.seed(head.encode() + seen.state.present())


def seen_by(game: Game, seat: int) -> Seen:
    """Return what the player of a seat knows; what others commit at the same time is not a part of it."""
    return game.seen(game.options.eyes(game.options.owners[seat]))


# Results


def points_of(game: Game, player: int) -> int:
    """Return the points of a player after a race."""
    return next(line.total for line in game.standings().players if line.who == player)


def place_of(game: Game, player: int) -> int:
    """Return the place of a player after a race; 0 for none."""
    return next(line.rank for line in game.standings().players if line.who == player)
