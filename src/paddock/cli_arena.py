"""``paddock arena``: language models and programs play by words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paddock.core.defaults import ARENA_WORLDS, SECONDS, TRIES
from paddock.core.i18n import plural
from paddock.core.title import titles
from paddock.terminal.arguments import Name, Option, Processes, read_options
from paddock.terminal.completion import Commands, complete_title
from paddock.terminal.output import no_stdout, out, progress_bar, say_written

arena_app = typer.Typer(
    cls=Commands,
    help="Let language models and programs play by words.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Tries = Annotated[int, typer.Option(min=1, max=100, help="Answers to one decision; then it is forfeited.")]


@arena_app.command()
def serve(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="TITLE", help="The titles; default: all.", autocompletion=complete_title),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed gives the same games.")] = None,
    tries: Tries = TRIES,
) -> None:
    """Serve games over the Model Context Protocol, on standard input and output."""
    from paddock.arena.server import serve as serve_hall

    serve_hall(names or list(titles()), seed, tries)


@arena_app.command()
def match(
    name: Name,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT",
            help="An agent for each player: text:COMMAND for a program that reads words, or a bot as for "
            "paddock match.",
        ),
    ],
    games: Annotated[int, typer.Option(min=1, help="At least this many games; whole deals are played.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 0,
    seconds: Annotated[
        float, typer.Option(help="A program that takes longer for an answer forfeits the decision.")
    ] = SECONDS,
    tries: Tries = TRIES,
    worlds: Annotated[
        int, typer.Option(help="Judge each decision in up to so many worlds; 0: judge none.")
    ] = ARENA_WORLDS,
    option: Option = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Keep a line and a record of each game; run the same again to resume."
        ),
    ] = None,
    processes: Processes = None,
) -> None:
    """Let agents play each other, and print points, forfeits, and what a decision costs."""
    from paddock.arena import match as play_match
    from paddock.terminal.show import results

    no_stdout("--keep", keep)
    total = -(-games // len(agents)) * len(agents)
    with progress_bar(plural("{n} game", "{n} games", total), total) as advance:
        played = play_match(
            name,
            agents,
            games,
            seed,
            options=read_options(option),
            seconds=seconds,
            tries=tries,
            worlds=worlds,
            processes=processes,
            keep=keep,
            progress=advance,
        )
    for part in results(played, out.width):
        out.print(part)
    if keep:
        say_written(keep)


@arena_app.command()
def words(
    name: Name,
    option: Option = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same game.")] = 0,
    part: Annotated[
        str, typer.Option("--rules", help="The rules before: short, whole, a chapter or clause.")
    ] = "short",
) -> None:
    """Print what the first player is told at the start of a game."""
    from paddock.arena import text

    out.print(text(name, read_options(option), seed=seed, rules=part).reset(), markup=False, highlight=False)
