"""Reads a network: it thinks with NumPy where that is installed, else in plain Python."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from paddock.bots.network_file import read
from paddock.bots.plain_network import PlainNetwork
from paddock.bots.thinking import Thinker
from paddock.core.extras import installed


def load_network(path: Any, shapes: Collection[tuple[int, int]] = ()) -> Thinker:
    """Read a file of weights as ``network_file.read`` does."""
    stored = read(path, shapes)
    if not installed("numpy"):
        return PlainNetwork(stored)
    from paddock.bots.network import Network  # imported late: it needs NumPy

    return Network.of(stored)
