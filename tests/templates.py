"""Templates that tests compile once: every application, and every server, would compile them all again."""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
import platformdirs

FOLDER = platformdirs.user_cache_path("paddock") / "templates of tests"


def remember() -> None:
    """Keep what Jinja compiles, here and in files for the next process. A changed template is another one."""
    compile, known = jinja2.Environment.compile, dict[str, CodeType]()

    def remembered(self: jinja2.Environment, source: Any, *place: Any, **how: Any) -> Any:
        facts = (jinja2.__version__, sys.version, source, place, how)
        facts += (self.autoescape, self.trim_blocks, self.lstrip_blocks)
        name = hashlib.sha256(repr(facts).encode()).hexdigest()
        if name not in known:
            try:
                known[name] = marshal.loads((FOLDER / name).read_bytes())
            except OSError:
                known[name] = compile(self, source, *place, **how)
                write(FOLDER / name, marshal.dumps(known[name]))
        return known[name]

    jinja2.Environment.compile = remembered  # type: ignore[method-assign]


def write(file: Path, data: bytes) -> None:
    """Write a file that others may be reading."""
    file.parent.mkdir(parents=True, exist_ok=True)
    mine = file.with_name(f"{file.name}.{os.getpid()}")
    mine.write_bytes(data)
    mine.replace(file)
