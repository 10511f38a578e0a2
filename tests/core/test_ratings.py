"""Ratings of bots from games of any number of players."""

from __future__ import annotations

import numpy as np
import pytest

from paddock.core.errors import PaddockError
from paddock.core.ratings import Rating, rate

SCALE = 2 * 25 / 6  # of four players: what a strength of 1 in Plackett and Luce's model is in openskill's


def games(strengths: list[float], count: int) -> list[tuple[list[int], list[int]]]:
    """Games of four that follow the model; some bots are several of the players."""
    rng = np.random.default_rng(4)
    tables = [
        [0, 0, 0, 1],
        [1, 1, 1, 0],
        [0, 0, 1, 1],
        [0, 2, 2, 2],
        [2, 1, 1, 1],
        [2, 2, 1, 1],
        [2, 0, 0, 0],
    ]
    made = []
    for n in range(count):
        who = tables[n % len(tables)]
        luck = np.array(strengths)[who] + rng.gumbel(size=4)
        made.append((who, (1 + (-luck).argsort().argsort()).tolist()))
    return made


def values(ratings: list[Rating]) -> np.ndarray:
    found = np.array([one.value for one in ratings])
    return found - found.mean()


def test_ratings_find_the_strengths_of_the_model_whatever_the_order() -> None:
    """The intervals of three bots contain the truth, and turning the order of the games changes little."""
    strengths = np.array([0.0, 0.5, 1.5])
    played = games(strengths.tolist(), 4000)
    ratings = rate(3, played)
    errors = np.array([one.error for one in ratings])
    assert (abs(values(ratings) - SCALE * (strengths - strengths.mean())) < 2 * errors).all()
    assert (errors > 0.2).all() and (errors < 0.5).all()
    assert (abs(values(ratings) - values(rate(3, played[::-1]))) < errors).all()


def test_no_place_is_behind_every_place() -> None:
    with_place = rate(2, [([0, 1], [1, 2])] * 20)
    assert rate(2, [([0, 1], [1, 0])] * 20) == with_place
    nobody = rate(2, [([0, 1], [0, 0])] * 20)
    assert nobody[0].value == nobody[1].value == 25


def test_a_bot_alone_learns_nothing_about_its_strength() -> None:
    (alone,) = rate(1, [([0, 0, 0], [1, 2, 3])] * 20)
    assert alone.value == pytest.approx(25)


def test_without_openskill_a_sentence_says_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.core.ratings.PACKAGE", "paddock_test_package")
    with pytest.raises(PaddockError, match="ratings needs the package paddock_test_package: run pip install"):
        rate(2, [])
