"""Worker processes that choose moves for bots, so that the server stays responsive."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from paddock.bots.registry import bot
from paddock.core.beside import BesideLoop, Lost
from paddock.core.series import RoundResult
from paddock.core.threaded import THREADED
from paddock.core.title import Seen, title
from paddock.kernel.source import Seeded

WORKERS = 2
LONGEST_S = 60.0  # seconds of one decision: a busy machine takes some to start a worker
TRIES = 3  # workers that may be lost with one decision

log = logging.getLogger("paddock.bots")


@dataclass(frozen=True)
class PackedSeen:
    """A ``Seen`` as plain data, for another process. Equal if the eyes cannot tell the positions apart."""

    title: str
    revision: int  # of its rules
    options: str
    names: tuple[str, ...]
    rounds: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # scores and places
    eyes: int
    state: bytes  # hidden for ``eyes``


@dataclass(frozen=True)
class Parcel(PackedSeen):
    """The message to a worker: a ``Seen`` and the decision, as plain data."""

    level: str
    seat: int
    legal: tuple[int, ...]
    seed: int


def packed(seen: Seen) -> PackedSeen:
    """Pack what somebody sees."""
    return PackedSeen(
        title=seen.title.name,
        revision=seen.title.revision,
        options=seen.options.text,
        names=seen.names,
        rounds=tuple((r.scores, r.places) for r in seen.rounds),
        eyes=seen.eyes,
        state=seen.state.tobytes(),
    )


def pack(level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> Parcel:
    """Pack a decision. Parcels are equal if the seat cannot tell the positions apart."""
    return Parcel(**vars(packed(seen)), level=level, seat=seat, legal=tuple(legal), seed=seed)


def unpack(packed: PackedSeen) -> Seen:
    """Unpack the ``Seen`` of a parcel."""
    found_title = title(packed.title).at(packed.revision)
    options = found_title.options.read_text(packed.options, revision=found_title.revision)
    state = found_title.rules.State.frombytes(packed.state)
    rounds = tuple(RoundResult(scores, places) for scores, places in packed.rounds)
    return Seen(found_title, options, found_title.setup_of(options), state, packed.eyes, rounds, packed.names)


def think(parcel: Parcel) -> int:
    """Run the bot of a parcel, and return the move that it chooses."""
    seen = unpack(parcel)
    player = bot(seen.title, parcel.level, wait=False)
    move = player.choose(seen, parcel.seat, parcel.legal, Seeded(parcel.seed))
    if move not in parcel.legal:
        raise RuntimeError(f"the bot {parcel.level} of {parcel.title} chose {move}, which is not legal")
    return move


class BotPool:
    """Worker processes for the decisions of bots. One that dies or hangs does not hold up the others.

    Close it, or use it as a context manager.
    """

    def __init__(
        self, workers: int = WORKERS, longest: float = LONGEST_S, beside: BesideLoop = THREADED
    ) -> None:
        self._longest = longest
        self._pool = beside.pool(workers)

    async def choose(self, level: str, seen: Seen, seat: int, legal: Sequence[int], seed: int) -> int:
        """Return the bot's move, one of ``legal``; the same arguments give the same move, except that
        in workers that have not compiled yet *Works* plays as *Club*, and *Champion* as its network alone.

        Raises ``BadOption`` for an unknown level, and ``Lost`` if several workers died or took too long. The
        bot never runs in this process: it would take the server with it.
        """
        bot(seen.title, level, wait=False)
        parcel = pack(level, seen, seat, legal, seed)
        lost = 0
        while True:
            try:
                return await asyncio.wrap_future(self._pool.submit(think, parcel, seconds=self._longest))
            except Lost as reason:
                log.warning("the bot %s of %s did not answer: %s", level, parcel.title, reason)
                lost += 1
                if lost == TRIES:
                    raise

    def close(self) -> None:
        """Stop the workers, whatever they do."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
