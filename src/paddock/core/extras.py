"""The extras of the package: which packages each one brings, and what to say if one is missing."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from paddock.core.errors import PaddockError
from paddock.core.i18n import _

# The name of the installed package: on the index, «paddock» is another project
DISTRIBUTION = "paddock-games"
# The packages that the code imports, by the names of their modules
EXTRAS = {
    "fast": ("numba", "threadpoolctl"),
    "serve": (
        "fastapi",
        "aiosqlite",
        "alembic",
        "brotli",
        "cryptography",
        "fsrs",
        "httpcore",
        "httptools",
        "icalendar",
        "idna",
        "openskill",
        "orjson",
        "prometheus_client",
        "pydantic_settings",
        "python_multipart",
        "resvg_py",
        "rjsmin",
        "segno",
        "sqlalchemy",
        "starlette_compress",
        "tzdata",
        "uvicorn",
    ),
    "postgres": ("asyncpg",),
    "lab": ("openskill", "pyarrow"),
    "research": ("gymnasium", "open_spiel", "pettingzoo", "scipy"),
    "cluster": ("ray",),
    "arena": ("mcp",),
}
# Packages that were found. A missing one may be installed meanwhile, so it is looked for again.
_found: set[str] = set()


def has(extra: str) -> bool:
    """Return whether all packages of an extra are installed."""
    return all(map(installed, EXTRAS[extra]))


def need(extra: str, what: str, *packages: str) -> None:
    """Raise ``PaddockError`` with the command to run, unless the ``packages`` of an extra are installed.

    ``what`` needs them: it begins the sentence. ``packages`` are by default all those of the extra.
    """
    for package in packages or EXTRAS[extra]:
        if not installed(package):
            sentence = _("{what} needs the package {package}: run {command}")
            raise PaddockError(sentence.format(what=what, package=package, command=command(extra)))


def installed(package: str) -> bool:
    """Return whether a package is installed. A folder of the same name is no package."""
    if package in _found:
        return True
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return False
    _found.add(package)
    return True


def command(extra: str) -> str:
    """Return the command that installs an extra from where this Paddock comes: a folder or a wheel."""
    source = _source()
    if source.get("dir_info", {}).get("editable"):
        return f"pip install -e '{url2pathname(urlsplit(source['url']).path)}[{extra}]'"
    address = f" @ {source['url']}" if source else ""
    return f"pip install '{DISTRIBUTION}[{extra}]{address}'"


def _source() -> dict[str, Any]:
    """Return where an installation that is not from the index comes from, as pip has noted it."""
    try:
        pip_notes = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return {}
    source: dict[str, Any] = json.loads(pip_notes) if pip_notes else {}
    return source
