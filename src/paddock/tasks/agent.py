"""Who is scored: a level, a network, a command, or a program."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from paddock.bots.champion import FOLDER, network_name
from paddock.bots.registry import AHEAD, ALONE, CHAMPION, NETWORK
from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.lab.plan import PROGRAM, Entrant, entered
from paddock.tasks.record_file import sha256
from paddock.tasks.task import Task

LABEL = "agent"  # of its player in the records, whoever it is


@dataclass(frozen=True)
class Agent:
    """An agent, and what it is made of."""

    words: str  # as it was named
    entrant: Entrant
    files: dict[str, str]  # the SHA-256 of each file that the words name, and of the network of a level

    @property
    def name(self) -> str:
        """A short name for folders and tables."""
        return Path(self.words.split()[-1].rpartition(":")[2]).stem


def read_agent(task: Task, words: str) -> Agent:
    """Return the agent of ``club``, ``net:FILE``, ``cmd:COMMAND`` or ``./agent.py``; raise ``PaddockError``.

    A Python file runs with this Python, another one must be executable. Both play by lines of text, as
    commands do: docs/match.md.
    """
    path = Path(words)
    if words.startswith((PROGRAM, NETWORK, AHEAD)) or not (path.suffix or os.sep in words):
        entrant = replace(entered(task.title, [words])[0][0], label=LABEL)
    elif not path.is_file():
        raise PaddockError(_("{file}: there is no such file").format(file=path))
    else:
        if path.suffix != ".py" and not os.access(path, os.X_OK):
            raise PaddockError(_("{file} is not executable, and no Python file").format(file=path))
        command = (sys.executable, str(path)) if path.suffix == ".py" else (str(path.resolve()),)
        entrant = Entrant(LABEL, command=command)
    files = {file.name: sha256(file) for file in _files(task, words, entrant)}
    # With the hashes in it, a score is not resumed with another program
    return Agent(words, replace(entrant, pickled=repr(files).encode()), files)


def _files(task: Task, words: str, entrant: Entrant) -> list[Path]:
    """Return the files that an agent is made of, as far as its words say."""
    if words in (CHAMPION, ALONE):
        name = network_name(task.title, task.title.setup_of(task.options))
        named = [str(task.title.file(FOLDER) / f"{name}.npz")]
    else:
        named = [words.partition(":")[2], *entrant.command]
    return [Path(word) for word in dict.fromkeys(named) if word != sys.executable and Path(word).is_file()]
