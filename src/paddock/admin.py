"""``paddock admin``: backups, tables and checks of a server. It may run while the server does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paddock.core.extras import need
from paddock.core.i18n import _, mark, pgettext, plural
from paddock.core.wording import number, timed
from paddock.terminal.completion import Commands
from paddock.terminal.output import STDOUT, aside, no_stdout, out, say_written, writable, write

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from paddock.core.settings import Settings
    from paddock.tables.operating import Operator

admin = typer.Typer(
    cls=Commands,
    help="Backups, tables and checks of a server; they may run while it does.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
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
Replace = Annotated[bool, typer.Option("--replace", help="Replace what is there.")]


def _settings() -> Settings:
    """Return the settings of the server, from the environment."""
    need("serve", "paddock admin")
    from paddock.core.settings import Settings
    from paddock.features import FEATURES  # noqa: F401 # their rows are backed up, restored and forgotten, too

    return Settings.read()


def _operate(work: Callable[[Operator], Awaitable[Any]]) -> Any:
    """Run work on the stored tables."""
    url = _settings().database_url
    from paddock.tables.operating import Operator

    async def run() -> Any:
        async with Operator.open(url) as operator:
            return await work(operator)

    return asyncio.run(run())


def _confirm(question: str, yes: bool) -> None:
    """End the command unless the operator agrees."""
    if not (yes or typer.confirm(question)):
        raise typer.Exit(1)


@admin.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The new file, an SQLite database.")], replace: Replace = False
) -> None:
    """Write everything to a file: one moment, also while people play."""
    no_stdout("FILE", file)
    url = _settings().database_url
    from paddock.tables import write_backup

    backup_file = asyncio.run(write_backup(url, file, replace=replace))
    words = _("{tables} tables with {moves} entries in their logs, {size} MB, in {file}")
    out.print(
        words.format(
            tables=number(backup_file.tables),
            moves=number(backup_file.moves),
            size=number(backup_file.size / 1e6, ",.1f"),
            file=file,
        )
    )
    if backup_file.refusal:
        aside.print(_("this backup cannot be restored: {reason}").format(reason=backup_file.refusal))


@admin.command()
def restore(file: Annotated[Path, typer.Argument(help="A backup.")], replace: Replace = False) -> None:
    """Restore a backup into the database of the settings. Stop the server first."""
    url = _settings().database_url
    from paddock.tables import restore_backup

    restored = asyncio.run(restore_backup(file, url, replace=replace))
    words = _("restored: {tables} tables with {moves} entries in their logs")
    out.print(words.format(tables=number(restored.tables), moves=number(restored.moves)))


@tables_app.command("list")
def list_tables(
    status: Annotated[
        str | None, typer.Option(help="Only lobby, running, finished, abandoned or closed tables.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, help="At most so many; those touched last come first.")] = 100,
) -> None:
    """List tables, those that were touched last first."""
    from rich.table import Table

    from paddock.tables.operating import STATUSES

    tables = [
        listed for listed in _operate(lambda operator: operator.all()) if status in (None, listed.status)
    ]
    table = Table(
        pgettext("noun", "table"),
        pgettext("game", "title"),
        _("status"),
        _("touched"),
        _("entries"),
        _("people"),
    )
    for listed in tables[:most]:
        row = listed.row
        touched = timed(row.touched_at)
        table.add_row(
            row.id, row.title, _(STATUSES[listed.status]), touched, str(row.length), ", ".join(listed.people)
        )
    out.print(table)
    if len(tables) > most:
        out.print(_("{n} more: --most shows more of them").format(n=len(tables) - most))


@tables_app.command("show")
def show_table(id: Id) -> None:
    """Show a table: who plays there, how far it is, and what is wrong with it."""

    async def work(operator: Operator) -> None:
        """Print what a table is, who plays, and how it stands."""
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
        bool, typer.Option("--whole", help="With what is secret in a game that is not over.")
    ] = False,
) -> None:
    """Write the record of a table."""
    writable(to)
    write(to, _operate(lambda operator: operator.record(id, whole=whole)))
    say_written(to)


@admin.command()
def replay(
    backup: Annotated[
        Path | None, typer.Argument(help="A backup, which is not changed; else the server's database.")
    ] = None,
) -> None:
    """Replay all tables by the rules of this version; exit 1 if one comes out otherwise.

    Before an upgrade, let the new version replay a backup.
    """
    url = _settings().database_url
    from paddock.tables.operating import SAME, STATUSES, Again, Operator, counted

    async def run() -> list[Again]:
        async with Operator.of_backup(backup) if backup else Operator.open(url) as operator:
            return [again async for again in operator.replay()]

    results = asyncio.run(run())
    for line in counted(
        (f"{result.kept.row.title}/{result.kept.row.revision}", result.verdict) for result in results
    ):
        out.print(line)
    changed = [result for result in results if result.verdict != SAME]
    for result in changed:
        out.print(
            f"{result.kept.row.id} ({_(STATUSES[result.kept.status])}), {_(result.verdict)}: {result.reason}"
        )
    if changed:
        raise typer.Exit(1)


@admin.command()
def forget(
    who: Annotated[
        str, typer.Argument(metavar="WHO", help="TABLE:PLAYER, or the value of the browser's cookie.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete all data of one browser: its tables, its names at others, its chat, tokens, and calls."""
    _confirm(_("Delete all data of this browser for ever?"), yes)
    gone = _operate(lambda operator: operator.forget(who))
    counts = {
        mark("{n} tables"): len(gone.tables),
        mark("{n} lines of chat"): gone.lines,
        mark("{n} tokens"): gone.tokens,
        **gone.others,
    }
    counts_words = ", ".join(_(words).format(n=n) for words, n in counts.items())
    out.print(
        _("deleted: {what}; {seats} seats have no name now").format(what=counts_words, seats=gone.seats)
    )


@admin.command()
def purge() -> None:
    """Delete now what the settings PADDOCK_KEEP_… keep no longer. A server does so every hour."""
    from paddock.tables.upkeep import Retention

    retention = Retention.of(_settings())
    tables, chats = _operate(lambda operator: operator.purge(retention))
    deleted = (
        plural("{n} table", "{n} tables", tables),
        plural("the chat of {n} table", "the chats of {n} tables", chats),
    )
    out.print(_("deleted: {tables}, {chats}").format(tables=deleted[0], chats=deleted[1]))


@admin.command()
def doctor(
    url: Annotated[
        str | None, typer.Option(help="The address that people open, to check the proxy in front.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Do not measure the capacity.")] = False,
) -> None:
    """Look whether everything that a server needs is there; exit 1 if something is wrong."""
    settings = _settings()
    from paddock.server.doctor import examine

    async def run() -> bool:
        """Print what the examination finds; return whether nothing is wrong."""
        sound = True
        async for finding in examine(settings, url, measure=not quick):
            sign = "✓" if finding.ok else "✗" if finding.ok is False else "·"
            out.print(f"{sign} {finding.what}: {finding.said}")
            sound = sound and finding.ok is not False
        return sound

    if not asyncio.run(run()):
        raise typer.Exit(1)
