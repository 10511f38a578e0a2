"""What commands print and write: to the terminal, to files, and to standard output as the file «-»."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path

from rich.console import Console

from paddock.core.errors import PaddockError
from paddock.core.i18n import _


def _console(*, stderr: bool) -> Console:
    """Return a console that breaks lines between words at a terminal, and not at all elsewhere."""
    stream = sys.stderr if stderr else sys.stdout
    terminal = bool(stream and stream.isatty())  # None if it is closed
    return Console(stderr=stderr, highlight=False, soft_wrap=not terminal, markup=False)


out, aside = _console(stderr=False), _console(stderr=True)  # ``aside`` is used if a file goes to ``out``
err = Console(stderr=True)
STDOUT = Path("-")  # as the name of a file


def set_up_streams() -> None:
    """Let every text be printed, whatever the terminal or the pipe can show: «?» stands for what it cannot.

    What a person types is read in the same way. Closed streams are replaced by empty ones.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 # until the end
        elif isinstance(stream, TextIOWrapper):
            with suppress(OSError):  # something was read already, or it is another kind of file since
                stream.reconfigure(errors="replace")


def flush() -> None:
    """Write what was printed; raise ``BrokenPipeError`` if nobody reads it."""
    sys.stdout.flush()


def unread() -> int:
    """Forget what was printed and is not read, or Python would try again; return the exit status."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def writable(*files: Path | None) -> Console:
    """Return where the words of a command go: aside if one of its files goes to standard output.

    Raises ``OSError`` if a file cannot be written, before the long work; none is changed or left behind.
    Raises ``PaddockError`` if two files go to standard output.
    """
    for file in files:
        if file and file != STDOUT:
            new = not file.exists()
            file.open("a").close()
            if new:
                file.unlink()
    if files.count(STDOUT) > 1:
        raise PaddockError(_("only one file can be “-”, standard output"))
    return aside if STDOUT in files else out


def no_stdout(option: str, file: Path | None) -> None:
    """Raise ``PaddockError`` if the file is standard output."""
    if file == STDOUT:
        raise PaddockError(_("{option} -: write the name of a file").format(option=option))


def write(file: Path, text: str) -> None:
    """Write a text to a file, or to standard output: as UTF-8, because Paddock reads it so."""
    if file == STDOUT:
        flush()
        sys.stdout.buffer.write(text.encode() if text.endswith("\n") else f"{text}\n".encode())
        sys.stdout.buffer.flush()
    else:
        file.write_text(text, "utf-8")


def say_written(*files: Path | None) -> None:
    """Print the names of the files that were written."""
    for file in files:
        if file and file != STDOUT:
            out.print(_("Written: {file}").format(file=file))


class _Says(logging.Handler):
    """Prints what the library says, such as that it compiles, above a progress bar."""

    def emit(self, record: logging.LogRecord) -> None:
        err.print(record.getMessage(), highlight=False, markup=False)


def listen() -> None:
    """Print what the library says, if somebody reads it at a terminal."""
    log = logging.getLogger("paddock")
    if err.is_terminal and not log.handlers:
        messages = _Says()
        messages.addFilter(lambda record: record.name == log.name)  # not the server's parts
        log.addHandler(messages)
        log.setLevel(logging.INFO)


@contextmanager
def progress_bar(label: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Show a progress bar; yield ``advance(count)``, which also takes the total if it was unknown before."""
    from rich.progress import Progress

    listen()
    with Progress(console=err, transient=True, disable=not err.is_interactive) as progress:
        task = progress.add_task(label, total=total)

        def advance(count: int, total: int | None = None) -> None:
            progress.update(task, advance=count, total=total)

        yield advance
