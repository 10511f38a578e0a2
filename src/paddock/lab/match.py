"""``match``: bots play each other, with the same deals for all."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from paddock.bots import Bot
from paddock.bots.registry import looks_ahead
from paddock.core.defaults import SECONDS
from paddock.core.errors import BadOption, quoted, whole
from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.processes import Make
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.wording import number
from paddock.kernel.bulk import cores
from paddock.kernel.loader import say_compiling
from paddock.kernel.source import Seed
from paddock.lab.cluster import check_cluster, play_deals_on
from paddock.lab.farm import Games, play_deals
from paddock.lab.journal import Journal
from paddock.lab.plan import Plan, make_plan
from paddock.lab.play import BotTeam
from paddock.lab.results import Match, make_match

MOST = 10**12  # games: every deal has random streams of its own
LEAST_LUCK, MOST_LUCK = 2, 100_000  # games from each draw


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
    luck: int = 0,
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
    resumes a match that was interrupted, or makes it longer.

    With ``luck``, the luck of cards and dice after the first decision of a game is measured in so many games
    that are played on from before and after each draw, and taken out of the points: see ``luck.py``.

    Raises ``PaddockError`` if an argument is wrong.
    """
    found_title = find_title(title)
    check_count("games", games)
    check_count("processes", 1 if processes is None else processes)
    if luck:
        need("fast", _("measuring luck"))
    plan = make_plan(found_title, bots, seed, options or {}, seconds, _games_of(luck))
    if cluster is not None:
        check_cluster()
    count = len(plan.line_up)
    with Journal(plan, Path(to)) if to is not None else nullcontext() as journal:
        rows = journal.rows[: -(-games // count) * count] if journal else []
        with closing(played(plan, games, len(rows), processes, cluster, progress)) as deals:
            for deal in deals:
                rows += deal
                if journal:
                    journal.add(deal)
    return make_match(plan, rows)


def played(
    plan: Plan,
    games: int,
    finished: int = 0,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], Any] | None = None,
    team: Make = BotTeam,
) -> Generator[Games, None, None]:
    """Play so many games of a plan, in whole deals, of which some are finished; yield those of each deal.

    On this machine each process makes a ``team`` of its own, which plays them.
    """
    count = len(plan.line_up)
    deals = range(finished // count, -(-games // count))
    if progress:
        progress(min(finished, deals.stop * count))
    with closing(_play(plan, deals, processes, cluster, team)) as games_of_deals:
        for deal in games_of_deals:
            yield deal
            if progress:
                progress(len(deal))


def check_count(name: str, value: Any) -> None:
    """Raise ``BadOption`` unless the value of an argument is a whole number from 1 on."""
    count = whole(value)
    if count is None or not 1 <= count <= MOST:
        sentence = _("{name}={value}: give a whole number from 1 to {most}")
        raise BadOption([sentence.format(name=name, value=quoted(value), most=number(MOST, ","))])


def _games_of(luck: int) -> int:
    """Return the number of games that measure luck, 0 for none; raise ``BadOption``."""
    games = whole(luck)
    if games is None or not (games == 0 or LEAST_LUCK <= games <= MOST_LUCK):
        sentence = _("luck={given}: give a whole number from {least} to {most}, or 0")
        raise BadOption([sentence.format(given=quoted(luck), least=LEAST_LUCK, most=number(MOST_LUCK, ","))])
    return games


def _play(
    plan: Plan, deals: range, processes: int | None, cluster: str | None, team: Make
) -> Generator[Games, None, None]:
    """Play the deals here or on a cluster; yield the rows of each."""
    if cluster is None:
        if deals and (plan.luck or any(entrant.level == "works" for entrant in plan.entrants)):
            say_compiling(plan.title, "rollouts")
        if deals and any(looks_ahead(plan.title, entrant.level, plan.options) for entrant in plan.entrants):
            say_compiling(plan.title, "look_ahead")
        return play_deals(plan, deals, processes or cores(), team)
    return play_deals_on(cluster, plan, deals, processes)
