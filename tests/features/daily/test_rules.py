"""What follows from the secret of a day, and how it is checked."""

from __future__ import annotations

import hashlib
import itertools
import random
import re
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import paddock
from paddock import records
from paddock.bots import bot, fair
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.core.words import CHANCE
from paddock.features.daily import fair as proofs
from paddock.features.daily import rules
from paddock.records import Record

DAY, SECRET = "2026-03-01", "5e" * 32


def attempt(name: str, seed: int = 1, secret: str = SECRET) -> tuple[rules.Deal, Record]:
    """Play the race of the day at random; return it and the record."""
    deal = rules.deal_of(paddock.title(name), DAY, secret)
    title, options = deal.read
    game, chance, choose = Game(title, options), rules.source(DAY, name, secret), random.Random(seed)
    club = bot(title, deal.level)
    while not game.over:
        if game.chance_due:
            game.append(game.draw(chance))
            continue
        chosen: dict[int, Any] = {}
        for seat in game.deciders:
            seen = fair.seen_by(game, seat)
            if rules.mine(deal, game, seat):
                chosen[seat] = [choose.choice(seen.legal(seat))]
                while not (after := seen.preview(chosen[seat], seat)).ended:
                    chosen[seat].append(choose.choice(after.legal))
            else:
                chosen[seat] = fair.answer(chance, club, seen, seat)
        for seat, links in chosen.items():
            game.play(seat, links)
    return deal, recorded(game)


def recorded(game: Game) -> Record:
    """Return the record of a game, as it is read."""
    return records.read(records.write(game, date=DAY, players=[(name, None) for name in game.names]))


def test_days_end_at_midnight_utc() -> None:
    assert rules.day_of(datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC)) == "2026-02-28"
    assert rules.end_of("2026-02-28") == datetime(2026, 3, 1, tzinfo=UTC)
    assert rules.shifted("2026-03-01", -1) == "2026-02-28"
    given = ("2026-02-28", "2026-02-30", "2026-2-28", "x", "9999-12-31")
    assert [text for text in given if rules.is_day(text)] == ["2026-02-28"]


def test_a_secret_is_shown_by_its_hash() -> None:
    assert fair.commitment(SECRET) == hashlib.sha256(b"\x5e" * 32).hexdigest()
    assert len({fair.new_secret() for _ in range(3)}) == 3


def test_seats_change_from_day_to_day_and_titles_have_cards_of_their_own() -> None:
    title = paddock.title("rasant")
    deals = [rules.deal_of(title, rules.shifted(DAY, n), SECRET) for n in range(30)]
    assert {deal.player for deal in deals} == {0, 1, 2, 3}
    assert deals[0].options == title.options.read(title.presets[0].values).text
    keys = {rules.source(day, name, SECRET).seed(b"") for day in (DAY, "2026-03-02") for name in ("a", "b")}
    assert len(keys) == 4


@pytest.mark.parametrize("name", ["lacorsa", "rasant", "great_race"])
def test_a_race_is_checked_move_by_move(name: str) -> None:
    deal, record = attempt(name)
    made = fair.check_race(record, proofs.race_of(deal), SECRET)
    log = record.game().log
    assert (made.fault, made.outcomes) == ("", sum(entry.by == CHANCE for entry in log))
    assert 0 < made.moves < len(log) - made.outcomes
    assert "should be" in fair.check_race(record, proofs.race_of(deal), "0" * 64).fault


def test_a_bot_that_played_something_else_is_found() -> None:
    deal, record = attempt("rasant")
    title, options = deal.read
    other = next(seat for seat in range(options.seats) if seat != deal.player)
    fault = fair.check_race(record, proofs.race_of(replace(deal, player=other)), SECRET).fault
    assert "the bot of player" in fault and "and not" in fault
    race = proofs.race_of(replace(deal, options=title.options.read({"players": 3}).text))
    with pytest.raises(PaddockError, match="not from 2026-03-01"):
        fair.check(record, fair.Proof(DAY, fair.commitment(SECRET), SECRET, (race,)))


def test_par_is_the_same_in_one_go_and_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.features.daily.rules.time.monotonic", itertools.count().__next__)
    deal = rules.deal_of(paddock.title("rasant"), DAY, SECRET)
    _log, points = rules.further(deal, SECRET, (), "club", float("inf"))
    log, found, pieces = list[Any](), None, 0
    while found is None:
        log, found = rules.further(deal, SECRET, log, "club", 7)
        pieces += 1
    assert found == points is not None and pieces > 1
    game = Game(*deal.read)
    for entry in log:
        game.append(entry)
    assert fair.check_race(recorded(game), proofs.race_of(deal), SECRET).fault == ""
    assert points == fair.points_of(game, deal.player) and 1 <= fair.place_of(game, deal.player) <= 4


def test_outcomes_are_numbered_as_the_documentation_says() -> None:
    page = (Path(__file__).parents[3] / "docs/daily.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)`:.*\| (\d+) \| `(.+)` \|$", page, re.MULTILINE)
    said: dict[str, dict[int, str]] = {name: {} for name, _first, _words in rows}
    for name, first, words in rows:
        said[name] |= dict(enumerate(words.split(), int(first)))
    for name, numbered in said.items():
        deal, record = attempt(name)
        title, options = deal.read
        game = Game(title, options)
        for number, words in numbered.items():
            assert str(title.text.outcome(game.setup, number)) == words
        drawn = {entry.what for entry in record.game().log if entry.by == CHANCE}
        assert drawn <= set(numbered), "every outcome of the race has its number there"


def test_a_day_is_read_strictly() -> None:
    race = asdict(rules.deal_of(paddock.title("rasant"), DAY, SECRET)) | {"par": 7, "par_level": "works"}
    day: dict[str, Any] = {"day": DAY, "commitment": fair.commitment(SECRET), "secret": SECRET}
    day |= {"races": [race | {"begun": 3}], "streak": {}}
    read, known = proofs.read_day(day), proofs.proof(day)
    assert read.races[0].par == 7 and read.races[0].read[0] is paddock.title("rasant")
    assert known is not None and known.holds() and known.holds(f" {day['commitment'].upper()}\n")
    assert not known.holds("0" * 64) and proofs.proof({"day": DAY, "entrants": []}) is None
    for bad in ({}, day | {"secret": None}, day | {"races": [{}]}, day | {"races": 3}):
        with pytest.raises(PaddockError, match="not about a day"):
            proofs.read_day(bad)
    with pytest.raises(PaddockError, match="not public yet"):
        proofs.proof(day | {"secret": "x"})
