"""Commands of the laboratory with much to say."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from paddock.core.defaults import ASKS, HISTORIES, SECONDS, WORLDS
from paddock.core.errors import BadOption, brief
from paddock.core.extras import need
from paddock.core.i18n import _, plural
from paddock.core.title import title
from paddock.terminal.arguments import Cluster, Name, Option, Processes, contents, read_options
from paddock.terminal.completion import complete_level
from paddock.terminal.output import listen, no_stdout, out, progress_bar, say_written, writable, write


def ladder(
    name: Name,
    bots: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOT", help="Bots besides the levels: cmd:COMMAND for a program."),
    ] = None,
    levels: Annotated[
        str | None,
        typer.Option(help="Only these levels, as in rookie,club.", autocompletion=complete_level),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="At least this many games a match; whole deals.")] = 400,
    games_with: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT=N", help="Another number of games for the matches of a bot."),
    ] = None,
    players: Annotated[int | None, typer.Option(min=2, help="Players at a table.")] = None,
    by: Annotated[str, typer.Option(help="What bots are judged by: points or wins.")] = "points",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 0,
    seconds: Annotated[
        float, typer.Option(help="A program that takes longer for a decision forfeits the game.")
    ] = SECONDS,
    option: Option = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep a file for each match; run the same again to resume."),
    ] = None,
    to: Annotated[Path | None, typer.Option(help="Write the tables with pictures to this HTML file.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write all numbers to this JSON file.")
    ] = None,
    processes: Processes = None,
    cluster: Cluster = None,
) -> None:
    """Let every bot play among every other, and print who beats whom, ratings and α-Rank."""
    from paddock.lab import ladder as play_ladder
    from paddock.lab.ladder_report import report

    no_stdout("--keep", keep)
    console = writable(to, json_file)
    with progress_bar(_("games")) as advance:
        played = play_ladder(
            name,
            bots or [],
            games,
            seed,
            levels=levels.split(",") if levels is not None else None,
            games_with=_sizes(games_with or []),
            players=players,
            by=by,
            options=read_options(option),
            seconds=seconds,
            processes=processes,
            cluster=cluster,
            folder=keep,
            progress=advance,
        )
    console.print("\n".join(played.lines(console.width if console.is_terminal else 0)))
    if to:
        write(to, report(played))
    if json_file:
        write(json_file, played.json)
    say_written(to, json_file)


def _sizes(words: list[str]) -> dict[str, int]:
    """Parse ``BOT=N`` words; raise ``BadOption``. The command line of a program may have a ``=`` itself."""
    sizes: dict[str, int] = {}
    for word in words:
        bot, equals, size = word.rpartition("=")
        if not equals or not size.isdecimal() or bot in sizes:
            sentence = _("--games-with {word}: write each bot once, as BOT=N with a whole number")
            raise BadOption([sentence.format(word=brief(word))])
        sizes[bot] = int(size)
    return sizes


def study_beside(
    name: str,
    options: dict[str, str],
    other: str,
    games: int,
    seed: int,
    to: Path | None,
    json_file: Path | None,
    csv_file: Path | None,
    parquet: Path | None,
    learn: float | None,
) -> None:
    """Print what is different between a title and another set of options, or another title."""
    from paddock.lab import beside
    from paddock.lab.beside_report import report
    from paddock.lab.results import check_parquet

    no_stdout("--parquet", parquet)
    if parquet:
        check_parquet()
    console = writable(to, json_file, csv_file, parquet)
    other_title, words = _other_side(other)
    with progress_bar(_("games")) as advance:
        made = beside(
            name, options, other_title, read_options(words, "--beside"), games, seed,
            learn=learn, progress=advance,
        )  # fmt: skip
    console.print(str(made))
    if to:
        write(to, report(made))
    if json_file:
        write(json_file, made.json)
    if csv_file:
        write(csv_file, made.csv)
    if parquet:
        made.write_parquet(parquet)
    say_written(to, json_file, csv_file, parquet)


def _other_side(text: str) -> tuple[str | None, list[str]]:
    """Return the title that the words of ``--beside`` begin with, if any, and its options."""
    try:
        words = shlex.split(text)
    except ValueError:  # a quotation mark without its other one
        words = []
    if not words:
        sentence = _("--beside {text}: write options as NAME=VALUE, or a title and its options")
        raise BadOption([sentence.format(text=brief(text))])
    return (None, words) if "=" in words[0] else (words[0], words[1:])


def exploit(
    name: Name,
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="The level to beat, or net:FILE for a network.", autocompletion=complete_level
        ),
    ],
    minutes: Annotated[float, typer.Option(min=0.01, help="Train for about this long.")] = 10,
    updates: Annotated[
        int | None, typer.Option(min=1, help="Updates of the weights, in place of minutes.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed and updates give the same weights.")] = 1,
    games: Annotated[int, typer.Option(min=1, help="Games of the match that measures it.")] = 4000,
    players: Annotated[int | None, typer.Option(min=2, help="Players at a table.")] = None,
    option: Option = None,
    to: Annotated[Path, typer.Option(help="Write the weights to this file.")] = Path("exploiter.npz"),
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder of a ladder, which then shows what it gains."),
    ] = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Processes of the match.")] = None,
    hidden: Annotated[
        int, typer.Option(min=1, help="Numbers of each hidden layer, at least those of a network to beat.")
    ] = 192,
    ahead: Annotated[
        int, typer.Option(min=0, help="Then play so many games in which the exploiter looks ahead.")
    ] = 0,
) -> None:
    """Train a network to beat one level, and print what it gains at a table full of that level."""
    from paddock.lab.exploiter import exploit as make
    from paddock.lab.exploiter import looking_ahead
    from paddock.lab.results import points_over, wins_over
    from paddock.terminal.show import results

    no_stdout("--to", to)
    no_stdout("--keep", keep)
    writable(to)
    listen()
    options = read_options(option)
    exploiter, played = make(
        name,
        bot,
        minutes=minutes,
        updates=updates,
        seed=seed,
        games=games,
        players=players,
        options=options,
        to=to,
        folder=keep,
        processes=processes,
        hidden=hidden,
    )
    for part in results(played, out.width):
        out.print(part)
    sentence = _(
        "An exploiter of {bot} ({label}) gains {points} points over the fair share, and {wins} of the wins."
    )
    figure = played.figures[0]
    out.print(
        sentence.format(bot=bot, label=exploiter.label, points=points_over(figure), wins=wins_over(figure))
    )
    out.print(
        _("To repeat this training: --updates {n} --seed {seed}").format(n=exploiter.updates, seed=seed)
    )
    say_written(to)
    if ahead:
        searched = looking_ahead(
            name,
            bot,
            to,
            games=ahead,
            seed=seed,
            players=players,
            options=options,
            processes=processes,
        )
        for part in results(searched, out.width):
            out.print(part)


def solve(
    name: Name,
    bots: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOT", help="Levels, or net: and a file, to measure in this game."),
    ] = None,
    option: Option = None,
    asks: Annotated[
        int, typer.Option(min=2, help="Half the answers of a bot in every information state.")
    ] = ASKS,
    most: Annotated[int, typer.Option(min=1, help="Give up a game of more histories.")] = HISTORIES,
    seed: Annotated[int, typer.Option(min=0, help="The same seed asks bots with the same chance.")] = 0,
    to: Annotated[Path | None, typer.Option(help="Write the equilibrium to this JSON file.")] = None,
) -> None:
    """Solve a small game of two players exactly, and say how far bots are from the equilibrium."""
    from paddock.lab import solve as solve_game

    console = writable(to)
    solved = solve_game(name, read_options(option), bots or [], seed=seed, asks=asks, most=most)
    console.print(str(solved))
    if to:
        write(to, solved.json)
    say_written(to)


def puzzles_make(
    name: Name,
    each: Annotated[int, typer.Option(min=1, help="Puzzles of each theme.")] = 12,
    games: Annotated[int, typer.Option(min=1, help="Games of bots to look at, at most.")] = 400,
    worlds: Annotated[
        int, typer.Option(min=64, help="Worlds that find a puzzle; 16 times as many check it.")
    ] = WORLDS,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    to: Annotated[
        Path | None,
        typer.Option(help="The file; its puzzles are checked again. Default: that of the title."),
    ] = None,
) -> None:
    """Find positions of bot games with one clearly best move, check them, and add them to a file."""
    from paddock.bots.puzzles import FILE, dump, loads
    from paddock.lab.puzzles import make

    no_stdout("--to", to)
    need("fast", "paddock puzzles make")
    found_title = title(name)
    file = to or Path(str(files(found_title.package))) / FILE
    before = contents(str(file), file) if file.is_file() else ""
    with progress_bar(plural("{n} game", "{n} games", games), games) as advance:
        puzzles = make(
            name,
            each=each,
            games=games,
            worlds=worlds,
            seed=seed,
            known=loads(found_title, before),
            progress=advance,
        )
    write(file, "".join(f"{dump(source)}\n" for source in puzzles.sources))
    out.print(str(puzzles))
    say_written(file)
