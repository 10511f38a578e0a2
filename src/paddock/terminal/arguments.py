"""What several commands are given: titles, options that may be in files, and where to play."""

from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from paddock.core.errors import BadOption, PaddockError, brief
from paddock.core.i18n import _
from paddock.terminal.completion import complete_title

STDIN = Path("-")  # as the name of a file
Option = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the title. NAME=@FILE reads the value from a file.",
    ),
]
Name = Annotated[
    str,
    typer.Argument(metavar="TITLE", help="The title, for example lacorsa.", autocompletion=complete_title),
]
Processes = Annotated[int | None, typer.Option(min=1, help="Processes; default: one per core.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on this Ray cluster: auto, HOST:PORT or ray://HOST:PORT."),
]


def read_options(words: list[str] | None, by: str = "--option") -> dict[str, str]:
    """Parse ``NAME=VALUE`` words of an option of a command; for ``NAME=@FILE`` read the file.

    Raises ``PaddockError``."""
    values: dict[str, str] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals or name in values:
            sentence = _("{option} {word}: write each option once, as NAME=VALUE or NAME=@FILE")
            raise BadOption([sentence.format(option=by, word=word)])
        if value == "@":
            sentence = _("{option} {word}: write the file after the @, as in {name}=@my.txt")
            raise BadOption([sentence.format(option=by, word=word, name=name)])
        try:
            word.encode()
        except UnicodeError:  # bytes that are no text here
            sentence = _("{option} {word}: this is not UTF-8 text")
            raise BadOption([sentence.format(option=by, word=brief(word))]) from None
        values[name] = contents(f"{by} {word}", Path(value[1:])) if value.startswith("@") else value
    return values


def contents(kind: str, file: Path) -> str:
    """Return the text of a file, or of standard input if it is «-»; raise ``PaddockError``, which says
    ``kind`` the file is for."""
    try:
        data = sys.stdin.buffer.read() if file == STDIN else file.read_bytes()
        return TextIOWrapper(BytesIO(data), "utf-8-sig").read()
    except OSError as error:
        raise PaddockError(f"{kind}: {error.strerror}") from None
    except UnicodeError:
        raise PaddockError(_("{what}: the file is not UTF-8 text").format(what=kind)) from None
