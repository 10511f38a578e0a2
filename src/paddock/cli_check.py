"""``paddock check``: for authors of titles."""

from __future__ import annotations

from typing import Annotated

import typer

from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.title import title
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

    faults = 0
    for outcome in tried(title(name), seed):
        faults += bool(outcome.room)
        if outcome.room:
            out.print(_("✗ {name}: {says}").format(name=outcome.name, says=outcome.says))
            out.print(_("  Look into {file}.").format(file=outcome.room))
        elif outcome.left_out:
            out.print(_("– {name}: not tried: {says}").format(name=outcome.name, says=outcome.says))
        else:
            out.print(_("✓ {name}: {says}").format(name=outcome.name, says=outcome.says))
    if faults:
        raise typer.Exit(1)
