"""Observations: what a seat sees, as numbers, and nothing that it cannot know."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.titles import RULES, random_options

import mkdocs_hooks
import paddock
from paddock.core.game import Event, Game
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.envs import vector
from paddock.games.great_race.rules import state as great_race
from paddock.games.great_race.rules.state import SEATS
from paddock.games.lacorsa.rules import state as lacorsa
from paddock.games.rasant.rules import state as rasant
from paddock.kernel.source import Seeded
from sampling import count

ROOT = Path(__file__).resolve().parent.parent.parent
titles = pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
SHORT = [title for title in RULES if title.has_room("short_features")]
# The observations of all titles, and the short ones of those that have them
rooms = pytest.mark.parametrize(
    ("title", "room"),
    [*((title, "features") for title in RULES), *((title, "short_features") for title in SHORT)],
    ids=lambda value: value if isinstance(value, str) else value.name,
)


def states(title: Title, options: Options, seed: int, most: int = 150) -> Iterator[tuple[Any, Any]]:
    """Yield every state of a game of random moves, with its setup, up to so many."""
    choose, rules = random.Random(seed), title.rules
    s, g, out, rng = rules.State(), title.setup_of(options), [0] * (rules.ACTIONS + 1), Seeded(seed).rng
    rules.start(s, g)
    yield s, g
    for _ in range(most):
        if not (waiting := rules.who(s, g)):
            return
        if waiting >> CHANCE:
            rules.run_chance(s, g, rng)
        else:
            seat = choose.choice([i for i in range(options.seats) if waiting >> i & 1])
            rules.apply(s, g, seat, choose.choice(out[: rules.legal(s, g, seat, out)]))
        yield s, g


def observed(title: Title, s: Any, g: Any, seat: int, room: str = "features") -> list[float]:
    features = title.features if room == "features" else title.room(room)
    size, observe = FUNCTIONS[room]
    out = [0.0] * getattr(features, size)
    getattr(features, observe)(s, g, seat, out)
    return out


FUNCTIONS = {"features": ("FEATURES", "observe"), "short_features": ("SHORT_FEATURES", "observe_short")}


@rooms
def test_the_blocks_fill_the_observation_exactly(title: Title, room: str) -> None:
    features = title.room(room)
    size = getattr(features, FUNCTIONS[room][0])
    assert len({block.name for block in features.FIELDS}) == len(features.FIELDS)
    assert all(block.says.endswith(".") for block in features.FIELDS)
    choose = random.Random(1)
    for seed in range(count(3, 5)):
        options = random_options(title, choose)
        for s, g in states(title, options, seed, 60):
            n, out = 0, [0.0] * size
            for block in features.FIELDS:
                part = [0.0] * size
                after = getattr(features, block.name)(s, g, 0, part, n)
                assert after == n + block.size, block.name
                assert not any(part[:n]) and not any(part[after:]), block.name
                out[n:after] = part[n:after]
                n = after
            assert n == size
            assert out == observed(title, s, g, 0, room)


@rooms
def test_secrets_and_bounds_in_bulk(title: Title, room: str) -> None:
    """LC-1.4, RA-2.2, GR-1.5 an observation reads nothing that its player cannot know; all numbers are from
    −1 to 1, and each block changes."""
    choose, features = random.Random(title.name), title.room(room)
    n = getattr(features, FUNCTIONS[room][0])
    rows = np.zeros((3, n), np.float32)
    least, most = np.full(n, np.inf, np.float32), np.full(n, -np.inf, np.float32)
    for seed in range(count(7, 12)):
        options = random_options(title, choose)
        env = vector(title, {**options.model_dump(), title.rounds_option: 1}, 32, seed)
        bench, kernel, play = env._benches[0], env._kernel, env.sampler(seed)
        twins, side = np.zeros(2, bench.ss.dtype), np.full(1, seed + 1)
        for _ in range(60):
            leak = kernel.leaking_observation(
                bench.ss, bench.gg, 32, room != "features",
                env._eyes, side, bench.out, twins, rows, least, most,
            )  # fmt: skip
            assert leak == -1, (seed, options.text)
            env.step(play(env.batch.observations, env.batch.masks))
    assert least.min() >= -1 and most.max() <= 1
    at = 0
    for block in features.FIELDS:
        assert (least < most)[at : at + block.size].any(), block.name
        at += block.size


@titles
def test_both_modes_write_the_same_numbers(title: Title) -> None:
    choose, rules = random.Random(title.name), title.rules
    for seed in range(count(3, 6)):
        options = random_options(title, choose)
        env = vector(title, {**options.model_dump(), title.rounds_option: 1}, 8, seed)
        g, play, out = title.setup_of(options), env.sampler(seed), [0] * (rules.ACTIONS + 1)
        for _ in range(15):
            now = env.batch
            for i in range(8):
                seat = int(now.seats[i])
                s = rules.State().load(env._benches[0].ss[i])
                rules.hide(s, g, options.eyes(options.owners[seat]))
                assert np.array_equal(np.float32(observed(title, s, g, seat)), now.observations[i])
                legal = out[: rules.legal(s, g, seat, out)]
                assert np.flatnonzero(now.masks[i]).tolist() == sorted(legal)
            env.step(play(now.observations, now.masks))


@titles
def test_a_view_has_the_same_vector_and_mask(title: Title) -> None:
    """Also where chance decides, and after the end."""
    choose = random.Random(title.name)
    for seed in range(count(2, 4)):
        options = random_options(title, choose)
        if title.name == "great_race":
            options = title.options.read({"map": "usa-west", "max_turns": 1, "leaders": seed % 2})
        game = Game(title, options, Seeded(seed))
        while True:
            log = len(game.log)
            for moment in (game, game.at(choose.randrange(log + 1))):
                seat = choose.randrange(options.seats)
                seen = moment.seen(1 << seat)
                vector, mask = seen.vector(), seen.mask()
                assert vector.dtype == np.float32 and mask.dtype == np.bool_
                assert np.array_equal(vector, np.float32(observed(title, seen.state, seen.setup, seat)))
                assert np.abs(vector).max() <= 1
                assert np.flatnonzero(mask).tolist() == sorted(moment.legal(seat).ids)
            if game.over or log > 200:
                break
            seat = choose.choice(game.deciders)
            game.play(seat, choose.choice(game.legal(seat).ids))


def test_a_view_of_several_seats_is_asked_for_one() -> None:
    game = paddock.start("lacorsa", drivers=2, races=1, seed=1)
    both = game.seen(0b0011)
    assert not np.array_equal(both.vector(0), both.vector(1))
    assert both.mask(1).sum() == len(game.legal(1))
    with pytest.raises(paddock.PaddockError, match="name the seat: this view shows what 2 seats know"):
        both.vector()
    with pytest.raises(paddock.PaddockError, match="this view does not include car 3"):
        both.vector(2)
    with pytest.raises(paddock.PaddockError, match="name the seat"):
        game.seen(0).mask()
    other = both.vector(0)[11 + 4 + 26 :][:13]  # the hand of the driver's other car
    assert other.any() and not game.seen(1).vector(0)[11 + 4 + 26 :][:13].any()


# What is past


@pytest.mark.parametrize("title", SHORT, ids=lambda title: title.name)
def test_the_past_is_what_is_written_in_the_public_record(title: Title) -> None:
    """LC-1.4, RA-2.2, GR-1.5 it counts what a spectator is told, and is the same for all eyes; networks read
    it after all that is present, in at most 200 numbers."""
    room, choose = title.room("short_features"), random.Random(5)
    assert (
        room.FIELDS[-1].name == "past" and room.FIELDS[-1].size == room.SHORT_FEATURES - room.PRESENT_FEATURES
    )
    assert room.FIELDS[-1].size <= 200
    for seed in range(count(2, 6)):
        options = title.options.read({**random_options(title, choose).model_dump(), title.rounds_option: 1})
        if title.name == "great_race":
            options = title.options.read({"map": "usa-west", "max_turns": 2, "leaders": seed % 2})
        game = Game(title, options, Seeded(seed))
        for _ in range(150):
            if not game.over:
                seat = choose.choice(game.deciders)
                game.play(seat, choose.choice(game.legal(seat).ids))
        told = Counter(
            card
            for batch in game.events_for(0)
            for event in batch.events
            for card in OPENLY[title.name](event)
        )
        past = game._state.past
        assert told and told == {key: n for key, n in past.items() if n and not unsaid(title, key[1])}
        assert all(game.seen(eyes).state.past == past for eyes in (0, 1, 2))


def unsaid(title: Title, column: int) -> bool:
    """Whether a column of the past is no count of cards."""
    return title.name == "rasant" and column >= rasant.PASSES


def cards_of_lacorsa(event: Event) -> list[tuple[int, int]]:
    """The cards of an event: by car, those played in challenges, then those on a free road."""
    road = lacorsa.KINDS * int(event.code in (lacorsa.EXTENDED, lacorsa.DISCARDED))
    if not road and event.code != lacorsa.REVEALED:
        return []
    if event.b < lacorsa.KINDS:
        return [(event.a, road + event.b)]
    if event.b == lacorsa.TWO_REDLINES:
        return 2 * [(event.a, road)]
    return [(event.a, road), (event.a, road + event.b - lacorsa.WITH_REDLINE)]


def cards_of_rasant(event: Event) -> list[tuple[int, int]]:
    """The card of an event: by player, the suit and the speed of one played, the suit of one discarded."""
    suit, speed = divmod(event.b, rasant.SPEEDS)
    if event.code in (rasant.LED, rasant.RAISED):
        return [(event.a, 3 * suit + min(speed // 5, 2))]
    return [(event.a, 15 + suit)] if event.code == rasant.PASSED and event.b != rasant.EMPTY else []


def cards_of_great_race(event: Event) -> list[tuple[int, int]]:
    """The card of an event: by player, one played, then one discarded."""
    if event.code == great_race.PLAYED:
        return [(event.a, event.b)]
    return [(event.a, 20 + event.b)] if event.code == great_race.DISCARDED else []


OPENLY = {"lacorsa": cards_of_lacorsa, "rasant": cards_of_rasant, "great_race": cards_of_great_race}


def test_what_is_past_changes_no_bytes_that_a_begun_race_of_the_day_counts_on() -> None:
    """Its bots draw their moves by them: they are as long as before a state had a past."""
    sizes = {"lacorsa": 488, "rasant": 224, "great_race": 1864}
    for title in SHORT:
        state = paddock.start(title, seed=1)._state
        bytes_before = state.present()
        assert len(bytes_before) == sizes[title.name]
        for key in state.past:
            state.past[key] = 1
        assert state.present() == bytes_before != state.tobytes()[: len(bytes_before)] + b"."


# Relative to the seat


@rooms
def test_turning_the_table_turns_the_observation(title: Title, room: str) -> None:
    """If everybody moves on by some seats, each player sees the same numbers as before."""
    choose = random.Random(title.name)
    compared = 0
    for seed in range(count(5, 8)):
        options = random_options(title, choose)
        if len(set(options.owners)) < options.seats or options.teams:
            continue
        for s, g in states(title, options, seed):
            seats, seat = options.seats, choose.randrange(options.seats)
            by = choose.randrange(1, seats)
            turned = TURN[title.name](s.copy(), seats, by)
            there = (seat + by) % seats
            mine = observed(title, s, g, seat, room)
            assert mine == observed(title, turned, g, there, room)
            compared += mine != observed(title, s, g, there, room)
    assert compared > count(120, 200)


def mask_on(mask: int, seats: int, by: int) -> int:
    """Return a bitmask of seats, moved on; the bit of chance stays."""
    kept = mask >> seats << seats
    return kept | sum(1 << (seat + by) % seats for seat in range(seats) if mask >> seat & 1)


def rows_on(s: Any, names: str, seats: int, by: int) -> None:
    """Move on rows by seat, and grids whose first index is a seat."""
    for name in names.split():
        field = getattr(s, name)
        if isinstance(field, list):
            field[:seats] = [field[(seat - by) % seats] for seat in range(seats)]
        else:
            field.update({((i + by) % seats, j): v for (i, j), v in dict(field).items() if i < seats})


def turn_lacorsa(s: Any, seats: int, by: int) -> Any:
    rows_on(s, "cards held hand known commit value out past", seats, by)
    if s.lap:
        s.order[: s.running] = [(car + by) % seats for car in s.order[: s.running]]
    for name in ("waiting", "stops", "drafted"):
        setattr(s, name, mask_on(getattr(s, name), seats, by))
    return s


def turn_rasant(s: Any, seats: int, by: int) -> Any:
    rows_on(s, "cards hand black score past", seats, by)
    for name in ("dealer", "drawing", "leader", "best"):
        if (seat := getattr(s, name)) >= 0:
            setattr(s, name, (seat + by) % seats)
    s.first = s.first and 1 + (s.first - 1 + by) % seats
    s.waiting, s.passed = mask_on(s.waiting, seats, by), mask_on(s.passed, seats, by)
    return s


def turn_great_race(s: Any, seats: int, by: int) -> Any:
    rows = (
        "at petrol engine chassis money leader power_used passed place assistants plan cards hand drawn known"
        " past"
    )
    private = dict(s.private)
    for (row, kind), n in private.items():
        knower, holder = divmod(row, SEATS)
        if knower < seats and holder < seats:
            s.private[SEATS * ((knower + by) % seats) + (holder + by) % seats, kind] = n
    rows_on(s, rows, seats, by)
    if s.stage:  # the first player is drawn
        s.order[:seats] = [(seat + by) % seats for seat in s.order[:seats]]
        s.token_order[:seats] = [(seat + by) % seats for seat in s.token_order[:seats]]
    for name in ("asked", "turn", "target"):
        setattr(s, name, (getattr(s, name) + by) % seats)
    return s


TURN = {"lacorsa": turn_lacorsa, "rasant": turn_rasant, "great_race": turn_great_race}


@rooms
def test_the_documentation_has_a_row_for_every_block(title: Title, room: str) -> None:
    features, page = title.room(room), (ROOT / "docs/observations.md").read_text("utf-8")
    asked = f"<!-- {'fields' if room == 'features' else 'short'}: {title.name} -->"
    table = mkdocs_hooks.on_page_markdown(f"Before.\n\n{asked}\n\nAfter.")
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()[4:-2]]
    assert [(name, says) for _, name, says in rows] == [(f"`{b.name}`", b.says) for b in features.FIELDS]
    last = getattr(features, FUNCTIONS[room][0]) - 1
    assert rows[0][0].startswith("0") and rows[-1][0].endswith(str(last))
    assert asked in page
