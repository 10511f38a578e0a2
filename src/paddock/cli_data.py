"""``paddock data``: games of bots as Parquet, a row for each decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paddock.core.errors import BadOption
from paddock.core.i18n import _, plural
from paddock.core.wording import number
from paddock.terminal.arguments import Name, Option, Processes, read_options
from paddock.terminal.completion import Commands, complete_level
from paddock.terminal.output import listen, no_stdout, out, progress_bar

SHORT, FULL = "short", "full"
data_app = typer.Typer(
    cls=Commands,
    help="Write games of bots as Parquet, a row for each decision.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@data_app.command()
def make(
    name: Name,
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder; run the same again to resume.")],
    levels: Annotated[
        str | None,
        typer.Option(
            help="Levels, as in club,works,net:FILE; twice named, twice as often. Default: the quick ones.",
            autocompletion=complete_level,
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="At least this many games; whole deals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    features: Annotated[
        str, typer.Option(help="What a seat sees: short, as networks read it, or full.")
    ] = SHORT,
    worths: Annotated[
        int, typer.Option(metavar="WORLDS", help="Try each legal move in so many worlds; 0: in none.")
    ] = 0,
    luck: Annotated[
        int, typer.Option(metavar="GAMES", help="Play each draw on in so many games; 0: in none.")
    ] = 0,
    option: Option = None,
    processes: Processes = None,
) -> None:
    """Let levels play, and write a row for each decision: what was seen, allowed and done, and the result."""
    from paddock.lab.data import make_data

    if features not in (SHORT, FULL):
        raise BadOption([_("--features {word}: write short or full").format(word=features)])
    no_stdout("--to", to)
    listen()
    with progress_bar(_("games")) as advance:
        made = make_data(
            name,
            to,
            levels=levels.split(",") if levels is not None else None,
            games=games,
            seed=seed,
            options=read_options(option),
            full=features == FULL,
            worlds=worths,
            luck=luck,
            processes=processes,
            progress=advance,
        )
    sentence = _("{folder}: {games} games; {written} of them, with {decisions} decisions, written now.")
    out.print(
        sentence.format(
            folder=to,
            games=number(made.games, ","),
            written=number(made.written, ","),
            decisions=number(made.decisions, ","),
        )
    )


@data_app.command()
def check(
    place: Annotated[Path, typer.Argument(metavar="FOLDER", help="A data set, or one of its files.")],
    games: Annotated[int, typer.Option(min=1, help="So many games, spread evenly.")] = 20,
) -> None:
    """Play games of a data set again by the rules, and compare every row; exit 2 if one is different."""
    from paddock.lab.data import check_data

    with progress_bar(_("games")) as advance:
        played, decisions = check_data(place, games, progress=advance)
    out.print(
        plural(
            "{n} game played again, {decisions} decisions: every row is as the rules say.",
            "{n} games played again, {decisions} decisions: every row is as the rules say.",
            played,
            decisions=number(decisions, ","),
        )
    )
