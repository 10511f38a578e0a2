"""Prints what a player of Rasant who knows more than others wins among three bots of a level.

    nice python scripts/oracle.py --minutes 25 --jobs 2 --seed 1
    python scripts/oracle.py --knows view --rival club

It knows all hands and the order of the cards to come, which is the stream of chance of the deal; or all
hands; or only what its seat sees. It tries its moves in a tree of its own decisions (PUCT), in worlds that
fit what it knows. Behind the tree it plays as *Club*, and so do others, each with a share of random moves.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

import paddock
from paddock.bots import bot
from paddock.core.title import Seen
from paddock.core.words import CHANCE
from paddock.kernel.bulk import Bench
from paddock.kernel.chance import SEEDS, below, stream
from paddock.kernel.source import Seeded
from paddock.lab.results import Match

if TYPE_CHECKING:  # globals that ``searching`` adds, compiled
    from paddock.kernel.contract import apply, hide, policy, redeal, run_chance, who
    from paddock.kernel.loops import first_of, listed

KERNEL = ("apply", "below", "first_of", "hide", "listed", "policy", "redeal", "run_chance", "stream", "who")
TITLE = paddock.title("rasant")
OPTIONS = TITLE.options.read({})
PLAYERS, SETUP = OPTIONS.players, TITLE.setup_of(OPTIONS)
TRIALS, MOST_MOVES, MOST_DEPTH = 4000, 16, 200  # for a decision; that are legal; own decisions of a game
VIEW, KNOWN, NOW = range(3)  # states: a view, what is known of the game, and the game that is played on
SLIPS, OWN_SLIPS = (0, 8, 4, 2), 8  # one move in so many is random: of others, by trial; behind the tree
EXPLORE, CLUB = 0.8, 0.5  # PUCT: its factor, and the prior of the move of *Club*
POINT = 0.01  # of a win: a point over the mean


def row_of(view: Any, keys: Any) -> int:
    """Return the row of the tree for a view, given as bytes, and write its key beside the one of the row."""
    key = 1
    for byte in view:
        key = (key * 1099511628211 ^ byte) & 0x7FFFFFFFFFFF
    row = key % len(keys)
    while keys[row, 0] != 0 and keys[row, 0] != key:
        row = (row + 1) % len(keys)
    keys[row, 1] = key
    return row


def promising(counts: Any, sums: Any, club: int) -> int:
    """Return which move to try next, by PUCT."""
    prior = np.full(len(counts), (1 - CLUB) / len(counts))
    prior[club] += CLUB
    means = np.where(counts > 0, sums / np.maximum(counts, 1), sums.sum() / counts.sum())
    return int(np.argmax(means + EXPLORE * prior * np.sqrt(counts.sum()) / (1 + counts)))


def won(scores: Any, seat: int) -> float:
    """Return the share of the win, and a little for the points over the mean."""
    first = scores == scores.max()
    return float(first[seat] / first.sum() + POINT * (scores[seat] - scores.mean()))


def search(ss: Any, raw: Any, g: Any, seat: int, eyes: int, cards: int, seed: int, rng: Any, out: Any) -> int:
    """Return the index of the move that is tried most. ``cards`` is the stream of the game, or 0: unknown."""
    keys, club = np.zeros((4 * TRIALS, 2), np.int64), np.zeros(4 * TRIALS, np.int64)
    counts, sums = np.zeros((4 * TRIALS, MOST_MOVES), np.int64), np.zeros((4 * TRIALS, MOST_MOVES))
    path, chance = np.zeros((MOST_DEPTH, 2), np.int64), np.zeros(1, np.int64)
    for trial in range(TRIALS):
        stream(seed, trial, rng)
        stream(seed + 1, trial, chance)
        if cards:
            chance[0] = cards
        ss[NOW] = ss[KNOWN]
        redeal(ss[NOW], g, eyes, rng, out)
        depth, growing, waiting = 0, True, who(ss[NOW], g)
        while waiting:
            by = first_of(waiting, PLAYERS)
            n = listed(ss[NOW], g, by, out)
            moves, choice, row, in_tree = out[:n].copy(), 0, 0, by == seat and growing and n > 1
            if in_tree:
                ss[VIEW] = ss[NOW]
                hide(ss[VIEW], g, eyes)
                row = row_of(raw[VIEW], keys)
                growing = keys[row, 0] != 0
            slips = 0 if in_tree else OWN_SLIPS if by == seat else SLIPS[trial % len(SLIPS)]
            if in_tree and growing:
                choice = promising(counts[row, :n], sums[row, :n], club[row])
            elif n > 1 and slips and below(rng, slips) == 0:
                choice = below(rng, n)
            elif n > 1:
                choice = int(np.argmax(moves == policy(ss[NOW], g, by, out, n, rng)))
            if in_tree:
                if not growing:
                    keys[row, 0], club[row] = keys[row, 1], choice
                path[depth] = row, choice
                depth += 1
            apply(ss[NOW], g, by, moves[choice])
            waiting = who(ss[NOW], g)
            if waiting >> CHANCE:
                run_chance(ss[NOW], g, chance)
                waiting = who(ss[NOW], g)
        value = won(ss[NOW].score[:PLAYERS], seat)
        for k in range(depth):
            counts[path[k, 0], path[k, 1]] += 1
            sums[path[k, 0], path[k, 1]] += value
    return int(np.argmax(counts[path[0, 0]]))


@cache
def searching() -> tuple[Any, Bench]:
    """Return ``search``, compiled, and its buffers."""
    import numba

    bench = Bench(TITLE, OPTIONS, states=3)
    names = {**globals(), **{name: getattr(bench.kernel, name) for name in KERNEL}}
    for function in (row_of, promising, won, search):
        names[function.__name__] = numba.njit(error_model="numpy")(FunctionType(function.__code__, names))
    return names["search"], bench


def choose(s: Any, knows: str, cards: int, seat: int, seed: int) -> int:
    """Choose a move in the game ``s`` by what is known of it: ``all``, all ``hands``, or the ``view``."""
    legal, eyes = TITLE.legal(s, SETUP, seat), 1 << seat if knows == "view" else (1 << PLAYERS) - 1
    if len(legal) == 1:
        return legal[0]
    compiled, bench = searching()
    known = s.copy()
    TITLE.rules.hide(known, SETUP, eyes)
    known.store(bench.ss[KNOWN])
    raw, cards = bench.ss.view(np.uint8).reshape(3, -1), cards if knows == "all" else 0
    choice: int = compiled(bench.ss, raw, bench.gg[0], seat, eyes, cards, seed, bench.rng, bench.out)
    return legal[choice]


def play(knows: str, rival: str, seed: int, deal: int, searcher: int) -> list[list[int]]:
    """Play a game in which the seat ``searcher`` searches; return points and places."""
    rules, s, others = TITLE.rules, TITLE.rules.State(), bot(TITLE, rival)
    chance, rng = Seeded(f"{seed} oracle", deal).rng, Seeded(f"{seed} oracle {searcher}", deal)
    rules.start(s, SETUP)
    while waiting := rules.who(s, SETUP):
        if waiting >> CHANCE:
            rules.run_chance(s, SETUP, chance)
            continue
        seat = waiting.bit_length() - 1
        if seat == searcher:
            move = choose(s, knows, chance[0], seat, rng.below(SEEDS))
        else:
            hidden = s.copy()
            rules.hide(hidden, SETUP, 1 << seat)
            seen = Seen(TITLE, OPTIONS, SETUP, hidden, 1 << seat, (), tuple("1234"))
            move = others.choose(seen, seat, seen.legal(seat), rng)
        rules.apply(s, SETUP, seat, move)
    return [row[:PLAYERS] for row in TITLE.results(s, SETUP)]


def play_deal(knows: str, rival: str, seed: int, until: float, deal: int) -> list[list[list[int]]]:
    """Play a deal once for each seat; nothing if it is too late to begin another one."""
    if deal and time.time() > until:
        return []
    return [play(knows, rival, seed, deal, seat) for seat in range(PLAYERS)]


def main() -> None:
    """Play deals until the time is over, and print the figures."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--minutes", type=float, default=25, help="after which no deal begins")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--knows", choices=("all", "hands", "view"), default="all")
    parser.add_argument("--rival", default="works", help="the level of the three others")
    given = parser.parse_args()
    deal = partial(play_deal, given.knows, given.rival, given.seed, time.time() + 60 * given.minutes)
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        played = np.array([game for games in pool.map(deal, range(2_000)) for game in games])
    bots = np.tile(1 - np.eye(PLAYERS, dtype=np.int64), (len(played) // PLAYERS, 1))
    names, points, places = (f"knows {given.knows}", given.rival), played[:, 0], played[:, 1]
    short = OPTIONS.short
    print(Match(TITLE.name, short, given.seed, names, bots, points, places, np.full(bots.shape, "")))


if __name__ == "__main__":
    main()
