"""The list of the legal moves is what the reasons of the rules let pass, for every id, in compiled play.

Some lists are written by hand for speed. In plain play tests/core/test_game.py compares them, and
test_great_race_refusals.py.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest
from tests.titles import RULES, TITLES

from paddock.core.title import Title
from paddock.kernel.bulk import Bench
from sampling import SEED, WHOLE, count, some

KINDS: dict[str, tuple[dict[str, Any], ...]] = {
    "lacorsa": (
        {"drivers": 4, "double_redline": "void"},
        {"drivers": 12, "large_grid": True},
        {"drivers": 9, "large_grid": True, "pit_timing": "turn", "one_draft": True},
        {"drivers": 7, "large_grid": True, "pit_draw": "choose", "pit_refill": True},
    ),
    "rasant": (
        {"players": 2},
        {"players": 4, "round_end": "all"},
        {"players": 3, "deck": "2*r10-130+3*k20-90"},
        {"players": 5, "deck": "all-black-top"},
    ),
    "great_race": (
        {"players": 2, "map": "usa-west"},
        {"players": 5, "map": "usa", "leaders": True},
        {"players": 4, "map": "usa-east", "leaders": True},
        {"players": 3, "map": "usa", "lanes_connect": True},
    ),
}
assert set(KINDS) == set(TITLES)
# The Great Race with its reasons takes long to compile, so only the whole suite does.
CHECKED = some([title for title in RULES if WHOLE or title.name != "great_race"], 1, "legality")


@pytest.mark.slow("compiles the rules once more, with the reasons")
@pytest.mark.xdist_group("browser")  # as in tests/kernel/test_loader.py
@pytest.mark.parametrize("title", CHECKED, ids=lambda title: title.name)
def test_the_compiled_list_is_what_the_reasons_let_pass(title: Title) -> None:
    """Over all ids, in random games of four kinds."""
    play, checked = None, 0
    wanted = count(5_000, 1_000_000)
    kinds = KINDS[title.name]
    for i, options in enumerate(kinds):
        bench = Bench(title, title.options.read(options))
        play = play or compiled_check(title)
        bench.rng[0] = 1_000 * SEED + i + 1
        while checked * len(kinds) < wanted * (i + 1):
            positions = play(bench.ss[0], bench.gg[0], bench.rng, bench.out, bench.out.copy())
            assert positions > 0, f"position {-positions} of a game"
            checked += positions


def compiled_check(title: Title) -> Any:
    """A compiled function that plays a random game: (positions), negative where the list is wrong."""
    import numba

    rules: Any = sys.modules[f"{title.module('rules')}__{title.name}_compiled"]
    start, who, legal, apply = rules.start, rules.who, rules.legal, rules.apply
    run_chance, below, actions, reason = rules.run_chance, rules.below, rules.ACTIONS, rules.why_not

    if title.name == "great_race":  # which needs room for a list

        @numba.extending.register_jitable
        def why_not(s: Any, g: Any, seat: int, move: int, room: Any) -> int:
            return reason(s, g, seat, move, room)

    else:

        @numba.extending.register_jitable
        def why_not(s: Any, g: Any, seat: int, move: int, room: Any) -> int:
            return reason(s, g, seat, move)

    @numba.njit(error_model="numpy")
    def play(s: Any, g: Any, rng: Any, out: Any, room: Any) -> int:
        start(s, g)
        run_chance(s, g, rng)
        positions = 0
        while who(s, g):
            seat = 0
            while not who(s, g) >> seat & 1:
                seat += 1
            n = legal(s, g, seat, out)
            positions += 1
            for move in range(actions):
                listed = 0
                for i in range(n):
                    listed += out[i] == move
                if listed != (why_not(s, g, seat, move, room) == 0):
                    return -positions
            apply(s, g, seat, out[below(rng, n)])
            run_chance(s, g, rng)
        return positions

    return play
