"""``paddock train``: a network learns, and says from time to time how strong it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.wording import number
from paddock.terminal.arguments import Name, Option, read_options
from paddock.terminal.completion import complete_level
from paddock.terminal.output import listen, no_stdout, out, say_written, writable

if TYPE_CHECKING:
    from paddock.lab.train import CurvePoint
    from paddock.lab.training import EarlyLadder


def train(
    name: Name,
    option: Option = None,
    to: Annotated[Path, typer.Option(help="Write the weights to this file.")] = Path("network.npz"),
    curves: Annotated[Path | None, typer.Option(help="Add a line of JSON per update to this file.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same weights.")] = 1,
    updates: Annotated[
        int | None, typer.Option(min=1, help="Updates of the weights; default: the recipe's.")
    ] = None,
    minutes: Annotated[float | None, typer.Option(min=0.01, help="Train for about this long.")] = None,
    against: Annotated[
        str,
        typer.Option(
            help="Learn to beat this level, or net:FILE, at all other seats; default: itself and others.",
            autocompletion=complete_level,
        ),
    ] = "",
    begin: Annotated[str, typer.Option(help="Begin with these weights: net:FILE, or champion.")] = "",
    recipe: Annotated[str, typer.Option(help="Follow this recipe; default: that of the options.")] = "",
    hidden: Annotated[
        int | None, typer.Option(min=1, help="Numbers of each hidden layer; default: the recipe's.")
    ] = None,
    past: Annotated[
        bool | None, typer.Option(help="Whether it reads what is past; default: as the recipe says.")
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(min=1, help="Processes that share the work; default: one for each core."),
    ] = None,
) -> None:
    """Train a network by self-play. “paddock match TITLE net:FILE …” then plays it."""
    from paddock.lab.train import CurvePoint
    from paddock.lab.training import train_title

    if updates is not None and minutes is not None:
        raise PaddockError(_("--updates and --minutes: give one of them"))
    no_stdout("--to", to)
    no_stdout("--curves", curves)
    writable(to, curves)
    listen()
    last = 0

    def say(report: CurvePoint | EarlyLadder) -> None:
        """Print an early ladder; of an update only note the number."""
        nonlocal last
        if isinstance(report, CurvePoint):
            last = report.update
        else:
            out.print(_ladder_line(report))

    train_title(
        name, read_options(option), seed=seed, updates=updates, minutes=minutes, against=against, begin=begin,
        recipe_name=recipe, hidden=hidden, past=past, to=to, curves=curves, say=say, processes=processes,
    )  # fmt: skip
    if minutes is not None:
        out.print(_("To repeat this training: --updates {n} --seed {seed}").format(n=last, seed=seed))
    say_written(to, curves)


def _ladder_line(ladder: EarlyLadder) -> str:
    """Return the line of an early ladder."""
    points_got = ladder.result
    sentence = _(
        "update {n}, one among “{rival}”: {points} ± {error} points over the fair share, {wins} ± {part} wins"
    )
    return sentence.format(
        n=ladder.update, rival=ladder.rival,
        points=number(points_got.points, "+.3f"), error=number(points_got.points_error, ".3f"),
        wins=number(points_got.wins, ".1%"), part=number(points_got.wins_error, ".1%"),
    )  # fmt: skip
