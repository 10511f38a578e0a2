"""``paddock check`` and ``paddock variant``: for authors of titles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.title import title
from paddock.core.wording import listed
from paddock.terminal.arguments import Name
from paddock.terminal.output import out


def check(
    name: Name,
    seed: Annotated[int, typer.Option(min=0, help="The same seed tries the same games.")] = 0,
) -> None:
    """Try everything that a title promises; exit 1 and name the file to look into if something is wrong."""
    need("fast", "paddock check")
    need("serve", "paddock check")
    from paddock.trials import tried

    faults, stopped = 0, dict[str, list[str]]()  # by what has been told: the other trials that it stops
    for outcome in tried(title(name), seed):
        faults += bool(outcome.room)
        if outcome.cause in stopped:
            stopped[outcome.cause].append(outcome.name)
        elif outcome.room:
            if outcome.cause:
                stopped[outcome.cause] = []
            out.print(_("✗ {name}: {says}").format(name=outcome.name, says=outcome.says))
            out.print(_("  Look into {file}.").format(file=outcome.room))
        elif outcome.left_out:
            out.print(_("– {name}: not tried: {says}").format(name=outcome.name, says=outcome.says))
        else:
            out.print(_("✓ {name}: {says}").format(name=outcome.name, says=outcome.says))
    for cause, names in stopped.items():
        if names:
            out.print(
                _("✗ {names}: stopped by the same fault ({cause})").format(names=listed(names), cause=cause)
            )
    if faults:
        raise typer.Exit(1)


def variant(
    name: Name,
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="The name of the variant: small letters, digits, _.")
    ],
    to: Annotated[
        Path | None, typer.Option(help="A new folder for the package. Default: the name, beside this folder.")
    ] = None,
) -> None:
    """Copy a title as a package of its own, with its tests, and list where its numbers are read."""
    from paddock.trials.variant import write_package

    folder = to or Path("..") / new
    modules = write_package(title(name), new, folder)
    rules = modules / ("rules" if (modules / "rules").is_dir() else "rules.py")
    out.print(_("{folder}: the rules are in {modules}").format(folder=folder, modules=rules))
    out.print(
        _("{file} lists the numbers of the rules, and every line that reads them.").format(
            file=folder / "NUMBERS.md"
        )
    )
    out.print(_("Change a line, and then:"))
    for command in (
        f"pip install -e {folder}",
        f"paddock check {new}",
        f"paddock study {name} --beside {new}",
    ):
        out.print(f"    {command}")
