"""Scripts and style sheets are sent without comments, and their code is what the files say."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from paddock.web.lean import lean

STATIC = files("paddock.web") / "static"
OWN = sorted(file.name for file in STATIC.iterdir() if file.name.endswith((".js", ".css")))


def test_comments_and_indentation_are_not_sent() -> None:
    script = "/** Says so. */\n  // why\n"
    script += '  const a = "// no comment"; // stays\n\n/**\n * Two.\n */\nconst b = 1;\n'
    assert lean(script, True) == 'const a = "// no comment"; // stays\nconst b = 1;\n'
    cast = "  /** @type {A} */ (a)?.b();\n}\n/** Two. */\nc();\n"
    assert lean(cast, True) == "/** @type {A} */ (a)?.b();\n}\nc();\n"
    assert lean("/* one */\n.a {\n  b: c; /* d */\n}\n", False) == ".a {\nb: c; /* d */\n}\n"


def test_a_script_with_a_template_of_several_lines_is_sent_as_it_is() -> None:
    script = "/** Says so. */\nconst a = `\n  // text\n`;\n"
    assert lean(script, True) == script


@pytest.mark.parametrize("name", OWN)
def test_every_line_of_code_is_sent(name: str) -> None:
    """Line by line: what is left out is a comment, or empty."""
    sent = iter(lean((STATIC / name).read_text("utf-8"), name.endswith(".js")).splitlines())
    comment = False
    for line in map(str.strip, (STATIC / name).read_text("utf-8").splitlines()):
        comment = comment or (line.startswith("/*") and not re.search(r"\*/\s*\S", line))
        if line and not comment and not (line.startswith("//") and name.endswith(".js")):
            assert next(sent) == line
        comment = comment and not line.endswith("*/")
    assert not list(sent)
