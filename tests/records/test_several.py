"""Several records in one file: ``read_all`` and ``write_all``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import paddock
from paddock import records
from paddock.core.game import Game

PLAYERS = [("Ana", None), ("Ben", "club"), ("Cho", "rookie")]


def finished(seed: int, name: str = "rasant") -> Game:
    game = paddock.start(name, seed=seed, players=3)
    while not game.over:
        game.play(game.deciders[0], game.legal(game.deciders[0])[-1])
    return game


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [finished(seed) for seed in range(3)]


@pytest.fixture(scope="module")
def texts(games: list[Game]) -> list[str]:
    return [records.write(game, date="2026-03-01", players=PLAYERS) for game in games]


def test_games_are_written_one_by_one_and_read_one_by_one(games: list[Game], tmp_path: Path) -> None:
    taken = 0

    def played() -> Iterator[Game]:
        nonlocal taken
        for game in games:
            taken += 1
            yield game

    written = records.write_all(played(), date="2026-03-01", players=PLAYERS)
    assert taken == 0 and next(written).startswith("paddock record 1\n") and taken == 1
    file = tmp_path / "games.paddock"
    with file.open("w", encoding="utf-8") as lines:
        lines.writelines(records.write_all(iter(games), date="2026-03-01", players=PLAYERS))
    with file.open(encoding="utf-8") as lines:
        read = records.read_all(lines)
        assert [next(read).game().log for _ in games] == [game.log for game in games]
        assert next(read, None) is None


def test_a_file_of_several_records_is_their_texts_one_after_the_other(
    texts: list[str], games: list[Game]
) -> None:
    whole = "".join(records.write_all(games, date="2026-03-01", players=PLAYERS))
    assert whole == "\n".join(texts)  # an empty line between two
    for text in (
        whole,
        "".join(texts),
        "\ufeff" + "\ufeff".join(texts).replace("\n", "\r\n"),
        whole + "\n\n",
    ):
        for given in (text, text.splitlines(), text.splitlines(keepends=True)):
            read = list(records.read_all(given))
            assert [record.game().log for record in read] == [game.log for game in games]
            assert [record.number for record in read] == [1, 2, 3]
    assert [record.lines for record in records.read_all(texts[0])] == [records.read(texts[0]).lines]
    assert list(records.read_all("")) == list(records.read_all(["\n", "  \n"])) == []


def test_records_that_were_read_are_written_again(texts: list[str]) -> None:
    """With their own players and dates, which ``write_all`` then needs not."""
    kept = (record for record in records.read_all("".join(texts)) if record.number != 2)
    assert "".join(records.write_all(kept)) == "\n".join((texts[0], texts[2]))
    shown = list(records.read_all("".join(records.write_all(records.read_all("".join(texts)), eyes=1))))
    assert [record.eyes for record in shown] == [1, 1, 1] and not any(record.complete for record in shown)


def test_an_error_names_the_record_and_the_line_in_the_file_and_reading_can_go_on(texts: list[str]) -> None:
    broken = texts[1].replace("date: 2026-03-01", "date: tomorrow")
    at = len(texts[0].splitlines()) + broken.splitlines().index("date: tomorrow") + 1
    read = records.read_all(texts[0] + broken + texts[2])
    assert next(read).number == 1
    with pytest.raises(records.BadRecord, match=f"^record 2, line {at}: “tomorrow” is not a date") as error:
        next(read)
    assert (error.value.record, error.value.line) == (2, at)
    assert error.value.reason.startswith("“tomorrow” is not a date")
    third = next(read)
    assert third.number == 3 and third.game().over and next(read, None) is None


def test_an_illegal_line_found_by_the_replay_is_named_in_the_same_way(texts: list[str]) -> None:
    lines = texts[1].splitlines()
    wrong = next(n for n, line in enumerate(lines) if line.startswith(("1: ", "2: ", "3: ")))
    lines[wrong] = "3: pass" if not lines[wrong].startswith("3: ") else "1: pass"
    changed = "\n".join(line for line in lines if not line.startswith("checksum")) + "\n"
    at = len(texts[0].splitlines()) + wrong  # one line was removed
    second = list(records.read_all(texts[0] + changed))[1]
    with pytest.raises(records.BadRecord, match=f"^record 2, line {at}: ") as error:
        second.game()
    assert (error.value.record, error.value.line) == (2, at)
    (fault,) = records.check(second)
    assert fault.startswith(f"record 2, line {at}: ")
    with pytest.raises(records.BadRecord, match=f"^record 2, line {at}: "):
        records.complete(second, paddock.Seeded(1))


def test_one_record_alone_has_no_number_in_errors() -> None:
    with pytest.raises(records.BadRecord, match=r"^line 1: a record begins with") as error:
        records.read("x")
    assert error.value.record is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x\n", "^record 1, line 1: a record begins with the line"),
        ("\n\nx\npaddock record 1\n", "^record 1, line 3: a record begins with the line"),
        ("paddock record 2\ntitle: rasant/2\n", "^record 1, line 1: a record begins with the line"),
        ("paddock record 1\n", "^record 1, line 1: write the line “title: …” here"),
    ],
)
def test_text_that_is_no_record_is_refused(text: str, words: str) -> None:
    with pytest.raises(records.BadRecord, match=words):
        next(records.read_all(text))


@pytest.mark.parametrize("given", [7, None, b"paddock record 1\n", [7], [b"paddock record 1\n"]])
def test_only_texts_and_lines_of_text_are_read(given: object) -> None:
    with pytest.raises(paddock.PaddockError, match="give a text, or its lines, as an open file has them"):
        next(records.read_all(given))  # type: ignore[arg-type]


def test_what_cannot_be_written_says_which_one(games: list[Game], texts: list[str]) -> None:
    here = paddock.position(paddock.start("rasant", seed=1).position, seed=1)
    here.play(here.deciders[0], here.legal(here.deciders[0])[0])
    written = records.write_all([games[0], here], date="2026-03-01", players=PLAYERS)
    next(written)
    with pytest.raises(paddock.PaddockError, match=r"^record 2: this game started from a position"):
        next(written)
    for given in ("text", 7, None):
        with pytest.raises(paddock.PaddockError, match=r"^record 1: give a game"):
            next(records.write_all([given], date="2026-03-01", players=PLAYERS))  # type: ignore[list-item]
    with pytest.raises(paddock.PaddockError, match=r"^record 1: give the date and the players of a game"):
        next(records.write_all(games))
    partial = records.read(records.write(games[0], date="2026-03-01", players=PLAYERS, eyes=1))
    with pytest.raises(paddock.PaddockError, match=r"^record 1: line [0-9]+: “[?]” is hidden"):
        next(records.write_all([partial]))
