"""Hooks for mkdocs: add ``CONTRIBUTING.md``, which is not in ``docs/``, and the tables of observations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from paddock.core.title import title

CONTRIBUTING = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"
FIELDS = re.compile(r"^<!-- fields: (\w+) -->$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page, with links into ``docs/`` changed to relative ones."""
    text = CONTRIBUTING.read_text("utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "contributing.md", content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Write the table of a title's observation where a page has ``<!-- fields: TITLE -->``."""
    return FIELDS.sub(lambda found: fields(found[1]), markdown)


def fields(name: str) -> str:
    """Return the table of the observation of a title: where its blocks are, and what they mean."""
    features = title(name).features
    assert features, name
    lines, at = ["| numbers | block | meaning |", "| --- | --- | --- |"], 0
    for block in features.FIELDS:
        last = at + block.size - 1
        lines.append(f"| {at if at == last else f'{at}–{last}'} | `{block.name}` | {block.says} |")
        at = last + 1
    return "\n".join(lines)
