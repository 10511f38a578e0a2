"""Partial records of every title, at any moment and for any eyes, and impossible ones of Rasant."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from functools import lru_cache

import pytest
from tests.titles import TITLES, random_options

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.source import Seeded
from paddock.records.form import NOBODY
from sampling import count, seeds

GAMES = 25
# Finished and unfinished games of different options; of Rasant every other one with many black cards.
CHOSEN = {"lacorsa": (0, 1, 3, 7, 8), "rasant": (0, 1, 3, 4, 8, 9), "great_race": (0, 1, 8)}


def play(game: Game, choose: random.Random, stop: int) -> Game:
    """Play at random to the end, or for ``stop`` decisions."""
    while not game.over and stop:
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(game.legal(seat).ids))
        stop -= 1
    return game


def written(game: Game, eyes: int | None = None) -> str:
    players = [(name, None) for name in game.names]
    return records.write(game, date="2026-03-01", players=players, eyes=eyes)


def some_game(name: str, seed: int) -> Game:
    """Return an unfinished or finished series; for Rasant also with many black cards."""
    game = played(name, seed)
    return game.fork(chance=copy.deepcopy(game.chance))


@lru_cache(maxsize=64)
def played(name: str, seed: int) -> Game:
    choose = random.Random(seed)
    title = paddock.title(name)
    options = random_options(title, choose)
    if name == "rasant" and seed % 3 == 0:
        cards = "+".join(f"{choose.choice('rkkkk')}{choose.randint(1, 13)}0" for _ in range(41))
        options = title.options.read({**options.model_dump(), "deck": f"r70+{cards}"})
    return play(Game(title, options, Seeded(seed)), choose, choose.choice([choose.randrange(200), 10**6]))


def some_games(name: str) -> Iterator[tuple[int, Game]]:
    """Yield the chosen games, and many more where everything is tested: each with its seed."""
    ended = set()
    for seed in sorted({*CHOSEN[name], *seeds(0, GAMES)}):
        game = some_game(name, seed)
        ended.add(game.over)
        yield seed, game
    assert len(ended) == 2


@pytest.mark.parametrize("name", TITLES)
def test_a_complete_record_replays_to_the_game_it_was_written_from(name: str) -> None:
    for _seed, game in some_games(name):
        text = written(game)
        again = records.read(text).game()
        assert (again.log, again.position, again.events) == (game.log, game.position, game.events)
        assert written(again) == text


@pytest.mark.parametrize("name", TITLES)
def test_a_partial_record_can_be_completed_for_every_eyes(name: str) -> None:
    for seed, game in some_games(name):
        seat = random.Random(seed).randrange(game.options.seats)
        for eyes in (0, 1 << seat):
            text = written(game, eyes)
            record = records.read(text)
            assert records.check(record) == [], (seed, eyes)
            for sample in range(count(1, 2)):
                other = records.complete(record, Seeded(sample))
                assert written(other, eyes) == text
                assert other.over == game.over and other.rounds == game.rounds
                assert other.seen(eyes).state.tobytes() == game.seen(eyes).state.tobytes()
                assert records.read(written(other)).game().log == other.log


def test_ra_2_2_a_partial_record_holds_no_card_of_other_hands() -> None:
    for seed in range(10):
        game = some_game("rasant", seed)
        for line in records.read(written(game, eyes=1)).lines:
            if line.by == CHANCE and line.heading.split()[0] in ("deal", "draw"):
                assert (HIDDEN in line.whats) == (not line.heading.endswith(" 1"))


# What is impossible, and where

HEAD = """paddock record 1
title: rasant/1
options: players=2 games={games} deck={deck} line=krgbyrgbyrgby
date: 2026-03-01
player 1: person Ana
player 2: person Ben
eyes: {eyes}
result: unfinished

game 1
dealer: 2
"""
FIRST = HEAD.count("\n") + 1  # the line after the head
HANDS = "deal 1: ? ? ? ? ? ?\ndeal 2: ? ? ? ? ? ?\n"
DARK = "2*k10-120+r10-60"  # 24 black cards and 6 red ones


def partial(body: str, eyes: str = NOBODY, deck: str = "standard", games: int = 1) -> records.Record:
    return records.read(HEAD.format(eyes=eyes, deck=deck, games=games) + body)


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        ("1: r50\n2: r50\n", 3, "there is only 1 card r50"),
        ("1: r50\n2: r40\n", 3, "RA-3.3"),
        ("2: r50\n", 2, "has nothing to decide"),
        ("1: k30\n", 2, "RA-3.2"),
        ("1: pass\n", 2, "not enough cards of the kinds that these hands can contain"),
        ("1: r50\n2: pass r20\n", 3, "RA-5.2"),
        ("1: ?\n", 2, "the seats in “eyes” saw this"),
        ("".join(f"{i % 2 + 1}: r{i + 1}0\n" for i in range(12)) + "1: k120\n", 14,
         "the hand cannot contain this card: k120"),
        ("1: r130\ndraw 1: r130\n", 3, "there is only 1 card r130"),
        ("1: r130\ndraw 1: ?\n1: r10\n", 4, "has nothing to decide"),
        ("1: r50\n2: pass\ndraw 1: ?\ngame 2\n", 5, "the series is over"),
    ],
)  # fmt: skip
def test_an_impossible_line_is_refused(body: str, line: int, reason: str) -> None:
    record = partial(HANDS + body)
    faults = records.check(record)
    assert faults and faults[0].startswith(f"line {FIRST + line}: ") and reason in faults[0], faults
    with pytest.raises(paddock.BadRecord) as caught:
        records.complete(record, Seeded(1))
    assert str(caught.value) == faults[0]


def test_ra_3_2_who_passed_without_a_lead_holds_no_colour() -> None:
    """The lead stays with this player, who passes on and draws no card."""
    body = HANDS + "1: pass\n2: r60\ndraw 2: ?\n"
    (fault,) = records.check(partial(body + "1: r20\n", deck=DARK))
    assert fault == f"line {FIRST + 5}: the hand cannot contain this card: r20"
    record = partial(body, deck=DARK)
    assert records.check(record) == []
    for sample in range(30):
        game = records.complete(record, Seeded(sample))
        deal = [entry.what for entry in game.log if entry.by == CHANCE]
        assert min(deal[1:7]) >= 4 * 13 and 5 in deal[7:13]


def test_ra_3_2_a_known_hand_with_a_colour_cannot_have_passed_without_a_lead() -> None:
    body = "deal 1: r10 k10 k20 k30 k40 k50\ndeal 2: ? ? ? ? ? ?\n1: pass\n"
    (fault,) = records.check(partial(body, "1", DARK))
    assert fault.startswith(f"line {FIRST + 2}: RA-3.2 ")


def test_ra_5_3_at_the_end_nobody_holds_a_colour() -> None:
    """All twelve cards are dealt, and two red ones have been played."""
    ended = HANDS + "1: r10\n2: pass k10\n2: pass k20\n1: r20\n\ngame 2\n"
    record = partial(ended, deck="k10-100+r10-20", games=2)
    assert records.check(record) == []
    assert len(records.complete(record, Seeded(1)).rounds) == 1
    (fault,) = records.check(partial(ended, deck="k10-90+r10-30", games=2))
    assert fault == f"line {FIRST + 5}: there are not enough cards of the kinds that these hands can contain"
    deck = "2*k10-90+r10-30"  # nine cards are in the reserve
    record = partial(
        HANDS + "1: r10\n2: pass\ndraw 1: ?\n2: pass\n1: r20\ndraw 1: ?\n\ngame 2\n", deck=deck, games=2
    )
    for sample in range(30):
        game = records.complete(record, Seeded(sample))
        assert len(game.rounds) == 1 and 2 not in [entry.what for entry in game.log if entry.by == CHANCE]


def test_ra_3_7_while_nobody_has_led_somebody_holds_a_colour() -> None:
    record = partial(HANDS + "1: r10\n2: pass\ndraw 1: ?\n", deck="2*k10-130+k30+r10-20")
    for sample in range(100):
        game = records.complete(record, Seeded(sample))
        assert game.view().phase == "round" and not game.over


def test_ra_3_2_a_pass_of_the_leader_proves_a_hand_that_draws_later() -> None:
    """With other numbers of the rules: a hand is dealt one card, and drawn up to six after a round."""
    game = paddock.start("rasant", players=3, games=1, dealt=1, seed=7)
    for _decision in range(12):
        (seat,) = game.deciders
        game.play(seat, game.legal(seat)[0])
    record = records.read(written(game, eyes=0))
    for sample in range(50):
        assert written(records.complete(record, Seeded(sample)), eyes=0) == written(game, eyes=0)
