"""``paddock.arena.match``: agents play each other by words, with the same deals for all."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from paddock.arena.folder import Folder
from paddock.arena.playing import ArenaGame, ArenaTeam
from paddock.arena.results import ArenaMatch, make_results
from paddock.arena.session import check_tries
from paddock.bots import Bot
from paddock.bots.judging import check
from paddock.core.defaults import ARENA_WORLDS, SECONDS, TRIES
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.kernel.loader import say_compiling
from paddock.kernel.source import Seed
from paddock.lab.match import check_count, played
from paddock.lab.plan import make_plan


def match(
    title: Title | str,
    agents: Sequence[Bot | str],
    games: int,
    seed: Seed = 0,
    *,
    options: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
    tries: int = TRIES,
    worlds: int = ARENA_WORLDS,
    processes: int | None = None,
    keep: Path | str | None = None,
    progress: Callable[[int], Any] | None = None,
) -> ArenaMatch:
    """Play a match between ``agents``, one for each player; return its results.

    An agent is a program that reads words and writes a line (``"text:./agent"``), or a bot as
    ``paddock.match`` takes it. Deals and seats are those of ``paddock.match`` with the same seed. A decision
    is forfeited after ``tries`` refused answers, after ``seconds``, or if the program ends; then a random
    legal move is played. ``worlds`` are those in which each other decision is judged, at most; 0: none is.
    ``keep`` is a folder for a line and a record of each game, from which the same call goes on.
    ``processes`` defaults to the number of cores; the result does not depend on it. ``progress`` is called
    with the number of games finished since the last call.

    Raises ``PaddockError`` if an argument is wrong.
    """
    found_title = find_title(title)
    check_count("games", games)
    check_count("processes", 1 if processes is None else processes)
    if worlds:
        check(worlds)
    plan = make_plan(found_title, agents, seed, options or {}, seconds, words=True)
    players = len(plan.line_up)
    head = {
        "match": plan.digest,
        "title": f"{found_title.name}/{found_title.revision}",
        "options": plan.options.text,
        "agents": [plan.entrants[k].label for k in plan.line_up],
        "seed": plan.seed,
        "seconds": plan.seconds,
        "tries": check_tries(tries),
        "worlds": worlds,
    }
    with Folder(Path(keep), head, players) if keep is not None else nullcontext() as folder:
        made: list[ArenaGame] = folder.games[: -(-games // players) * players] if folder else []
        if worlds and len(made) < games:
            say_compiling(plan.title, "rollouts")
        date = datetime.datetime.now().astimezone().date().isoformat()
        team = partial(ArenaTeam, tries=tries, worlds=worlds, date=date)
        with closing(played(plan, games, len(made), processes, None, progress, team)) as deals:
            for deal in deals:
                made += deal
                if folder:
                    folder.add(deal)
    return make_results(plan, made, worlds)
