"""The command line. Errors are one line and exit 2."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

import paddock
from paddock import title, titles
from paddock.admin import admin
from paddock.cli_arena import arena_app
from paddock.cli_check import check, variant
from paddock.cli_data import data_app
from paddock.cli_fair import fair
from paddock.cli_lab import exploit, ladder, puzzles_make, solve, study_beside
from paddock.cli_maps import maps_app
from paddock.cli_tasks import tasks_app
from paddock.cli_train import train
from paddock.core.defaults import SECONDS, STUDY_GAMES, WORLDS
from paddock.core.errors import BadOption, PaddockError, brief
from paddock.core.extras import need
from paddock.core.i18n import (
    LANGUAGE,
    _,
    language,
    languages,
    of_environment,
    pgettext,
    plural,
    unknown_language,
)
from paddock.core.wording import either, number
from paddock.features import commands
from paddock.terminal.arguments import Cluster, Name, Option, Processes, contents, read_options
from paddock.terminal.completion import Commands, complete_level
from paddock.terminal.output import (
    STDOUT,
    flush,
    listen,
    no_stdout,
    out,
    progress_bar,
    say_written,
    set_up_streams,
    unread,
    writable,
    write,
)

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console

    from paddock.core.game import Game


app = typer.Typer(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
INTERRUPTED = 130  # the exit status after Ctrl-C
Host = Annotated[str | None, typer.Option(help="The address to listen on. Default: 127.0.0.1.")]
Port = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="The port; 0: any. Default: 8000, or the next one that is free."),
]
Seed = Annotated[int | None, typer.Option(min=0, help="The same seed gives the same game.")]


def _print_version(is_set: bool) -> None:
    if is_set:
        out.print(f"paddock {paddock.__version__}")
        raise typer.Exit


@app.callback()
def overview(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Racing tabletop games: play them, study them, and simulate them."""
    if context.invoked_subcommand is None:
        out.print(context.get_help())


@app.command(context_settings={"allow_extra_args": True})
def play(
    context: typer.Context,
    host: Host = None,
    port: Port = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let other devices on the local network join; print a QR code.")
    ] = False,
) -> None:
    """Start the server and open the page in the browser."""
    if context.args:
        sentence = _("“paddock play” opens the page; to play in the terminal: paddock race {title}")
        raise PaddockError(sentence.format(title=context.args[0]))
    _serve(host, port, lan, open_browser=True)


@app.command()
def serve(
    host: Host = None,
    port: Port = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let other devices on the local network join; print a QR code.")
    ] = False,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Server processes that share the tables; PostgreSQL only.")
    ] = 1,
) -> None:
    """Start the server."""
    _serve(host, port, lan, open_browser=open_browser, processes=processes)


def _serve(host: str | None, port: int | None, lan: bool, *, open_browser: bool, processes: int = 1) -> None:
    need("serve", _("the server"))
    if processes > 1:
        from paddock.server.processes import serve as several

        several(host, port, processes, lan=lan, open_browser=open_browser)
        return
    from paddock.server.serve import serve as run  # other commands need not load the server's libraries

    run(host=host, port=port, lan=lan, open_browser=open_browser)


@app.command()
def pack(
    folder: Annotated[Path, typer.Argument(help="An empty folder, or one of an earlier pack.")],
    python: Annotated[
        Path | None,
        typer.Option(help="The unpacked npm package pyodide. Default: downloaded once, by npm."),
    ] = None,
    wheels: Annotated[
        Path | None,
        typer.Option(help="A folder of wheels for browsers. Default: downloaded once, by pip."),
    ] = None,
) -> None:
    """Write static files in which Paddock runs in a browser, without a server."""
    need("serve", "paddock pack")
    from paddock.device.pack import pack as run

    written = run(folder, python, wheels)
    size = number(written.bytes / 1e6, ",.1f")
    out.print(_("{folder}: a first visit loads {size} MB").format(folder=folder, size=size))


@app.command()
def settings() -> None:
    """List the environment variables that a server reads, and their defaults."""
    need("serve", "paddock settings")
    from paddock.core.settings import described

    for name, usual, says in described():
        out.print(f"{name} ({usual})" if usual else name)
        out.print(f"    {says.replace('`', '')}")


@app.command()
def race(
    name: Name,
    seats: Annotated[
        str,
        typer.Option(help="“me” or the level of a bot for each player.", autocompletion=complete_level),
    ] = "me,club,club,rookie",
    races: Annotated[int | None, typer.Option(min=1, help="The length of the series.")] = None,
    seed: Seed = None,
    preset: Annotated[str | None, typer.Option(help="A preset of the title: its options, before -o.")] = None,
    option: Option = None,
    record: Annotated[Path | None, typer.Option(help="Write the record to this file.")] = None,
) -> None:
    """Play in the terminal with bots, then print the scorepad."""
    from paddock import records
    from paddock.terminal.race import Seats, set_up
    from paddock.terminal.race import race as run

    found_title = title(name)
    who = Seats.read(found_title, seats)
    chosen = found_title.preset(preset).values if preset else {}
    game = set_up(found_title, who, chosen | read_options(option), races, seed)
    console = writable(record)
    listen()
    run(game, who, seed, console.print, console.input)
    _scorepads(game, console)
    if record:
        levels = [None if player == "me" else player for player in who.players]
        today = datetime.now().astimezone().date()
        text = records.write(game, date=today, players=list(zip(game.names, levels, strict=True)))
        write(record, text)
        if record != STDOUT:
            out.print(pgettext("noun", "Record: {file}").format(file=record))


def _scorepads(game: Game, console: Console) -> None:
    from paddock.terminal.show import scorepads

    for pad in scorepads(game, console.width):
        console.print(pad)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record.")],
) -> None:
    """Check that a record is valid, and print its story."""
    from paddock import records

    record = records.read(contents(str(file), file))
    game = record.game()
    for line in game.story:
        out.print(line)
    for note in record.notes:
        tags = "".join(f" #{tag}" for tag in note.tags)
        out.print(_("Note at {at}, {name}: {text}").format(at=note.at, name=note.by, text=note.text + tags))
    _scorepads(game, out)


@app.command()
def analyse(
    file: Annotated[Path, typer.Argument(help="A complete record, or a position.")],
    worlds: Annotated[
        int, typer.Option(help="The maximum number of worlds for one decision: more give smaller errors.")
    ] = WORLDS,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same analysis.")] = 0,
    processes: Processes = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the judgement of every decision to this file.")
    ] = None,
) -> None:
    """Show what every player’s moves cost, where the points came from, and what could be played now."""
    from paddock.bots.analysis import choice_lines, ledger_lines, report, summary_lines
    from paddock.bots.judging import analyse as judge_game
    from paddock.bots.judging import check

    game = _recorded(file)
    check(worlds)
    console = writable(json_file)
    with progress_bar(_("Analysing")) as advance:
        analysis = judge_game(game, worlds=worlds, seed=seed, processes=processes, progress=advance)
    lines = summary_lines(analysis, game) if len(game.log) or game.over else []
    lines += ledger_lines(analysis, game)
    for line in [*lines, *([""] if lines and analysis.choices else []), *choice_lines(analysis, game)]:
        console.print(line)
    if json_file:
        write(json_file, json.dumps(report(analysis, game), ensure_ascii=False, indent=1))
    say_written(json_file)


def _recorded(file: Path) -> Game:
    """Return the game of a complete record, or the one that starts in a position; raise ``PaddockError``."""
    from paddock import records

    text = contents(str(file), file)
    if "/" in text.split("\n")[0] and "\n" not in text.strip():
        return paddock.position(text.strip())
    record = records.read(text)
    if not record.complete:
        raise PaddockError(_("{file}: only complete records can be analysed").format(file=file))
    return record.game()


@app.command()
def rules(
    name: Name,
    clause: Annotated[str | None, typer.Argument(help="One clause, for example LC-6.2.")] = None,
    option: Option = None,
) -> None:
    """Print the rules of a title, or one clause, with the numbers that options change."""
    rules_title = title(name)
    book = rules_title.rules_with(rules_title.options.read(read_options(option)))
    out.print(book.excerpt(clause) if clause else book.markdown)


@app.command()
def simulate(
    name: Name,
    games: Annotated[int, typer.Option(min=1, max=100_000_000, help="The number of single games.")] = 100_000,
    seats: Annotated[
        str | None,
        typer.Option(
            help="The level of a bot for each player; default: random moves.", autocompletion=complete_level
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    option: Option = None,
    file: Annotated[Path | None, typer.Option("--csv", help="Write one line per game to this file.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; default: one per core.")] = None,
) -> None:
    """Play many games on all cores, of random moves or between bots, and print the mean scores."""
    from rich.table import Table

    from paddock.bots import thirds
    from paddock.core.intervals import half_width
    from paddock.kernel.bulk import play as play_many
    from paddock.terminal.race import Seats

    found_title, values = title(name), read_options(option)
    bots = Seats.read(found_title, seats, people=False) if seats is not None else None
    options = found_title.options.read(bots.options(found_title, values) if bots else values)
    follow = [thirds(found_title, level) for level in bots.players] if bots else ()
    console = writable(file)
    with progress_bar(plural("{n} game", "{n} games", games), games) as advance:
        bulk = play_many(found_title, options, games, seed, thirds=follow, threads=threads, progress=advance)
    table = Table(
        _(found_title.seat_name).capitalize(), _("mean score"), "±", pgettext("share of games won", "wins")
    )
    for seat in range(options.seats):
        scores, places = bulk.scores[:, seat], bulk.places[:, seat]
        label = f"{seat + 1} {bots.players[options.owners[seat]]}" if bots else str(seat + 1)
        error = number(half_width(scores), ".4f") if games > 1 else ""
        table.add_row(label, number(scores.mean(), ".4f"), error, number((places == 1).mean(), ".4%"))
    console.print(table)
    mean = number(bulk.decisions.mean(), ".3f")
    sentence = _("{games} games, {mean} decisions per game; ± is a 95 % interval")
    console.print(sentence.format(games=number(games, ","), mean=mean))
    if file:
        _write_csv(file, bulk.scores, bulk.places, bulk.decisions)
    say_written(file)


def _write_csv(
    file: Path, scores: np.ndarray[Any, Any], places: np.ndarray[Any, Any], decisions: np.ndarray[Any, Any]
) -> None:
    """Write one line per game: index, decisions, and the score and place of every seat."""
    seats = range(1, scores.shape[1] + 1)
    to_file = file != STDOUT
    with file.open("w", newline="", encoding="utf-8") if to_file else nullcontext(sys.stdout) as stream:
        lines = csv.writer(stream, lineterminator="\r\n" if to_file else "\n")
        lines.writerow(["game", "decisions", *(f"score_{i}" for i in seats), *(f"place_{i}" for i in seats)])
        for i, (count, score, place) in enumerate(zip(decisions, scores, places, strict=True)):
            lines.writerow([i, count, *score, *place])


@app.command()
def match(
    name: Name,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="A bot for each player: a level, net:FILE for a network, or cmd:COMMAND for a program.",
            autocompletion=complete_level,
        ),
    ],
    games: Annotated[
        int, typer.Option(min=1, help="At least this many games; whole deals are played.")
    ] = 400,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same deals.")] = 0,
    seconds: Annotated[
        float, typer.Option(help="A program that takes longer for a decision forfeits the game.")
    ] = SECONDS,
    option: Option = None,
    to: Annotated[
        Path | None,
        typer.Option(help="Write one line per game to this CSV file; run the same command again to resume."),
    ] = None,
    parquet: Annotated[Path | None, typer.Option(help="Write the games to this Parquet file.")] = None,
    luck: Annotated[
        int,
        typer.Option(
            help="Take the luck of draws out of the points: from each draw, play this many games to the end."
        ),
    ] = 0,
    processes: Processes = None,
    cluster: Cluster = None,
) -> None:
    """Let bots play each other, and print points and wins with 95 % intervals."""
    from paddock.lab import match as play_match
    from paddock.lab.results import PARQUET, check_parquet
    from paddock.terminal.show import results

    no_stdout("--to", to)
    no_stdout("--parquet", parquet)
    if parquet:
        check_parquet()
        if parquet.suffix != PARQUET:
            raise PaddockError(
                _("--parquet {file}: write a name that ends in {ending}").format(file=parquet, ending=PARQUET)
            )
        writable(parquet)
    total = -(-games // len(bots)) * len(bots)
    with progress_bar(plural("{n} game", "{n} games", total), total) as advance:
        played = play_match(
            name,
            bots,
            games,
            seed,
            options=read_options(option),
            seconds=seconds,
            processes=processes,
            cluster=cluster,
            to=to,
            luck=luck,
            progress=advance,
        )
    for part in results(played, out.width):
        out.print(part)
    if parquet:
        played.write(parquet)
    say_written(to, parquet)


@app.command()
def study(
    name: Name,
    games: Annotated[int, typer.Option(max=1_000_000, help="Games of the main line-up.")] = STUDY_GAMES,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same study.")] = 0,
    option: Option = None,
    to: Annotated[Path | None, typer.Option(help="Write the report with pictures to this HTML file.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write all numbers to this JSON file.")
    ] = None,
    beside: Annotated[
        str | None,
        typer.Option(
            metavar="'[TITLE] NAME=VALUE …'",
            help="Say what these options, or this title, change; both sides play the same deals.",
        ),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(help="With --beside: write a row for each figure to this CSV file.")
    ] = None,
    parquet: Annotated[Path | None, typer.Option(help="The same as Parquet.")] = None,
    learn: Annotated[
        float | None,
        typer.Option(
            metavar="MINUTES",
            help="With --beside: networks that learn the rules for so long play the same deals, too.",
        ),
    ] = None,
) -> None:
    """Measure a title: length, decisions, leads, seats, levels, luck, and what each option changes."""
    from paddock.lab import study as make_study
    from paddock.lab.report import report

    need("fast", "paddock study")
    if beside is not None:
        study_beside(name, read_options(option), beside, games, seed, to, json_file, csv, parquet, learn)
        return
    if csv or parquet:
        raise BadOption([_("--csv and --parquet need --beside: they have a row for each difference")])
    if learn is not None:
        raise BadOption([_("--learn needs --beside: networks learn the rules of both sides")])
    console = writable(to, json_file)
    with progress_bar(_("games")) as advance:
        result = make_study(name, read_options(option), games, seed, progress=advance)
    console.print(str(result))
    if to:
        write(to, report(result))
    if json_file:
        write(json_file, result.json)
    say_written(to, json_file)


app.command()(ladder)
app.command()(train)
app.command()(exploit)
app.command()(solve)


@app.command()
def invariants(
    name: Name,
    decisions: Annotated[int, typer.Option(min=1, help="The minimum number of decisions.")] = 100_000_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; default: one per core.")] = None,
) -> None:
    """Play random games with random options and check every state; exit 1 if a check fails.

    It also fills in some of their records, as players see them."""
    need("fast", "paddock invariants")
    from paddock.kernel.watch import watch
    from paddock.trials.trial import Fault
    from paddock.trials.words import records

    decisions_made = games = sets = 0
    with progress_bar(plural("{n} decision", "{n} decisions", decisions), decisions) as advance:
        for watched in watch(title(name), decisions, seed, threads):
            decisions_made, games, sets = decisions_made + watched.decisions, games + watched.games, sets + 1
            advance(watched.decisions)
            if watched.broken:
                _fail(watched.broken, 1)
    try:
        records(title(name), seed)
    except Fault as fault:
        _fail(str(fault), 1)
    sentence = _("{made} decisions in {games} games with {sets} sets of options: every invariant held.")
    out.print(
        sentence.format(made=number(decisions_made, ","), games=number(games, ","), sets=number(sets, ","))
    )


@app.command()
def bench() -> None:
    """Measure the speed of every title's rules relative to a reference kernel; exit 1 if one is too slow."""
    from rich.table import Table

    from paddock.kernel.bench import measure
    from paddock.lab.speed import measure as measure_matches

    need("fast", "paddock bench")
    listen()
    table = Table(
        pgettext("column of a benchmark", "what"),
        pgettext("column of a benchmark", "rate"),
        pgettext("column of a benchmark", "ratio"),
        pgettext("column of a benchmark", "bar"),
        "",
    )
    below = 0
    for played_title in titles().values():
        for line in (*measure(played_title), *measure_matches(played_title)):
            below += not line.ok
            verdict = "" if not line.bar else _("ok") if line.ok else _("BELOW")
            bar = number(line.bar, ".3f") if line.bar else ""
            table.add_row(
                line.what, f"{number(line.rate, ',.0f')} {line.unit}", number(line.ratio, ".4f"), bar, verdict
            )
    out.print(table)
    if below:
        raise typer.Exit(1)


app.command()(check)
app.command()(variant)
app.command()(fair)
app.add_typer(admin, name="admin")
for feature, its_commands in commands():
    app.add_typer(its_commands, name=feature)
puzzles_app = typer.Typer(
    cls=Commands, help="Make puzzles from games of bots.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(puzzles_app, name="puzzles")
puzzles_app.command("make")(puzzles_make)
app.add_typer(maps_app, name="map")
app.add_typer(arena_app, name="arena")
app.add_typer(tasks_app, name="tasks")
app.add_typer(data_app, name="data")


def main(run: Callable[..., Any] = app) -> None:
    """Run the command line. User errors are one line and exit 2, or their ``status``; Ctrl-C is exit 130."""
    set_up_streams()
    language.set(of_environment())
    if unknown := unknown_language():
        _fail(
            _("{variable}={value}: write {what}").format(
                variable=LANGUAGE, value=brief(unknown), what=either(languages())
            )
        )
    try:
        code = run(prog_name="paddock", standalone_mode=False)
        flush()
    except BrokenPipeError:  # «| head» has what it wanted
        code = unread()
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except PaddockError as error:
        _fail(str(error), error.status)
    except UnicodeError as error:
        _fail(_("what was read is not UTF-8 text: {reason}").format(reason=error))
    except Exception as error:
        # An error of click has this method. Some versions of typer contain their own copy of click.
        usage = getattr(error, "format_message", None)
        if usage is None:
            if type(error).__name__ != "Abort":
                raise
            code = INTERRUPTED
        else:
            _fail(usage())
    if code == INTERRUPTED:
        flush()
        os._exit(code)  # do not wait for threads that still play games
    sys.exit(code if isinstance(code, int) else 0)


def _fail(sentence: str, code: int = 2) -> NoReturn:
    """Print the sentence as one line on stderr, and exit."""
    print("paddock: " + " ".join(sentence.split()), file=sys.stderr)
    sys.exit(code)
