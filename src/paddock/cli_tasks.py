"""``paddock tasks``: fixed tasks, scores of agents, and their proof."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paddock.core.defaults import SECONDS
from paddock.core.i18n import _, plural
from paddock.core.wording import number
from paddock.terminal.arguments import Processes
from paddock.terminal.completion import Commands, complete_level
from paddock.terminal.output import aside, no_stdout, out, progress_bar

tasks_app = typer.Typer(
    cls=Commands, help="Score agents on fixed tasks.", no_args_is_help=True, rich_markup_mode=None
)


def complete_task(incomplete: str) -> list[str]:
    """Return the tasks whose names begin like this."""
    from paddock.tasks import TASKS

    return [name for name in TASKS if name.startswith(incomplete)]


TaskName = Annotated[
    str,
    typer.Argument(metavar="TASK", help="The task, for example lacorsa-4-v1.", autocompletion=complete_task),
]
Pool = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="The frozen networks: a copy of the folder benchmark/pool."),
]


@tasks_app.command("list")
def tasks_list() -> None:
    """List the tasks."""
    from rich.table import Table

    from paddock.tasks import TASKS

    table = Table(_("task"), _("players"), _("games"), _("what it asks for"))
    for task in TASKS.values():
        table.add_row(task.name, str(task.players), number(task.games, ","), _(task.says))
    out.print(table)


@tasks_app.command("show")
def tasks_show(name: TaskName) -> None:
    """Print what is fixed in a task: options, opponents, seeds, and how much is played."""
    from paddock.tasks import task
    from paddock.tasks.page import facts

    chosen = task(name)
    out.print(f"{chosen.name}: {_(chosen.says)}")
    for label, value in facts(chosen):
        out.print(f"{label}: {value}")


@tasks_app.command("score")
def tasks_score(
    name: TaskName,
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="A program such as ./agent.py, cmd:COMMAND, net:FILE, or a level.",
            autocompletion=complete_level,
        ),
    ],
    to: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="For the line, results and records; default: TASK-AGENT."),
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Games; default: as many as the task has.")] = None,
    called: Annotated[str, typer.Option("--name", help="The agent's name; default: that of its file.")] = "",
    seconds: Annotated[
        float, typer.Option(help="A program that takes longer for a decision forfeits the game.")
    ] = SECONDS,
    pool: Pool = None,
    processes: Processes = None,
) -> None:
    """Play the games of a task with an agent, and print its score; run it again to resume."""
    from paddock.tasks import score, task
    from paddock.tasks.agent import read_agent
    from paddock.tasks.score import GAMES

    no_stdout("--to", to)
    chosen = task(name)
    folder = to or Path(f"{chosen.name}-{read_agent(chosen, agent).name}")
    with progress_bar(_("games"), chosen.games if games is None else games) as advance:
        made = score(
            chosen, agent, folder, games=games, name=called, pool=pool, seconds=seconds, processes=processes,
            progress=advance,
        )  # fmt: skip
    aside.print(made.sentence)
    out.print(made.line)
    if made.forfeits:
        aside.print(_("{file} has the reason of each forfeit.").format(file=folder / GAMES))
    aside.print(_("Written: {file}").format(file=folder))


@tasks_app.command("verify")
def tasks_verify(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder of a score, or the file score.json in it.")
    ],
    pool: Pool = None,
    processes: Processes = None,
) -> None:
    """Play a score again from its records; exit 1 and say the first thing that is wrong."""
    from paddock.tasks import verify
    from paddock.tasks.verify import Fault

    with progress_bar(_("games")) as advance:
        try:
            checked = verify(folder, pool=pool, processes=processes, progress=advance)
        except Fault as fault:
            out.print(str(fault))
            raise typer.Exit(1) from None
    games = plural("{n} game was played again", "{n} games were played again", checked.games)
    sentence = _("{games}: the cards are those of {task}, the opponents played so, and the score is right.")
    out.print(sentence.format(games=games, task=checked.task))
    out.print(checked.sentence)
