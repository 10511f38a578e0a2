"""A record can prove its chance: the line ``fair``."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

import paddock
from paddock import records
from paddock.bots.fair import check, commitment, draws, keyed, proof_in
from paddock.cli import app
from paddock.core.errors import BadRecord, PaddockError
from paddock.core.game import Game
from paddock.core.words import CHANCE
from paddock.records import Fair
from paddock.records.proof import mix

SECRET, NUMBERS = "5c" * 32, {1: "0b" * 16, 3: "c4" * 16}
FAIR = Fair("paddock table 1 abc", commitment(SECRET), SECRET, NUMBERS, mix(NUMBERS))
PEOPLE = [("Ana", None), ("Ben", None), ("Cleo", "club")]


@cache
def played() -> Game:
    """Return a game whose chance follows from the secret; everybody plays the first legal move."""
    game, chance = (
        Game(title := paddock.title("rasant"), title.options.read({"players": 3})),
        keyed(SECRET, FAIR.said),
    )
    while not game.over:
        if game.chance_due:
            game.append(game.draw(chance))
        else:
            seat = game.deciders[0]
            game.play(seat, [game.legal(seat)[0].id])
    return game


def text(fair: Fair | None = FAIR) -> str:
    """Return its record."""
    return records.write(played(), date="2026-03-01", players=PEOPLE, fair=fair)


def test_what_proves_a_record_survives_reading_and_writing() -> None:
    record = records.read(text())
    assert record.fair == FAIR
    assert "".join(records.write_all([record])) == text()
    daily = Fair("paddock daily 1 2026-03-01 rasant", commitment(SECRET), SECRET, level="club")
    assert records.read(text(daily)).fair == daily and daily.said == daily.name
    assert records.read(text(None)).fair is None


def test_numbers_are_mixed_in_line_by_line() -> None:
    assert mix(NUMBERS) == hashlib.sha256(f"1 {NUMBERS[1]}\n3 {NUMBERS[3]}\n".encode()).hexdigest()
    assert mix({}) == mix({2: ""}) == hashlib.sha256(b"").hexdigest()


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "[]",
        '{"name": "paddock table 1 abc"}',
        json.dumps({**json.loads(FAIR.line[6:]), "secret": "5C" * 32}),
        json.dumps({**json.loads(FAIR.line[6:]), "more": 1}),
        json.dumps({**json.loads(FAIR.line[6:]), "numbers": {"0": "ab"}}),
        json.dumps({**json.loads(FAIR.line[6:]), "numbers": {str(n): "ab" for n in range(1, 101)}}),
        json.dumps({**json.loads(FAIR.line[6:]), "name": "x" * 90}),
        json.dumps({**json.loads(FAIR.line[6:]), "mixed": 7}),
    ],
)
def test_a_line_that_is_no_proof_is_refused(line: str) -> None:
    lines = [row for row in text(None).splitlines() if not row.startswith("checksum")]
    at = next(n for n, row in enumerate(lines) if row.startswith("result")) + 1
    with pytest.raises(BadRecord, match="as Paddock writes it") as fault:
        records.read("\n".join([*lines[:at], f"fair: {line}", *lines[at:]]))
    assert fault.value.line == at + 1


def test_only_a_complete_record_proves_anything() -> None:
    with pytest.raises(PaddockError, match="only complete records"):
        records.write(played(), date="2026-03-01", players=PEOPLE, eyes=1, fair=FAIR)
    seen = records.write(played(), date="2026-03-01", players=PEOPLE, eyes=1).splitlines()
    at = next(n for n, row in enumerate(seen) if row.startswith("checksum"))
    with pytest.raises(BadRecord, match="only complete records"):
        records.read("\n".join([*seen[:at], FAIR.line, *seen[at + 1 :]]))


def test_a_record_is_checked_by_what_it_has_itself() -> None:
    record = records.read(text())
    proof = proof_in(record)
    assert proof is not None and proof.holds() and not proof.holds("0" * 64)
    _race, made = check(record, proof)
    outcomes = sum(entry.by == CHANCE for entry in played().log)
    assert (made.outcomes, made.moves, made.fault) == (
        outcomes,
        0,
        "",
    )  # anybody may have played the bot's seat
    other = proof_in(replace(record, fair=replace(FAIR, secret="00" * 32)))
    assert other is not None and not other.holds() and "should be" in check(record, other)[1].fault
    with pytest.raises(PaddockError, match="not those that were mixed"):
        proof_in(replace(record, fair=replace(FAIR, numbers={1: "00"})))
    numbers = replace(FAIR, numbers={1: "00"}, mixed=mix({1: "00"}))
    forged = proof_in(replace(record, fair=numbers))
    assert forged is not None and forged.holds() and "entry 1:" in check(record, forged)[1].fault
    assert proof_in(records.read(text(None))) is None


def test_the_draws_of_a_record_say_what_was_possible() -> None:
    game = played()
    found = draws(records.read(text()))
    came = [entry.what for entry in game.log if entry.by == CHANCE]
    assert [due.came for due in found] == came
    assert found[0].place == "1 line 1" and len(found[0].possible) == 4
    for due in found:
        weights = {number: weight for number, _notation, weight in due.possible}
        assert due.came in weights and min(weights.values()) > 0


def test_the_command_checks_records_that_prove_themselves(tmp_path: Path) -> None:
    race, plain, run = tmp_path / "race.txt", tmp_path / "plain.txt", CliRunner().invoke
    race.write_text(text(), "utf-8")
    good = run(app, ["fair", str(race), "--commitment", FAIR.commitment])
    assert good.exit_code == 0 and "paddock table 1 abc: the secret matches" in good.stdout
    assert "random outcomes and 0 bot moves match" in good.stdout
    assert run(app, ["fair", str(race), "--commitment", "0" * 64]).exit_code == 1
    race.write_text(text(replace(FAIR, secret="00" * 32)), "utf-8")
    bad = run(app, ["fair", str(race), str(race)])
    assert bad.exit_code == 1 and bad.stdout.count("does NOT match the hash") == 2
    plain.write_text(text(None), "utf-8")
    refused = run(app, ["fair", str(plain)])
    assert isinstance(refused.exception, PaddockError) and "does not prove its cards" in str(
        refused.exception
    )
