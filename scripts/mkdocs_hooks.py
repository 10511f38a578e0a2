"""A hook for mkdocs: adds ``CONTRIBUTING.md``, which is not in ``docs/``, to the documentation."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

CONTRIBUTING = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page, with links into ``docs/`` changed to relative ones."""
    text = CONTRIBUTING.read_text("utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "contributing.md", content=text))
    return files
