"""An evening can be checked by anybody afterwards."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import paddock
from paddock import records
from paddock.bots import bot
from paddock.bots.fair import answer, check, commitment, keyed, seen_by
from paddock.cli import app
from paddock.core.errors import PaddockError
from paddock.core.game import Game
from paddock.features.clubs.fair import proof, said
from paddock.records.proof import mix

SECRET, LOTS = "a7" * 32, {1: "0b" * 32, 2: "", 3: "c4" * 16}
TITLE = paddock.title("rasant")
OPTIONS = TITLE.options.read({"players": 3})


def evening(**changes: Any) -> dict[str, Any]:
    """Return what a server tells of an evening of three deals."""
    entrants = [{"number": number, "lot": lot, "name": "x"} for number, lot in LOTS.items()]
    told = {
        "id": "ev",
        "title": "rasant",
        "revision": TITLE.revision,
        "options": OPTIONS.text,
        "level": "club",
    }
    told |= {"deal": 3, "commitment": commitment(SECRET), "secret": SECRET, "mixed": mix(LOTS)}
    return told | {"entrants": entrants} | changes


def record(deal: int) -> str:
    """Return the record of a table at which two people and a bot have played a deal."""
    game, chance, draw = Game(TITLE, OPTIONS), keyed(SECRET, said("ev", deal, mix(LOTS))), random.Random(deal)
    club = bot(TITLE, "club")
    while not game.over:
        if game.chance_due:
            game.append(game.draw(chance))
            continue
        for seat in game.deciders:
            seen = seen_by(game, seat)
            game.play(
                seat, answer(chance, club, seen, seat) if seat == 1 else [draw.choice(seen.legal(seat))]
            )
    return records.write(game, date="2026-03-01", players=[("Ana", None), ("Bot", "club"), ("Ben", None)])


def test_numbers_of_browsers_are_mixed_in_line_by_line() -> None:
    assert mix(LOTS) == hashlib.sha256(f"1 {LOTS[1]}\n3 {LOTS[3]}\n".encode()).hexdigest()
    assert mix({}) == hashlib.sha256(b"").hexdigest()


def test_a_record_is_found_among_the_deals_and_checked_move_by_move() -> None:
    found = proof(evening())
    assert found is not None and found.holds()
    text = record(2)
    race, made = check(records.read(text), found)
    bots = sum(entry.by == 1 for entry in records.read(text).game().log)
    assert (race.label, made.fault, made.moves) == ("deal 2", "", bots)
    assert made.outcomes > 30 and bots > 3
    forged = replace(records.read(text), players=(("Ana", "club"), ("Bot", None), ("Ben", None)))
    assert "the bot of player 1 plays" in check(forged, found)[1].fault
    other = proof(evening(secret="00" * 32))
    assert (
        other is not None and not other.holds() and "should be" in check(records.read(text), other)[1].fault
    )


def test_what_is_no_evening_that_is_over_is_refused() -> None:
    assert proof({"day": "2026-03-01", "races": []}) is None
    for bad in ({"secret": None}, {"secret": "x"}, {"deal": "two"}, {"entrants": [{"number": 1}]}):
        with pytest.raises(PaddockError, match="an evening that is over"):
            proof(evening(**bad))
    with pytest.raises(PaddockError, match="not those that were mixed"):
        proof(evening(mixed=mix({1: "00"})))


def test_the_command_checks_an_evening(tmp_path: Path) -> None:
    told, race, run = tmp_path / "evening.json", tmp_path / "race.txt", CliRunner().invoke
    told.write_text(json.dumps(evening()), "utf-8")
    race.write_text(record(3), "utf-8")
    good = run(app, ["fair", str(told), str(race)])
    assert good.exit_code == 0 and "secret matches the hash" in good.stdout and "(deal 3)" in good.stdout
    noted = run(app, ["fair", str(told), "--commitment", "0" * 64])
    assert noted.exit_code == 1 and "does NOT match the hash" in noted.stdout
    told.write_text(json.dumps(evening(deal=2)), "utf-8")
    wrong = run(app, ["fair", str(told), str(race)])
    assert wrong.exit_code == 1 and "does NOT match this secret: entry" in wrong.stdout
    for text, words in (("[]", "no proof"), ("x", "no proof"), ("{}", "nothing here knows")):
        told.write_text(text, "utf-8")
        refused = run(app, ["fair", str(told)])
        assert isinstance(refused.exception, PaddockError) and words in str(refused.exception)
