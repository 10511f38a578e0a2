"""What is no record, game or text is refused by name."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock import records
from paddock.kernel.source import Seeded
from records.test_records import DATE, started, written


@pytest.mark.parametrize("wrong", [None, 7, b"paddock record 1", ["paddock record 1"]])
def test_what_is_no_text_is_refused(wrong):
    with pytest.raises(paddock.PaddockError, match="give the text of a record, not"):
        records.read(wrong)


@pytest.mark.parametrize("wrong", [None, "paddock record 1", 7])
def test_what_is_no_record_is_refused(wrong):
    for call in (lambda: records.check(wrong), lambda: records.complete(wrong, Seeded(1))):
        with pytest.raises(
            paddock.PaddockError, match=r"give a record, as paddock\.records\.read returns it"
        ):
            call()


@pytest.mark.parametrize("wrong", [None, 7, random.Random(1)])
def test_what_is_no_chance_is_refused(wrong):
    with pytest.raises(paddock.PaddockError, match="give a chance source"):
        records.complete(records.read(written(started(), 1)), wrong)


@pytest.mark.parametrize("wrong", [None, "lacorsa", 7])
def test_what_is_no_game_is_refused(wrong):
    with pytest.raises(paddock.PaddockError, match=r"give a game, as paddock\.start returns it"):
        records.write(wrong, date=DATE, players=[])


@pytest.mark.parametrize("wrong", [None, 7, ["Ana", "Ben", "Cho", "Dan"], [("Ana", 1)] * 4, [(1, None)] * 4])
def test_what_are_no_players_is_refused(wrong):
    with pytest.raises(paddock.PaddockError, match="players: give a name and a bot level"):
        records.write(started(), date=DATE, players=wrong)


@pytest.mark.parametrize("wrong", ["1", 1.0, True, [0]])
def test_what_are_no_eyes_is_refused(wrong):
    with pytest.raises(paddock.PaddockError, match="eyes: give a bitmask"):
        written(started(), wrong)
