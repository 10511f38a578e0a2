"""Commands below ``paddock admin``: what the operator does with tables, also while a server runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paddock.core.i18n import _, mark, pgettext, plural
from paddock.core.wording import timed
from paddock.features import operated
from paddock.terminal.completion import Commands
from paddock.terminal.output import STDOUT, out, say_written, writable, write

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from paddock.features.operating.operator import Operator

admin = typer.Typer()
tables_app = typer.Typer(
    cls=Commands,
    help="List, show, close, delete and export tables.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
admin.add_typer(tables_app, name="tables")
Id = Annotated[
    str, typer.Argument(metavar="TABLE", help="The id of a table: the part of its address after /t/.")
]


def _operate(work: Callable[[Operator], Awaitable[Any]]) -> Any:
    """Run work on the stored tables."""
    url = operated().database_url
    from paddock.features.operating.operator import Operator

    async def run() -> Any:
        async with Operator.open(url) as operator:
            return await work(operator)

    return asyncio.run(run())


def _confirm(question: str, yes: bool) -> None:
    """End the command unless the operator agrees."""
    if not (yes or typer.confirm(question)):
        raise typer.Exit(1)


@tables_app.command("list")
def list_tables(
    status: Annotated[
        str | None, typer.Option(help="Only lobby, running, finished, abandoned or closed tables.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="At most this many; those touched last come first.")] = 100,
) -> None:
    """List tables, those that were touched last first."""
    from rich.table import Table

    from paddock.tables.kept import STATUSES

    found = [kept for kept in _operate(lambda operator: operator.all()) if status in (None, kept.status)]
    table = Table(
        pgettext("noun", "table"),
        pgettext("game", "title"),
        _("status"),
        _("touched"),
        _("entries"),
        _("people"),
    )
    for kept in found[:most]:
        row = kept.row
        touched = timed(row.touched_at)
        table.add_row(
            row.id, row.title, _(STATUSES[kept.status]), touched, str(row.length), ", ".join(kept.people)
        )
    out.print(table)
    if len(found) > most:
        out.print(_("{n} more: --most shows more of them").format(n=len(found) - most))


@tables_app.command("show")
def show_table(id: Id) -> None:
    """Show a table: who plays there, how far the game is, and what is wrong with it."""

    async def work(operator: Operator) -> None:
        table = await operator.table(id)
        out.print(f"{table.title.label}, {table.options.short}")
        out.print(
            _("created {when}, {phase}, version {n}").format(
                when=f"{timed(table.created)} UTC", phase=table.phase, n=table.version
            )
        )
        for player in table.players:
            who = player.bot or (_("a person") if player.holder else _("nobody"))
            out.print(f"{player.index + 1}. {player.name or '–'} ({who})")
        if table.frozen:
            out.print(table.frozen)
        else:
            out.print(table.title.text.status(table.game.seen(table.eyes(None))))

    _operate(work)


@tables_app.command("close")
def close_table(
    id: Id, again: Annotated[bool, typer.Option("--open", help="Open a closed table again.")] = False
) -> None:
    """Close a table: nobody can play on, and no list names it. Its record stays."""
    _operate(lambda operator: operator.close(id, closed=not again))
    out.print(
        _("table {id} is open again").format(id=id) if again else _("table {id} is closed").format(id=id)
    )


@tables_app.command("delete")
def delete_table(id: Id, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete a table with its moves, its chat and its names, for ever."""
    _confirm(_("Delete table {id} for ever?").format(id=id), yes)
    _operate(lambda operator: operator.delete(id))
    out.print(_("table {id} is deleted").format(id=id))


@tables_app.command("export")
def export_table(
    id: Id,
    to: Annotated[Path, typer.Option("--to", help="The file; - is standard output.")] = STDOUT,
    whole: Annotated[
        bool, typer.Option("--whole", help="Include what is secret in a game that is not over.")
    ] = False,
) -> None:
    """Write the record of a table."""
    writable(to)
    write(to, _operate(lambda operator: operator.record(id, whole=whole)))
    say_written(to)


@admin.command()
def forget(
    who: Annotated[
        str, typer.Argument(metavar="WHO", help="TABLE:PLAYER, or the value of the browser's cookie.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete all data of one browser: its tables, its names at others, its chat, tokens and notifications."""
    _confirm(_("Delete all data of this browser for ever?"), yes)
    gone = _operate(lambda operator: operator.forget(who))
    counts = {
        mark("{n} tables"): len(gone.tables),
        mark("{n} lines of chat"): gone.lines,
        mark("{n} tokens"): gone.tokens,
        **gone.others,
    }
    what = ", ".join(_(words).format(n=n) for words, n in counts.items())
    out.print(_("deleted: {what}; {seats} seats have no name now").format(what=what, seats=gone.seats))


@admin.command()
def purge() -> None:
    """Delete now what is too old for the settings PADDOCK_KEEP_…. A server does so every hour."""
    from paddock.tables.upkeep import Retention

    retention = Retention.of(operated())
    tables, chats = _operate(lambda operator: operator.purge(retention))
    deleted = (
        plural("{n} table", "{n} tables", tables),
        plural("the chat of {n} table", "the chats of {n} tables", chats),
    )
    out.print(_("deleted: {tables}, {chats}").format(tables=deleted[0], chats=deleted[1]))
