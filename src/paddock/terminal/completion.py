"""Completion of titles and levels in a shell, and help that is translated and fits a narrow terminal."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import typer
from typer.core import TyperGroup

from paddock.core.i18n import _, mark
from paddock.core.title import Title
from paddock.core.title import titles as all_titles

_HELP = mark("Show this message and exit.")  # what Typer says of --help


class Commands(TyperGroup):
    """A group whose help is translated, and says all of the first sentence of each command, however narrow
    the terminal is."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        for command in (self, *self.commands.values()):
            command.help = command.help and _(command.help)
            command.epilog = command.epilog and _(command.epilog)
            _translate(command.params)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters; Typer adds those of completion to what it has made."""
        parameters = super().get_params(ctx)
        _translate(parameters)
        return parameters

    def list_commands(self, ctx: Any) -> list[str]:
        for command in self.commands.values():
            command.short_help = command.short_help or command.help
        return super().list_commands(ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return the words that are left. A group without its command prints its help, and exits 2."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)


def _translate(parameters: Iterable[Any]) -> None:
    for parameter in parameters:
        if about := getattr(parameter, "help", None):
            parameter.help = _(about)


def titles() -> dict[str, Title]:
    """Return the titles without a word on those that are left out: it would appear in the command line."""
    logging.getLogger("paddock").setLevel(logging.ERROR)
    return all_titles()


def complete_title(incomplete: str) -> list[str]:
    """Return the titles whose names begin like this."""
    return [name for name in titles() if name.startswith(incomplete)]


def complete_level(context: typer.Context, incomplete: str) -> list[str]:
    """Return the levels that continue the last word of a list such as «club,ro»."""
    from paddock.bots import levels

    before, comma, last = incomplete.rpartition(",")
    title = titles().get(context.params.get("name", ""))  # unknown after an option without a value
    names = ["me"] if context.info_name == "race" else []
    for completed in [title] if title else titles().values():
        names += [level.name for level in levels(completed) if level.name not in names]
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]
