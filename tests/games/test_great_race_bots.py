"""The bots of The Great Race."""

from __future__ import annotations

import pytest

from paddock.bots import bot
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.state import BORIS, COOK, FLEW, KATE, LED_BY, LI
from paddock.kernel.bulk import Bench
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


@pytest.mark.parametrize("map", some(MAPS, 1, "club"))
def test_a_club_beats_three_rookies(map):
    """It wins at least seven of eight races."""
    won = 0
    for i in range(8):
        levels = ["rookie"] * 4
        levels[i % 4] = "club"
        s, _ = raced(levels, i, map=map)
        places = [0] * TITLE.rules.MAX_SEATS
        TITLE.rules.places(s, TITLE.setup_of(TITLE.options.read({"map": map})), places)
        won += places[i % 4] == 1
    assert won >= 7


@pytest.mark.parametrize(
    "options",
    some(
        [
            {"map": "usa-west"},
            {"map": "usa-east", "leaders": True},
            {"map": "asia-west", "lanes_connect": True},
            {"map": "asia-east", "gauge_max": 4},
        ],
        2,
        "finisher",
    ),
)
@pytest.mark.parametrize("players", some([2, 4, 5], 1))
def test_clubs_bring_a_finisher_home_in_ten_turns(options, players):
    s, _ = raced(["club"] * players, players, **options)
    assert s.arrived > 0
    assert s.round <= 10


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
