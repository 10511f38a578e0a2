"""Who sits where in the rounds of an evening: groups that meet as many others as can be, and fair seats."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import TypeAlias

Table: TypeAlias = Sequence[str | None]  # by seat: an entrant, or None for a bot
Round: TypeAlias = Sequence[Table]
Group: TypeAlias = list[str]
Pair: TypeAlias = tuple[str, str]  # in the order of the alphabet

SWEEPS = 6  # times that each round of a plan is improved while the others stay
BOTS = 1.5  # how much uneven numbers of bots count beside uneven numbers of meetings
SAME = 1e-9  # what is not more differs by rounding only


def seats(
    entrants: Sequence[str], size: int, rounds: int, seed: str, past: Sequence[Round] = ()
) -> list[Round]:
    """Return who sits where in so many rounds to come: round → table → seat, None for a bot.

    Everybody meets the others as equally often as can be. Bots are spread over the tables: each has two
    people at least, if there are two and a table has three seats. Without a ``past``, everybody has every
    seat once in each ``size`` rounds; after one, as equally often as can be.
    """
    draw, names = random.Random(f"seating {seed}"), sorted(entrants)
    met, bots = _met(past), _bots(past)
    plan: list[list[Group]] = []
    for _round in range(rounds):
        groups = _shared_out(draw.sample(names, len(names)), size)
        _improve(groups, size, met, bots)
        _count(groups, size, met, bots, 1)
        plan.append(groups)
    for _sweep in range(SWEEPS if rounds > 1 else 0):
        for groups in plan:
            _count(groups, size, met, bots, -1)
            _improve(groups, size, met, bots)
            _count(groups, size, met, bots, 1)
    if past:
        return _after(past, plan, size)
    blocks = [plan[first : first + size] for first in range(0, rounds, size)]
    return [seated for block in blocks for seated in _each_seat_once(block, size, draw)]


def swiss(standing: Sequence[str], size: int, seed: str, past: Sequence[Round] = ()) -> Round:
    """Return who sits where in the next round of a Swiss evening: table → seat, None for a bot.

    ``standing`` has the entrants, the best first: neighbours meet. Whom somebody has met counts as if they
    stood far apart, and further with each meeting: so groups repeat only where they must. Before the first
    result, the order is random.
    """
    order = list(standing) if past else random.Random(f"swiss {seed}").sample(standing, len(standing))
    met, bots = _met(past), _bots(past)
    again = 2 * len(order) / max(1, size - 1)
    apart = {
        pair_of(a, b): j - i + again * met[pair_of(a, b)]
        for (i, a), (j, b) in combinations(enumerate(order), 2)
    }
    groups = _shared_out(order, size)
    _improve(groups, size, apart, bots)
    return _after(past, [groups], size)[0]


def pair_of(a: str, b: str) -> Pair:
    """Return two entrants as a pair."""
    return (a, b) if a < b else (b, a)


def _met(past: Sequence[Round]) -> Counter[Pair]:
    """Return how often two have met."""
    tables = [sorted(filter(None, table)) for played in past for table in played]
    return Counter(pair for table in tables for pair in combinations(table, 2))


def _bots(past: Sequence[Round]) -> Counter[str]:
    """Return with how many bots everybody has played."""
    met = Counter[str]()
    for table in (table for played in past for table in played):
        for name in filter(None, table):
            met[name] += sum(other is None for other in table)
    return met


def _shared_out(names: Sequence[str], size: int) -> list[Group]:
    """Return the names in as few groups as there must be, of sizes that differ by one at most."""
    tables = -(-len(names) // size)
    ends = [len(names) * n // tables for n in range(tables + 1)] if tables else [0]
    return [list(names[first:end]) for first, end in pairwise(ends)]


def _count(groups: Sequence[Group], size: int, met: Counter[Pair], bots: Counter[str], by: int) -> None:
    """Add the meetings of a round, or take them back."""
    for group in groups:
        for a, b in combinations(group, 2):
            met[pair_of(a, b)] += by
        for name in group:
            bots[name] += by * (size - len(group))


def _improve(groups: list[Group], size: int, apart: Mapping[Pair, float], bots: Mapping[str, int]) -> None:
    """Swap two entrants of different groups as long as that brings those together who are least apart.

    What a swap changes in a sum of squares of meetings is twice the sum of ``apart``, so this makes
    meetings, and games with bots, as equal as swaps can.
    """
    names = [name for group in groups for name in group]
    far = {name: dict.fromkeys(names, 0.0) for name in names}
    for a, b in combinations(names, 2):
        far[a][b] = far[b][a] = apart.get(pair_of(a, b), 0.0)
    to = [{name: sum(far[name][other] for other in group) for name in names} for group in groups]
    better = True
    while better:
        better = False
        for g, h in combinations(range(len(groups)), 2):
            fewer = BOTS * (len(groups[h]) - len(groups[g]))  # how many more bots group g has
            for i, j in product(range(len(groups[g])), range(len(groups[h]))):
                a, b = groups[g][i], groups[h][j]
                change = to[g][b] - to[g][a] + to[h][a] - to[h][b] - 2 * far[a][b]
                if change + fewer * (bots.get(b, 0) - bots.get(a, 0)) < -SAME:
                    groups[g][i], groups[h][j], better = b, a, True
                    for name in names:
                        change = far[name][b] - far[name][a]
                        to[g][name] += change
                        to[h][name] -= change


def _each_seat_once(block: Sequence[Sequence[Group]], size: int, draw: random.Random) -> list[Round]:
    """Give everybody another seat in each of at most ``size`` rounds.

    That is a colouring of the edges between entrants and tables by seats: as no entrant has more rounds, and
    no table more people, than there are seats, it always exists (Kőnig 1916), and alternating paths find it.
    """
    seat_of: dict[tuple[object, int], object] = {}  # (node, seat) → the node at its other end
    tables = [((r, t), group) for r, groups in enumerate(block) for t, group in enumerate(groups)]
    edges = [(name, table) for table, group in tables for name in group]
    draw.shuffle(edges)
    order = draw.sample(range(size), size)
    for name, table in edges:
        free = next(seat for seat in order if (name, seat) not in seat_of)
        other = next(seat for seat in order if (table, seat) not in seat_of)
        if free != other:
            _swap_path(seat_of, table, free, other)
        seat_of[name, free], seat_of[table, free] = table, name
    return [
        [[_name(seat_of.get(((r, t), seat))) for seat in range(size)] for t in range(len(groups))]
        for r, groups in enumerate(block)
    ]


def _name(node: object) -> str | None:
    return node if isinstance(node, str) else None


def _swap_path(seat_of: dict[tuple[object, int], object], start: object, free: int, other: int) -> None:
    """Swap two seats along the path from a table that has ``free`` in use and ``other`` not."""
    path, node, seat = [], start, free
    while (end := seat_of.get((node, seat))) is not None:
        path.append((node, seat, end))
        node, seat = end, other if seat == free else free
    for node, seat, end in path:
        for at in (node, end):
            seat_of.pop((at, seat), None)
    for node, seat, end in path:
        changed = other if seat == free else free
        seat_of[node, changed], seat_of[end, changed] = end, node


def _after(past: Sequence[Round], plan: Sequence[Sequence[Group]], size: int) -> list[Round]:
    """Give everybody a seat that they have had least often."""
    had = Counter(
        (name, seat) for played in past for table in played for seat, name in enumerate(table) if name
    )
    seated: list[Round] = []
    for groups in plan:
        tables = [_least_often(group, size, had) for group in groups]
        had.update((name, seat) for table in tables for seat, name in enumerate(table) if name)
        seated.append(tables)
    return seated


def _least_often(group: Sequence[str], size: int, had: Counter[tuple[str, int]]) -> Table:
    """Return a table at which the squares of how often everybody has had their seat add up to the least."""
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}  # by the set of taken seats, as bits
    for name in group:
        further: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (cost, chosen) in best.items():
            for seat in range(size):
                if taken >> seat & 1:
                    continue
                step = cost + (had[name, seat] + 1) ** 2 - had[name, seat] ** 2, (*chosen, seat)
                further[taken | 1 << seat] = min(step, further.get(taken | 1 << seat, step))
        best = further
    (_cost, chosen) = min(best.values())
    table: list[str | None] = [None] * size
    for name, seat in zip(group, chosen, strict=True):
        table[seat] = name
    return table
