"""LACORSA: the networks of the level *Champion*: which one plays where, and how each was trained.

Their weights are in the folder ``networks``.
"""

from __future__ import annotations

from dataclasses import replace

from paddock.core.recipe import Recipe, Search
from paddock.games.lacorsa.rules.state import Setup

LARGE_CARS = 6  # the network of the Large Grid learned with twelve, and is good from so many on


def network(g: Setup) -> str:
    """Return the name of the network for races of this set-up; empty if there can be none.

    There are no teams but the cars of a driver: one each, or two each in the base game. The Large Grid has
    all parts of the expansion: one network plays with six cars and more. A network may play other points and
    suits than it learned.
    """
    cars_of_player = 1 + int(g.owner[0] == g.owner[1])
    alike = all(
        g.owner[car] == car // cars_of_player and g.team[car] == g.owner[car] for car in range(g.cars)
    )
    parts = g.pit + g.incidents + g.drafting
    if not alike or 0 < parts < 3 or (parts and cars_of_player == 2):
        return ""
    if parts:
        return "large" if g.cars >= LARGE_CARS else f"large-{g.cars}"
    return f"two-{g.cars // 2}" if cars_of_player == 2 else f"{g.cars}"


ALONE = Recipe(
    {},
    updates=180,
    games=1600,
    itself=0.2,
    alone=0.75,
    rivals={"club": 1.0, "4-works": 1.2},
    fade=0.9,
    curiosity=(0.004, 0.0003),
    batch=2048,
    sharp=2.0,
)
WORKS = Recipe(
    {"drivers": 4},
    updates=15,
    games=2254,
    begin="4-works",
    among="4-clubs",
    imitates="works",
    batch=256,
    sharp=2.0,
)
POOL = replace(
    ALONE,
    options={"drivers": 4},
    rivals={"club": 0.8, "4-works-2": 1.0, "4-works-wide": 0.8, "4-works": 0.4},
)
LARGE = Recipe(
    {"drivers": 12, "large_grid": "yes"},
    updates=120,
    games=6000,
    itself=0.0,
    alone=1.0,
    rivals={"club": 9.0},
    rate=8e-4,
    fade=0.9,
    curiosity=(0.004, 0.0003),
    sharp=2.0,
)
LARGE_POOL = replace(LARGE, curiosity=(0.003, 0.0003), rivals={"club": 3.0, "large-works": 7.0}, learners=2)
RECIPES = {
    "4-start": Recipe({"drivers": 4}, updates=260, stop=200),
    # A stand-in for Works, which is too slow to be trained against
    "4-works": Recipe(
        {"drivers": 4}, updates=25, games=400, begin="4-start", imitates="works", batch=128, sharp=2.0
    ),
    # Mostly alone among Clubs or stand-ins, with advantages that vary less
    "4-alone": replace(ALONE, options={"drivers": 4}, begin="4-start"),
    "4-clubs": replace(
        ALONE,
        options={"drivers": 4},
        begin="4-alone",
        updates=110,
        rate=7e-4,
        rivals={"club": 1.4, "4-works": 1.0},
    ),
    # Better stand-ins, from six times as many decisions
    "4-works-2": WORKS,
    "4-works-wide": replace(WORKS, hidden=256),
    # What all moves of a decision are worth, also those that the network would not play any more
    "4-tried": Recipe(
        {"drivers": 4},
        updates=4,
        games=1033,
        begin="4-clubs",
        worlds=25,
        heat=0.05,
        rate=3e-4,
        batch=512,
        sharp=2.0,
        rivals={"4-works": 1.0},
    ),
    # Many learners, among all stand-ins
    "4-pool": replace(POOL, begin="4-tried", updates=87, learners=4, rate=8e-4),
    "4-present": replace(POOL, begin="4-pool", updates=28, stop=26, learners=16, rate=6e-4),
    # It reads what is past, and learns to beat one that does not, as ``paddock exploit`` does
    "4-exploiter": replace(
        POOL, begin="4-present", against="4-present", hidden=192, past=True, updates=922, rate=6e-4
    ),
    # It reads what is past, and meets both
    "4": replace(
        POOL,
        begin="4-present",
        hidden=192,
        past=True,
        updates=1600,
        learners=2,
        itself=0.35,
        alone=0.5,
        rate=7e-4,
        rivals={"4-present": 0.6, "4-exploiter": 0.6, "4-works-2": 0.7, "4-works-wide": 0.6, "club": 0.5},
    ),
    "5": replace(ALONE, options={"drivers": 5}, begin="4-alone", updates=90, games=1200),
    "6": replace(
        ALONE,
        options={"drivers": 6},
        begin="5",
        updates=274,
        stop=266,
        games=1000,
        rivals={"club": 1.0},
    ),
    # Two cars each
    "two-2": replace(
        ALONE,
        options={"drivers": 2},
        begin="4-alone",
        updates=145,
        games=1200,
        itself=0.4,
        alone=0.5,
        rivals={"club": 1.0},
    ),
    "two-3": replace(
        ALONE,
        options={"drivers": 3},
        begin="4-alone",
        updates=191,
        games=1000,
        itself=0.3,
        alone=0.6,
        rivals={"club": 1.0},
    ),
    # The Large Grid: first every place scores, then it plays thousands of races alone among others of a kind
    "large-start": Recipe(
        {"drivers": 12, "large_grid": "yes", "points": "12,11,10,9,8,7,6,5,4,3,2,1"},
        updates=200,
        stop=150,
        games=800,
        begin="5",
        itself=0.85,
        alone=0.05,
        fade=0.9,
        curiosity=(0.006, 0.001),
        batch=8192,
        epochs=2,
        sharp=2.0,
    ),
    "large-clubs": replace(LARGE, begin="large-start"),
    "large-works": replace(
        WORKS, options=LARGE.options, updates=25, games=169, begin="large-clubs", among=""
    ),
    "large-pool": replace(LARGE_POOL, begin="large-clubs", updates=150, stop=75),
    "large": replace(LARGE_POOL, begin="large-pool", updates=62, rate=5e-4),
}

# Who looks ahead gets more, among *Works* and among those that do not: docs/champion.md has the figures.
SEARCHES = {"4": Search(rollouts=700, heat=0.003, rivals=("", "4-works-2"))}
