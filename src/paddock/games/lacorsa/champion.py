"""LACORSA: the networks of the level *Champion*: which one plays where, and how each was trained.

Their weights are in the folder ``networks``.
"""

from __future__ import annotations

from dataclasses import replace

from paddock.core.recipe import Recipe, Search
from paddock.games.lacorsa.state import Setup


def network(g: Setup) -> str:
    """Return the name of the network for races of this set-up; empty if there can be none.

    There are no teams but the cars of a driver: one each, or two each in the base game. The Large Grid has
    all parts of the expansion. A network may play other points and suits than it learned.
    """
    each = 1 + int(g.owner[0] == g.owner[1])
    alike = all(g.owner[car] == car // each and g.team[car] == g.owner[car] for car in range(g.cars))
    parts = g.pit + g.incidents + g.drafting
    if not alike or 0 < parts < 3 or (parts and each == 2):
        return ""
    return f"large-{g.cars}" if parts else f"two-{g.cars // 2}" if each == 2 else f"{g.cars}"


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
    "4": replace(POOL, begin="4-pool", updates=28, stop=26, learners=16, rate=6e-4),
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
}

# Who looks ahead gets more, among *Works* and among those that do not: docs/champion.md has the figures.
SEARCHES = {"4": Search(rollouts=700, heat=0.003, rivals=("", "4-works-2"))}
