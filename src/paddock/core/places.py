"""Where the rooms and files of a title are: this alone imports them by their names."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.machinery import BYTECODE_SUFFIXES, SOURCE_SUFFIXES
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import Any

# A title with many modules has folders for them. A room is in one of these, or beside the rulebook.
FOLDERS = ("rules", "words", "drawing", "bots", "page")


@cache
def file_in(package: str, name: str) -> Traversable:
    """Return the file or folder ``name`` of a title: in one of the ``FOLDERS`` of its package, or beside."""
    top = files(package)
    inside = (top / folder / name for folder in FOLDERS if (top / folder).is_dir())
    return next((file for file in inside if file.is_file() or file.is_dir()), top / name)


@cache
def module_in(package: str, name: str) -> str:
    """Return the full name of a module of a title's package, found as ``file_in`` finds a file."""
    top = files(package)
    for folder in FOLDERS:
        for end in (*SOURCE_SUFFIXES, *BYTECODE_SUFFIXES):  # with sources or without
            files_of_room = (top / folder / f"{name}{end}", top / folder / name / f"__init__{end}")
            if any(file.is_file() for file in files_of_room):
                return f"{package}.{folder}.{name}"
    return f"{package}.{name}"


def room_beside(module: str, name: str) -> Any:
    """Import the room ``name`` of the title to which a module belongs; return None if there is none."""
    package = module.rpartition(".")[0]
    above, _dot, folder = package.rpartition(".")
    room = module_in(above if folder in FOLDERS else package, name)
    return import_module(room) if find_spec(room) else None
