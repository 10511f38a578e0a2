"""Partial records replayed with a guide, without one, and with the title's own, on LACORSA."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.title import Title
from paddock.core.words import CHANCE, HIDDEN
from paddock.games.lacorsa.words import records as hands
from paddock.kernel.source import Seeded
from paddock.records import guided

DECK, AWAY = -1, -3


def passes(g: Any, by: int, heading: str, what: int) -> list[tuple[int, int, int]]:
    """LC-1.2, LC-5.5 a dealt card, and the cards of a move."""
    if by != CHANCE:
        return [(card, by, AWAY) for card in hands.uses(g, what)]
    seat = hands.owner(g, heading)
    return [] if seat is None else [(what, DECK, seat)]


def cards(s: Any, g: Any, place: int) -> list[int]:
    """The cards of a hand; there is no pile."""
    return [kind for kind in range(13) for _ in range(s.hand[place, kind])] if place >= 0 else []


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Replace the room ``records.py`` of LACORSA."""
    made = SimpleNamespace()
    replace_room(monkeypatch, made)
    return made


def replace_room(monkeypatch: pytest.MonkeyPatch, made: SimpleNamespace | None) -> None:
    """Replace no other room: a title keeps those that it has imported."""
    real = Title.room
    monkeypatch.setattr(Title, "room", lambda title, name: made if name == "records" else real(title, name))


def played(moves: int, seed: int = 3, races: int = 1) -> Game:
    game = paddock.start("lacorsa", seed=seed, drivers=4, races=races)
    choose = random.Random(seed)
    while not game.over and moves:
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(game.legal(seat).ids))
        moves -= 1
    return game


def written(game: Game, eyes: int) -> str:
    return records.write(game, date="2026-03-01", players=[(name, None) for name in game.names], eyes=eyes)


def changed(text: str, old: str, new: str) -> records.Record:
    """Change a line of the record, and remove the checksum."""
    lines = [line for line in text.split("\n") if not line.startswith("checksum")]
    lines[lines.index(old)] = new
    return records.read("\n".join(lines))


@pytest.mark.parametrize("eyes", [0, 1, 6])
def test_a_whole_game_is_filled_in_by_the_cards_that_pass(room: SimpleNamespace, eyes: int) -> None:
    room.passes, room.cards = passes, cards
    for seed in range(3):
        game = played(10**6, seed)
        text = written(game, eyes)
        record = records.read(text)
        assert records.check(record) == []
        other = records.complete(record, Seeded(seed))
        assert written(other, eyes) == text and other.over
        assert other.log != game.log
        assert written(records.complete(record, Seeded(seed)), 15) == written(other, 15)


def test_a_card_too_many_is_refused_where_it_is_played(room: SimpleNamespace) -> None:
    """There are four cards of each rank: the fifth visible one is the first impossible line."""
    room.passes, room.cards = passes, cards
    lines = written(played(10**6), 0).split("\n")
    shown: Counter[str] = Counter()
    for line in lines:
        found = re.fullmatch(r"[1-4]: (x?)(\d+)(\+R)?", line)
        if found and 4 in shown.values():
            break
        shown[found[2] if found else ""] += bool(found)
    assert found
    rank = next(rank for rank, n in shown.items() if n == 4)
    record = changed("\n".join(lines), line, f"{line[0]}: {found[1]}{rank}")
    fault = f"line {lines.index(line)}: LC-5.1 the hand holds no {rank}"  # the checksum is gone
    assert records.check(record) == [fault]
    for seed in range(5):
        with pytest.raises(paddock.BadRecord) as caught:
            records.complete(record, Seeded(seed))
        assert str(caught.value) == fault


def test_a_public_fault_is_found_without_another_try(
    room: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []
    real = guided.filled
    monkeypatch.setattr(guided, "filled", lambda *args: tries.append(1) or real(*args))
    text = written(played(3), 15)
    assert "?" not in text
    line = next(line for line in text.split("\n") if line.startswith("deal 2: "))
    (fault,) = records.check(changed(text, line, "deal 2: 4 4 4 4 4 4"))
    assert "not possible" in fault and len(tries) == 1


def test_twice_as_many_choices_are_undone_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The header says that the game is over: no attempt gets further than the last line."""
    replace_room(monkeypatch, None)
    kept: list[int] = []

    class Noted(guided._Try):
        def __init__(self, record: Any, rng: Any, guide_of: Any, before: Sequence[int]) -> None:
            kept.append(len(before))
            super().__init__(record, rng, guide_of, before)

    monkeypatch.setattr(guided, "_Try", Noted)
    text = written(played(1), 0)
    (line,) = (line for line in text.split("\n") if line.startswith("result: "))
    record = changed(text, line, "result: 1 Driver 1 9")
    with pytest.raises(paddock.BadRecord, match="the record ends before the game"):
        records.complete(record, Seeded(1))
    choices = sum(line.whats.count(HIDDEN) for line in record.lines)
    assert kept == [0, *(max(0, choices - 2**n) for n in range(guided.MOST_TRIES - 1))]


def test_every_line_has_its_place_in_its_round() -> None:
    record = records.read(written(played(10**6, races=2), 0))
    attempt = guided._Try(record, Seeded(1), lambda lines: None, [])
    before, *rounds = attempt.rounds
    assert not before and len(rounds) == 2
    for line in record.lines:
        if line.by is not None:
            round, at = attempt.place[line.number]
            assert attempt.rounds[round][at] is line


def test_what_the_header_says_is_compared_after_all_lines(room: SimpleNamespace) -> None:
    room.passes, room.cards = passes, cards
    text = written(played(10**6), 0)
    line = next(line for line in text.split("\n") if line.startswith("result: "))
    (fault,) = records.check(changed(text, line, line[:-1] + "9"))
    assert fault.startswith("line 10: the header says")


def test_what_these_eyes_saw_is_no_question_mark(room: SimpleNamespace) -> None:
    room.passes, room.cards = passes, cards
    text = written(played(3), 1)
    line = next(line for line in text.split("\n") if line.startswith("deal 1: "))
    (fault,) = records.check(changed(text, line, "deal 1:" + " ?" * 13))
    assert "the seats in “eyes” saw this" in fault


def test_a_title_without_the_room_is_filled_in_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The replay backtracks until the hand has the cards that it plays."""
    replace_room(monkeypatch, None)
    for seed in range(8):
        text = written(played(3, seed), 0)
        record = records.read(text)
        assert records.check(record) == []
        assert written(records.complete(record, Seeded(seed)), 0) == text


def test_a_title_brings_a_guide_of_its_own(room: SimpleNamespace) -> None:
    """The guide gets the state, the line and the place; values without weight are not chosen."""
    asked: list[tuple[int, int]] = []
    made: list[Sequence[tuple[int, str, Sequence[int]]]] = []

    class Guide:
        def weigh(self, s: Any, at: int, place: int, weights: Mapping[int, int]) -> Mapping[int, int]:
            asked.append((at, place))
            (dealt,) = {sum(s.hand[1, kind] for kind in range(13))} if at == 1 else {place}
            assert dealt == place and all(weights.values())
            return {kind: n if kind == max(weights) else 0 for kind, n in weights.items()}

    def guide(g: Any, lines: Sequence[tuple[int, str, Sequence[int]]], rng: Any) -> Guide:
        assert rng.below(1) == 0 and g.deck
        made.append(lines)
        return Guide()

    room.guide = guide
    game = played(0)
    twin = records.complete(records.read(written(game, 1)), Seeded(1))
    (lines,) = made
    assert [heading for _by, heading, _whats in lines] == ["deal 1", "deal 2", "deal 3", "deal 4"]
    assert lines[0][2] == tuple(entry.what for entry in game.log[:13]) and lines[1] == (
        CHANCE,
        "deal 2",
        (HIDDEN,) * 13,
    )
    assert asked == [(at, place) for at in (1, 2, 3) for place in range(13)]
    second = [entry.what for entry in twin.log[13:26]]
    assert second == sorted(second, reverse=True)


def test_every_round_has_a_guide(room: SimpleNamespace) -> None:
    made: list[int] = []
    room.passes, room.cards = passes, cards
    room.guide = lambda g, lines, rng: made.append(len(lines)) or guided_by_cards(g, lines, rng)

    def guided_by_cards(g: Any, lines: Any, rng: Any) -> Any:
        return records.passing.Passes(room, g, lines, 4, rng)

    game = paddock.start("lacorsa", seed=1, drivers=4, races=2)
    choose = random.Random(1)
    while not game.over:
        game.play(game.deciders[0], choose.choice(game.legal(game.deciders[0]).ids))
    text = written(game, 2)
    assert written(records.complete(records.read(text), Seeded(1)), 2) == text
    assert len(made) == 2 and min(made) > 20
