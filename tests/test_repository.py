"""Checks of the repository: cited clauses, file sizes, README commands, nothing of one machine."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
import yaml
from markdown_it import MarkdownIt

import cited
import offline
from sampling import some

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src/paddock"


@cache
def tracked() -> tuple[Path, ...]:
    """Return every text file of the repository; without git, those of the known folders."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        folders = ("src", "tests", "scripts", "requirements", "docs", "examples", ".ci")
        paths = [path for folder in folders for path in (ROOT / folder).rglob("*")] + list(ROOT.glob("*"))
    texts = (
        ".py",
        ".md",
        ".toml",
        ".yml",
        ".sh",
        ".html",
        ".css",
        ".js",
        ".svg",
        ".txt",
        ".po",
        ".ini",
        ".mako",
        "",
    )
    return tuple(
        path for path in paths if path.is_file() and path.suffix in texts and "__pycache__" not in path.parts
    )


@pytest.mark.parametrize("title", cited.titles())
def test_every_clause_is_cited_by_the_code_and_by_a_test(title: str) -> None:
    known = cited.known(title)
    assert known, f"{title} has no clauses"
    coded = {id for id, places in cited.in_source(title).items() if any(place.name for place in places)}
    assert not [id for id in known if id not in coded], "no function cites these clauses"
    assert not [id for id in known if id not in cited.in_tests(title)], "no test cites these clauses"


@pytest.mark.parametrize("title", cited.titles())
def test_only_clauses_that_exist_are_cited(title: str) -> None:
    known = set(cited.known(title))
    for path in [*(SOURCE / "games" / title).rglob("*.py"), *(ROOT / "tests/rules" / title).glob("*.py")]:
        assert not cited.clauses(path.read_text("utf-8")) - known, path


def test_no_file_wants_to_be_two() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in SOURCE.rglob("*.py")}
    assert not {str(path): length for path, length in lengths.items() if length > 800}


def test_no_module_imports_itself_through_others() -> None:
    """Imports for types count, and those of a package by its own modules, unlike in import-linter."""
    graph = grimp.build_graph("paddock", exclude_type_checking_imports=False, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert "paddock.core.title.seen" in imports
    TopologicalSorter(imports).prepare()  # raises a CycleError that names the modules


def test_numba_is_imported_lazily_and_by_the_kernel_alone() -> None:
    for path in SOURCE.rglob("*.py"):
        if not re.search("numba|llvmlite", text := path.read_text("utf-8")):
            continue
        tree = ast.parse(text)
        for node in ast.walk(tree):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.partition(".")[0] in ("numba", "llvmlite") for name in names):
                assert path.is_relative_to(SOURCE / "kernel"), path
                assert node not in tree.body, f"{path}:{node.lineno}: import it where it compiles"


def test_starting_loads_no_compiler() -> None:
    """A page must not wait for Numba."""
    code = "import sys, paddock; paddock.start('lacorsa'); sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_citation_file_is_complete() -> None:
    """https://citation-file-format.github.io: the required keys, and the version of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["title"] == "Paddock"
    assert citation["message"]
    assert citation["authors"] == [{"name": "The Paddock developers"}]
    assert citation["version"] == project["version"]
    assert citation["license"] == project["license"]


def test_versions_agree() -> None:
    import paddock

    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    entries = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert entries[0] == version
    assert getattr(paddock, "__version__", version) == version


# Written so that this file does not match itself.
ELSEWHERE = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|deb\.debian\.org|cdn\.\w|unpkg\.com|jsdelivr|googleapis\.com"
    r"|(?<![\w.}*)-])/(?:work|root|home/\w+)/\w"
)


def test_nothing_of_one_machine_or_registry() -> None:
    faults = []
    for path in tracked():
        text = path.read_text("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines() if ELSEWHERE.search(text) else (), 1):
            if path != Path(__file__) and ELSEWHERE.search(line):
                faults.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert not faults


def test_pages_fetch_nothing_from_elsewhere() -> None:
    pages = [path for path in tracked() if path.suffix in (".html", ".css") and path.is_relative_to(SOURCE)]
    assert not {str(page): found for page in pages if (found := offline.fetched(page.read_text("utf-8")))}


# Runnable documentation: blocks of python are scripts; in those of console, the lines `$ paddock …`.
# The blocks of one page run in their order in one empty folder. What a console block shows must come
# out, line by line; a line with … is not looked for. Blocks of sh are typed by test_commands.py.
# The blocks of pycon in a page are one session, which doctest repeats. Files of examples/ that a page
# shows (`--8<--`) have tests of their own.
# A block of python that cannot run has a title that says why: ```python title="Not run: …".
NOT_RUN = re.compile(r'python title="Not run: [^"]+"')
RUNS = ("python", "console", "pycon")
OTHERS = ("", "sh", "text", "js", "json", "toml", "ini", "nginx")  # nobody expects these to run
SHOWN = re.compile(r'^ *--8<-- "(.+)"$', re.MULTILINE)
Block = tuple[str, str]  # what follows its fence, and its lines
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(SOURCE.rglob("*.md")),
]


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of code of a page, except those that show an example."""
    for token in MarkdownIt().parse(text):
        if token.type == "fence" and not SHOWN.match(token.content):
            yield token.info.strip(), token.content
        elif token.type == "code_block":  # what belongs to a note («!!!») is indented
            yield from blocks(token.content)


def neither_run_nor_marked(text: str) -> list[str]:
    """Return what each code block says of itself that looks as if it runs in the tests, but does not."""
    return [kind for kind, _ in blocks(text) if kind not in RUNS + OTHERS and not NOT_RUN.fullmatch(kind)]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_code_blocks_run_or_say_that_they_do_not(page: Path) -> None:
    assert not neither_run_nor_marked(page.read_text("utf-8"))


def test_a_code_block_that_only_looks_as_if_it_runs_is_found() -> None:
    text = (
        "1. a list\n\n   ```{.python}\n   a\n   ```\n\n!!! note\n\n    ``` pyhton\n    a\n    ```\n\n"
        "~~~ bash\n~~~\n```py\n```\n```python linenums\n```\n"
    )
    assert neither_run_nor_marked(text) == ["{.python}", "pyhton", "bash", "py", "python linenums"]
    marked = '```python title="Not run: it needs a GPU"\n```\n```console\n```\n````text\n```py\n```\n````\n'
    assert not neither_run_nor_marked(marked)


def run(arguments: list[str], folder: Path, asked: str = "") -> str:
    """Return what a command prints; fail with its errors."""
    done = subprocess.run(
        arguments, cwd=folder, input=asked or None, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{shlex.join(arguments[1:])}\n{done.stdout}\n{done.stderr}"
    return done.stdout


# Runs scripts and commands one after the other in one process, which loads Paddock and its compiled rules
# once. No script finds the names of another. A line after each ends what it has printed.
ENDS = "-- the block of the page ends here --"
IN_TURN = f"""
def run_all():
    import json, sys
    from paddock.cli import main
    names = globals()
    own = set(names)
    for kind, block in json.load(sys.stdin):
        if kind == "python":
            exec(compile(block, "<block>", "exec"), names)
            for name in set(names) - own:
                del names[name]
        else:
            sys.argv[1:] = block
            try:
                main()
            except SystemExit as end:
                if end.code:
                    raise
        print("{ENDS}", flush=True)
run_all()
"""


def shown(block: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the commands of a console block; the lines after a command are its output."""
    for part in f"\n{block}".split("\n$ ")[1:]:
        command, *lines = part.splitlines()
        words = shlex.split(command)
        assert words[0] == "paddock", f"only paddock commands run here, not {command}"
        yield words[1:], [line.rstrip() for line in lines if line.strip() and "…" not in line]


def session(blocks: list[str], folder: Path) -> None:
    """Repeat a session in Python: what is shown must come out."""
    file = folder / "session.txt"
    file.write_text("\n".join(blocks), "utf-8")
    run([sys.executable, "-m", "doctest", "-o", "ELLIPSIS", str(file)], folder)


RUNNABLE = [page for page in PAGES if any(kind in RUNS for kind, _ in blocks(page.read_text("utf-8")))]


QUICK = ("tutorial.md", "index.md", "review.md")  # plain Python: a second each
TRIED = [page for page in RUNNABLE if page.name in QUICK or page in some(RUNNABLE, len(RUNNABLE) // 6)]


@pytest.mark.slow("every block of a page runs")
@pytest.mark.parametrize("page", TRIED, ids=lambda path: str(path.relative_to(ROOT)))
def test_documentation_runs(page: Path, tmp_path: Path) -> None:
    typed, asked, wanted = list[str](), list[tuple[str, str | list[str]]](), list[list[str]]()
    for kind, block in blocks(page.read_text("utf-8")):
        if kind == "python":
            asked.append((kind, block))
            wanted.append([])
        elif kind == "console":
            for words, lines in shown(block):
                asked.append((kind, words))
                wanted.append(lines)
        elif kind == "pycon":
            typed.append(block)
    if asked:
        *printed, rest = run([sys.executable, "-c", IN_TURN], tmp_path, json.dumps(asked)).split(f"{ENDS}\n")
        assert (len(printed), rest) == (len(wanted), "")
        for lines, found in zip(wanted, printed, strict=True):
            assert not set(lines) - {line.rstrip() for line in found.splitlines()}, found
    if typed:
        session(typed, tmp_path)


def test_pages_show_every_example() -> None:
    shown = {name for page in PAGES for name in SHOWN.findall(page.read_text("utf-8"))}
    kinds = ".css", ".md", ".po", ".py", ".toml"
    files = [path for path in (ROOT / "examples").rglob("*.*") if path.suffix in kinds]
    assert shown == {str(path.relative_to(ROOT)) for path in files if path.name != "__init__.py"}


def test_git_keeps_the_pictures_that_pages_show() -> None:
    """`make shots` takes about eighty: the others are ignored."""
    written = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {name for page in written for name in re.findall(r"shots/([\w-]+\.jpg)", page.read_text("utf-8"))}
    kept = re.findall(r"^!/docs/shots/(.+)$", (ROOT / ".gitignore").read_text("utf-8"), re.MULTILINE)
    assert len(kept) == 6 and set(kept) == shown
    assert all((ROOT / "docs/shots" / name).is_file() for name in kept)


@pytest.mark.xdist_group("alone")
def test_tests_of_a_group_stay_together(request: pytest.FixtureRequest) -> None:
    """With pytest 9.2, xdist 3.8 sends them to any worker, and does not say so."""
    assert request.node.nodeid.endswith("@alone") or not request.config.getoption("loadgroup", False)


def test_every_heavy_test_is_there() -> None:
    """Of a renamed one, `make check` would run what takes long."""
    names = (ROOT / "tests/heavy.txt").read_text("utf-8").split()
    tests = [(ROOT / name.split("::")[0], name.split("::")[-1]) for name in names]
    assert tests and not [test for file, test in tests if f"def {test}(" not in file.read_text("utf-8")]


# The documentation's own pages are checked when they are built: `make docs`.
@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_between_files_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / name).read_text("utf-8"))
    assert not [link for link in links if not (ROOT / link).exists()]


# By tests in tests/envs, tests/lab, tests/web, tests/features/daily and tests/tasks
RUN_ELSEWHERE = ("imitate.py", "train.py", "trained.py", "bot.py", "guest.py", "check_day.py", "agent.py")
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.name not in RUN_ELSEWHERE]


@pytest.mark.slow("each example is a program of its own")
@pytest.mark.parametrize("example", some(EXAMPLES, 1), ids=lambda path: path.name)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    run([sys.executable, str(example)], tmp_path)
