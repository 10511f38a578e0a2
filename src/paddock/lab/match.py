"""``match``: bots play each other, with the same deals for all."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from paddock.bots import Bot
from paddock.core.defaults import SECONDS
from paddock.core.errors import BadOption, quoted, whole
from paddock.core.i18n import _
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.wording import number
from paddock.kernel.bulk import cores
from paddock.kernel.loader import say_compiling
from paddock.kernel.source import Seed
from paddock.lab.cluster import check_cluster, play_deals_on
from paddock.lab.farm import play_deals
from paddock.lab.journal import Journal
from paddock.lab.plan import Plan, make_plan
from paddock.lab.results import Match, make_match
from paddock.lab.rows import Row

MOST = 10**12  # games: every deal has random streams of its own


def match(
    title: Title | str,
    bots: Sequence[Bot | str],
    games: int,
    seed: Seed = 0,
    *,
    options: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
    processes: int | None = None,
    cluster: str | None = None,
    to: Path | str | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Match:
    """Play a match between ``bots``, one for each player; return its results.

    A bot is a level (``"club"``), a command line (``"cmd:./mybot"``) or an object with ``choose``. The same
    bot may be given several times. A deal is played once for each rotation of the players, so ``games`` is
    rounded up to whole deals. A game is one race, or a series if ``options`` say so. ``seconds`` limits each
    decision of an object or a program. ``processes`` defaults to the number of cores; the result does not
    depend on it. ``progress`` is called with the number of games finished since the last call.

    ``cluster`` is the address of a Ray cluster that plays the deals instead of this machine: ``"auto"``,
    ``"HOST:PORT"`` or ``"ray://HOST:PORT"``. It needs the extra ``cluster``; docs/match.md says what
    its nodes need. Then ``processes`` defaults to the CPUs of the cluster.

    ``to`` is a CSV file that gets each deal as soon as it and all before it are finished. The same call
    resumes a match that was interrupted, or makes it longer. Raises ``PaddockError`` if an argument is wrong.
    """
    found = find_title(title)
    for name, value in (("games", games), ("processes", 1 if processes is None else processes)):
        given = whole(value)
        if given is None or not 1 <= given <= MOST:
            sentence = _("{name}={value}: give a whole number from 1 to {most}")
            raise BadOption([sentence.format(name=name, value=quoted(value), most=number(MOST, ","))])
    plan = make_plan(found, bots, seed, options or {}, seconds)
    if cluster is not None:
        check_cluster()
    count = len(plan.line_up)
    deals = -(-games // count)
    with Journal(plan, Path(to)) if to is not None else nullcontext() as journal:
        rows = journal.rows[: deals * count] if journal else []
        if progress:
            progress(len(rows))
        todo = range(len(rows) // count, deals)
        with closing(_play(plan, todo, processes, cluster)) as played:
            for deal in played:
                rows += deal
                if journal:
                    journal.add(deal)
                if progress:
                    progress(len(deal))
    return make_match(plan, rows)


def _play(
    plan: Plan, deals: range, processes: int | None, cluster: str | None
) -> Generator[list[Row], None, None]:
    if cluster is None:
        if deals and any(entrant.level == "works" for entrant in plan.entrants):
            say_compiling(plan.title, "rollouts")
        return play_deals(plan, deals, processes or cores())
    return play_deals_on(cluster, plan, deals, processes)
