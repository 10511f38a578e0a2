"""Hooks for mkdocs: add the pages that ``pages.py`` makes to those in ``docs/``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))  # mkdocs loads this file, but not its folder

import cited
import pages
import task_pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, the tokens of the style sheet and the icon."""
    made = {
        **pages.included(),
        **{f"rules/{name}.md": pages.rules(name) for name in cited.titles()},
        **{f"rules/{name}.{code}.md": pages.translated(name, code) for name, code in pages.translations()},
        **pages.sources(),
        **task_pages.pages(),
        "assets/tokens.css": pages.tokens(),
    }
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    icon = cited.ROOT / "src/paddock/web/static/icon.svg"
    files.append(File.generated(config, "assets/icon.svg", abs_src_path=str(icon)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Write the tables that a page asks for."""
    return task_pages.filled(pages.filled(markdown))
