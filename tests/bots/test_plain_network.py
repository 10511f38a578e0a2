"""Networks without NumPy say the same as with it."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np
import pytest

import paddock
from paddock.bots import bot
from paddock.bots.champion import FOLDER, has_networks, sums_of
from paddock.bots.network import Network
from paddock.bots.network_file import read
from paddock.bots.plain_network import PlainNetwork
from paddock.core.title import Title
from paddock.kernel.source import Seeded

DECISIONS = 60
NEAR = 1e-6  # of the largest number: NumPy calculates in single precision
TITLES = [title for title in paddock.titles().values() if has_networks(title)]


@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.name)
def test_every_shipped_network_says_the_same_in_plain_python(title: Title) -> None:
    folder = title.file(FOLDER)
    assert isinstance(folder, Path)
    both = [(Network.load(file), PlainNetwork(read(file))) for file in sorted(folder.glob("*.npz"))]
    assert both and all(plain.shape == network.shape for network, plain in both)
    game, club = paddock.start(title.name, seed=5, **{title.players_option: 4}), bot(title, "club")
    for n in range(DECISIONS):
        seat = game.deciders[0]
        seen = game.seen(1 << seat)
        legal = seen.legal(seat)
        for network, plain in both:
            expected = sums_of(network, seen, seat, legal, Seeded(n).rng)
            said = sums_of(plain, seen, seat, legal, Seeded(n).rng)
            assert said == pytest.approx(expected, abs=NEAR * max(1, *map(abs, expected)), rel=0)
        game.play(seat, club.choose(seen, seat, legal, Seeded(n)))


def test_a_file_with_columns_first_or_other_numbers_is_read_as_numpy_reads_it(tmp_path: Path) -> None:
    made = Network.new(5, 3, 1, prior=2.0, hidden=8)
    for order in ("C", "F"):
        for kind in (np.float16, np.float32, np.float64):
            arrays = {
                f"w{i}": np.array(matrix, kind, order=order) for i, (matrix, _) in enumerate(made.layers)
            }
            arrays |= {f"b{i}": np.array(bias, kind) for i, (_, bias) in enumerate(made.layers)}
            file = tmp_path / "network.npz"
            np.savez(file, form=1, prior=2.0, sharp=0.5, facts=repr({"é": 1}), **arrays)
            stored = read(file)
            assert (stored.prior, stored.sharp, stored.facts) == (2.0, 0.5, {"é": 1})
            with np.load(file) as data:
                names = [f"{letter}{i}" for i in range(3) for letter in "wb"]
                for numbers, name in zip(chain(*stored.layers), names, strict=True):
                    assert np.array_equal(np.array(numbers), data[name].astype(float))
