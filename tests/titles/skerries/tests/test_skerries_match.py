"""Skerries in matches, with objects and programs in processes of their own."""

from __future__ import annotations

from pathlib import Path

import paddock
from lab.entrants import Chooser, First
from paddock.core.title import Title

EXAMPLE = f"cmd:sh {Path(__file__).resolve().parents[4] / 'examples/bot.sh'}"


def test_bots_of_all_kinds_play_series(skerries: Title) -> None:
    bots = [Chooser(), EXAMPLE, "rookie"]
    one = paddock.match("skerries", bots, 3, 4, options={"races": 2}, processes=1)
    two = paddock.match(skerries, bots, 3, 4, options={"races": 2}, processes=2)
    assert not one.forfeits.any()
    assert one.points.tolist() == two.points.tolist()


def test_the_games_of_a_deal_have_the_same_chance(skerries: Title) -> None:
    played = paddock.match(skerries, [First()] * 3, 9, 3)
    points = played.points.reshape(3, 3, 3)
    assert (points == points[:, :1]).all()
