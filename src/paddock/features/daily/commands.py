"""``paddock daily``: anybody can check that the cards of a daily race were those of its secret."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.terminal.arguments import contents
from paddock.terminal.completion import Commands
from paddock.terminal.output import out

if TYPE_CHECKING:
    from paddock.features.daily.rules import ToldDay

app = typer.Typer(
    cls=Commands,
    help="Check the daily races of a server.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("check")
def check_day(
    day: Annotated[
        Path,
        typer.Argument(
            metavar="DAY", help="The answer of /api/v1/daily/DAY; - reads it from standard input."
        ),
    ],
    records: Annotated[
        list[Path] | None, typer.Argument(metavar="RECORD", help="Records of attempts, or of practice.")
    ] = None,
    commitment: Annotated[
        str, typer.Option(help="What the server showed before: it must be the hash of the secret.")
    ] = "",
    par: Annotated[bool, typer.Option("--par", help="Measure the pars again, which takes minutes.")] = False,
) -> None:
    """Check that the secret of a day matches what was shown before, and gives its cards, dice and bots."""
    from paddock import records as files
    from paddock.bots import fair
    from paddock.features.daily import rules

    found = rules.read_day(contents("DAY", day))
    fits = fair.commitment(found.secret) == (commitment.lower() or found.commitment)
    words = _("{day}: the secret matches the hash shown before.")
    if not fits:
        words = _("{day}: the secret does NOT match the hash shown before.")
    out.print(words.format(day=found.day))
    good = fits
    for file in records or ():
        record = files.read(contents("RECORD", file))
        made = rules.check(record, found.race(record.title.name), found.secret)
        words = _("{file}: {outcomes} random outcomes and {moves} bot moves match the secret.")
        if made.fault:
            words = _("{file}: does NOT match this secret: {fault}")
            good = False
        out.print(words.format(file=file, fault=made.fault, outcomes=made.outcomes, moves=made.moves))
    if par:
        need("fast", "paddock daily check --par")
        good = _pars(found) and good
    if not good:
        raise typer.Exit(1)


def _pars(day: ToldDay) -> bool:
    """Measure the pars again; return whether they are the same."""
    from paddock.features.daily import rules

    good = True
    for race in day.races:
        if race.par is None or race.par_level is None:
            continue
        _log, points = rules.further(race, day.secret, (), race.par_level, float("inf"))
        same = points == race.par
        good = good and same
        words = _("{title}: par is {par}, and {level} scores {points}.")
        out.print(words.format(title=race.title, par=race.par, level=race.par_level, points=points))
    return good
