"""Records of The Great Race, whole and as some eyes saw it: decks shuffled again, thefts, unseen draws."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.log import Event
from paddock.core.words import CHANCE, HIDDEN
from paddock.games.great_race.rules import state
from paddock.kernel.source import Seeded
from sampling import count, seeds, some

TINY = """\
title: Tiny
west: AA
east: BB CC
tiles:
track 6
mud 3, gravel 3
grid:
AA .. .. BB
.. DD .. ..
.. .. .. CC
cities:
AA A Town 1
BB B Town 0
CC C Town 2
DD D Town 3
lanes:
AA DD air 10
"""
FAVOURITES = {state.SUPPLY, state.STEAL, state.DRIVE, state.PLAY + state.TRACKER, state.PLAY + state.DRIVER}


def written(game: Game, eyes: int | None = None) -> str:
    players = [(name, None) for name in game.names]
    return records.write(game, date="2026-03-01", players=players, eyes=eyes)


def raced(seed: int, stop: int = 10**6, **options: Any) -> Game:
    """A race at random in which cards are drawn, stolen and played more often than by pure chance."""
    choose = random.Random(f"records {seed}")
    game = paddock.start("great_race", seed=seed, **options)
    g = game.setup
    while not game.over and stop:
        seat = choose.choice(game.deciders)
        ids = game.legal(seat).ids
        cities = [id for id in ids if id < state.PLAY and g.land[id] == state.CITY]
        wanted = cities + [id for id in ids if id in FAVOURITES]
        plans = [id for id in ids if state.PLAN <= id < state.LEADER and sum(boxes(g, id)[:2]) >= 4]
        others = plans or [id for id in ids if id != state.PASS] or ids
        liked = choose.random()
        game.play(seat, choose.choice(wanted if wanted and liked < 0.5 else others if liked < 0.9 else ids))
        stop -= 1
    return game


def boxes(g: state.Setup, move: int) -> list[int]:
    return [g.plan[move - state.PLAN, box] for box in range(state.BOXES)]


def random_options(choose: random.Random) -> dict[str, Any]:
    return {
        "players": choose.randint(2, 5),
        "map": choose.choice(["usa-west", "usa-east", "asia-west", "asia-east", TINY, TINY]),
        "leaders": choose.random() < 0.7,
        "start": choose.choice(["auto", "west", "east"]),
        "gauge_max": choose.choice([4, 5, 5, 8]),
        "siphon": choose.randint(1, 5),
        "customs_danger": choose.random() < 0.5,
        "lanes_connect": choose.random() < 0.5,
        "max_turns": choose.choice([2, 5, 9]),
        "races": choose.choice([1, 1, 2]),
    }


# Races of different maps, seats and lengths that reach what ``ENOUGH`` asks of them.
CHOSEN = (3, 5, 12, 14, 17, 20, 26, 35)
HIDING = (0, 2, 5, 7, 8)  # races with the most thefts
ENOUGH = {
    state.SHUFFLED: count(6, 15),
    state.STOLE: count(12, 30),
    state.KEPT: 15,
    state.ARRIVED: 4,
}


def some_races(whole: int) -> Iterator[tuple[int, Game]]:
    """Yield the chosen races and, where everything is tested, so many more: each with its seed."""
    for seed in sorted({*CHOSEN, *seeds(0, whole)}):
        yield seed, some_race(seed)


def some_race(seed: int) -> Game:
    choose = random.Random(seed)
    return raced(seed, choose.choice([10**6, choose.randrange(300)]), **random_options(choose))


def test_a_complete_record_replays_to_the_race_it_was_written_from() -> None:
    for _seed, game in some_races(25):
        text = written(game)
        record = records.read(text)
        again = record.game()
        assert record.complete
        assert (again.log, again.position, again.events) == (game.log, game.position, game.events)
        assert written(again) == text


@pytest.mark.parametrize("name", ["usa", "asia"])
def test_a_full_map_with_all_options_is_written_and_read(name: str) -> None:
    game = raced(3, 400, map=name, players=5, leaders=True, start="east", gauge_max=8, reactions="protect")
    text = written(game)
    assert f" map={name} leaders=yes start=east " in text
    again = records.read(text).game()
    assert (again.options, again.log) == (game.options, game.log)


def test_a_record_carries_a_map_of_ones_own_whole() -> None:
    game = raced(2, map=TINY, max_turns=3)
    text = written(game)
    assert "map=title:_Tiny/west:_AA/east:_BB_CC/tiles:/track_6/gravel_3/mud_3/grid:/AA....BB/" in text
    assert records.read(text).game() == game


def test_a_record_hides_what_its_eyes_did_not_see() -> None:
    """GR-1.10, GR-3.4 line by line: a draw is whole for its player, a theft for its two, all else for all."""
    hidden: Counter[str] = Counter()
    for seed in sorted({*HIDING, *seeds(0, 12)}):
        game = raced(seed, 250, leaders=True, players=3, max_turns=9)
        for eyes in range(8):
            for line in records.read(written(game, eyes)).lines:
                if line.by != CHANCE:
                    continue
                word, *seats = line.heading.split()
                knows = word not in ("draw", "theft") or any(eyes >> int(seat) - 1 & 1 for seat in seats)
                assert (HIDDEN in line.whats) == (not knows), line
                hidden[word] += not knows
    assert hidden["draw"] > 100 and hidden["theft"] > 20


def told(game: Game, eyes: int) -> list[Event]:
    """What the eyes learned, but for the cards of a finisher: no entry says which it discards (GR-9.1)."""
    return [
        event
        for item in game.events_for(eyes)
        for event in item.events
        if event.code != state.DISCARDED or not any(other.code == state.ARRIVED for other in item.events)
    ]


def test_a_partial_record_can_be_completed_for_every_eyes() -> None:
    """The twin log: what these eyes did not see is filled in anew, and what reaches them is the same."""
    happened: Counter[int] = Counter()
    differed = checks = 0
    for seed, game in some_races(40):
        happened.update(event.code for item in game.events for event in item.events)
        arrived = any(event.code == state.ARRIVED for item in game.events for event in item.events)
        all_eyes = (
            0,
            1 << seed % game.options.seats,
            random.Random(seed).randrange(1 << game.options.seats),
        )
        for eyes in some(all_eyes, 1, f"eyes {seed}"):
            text = written(game, eyes)
            record = records.read(text)
            twin = records.complete(record, Seeded(seed))
            assert written(twin, eyes) == text
            if eyes == 0:
                assert records.read(written(twin)).game().log == twin.log
            assert told(twin, eyes) == told(game, eyes)
            if not arrived:
                assert twin.seen(eyes) == game.seen(eyes)
            differed += twin.log != game.log
            checks += 1
        assert records.check(records.read(written(game, 0))) == []
    assert differed > checks // 3
    assert all(happened[code] >= n for code, n in ENOUGH.items()), happened


def test_a_record_keeps_the_opening_bonus() -> None:
    """GR-8.4 for every eyes; without it, the option is not named at all."""
    for on in (False, True):
        game = raced(4, 60, players=3, map=TINY, finish="BB", opening_bonus=on)
        for eyes in (0, 1, None):
            text = written(game) if eyes is None else written(game, eyes)
            assert ("opening_bonus=yes" in text) == on and ("opening_bonus" in text) == on
        assert records.read(written(game)).game().position == game.position
        whole = records.complete(records.read(written(game, 0)), Seeded(1))
        assert written(whole, 0) == written(game, 0)


def test_every_moment_of_a_race_can_be_completed() -> None:
    """A record is written after every move, for a spectator: no moment is one that has no world."""
    game = raced(5, 160, players=3, leaders=True, map=TINY, finish="BB", max_turns=6)
    for length in some(range(len(game.log) + 1), 60):
        text = written(game.at(length), 0)
        assert written(records.complete(records.read(text), Seeded(length)), 0) == text, length


def head(**options: Any) -> str:
    """The lines of a record for nobody's eyes up to its first race."""
    game = paddock.start("great_race", seed=1, map=TINY, finish="BB", players=2, **options)
    lines = written(game, 0).partition("race 1")[0].splitlines()
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("checksum")) + "race 1\n"


LOTS = "first: 1\nnumbers: 2\n"
GUIDES = "bivouac: guide guide tracker\n2: take guide\n1: take guide\n1: plan 2-1-1-1\n2: plan 2-1-1-1\n"
BOTH_GUIDES = LOTS + GUIDES  # hand 2 has the Tracker too, which is left over
TRACKED = BOTH_GUIDES + "1: fund\n2: play tracker\ndraw 2: ? ? ?\n"
LEADERS = LOTS + "1: leader kate\n2: leader cook\n" + GUIDES
STOLEN = LEADERS + "1: steal\n1: player 2\n2: decline\ntheft 2 1: ?\n"


@pytest.mark.parametrize(
    ("leaders", "body", "reason"),
    [
        (False, "first: ?\n", "the seats in “eyes” saw this"),
        (False, LOTS + "1: plan 2-1-1-1\n", "has nothing to decide now"),
        (False, LOTS + "bivouac: guide ? tracker\n", "the seats in “eyes” saw this"),
        (False, LOTS + "bivouac: guide guide guide\n", "not possible"),
        (False, BOTH_GUIDES + "1: play financial\n", "GR-5"),  # nothing was drawn
        (False, BOTH_GUIDES + "1: supply\ndraw 2: ?\n", "“draw 2” is not due here"),
        (False, BOTH_GUIDES + "1: supply\ndraw 1: ?\n2: fund\n1: play financial\n1: play tracker\n",
         "GR-5"),  # one card was drawn
        (False, TRACKED + "2: discard guide\n", "GR-"),  # both are in hands, none was drawn
        (False, TRACKED + "2: discard saboteur\n" + 3 * "2: play financial\n", "GR-"),
        (True, STOLEN + "1: play financial\n", "GR-5"),  # a Guide or a Tracker was stolen
        (True, STOLEN + "1: play tracker\ndraw 1: ? ? ?\n1: discard ransom\n1: fund\n2: play tracker\n",
         "GR-"),  # hand 2 has only a Guide left
    ],
)  # fmt: skip
def test_the_first_impossible_line_is_named(leaders: bool, body: str, reason: str) -> None:
    text = head(leaders=leaders) + body
    for seed in range(4):
        with pytest.raises(paddock.BadRecord) as caught:
            records.complete(records.read(text), Seeded(seed))
        assert (caught.value.line, reason in caught.value.reason) == (text.count("\n"), True), caught.value
    assert len(records.check(records.read(text))) == 1
    records.complete(records.read(text[: text.rindex("\n", 0, -1) + 1]), Seeded(1))


def test_all_that_fits_comes_up_and_nothing_else() -> None:
    """GR-10.15 what Tracker rejects is one of the three; GR-3.4 the theft brought what is then played."""
    text = head(leaders=False) + TRACKED + "2: discard saboteur\n2: play financial\n"
    places, kinds = set(), set()
    for seed in range(60):
        drawn = [e.what for e in records.complete(records.read(text), Seeded(seed)).log if e.by == CHANCE][
            -3:
        ]
        assert {state.SABOTEUR, state.FINANCIAL} <= set(drawn) and state.GUIDE not in drawn
        places.add((drawn.index(state.SABOTEUR), drawn.index(state.FINANCIAL)))
        kinds.update(drawn)
    assert len(places) == 6 and len(kinds) > 9
    text = head(leaders=True) + STOLEN
    stolen = {records.complete(records.read(text), Seeded(seed)).log[-1].what for seed in range(30)}
    assert stolen == {state.GUIDE, state.TRACKER}
    text += "1: play tracker\n"
    for seed in range(10):
        game = records.complete(records.read(text), Seeded(seed))
        assert [e.what for e in game.log if e.by == CHANCE][-1] == state.TRACKER


def test_a_card_under_way_is_not_in_the_deck_that_is_shuffled() -> None:
    """GR-1.8 a Tracker or a Driver whose draws empty the deck is on no pile yet."""
    under_way = 0
    for seed in sorted({6, 7, 12, *seeds(0, 30)}):
        game = raced(seed, players=2, leaders=True, map=TINY, finish="BB", max_turns=14)
        shuffled = [item.entry for item in game.events if item.events[-1].code == state.SHUFFLED]
        whole = [game.at(entry + 1).seen(3).state for entry in shuffled]
        if any(s.card != state.NO_CARD for s in whole):
            under_way += 1
            text = written(game, 0)
            assert written(records.complete(records.read(text), Seeded(seed)), 0) == text
    assert under_way >= 3
