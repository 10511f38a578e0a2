"""A game is computed from its log: undo, ``at``, submissions, and the snapshots in between."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.core.test_game import random_game
from tests.titles import TITLES

import paddock
from paddock.core import game as core
from paddock.core.game import Game
from paddock.core.log import Entry, Event, EventBatch, EventLog, Log
from paddock.core.words import CHANCE
from sampling import SEED, count, seeds, some


def stands(game: Game) -> tuple[Any, ...]:
    """Return everything that defines a game at one moment."""
    return *packed(game), game.position, list(game.log), list(game.events), game.story


def packed(game: Game) -> tuple[Any, ...]:
    """Return what the rest follows from: cheap enough for every moment of a long game."""
    logs = [getattr(log, name) for log in (game.log.copy(), game.events.copy()) for name in log.__slots__]
    return len(game.log), game.digest, game._state.tobytes(), logs, list(game.rounds), game.deciders


def replay(game: Game, length: int) -> Game:
    """Replay the game from its start, entry by entry."""
    again = Game(game.title, game.options, None, game.names)
    for entry in game.log[:length]:
        again.append(entry)
    return again


@pytest.fixture(params=[3, core.SPACING])
def spacing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The distance between two snapshots: small, and the default."""
    monkeypatch.setattr(core, "SPACING", request.param)
    return int(request.param)


@pytest.mark.parametrize("name", TITLES)
def test_the_log_folds_to_the_same_game(name: str) -> None:
    for seed in range(count(5, 12)):
        *_, (game, _) = random_game(name, seed)
        fold = replay(game, len(game.log))
        assert stands(fold) == stands(game)
        assert fold == game
        assert fold.result == game.result


@pytest.mark.parametrize("name", TITLES)
def test_undo_takes_back_submissions_to_the_start(name: str, spacing: int) -> None:
    """Undo returns the moves of each submission, and removes the chance after it."""
    for seed in seeds(2, 4):
        before = [packed(game) for game, _ in random_game(name, seed)]
        *_, (game, _) = random_game(name, seed)
        begun, whole = stands(game.at(before[0][0])), list(game.log)
        end = len(whole)
        for stood in reversed(before[:-1]):
            taken = game.undo()
            assert taken == [entry for entry in whole[stood[0] : end] if entry.by != CHANCE]
            assert packed(game) == stood
            end = stood[0]
        assert stands(game) == begun
        with pytest.raises(paddock.BadMove, match="nothing to undo"):
            game.undo()


@pytest.mark.parametrize("name", TITLES)
def test_a_game_goes_on_alike_after_an_undo(name: str, spacing: int) -> None:
    for seed in range(count(2, 4)):
        *_, (game, choose) = random_game(name, seed)
        whole, last = stands(game), list(game.log)
        for _ in range(choose.randint(1, 30)):
            game.undo()
        game.chance = None  # what fell then falls again
        for entry in last[len(game.log) :]:
            game.append(entry)
        assert stands(game) == whole


@pytest.mark.parametrize("name", TITLES)
def test_at_is_the_game_after_so_many_entries(name: str, spacing: int) -> None:
    *_, (game, _) = random_game(name, SEED + 5)
    chosen = {0, len(game.log), *some(range(len(game.log)), 70)}
    whole, again = stands(game), replay(game, 0)
    for n, entry in enumerate([*game.log, None]):
        if n in chosen:
            assert packed(game.at(n)) == packed(again)
        if entry is not None:
            again.append(entry)
    assert stands(game.at(len(game.log) // 2)) == stands(replay(game, len(game.log) // 2))
    assert stands(game) == whole
    for n in (-1, len(game.log) + 1):
        with pytest.raises(paddock.PaddockError, match="choose a log entry between 0 and"):
            game.at(n)


def test_at_draws_nothing() -> None:
    game = paddock.start("lacorsa", seed=1)
    assert game.at(3).chance_due and game.at(3).chance is None


@pytest.mark.parametrize("name", TITLES)
def test_few_states_are_kept(name: str) -> None:
    """The latest two submissions, and one for each ``SPACING`` entries before."""
    for seed in range(6):
        for game, _ in random_game(name, seed):
            assert len(game._snapshots) <= 4 + 2 * len(game.log) // core.SPACING
            assert game._snapshots[0].at == 0


@pytest.mark.parametrize("name", TITLES)
def test_a_move_after_which_more_is_revealed_has_no_second_link(name: str) -> None:
    """No move of an illegal submission is played, not even the first one."""
    for seed in range(3):
        for game, choose in random_game(name, seed):
            if game.over:
                continue
            seat = choose.choice(game.deciders)
            legal = game.legal(seat)
            first = choose.choice(legal)
            if not game.seen(1 << seat).preview([first]).ended:
                continue
            stood = packed(game)
            with pytest.raises(paddock.BadMove, match="the chain ends with move 1"):
                game.play(seat, [first, choose.choice(legal)])
            assert packed(game) == stood


@pytest.mark.parametrize("moves", [[], ["5"] * 101])
def test_a_submission_has_a_move_and_not_too_many(moves: list[str]) -> None:
    game = paddock.start("lacorsa", seed=1)
    with pytest.raises(paddock.BadMove, match="a submission has 1 to 100 moves"):
        game.play(0, moves)


def test_an_entry_that_is_linked_to_nothing_is_refused() -> None:
    game = paddock.start("lacorsa", seed=1)
    stood = stands(game)
    (move, *_) = game.legal(0).ids
    for entry in (Entry(0, move, linked=True), Entry(CHANCE, 1, linked=True)):
        with pytest.raises(paddock.BadMove, match=r"no open submission|no chance outcome is expected"):
            game.append(entry)
        assert stands(game) == stood


@pytest.mark.parametrize("wrong", ["x", None, (0, 1), 5])
def test_what_is_no_entry_is_refused(wrong: Any) -> None:
    with pytest.raises(paddock.BadMove, match="is not a log entry"):
        paddock.start("lacorsa", seed=1).append(wrong)


@pytest.mark.parametrize("name", TITLES)
def test_what_is_told_is_what_the_moves_led_to(name: str) -> None:
    """``play`` returns the events of its submission, chance included, in the story's order."""
    for seed in range(3):
        game = paddock.start(name, seed=seed)
        heard = [event for item in game.events for event in item.events]
        choose = random.Random(seed)
        while not game.over:
            seat = choose.choice(game.deciders)
            events = game.play(seat, choose.choice(game.legal(seat)))
            assert all(isinstance(event, Event) for event in events)
            heard += events
        assert heard == [event for item in game.events for event in item.events]
        assert [item.entry for item in game.events] == sorted({item.entry for item in game.events})
        everybody = (1 << game.options.seats) - 1
        assert game.story == game.story_for(everybody)
        middle = len(game.log) // 2
        rest = game.story_for(0, middle)
        assert game.story_for(0)[len(game.story_for(0)) - len(rest) :] == rest
        assert len(rest) < len(game.story_for(0))
        assert game.story_for(0, len(game.log)) == []


def test_packed_logs_are_sequences_like_any_other() -> None:
    entries = [Entry(CHANCE, 7), Entry(0, 3), Entry(0, 4, linked=True), Entry(12, 100_000)]
    log = Log(entries)
    assert list(log) == entries and log == entries and log[1:3] == entries[1:3] and log[-1] == entries[-1]
    assert log.submission() == 3
    twin = log.copy()
    twin.cut(3)
    assert twin.submission() == 1 and log == entries and twin != log
    twin.append(Entry(1, 1))
    assert len(twin) == len(log) and twin != log
    log = EventLog()
    log.append(1, 0, [(5, 1, 2, 3, -1), (6, 0, 0, 0, 3)])
    log.append(4, 1, [(7, 0, 0, 0, -1)])
    assert list(log) == [
        EventBatch(1, 0, (Event(5, 1, 2, 3), Event(6, eyes=3))),
        EventBatch(4, 1, (Event(7),)),
    ]
    assert not log.public
    log.cut(1)
    assert len(log) == 0 and log.public
    with pytest.raises(IndexError):
        log[0]
