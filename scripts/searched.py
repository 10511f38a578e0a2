"""Check that the search of a built site finds all clauses and public names: ``searched.py site``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import cited

PACKAGES = (
    "paddock",
    "paddock.arena",
    "paddock.bots",
    "paddock.envs",
    "paddock.lab",
    "paddock.records",
    "paddock.tasks",
)


def wanted() -> Iterator[tuple[str, ...]]:
    """Yield the anchors of each clause, function and class. The search must know one of them."""
    for title in cited.titles():
        for clause in cited.known(title):
            yield (f"rules/{title}.html#{clause.lower()}",)
    for package in PACKAGES:
        page = f"reference/{package.rpartition('.')[2]}.html"
        for name in import_module(package).__all__:
            object_ = getattr(import_module(package), name)
            if callable(object_):  # a function can have the name of its module: paddock.lab.match
                yield f"{page}#{package}.{name}", f"{page}#{object_.__module__}.{name}"


def main() -> int:
    """Print what the search does not know; return 1 if there is something."""
    site = Path(sys.argv[1])
    index = json.loads((site / "search/search_index.json").read_text("utf-8"))
    known = {entry["location"] for entry in index["docs"]}
    missing = [anchors[0] for anchors in wanted() if not known.intersection(anchors)]
    print("\n".join(f"the search does not find {anchor}" for anchor in missing) or f"{site}: all is found")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
