"""The script that measures the figures of docs/analysis.md: it plays games, and sees what does not add up."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

import ledger
from paddock.bots.ledger import KINDS, Amount, LedgerAccount


def test_it_plays_adds_up_and_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ledger.py", "rasant", "--games", "2", "--worlds", "2"])
    ledger.main()
    head, exact, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("rasant: 2 games, 2 from each moment, ")
    assert 0 <= float(exact.split()[-4]) < 1e-9, exact
    assert [row.endswith("luck") for row in rows] == [kind in ledger.LUCK for kind in KINDS]
    monkeypatch.setattr(sys, "argv", ["ledger.py", "--games", "1"])
    with pytest.raises(SystemExit):
        ledger.main()


def test_the_same_seed_plays_the_same_game_and_rookies_are_judged() -> None:
    game, again, other = (ledger.played("rasant", "rookie", seed) for seed in (5, 5, 6))
    assert game.log == again.log != other.log and game.over
    found = ledger.accounts_of(game, 8, "1")
    assert any(one.parts["skill"].points for one in found)
    assert ledger.missing(game, found) < 1e-9
    wrong = replace(found[0], result=found[0].result + 1)
    assert ledger.missing(game, [wrong, *found[1:]]) == pytest.approx(1)
    one = replace(found[0], parts=found[0].parts | {"deal": Amount(found[0].parts["deal"].points + 2, 0)})
    assert ledger.missing(game, [one, *found[1:]]) == pytest.approx(2)
    assert ledger.missing(game, found[1:]) == np.inf


def test_means_have_errors() -> None:
    games = [
        LedgerAccount(0, {kind: Amount(points, 0.1) for kind in KINDS}, 6 * points)
        for points in (1.0, 2.0, 6.0)
    ]
    for line in ledger.lines(games):
        assert (line.mean, line.error) == (3.0, pytest.approx((7 / 3) ** 0.5))
        assert line.z == pytest.approx(3 / line.error)
    nothing = replace(games[0], parts=dict.fromkeys(KINDS, Amount(0.0, 0.0)))
    assert [line.z for line in ledger.lines([nothing] * 2)] == [0.0] * len(KINDS)
