"""Compiles modules for the pack. The browser's Python runs this, as bytecode is that of one version of it;
so it imports nothing of Paddock.
"""

from __future__ import annotations

import ast
import re
import sys
import zipfile
from importlib import _bootstrap_external
from typing import Any

# Modules whose sources are read when they run: loops are copied for each title, migrations found as files,
# and anyio reads what it imports late
READ = re.compile(r"anyio/(abc/)?__init__|paddock/(kernel/(derived|loops|rollouts)|store/migrations/.*)\.py")
DOCUMENTED = "paddock/"  # whose docstrings are read: clauses in rules, and the API's descriptions


def without_docstrings(tree: ast.Module) -> ast.Module:
    """Return a module without its docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            said = first.value if isinstance(first, ast.Expr) else None
            if first and isinstance(said, ast.Constant) and isinstance(said.value, str):
                node.body = node.body[1:] or [ast.copy_location(ast.Pass(), first)]
    return tree


def bytecode(source: bytes, name: str) -> bytes:
    """Return a compiled module as a file, which is never compared with its source."""
    tree = ast.parse(source, name)
    if not name.startswith(DOCUMENTED):
        tree = without_docstrings(tree)
    code = compile(tree, name, "exec", dont_inherit=True)
    pack: Any = vars(_bootstrap_external)["_code_to_hash_pyc"]  # typeshed does not know it
    return bytes(pack(code, bytes(8), False))


def placed(name: str) -> str:
    """Return where the bytecode of a module stands: instead of its source, or in a folder beside it."""
    if not READ.match(name):
        return name + "c"
    folder, _slash, file = name.rpartition("/")
    return f"{folder}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc"


def compile_all(given: str, made: str) -> None:
    """Write a zip of files whose modules are compiled."""
    with zipfile.ZipFile(given) as sources, zipfile.ZipFile(made, "w") as files:
        for name in sources.namelist():
            data = sources.read(name)
            if not name.endswith(".py") or READ.match(name):
                files.writestr(zipfile.ZipInfo(name), data)
            if name.endswith(".py"):
                files.writestr(zipfile.ZipInfo(placed(name)), bytecode(data, name))
