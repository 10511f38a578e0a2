"""``paddock daily par``: anybody can measure the pars of a day that is over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.terminal.arguments import contents
from paddock.terminal.completion import Commands
from paddock.terminal.output import out

app = typer.Typer(
    cls=Commands,
    help="Measure the pars of daily races.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def daily() -> None:
    """Measure the pars of daily races."""


@app.command("par")
def par(
    day: Annotated[
        Path,
        typer.Argument(
            metavar="DAY", help="The answer of /api/v1/daily/DAY; - reads it from standard input."
        ),
    ],
) -> None:
    """Measure the pars of a day that is over again, which takes minutes: are they those that it says?"""
    need("fast", "paddock daily par")
    from paddock.features.daily import fair, rules

    text = contents("DAY", day)
    try:
        told = json.loads(text)
    except ValueError:
        told = None
    found, good = fair.read_day(told if isinstance(told, dict) else {}), True
    for race in found.races:
        if race.par is None or race.par_level is None:
            continue
        _log, points = rules.further(race, found.secret, (), race.par_level, float("inf"))
        good = good and points == race.par
        words = _("{title}: par is {par}, and {level} scores {points}.")
        out.print(words.format(title=race.title, par=race.par, level=race.par_level, points=points))
    if not good:
        raise typer.Exit(1)
