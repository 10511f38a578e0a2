"""The bots of The Great Race."""

from __future__ import annotations

import pytest

from paddock.bots import bot
from paddock.bots.registry import thirds
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules.state import BORIS, COOK, FLEW, KATE, LED_BY, LI
from paddock.kernel.bulk import Bench, play
from paddock.kernel.loader import load_kernel
from paddock.kernel.source import Seeded
from sampling import count, some

MAPS = ["usa-west", "usa-east", "asia-west", "asia-east"]


def raced(levels, index, look=None, **options):
    """Run a race in plain mode with a bot level for every seat; return its state and all events."""
    options = TITLE.options.read({**options, "players": len(levels)})
    setup, rules, rng = TITLE.setup.setup(options), TITLE.rules, Seeded(3, index)
    s, events = rules.State(), []
    s.events = events
    players = [bot(TITLE, level) for level in levels]
    rules.start(s, setup)
    while waiting := rules.who(s, setup):
        if waiting >> CHANCE:
            rules.run_chance(s, setup, rng.rng)
            continue
        seat = (waiting & -waiting).bit_length() - 1
        hidden = s.copy()
        rules.hide(hidden, setup, 1 << seat)
        seen = Seen(TITLE, options, setup, hidden, 1 << seat, (), ("",) * len(levels))
        legal = seen.legal(seat)
        before = hidden.tobytes()
        move = players[seat].choose(seen, seat, legal, rng)
        assert move in legal
        assert hidden.tobytes() == before
        if look:
            look(seen, seat, legal, move)
        rules.apply(s, setup, seat, move)
    return s, events


@pytest.mark.parametrize("map", MAPS)
def test_a_club_beats_three_rookies(map):
    """It wins at least seven of eight races. Compiled, as other tests compare both modes."""
    options, won = TITLE.options.read({"map": map}), 0
    for seat in range(4):
        mixed = [thirds(TITLE, "rookie")] * 4
        mixed[seat] = 3
        won += (play(TITLE, options, 12, 3, thirds=mixed).places[:, seat] == 1).sum()
    assert won >= 42


@pytest.mark.parametrize("players", [2, 4, 5])
@pytest.mark.parametrize(
    "options",
    [
        {"map": "usa-west"},
        {"map": "usa-east", "leaders": True},
        {"map": "asia-west", "lanes_connect": True},
        {"map": "asia-east", "gauge_max": 4},
    ],
)
def test_clubs_bring_a_finisher_home_in_ten_turns(options, players):
    read = TITLE.options.read({**options, "players": players, "max_turns": 10})
    places = play(TITLE, read, 12, 3, thirds=(3,) * players).places
    assert (places.max(axis=1) > 0).all()


@pytest.mark.parametrize("map", some(MAPS, 1, "rookies"))
def test_rookies_alone_bring_a_finisher_home_too(map):
    for index in range(count(2, 4)):
        s, _ = raced(["rookie"] * 3, index, map=map)
        assert s.arrived > 0
        assert s.round < 30


@pytest.mark.parametrize("map", ["usa", "asia"])
def test_clubs_cross_a_full_map(map):
    s, _ = raced(["club"] * 3, 1, map=map, leaders=True)
    assert s.arrived > 0
    assert s.round <= 20


def test_clubs_ride_a_lane_now_and_then():
    """GR-7.9 at the fares of the shipped maps."""
    n = count(4, 8)
    rides = [sum(e[0] == FLEW for e in raced(["club"] * 4, i, map="asia-east")[1]) for i in range(n)]
    assert 0 < sum(rides) < n * 6
    assert 0 in rides


@pytest.mark.parametrize(
    ("map", "players", "leaders"),
    [
        ("usa-west", 4, (BORIS, COOK, KATE, LI)),
        ("asia-east", 2, (BORIS, KATE)),
        ("asia", 4, (COOK, KATE, BORIS, LI)),
        ("usa", 2, (KATE, COOK)),
    ],
)
def test_clubs_choose_the_leader_that_wins_most_on_the_map(map, players, leaders):
    """GR-11.0 who chooses first has Boris on half maps, and a power for every turn on full ones."""
    _, events = raced(["club"] * players, 1, map=map, leaders=True, max_turns=1)
    assert [event[2] for event in events if event[0] == LED_BY] == [*leaders]


def test_the_policy_plays_alike_to_the_end_of_a_race():
    """Compiled all the way, and beside it plain at every second decision after the third turn."""
    plain, read = load_kernel(TITLE, compiled=False), TITLE.options.read({"players": 3, "map": "usa-west"})
    bench, g, made, late = Bench(TITLE, read), TITLE.setup_of(read), 0, 0
    kernel, seen, bench.rng[0] = bench.kernel, bench.ss.copy(), 5
    kernel.one_start(bench.ss, bench.gg)
    while waiting := kernel.one_who(bench.ss, bench.gg):
        if waiting >> CHANCE:
            kernel.one_chance(bench.ss, bench.gg, bench.rng)
            continue
        seat, seen[:], rng = plain.first_of(waiting), bench.ss, [int(bench.rng[0])]
        kernel.one_hide(seen, bench.gg, 1 << seat)
        s, out = TITLE.rules.State().load(seen[0]), [0] * len(bench.out)
        move = kernel.one_policy(seen, bench.gg, seat, bench.out, bench.rng)
        made += 1
        if s.round > 3 and made % 2 == 0:
            n = TITLE.rules.legal(s, g, seat, out)
            assert (plain.policy(s, g, seat, out, n, rng), rng[0]) == (move, bench.rng[0])
            late += 1
        kernel.one_apply(bench.ss, bench.gg, seat, move)
    assert late > 10 and TITLE.rules.State().load(bench.ss[0]).arrived


@pytest.mark.slow("the plain mode plays whole races")
def test_the_policy_plays_alike_in_both_modes():
    """Compiled and plain, the same stream gives the same move from what a seat sees."""
    plain = load_kernel(TITLE, compiled=False)
    moves = 0

    def compare(seen, seat, legal, move):
        nonlocal moves
        bench = benches[seen.options]
        seen.state.store(bench.ss[0])
        bench.rng[0] = 7 << 32 | moves
        rng, out = [7 << 32 | moves], [*legal, *[0] * (len(bench.out) - len(legal))]
        chosen = plain.policy(seen.state, seen.setup, seat, out, len(legal), rng)
        assert bench.kernel.one_policy(bench.ss, bench.gg, seat, bench.out, bench.rng) == chosen
        assert bench.rng[0] == rng[0]
        moves += 1

    benches = {}
    turns = count(3, 60)  # a policy weighs for long where it is plain
    for options in ({"map": "asia-west", "leaders": True}, {"map": "usa-west", "players": 3}):
        options["max_turns"] = turns
        read = TITLE.options.read({"players": 4, **options})
        benches[read] = Bench(TITLE, read)
        raced(["club"] * read.players, 2, compare, **options)
    assert moves > count(100, 300)
