"""``paddock admin``: backups, tables and checks of a server. It may run while the server does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from paddock.core.i18n import _
from paddock.core.wording import number
from paddock.features import commands, operated
from paddock.terminal.completion import Commands
from paddock.terminal.output import aside, no_stdout, out

admin = typer.Typer(
    cls=Commands,
    help="Backups, tables and checks of a server; they may run while it does.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Replace = Annotated[bool, typer.Option("--replace", help="Replace what is there.")]


@admin.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The new file, an SQLite database.")], replace: Replace = False
) -> None:
    """Write everything to a file: one moment, also while people play."""
    no_stdout("FILE", file)
    url = operated().database_url
    from paddock.tables import write_backup

    made = asyncio.run(write_backup(url, file, replace=replace))
    words = _("{tables} tables with {moves} entries in their logs, {size} MB, in {file}")
    out.print(
        words.format(
            tables=number(made.tables),
            moves=number(made.moves),
            size=number(made.size / 1e6, ",.1f"),
            file=file,
        )
    )
    if made.refusal:
        aside.print(_("this backup cannot be restored: {reason}").format(reason=made.refusal))


@admin.command()
def restore(file: Annotated[Path, typer.Argument(help="A backup.")], replace: Replace = False) -> None:
    """Restore a backup into the database of the settings. Stop the server first."""
    url = operated().database_url
    from paddock.tables import restore_backup

    made = asyncio.run(restore_backup(file, url, replace=replace))
    words = _("restored: {tables} tables with {moves} entries in their logs")
    out.print(words.format(tables=number(made.tables), moves=number(made.moves)))


@admin.command()
def replay(
    backup: Annotated[
        Path | None, typer.Argument(help="A backup, which is not changed; else the server's database.")
    ] = None,
) -> None:
    """Replay all tables by the rules of this version; exit 1 if one comes out differently.

    Before an upgrade, let the new version replay a backup.
    """
    url = operated().database_url
    from paddock.tables.kept import SAME, STATUSES, Again, KeptTables, counted

    async def run() -> list[Again]:
        async with KeptTables.of_backup(backup) if backup else KeptTables.open(url) as stored:
            return [again async for again in stored.replay()]

    found = asyncio.run(run())
    for line in counted((f"{one.kept.row.title}/{one.kept.row.revision}", one.verdict) for one in found):
        out.print(line)
    other = [one for one in found if one.verdict != SAME]
    for one in other:
        out.print(f"{one.kept.row.id} ({_(STATUSES[one.kept.status])}), {_(one.verdict)}: {one.reason}")
    if other:
        raise typer.Exit(1)


for _feature, more in commands("admin"):
    admin.registered_commands += more.registered_commands
    admin.registered_groups += more.registered_groups


@admin.command()
def doctor(
    url: Annotated[
        str | None, typer.Option(help="The address that people open, to check the proxy in front.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Do not measure the capacity.")] = False,
) -> None:
    """Check that a server has everything that it needs; exit 1 if something is wrong."""
    settings = operated()
    from paddock.server.doctor import examine

    async def run() -> bool:
        sound = True
        async for found in examine(settings, url, measure=not quick):
            sign = "✓" if found.ok else "✗" if found.ok is False else "·"
            out.print(f"{sign} {found.what}: {found.said}")
            sound = sound and found.ok is not False
        return sound

    if not asyncio.run(run()):
        raise typer.Exit(1)
