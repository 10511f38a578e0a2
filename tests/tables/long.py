"""A championship whose log and record are long, and its upload, which waits for a file."""

from __future__ import annotations

import os
from functools import cache

import paddock
from paddock import records
from paddock.kernel.source import Seeded
from paddock.tables import replaying
from tables.held import held


@cache
def championship(drivers: int = 12, races: int = 9) -> str:
    """Return the record of a championship, usually one of twelve cars."""
    game = paddock.start("lacorsa", drivers=drivers, races=races, large_grid=drivers > 6, seed=1)
    rng = Seeded(1)
    while not game.over:
        seat = game.deciders[0]
        legal = game.legal(seat).ids
        game.play(seat, legal[rng.below(len(legal))])
    text = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    assert len(game.log) > replaying.LONG_LOG and len(text) > replaying.LONG_TEXT
    return text


really = replaying.upload


def held_upload(text: str) -> replaying.Uploaded:
    """Upload a record, but wait in the folder $PADDOCK_TEST_HELD first."""
    held(os.environ["PADDOCK_TEST_HELD"])
    return really(text)
