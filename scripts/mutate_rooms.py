"""Mutation testing of the rooms: change the source in one place at a time, and check that a test fails.

``python scripts/mutate_rooms.py tables --sample 100`` tests a random sample, the same for the same
``--seed``. It measures once which test runs which statement, and keeps that for each test file until the file
or the source changes. Then each mutant is put into a fork of one warm process, and the tests that run its
statement are run there, the fastest first, until one fails. Processes that a test starts get the mutant too.
No browser and no PostgreSQL is started, unless ``--marks postgres`` chooses other tests. The script prints
the survivors, and the mutants that none of these tests runs; it exits 1 if fewer than ``--at-least`` percent
die. Survivors that behave like the original are listed with the reason in ``tests/<room>/survivors.txt``.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import contextlib
import gc
import hashlib
import importlib
import json
import math
import mmap
import os
import resource
import signal
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Container, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from _pytest.main import pytest_runtestloop

import mutate

ROOT = mutate.ROOT
PADDOCK = ROOT / "src/paddock"
# Where the tests are that should find a mutant of a room.
TESTS = {
    "records": ("tests/records", "tests/kept"),
    "store": ("tests/store", "tests/tables", "tests/terminal/test_admin.py"),
    "tables": ("tests/tables",),
    "web": ("tests/web",),
    "features": ("tests/features",),
    "server": ("tests/web",),
    "lab": ("tests/lab", "tests/terminal"),
}
WITHOUT = "not browser and not postgres"
LIGHT = f"{WITHOUT} and not slow and not heavy"  # the tests of `make check`
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # where flushing a file costs nothing
CAPACITY = 1 << 17  # statements of all rooms
HITS = "__paddock_hits__"  # among the builtins: a byte for each statement, 1 if it has run
# Every process that a test starts runs this first. $PADDOCK_SOURCES is a folder with sources of modules.
SITE = f"""
import builtins, mmap, os, sys
from importlib.machinery import PathFinder, SourceFileLoader
folder = os.environ.get("PADDOCK_SOURCES", "")
hits = os.path.join(folder, "hits")
if folder and os.path.exists(hits):
    with open(hits, "r+b") as file:
        builtins.{HITS} = mmap.mmap(file.fileno(), 0)
class Loader(SourceFileLoader):
    def path_stats(self, path):
        raise OSError  # the compiled file of the module is not of this source
    def get_data(self, path):
        return open(os.path.join(folder, self.name), "rb").read()
class Finder:
    def find_spec(self, name, path=None, target=None):
        if not os.path.exists(os.path.join(folder, name)):
            return None
        spec = PathFinder.find_spec(name, path)
        spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec
if folder:
    sys.meta_path.insert(0, Finder())
"""
Known = dict[tuple[str, str, int], list[types.FunctionType]]


@dataclass
class Seen:
    """What a test file showed when it was measured."""

    seconds: dict[str, tuple[float, float]] = field(default_factory=dict)  # of each test: processor, clock
    lines: dict[str, list[str]] = field(default_factory=dict)  # «module:line» → the tests that ran it
    failed: dict[str, str] = field(default_factory=dict)  # with the reason


def digest(files: list[Path]) -> str:
    """Return a hash of the names and the contents of files."""
    found = hashlib.sha256(sys.version.encode())
    for file in sorted(files):
        found.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return found.hexdigest()[:24]


def modules(room: str) -> list[str]:
    """Return the names of the modules of a room, such as ``web.api.routes``.

    Migrations are left out: Alembic loads them by their path, so no mutant gets there. Tests compare the
    schema that they make.
    """
    paths = [path.relative_to(PADDOCK).with_suffix("") for path in sorted((PADDOCK / room).rglob("*.py"))]
    names = [".".join(path.parts).removesuffix(".__init__") for path in paths]
    return [name for name in names if ".migrations.versions" not in name]


def path_of(module: str) -> Path:
    """Return the file of a module of a room."""
    path = PADDOCK.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def mutants(module: str, only: str | None = None) -> Iterator[mutate.Mutant]:
    """Yield the mutants of a module of a room; what each is begins with the module."""
    path = path_of(module)
    for one in mutate.mutants(path.parent, path.stem, None):
        what = f"{module}.{one.what}"
        if only is None or what.startswith(only):
            yield mutate.Mutant(module, one.line, what, one.source)


def names(room: str, functions: Container[str]) -> set[str]:
    """Return what the mutants of these functions of a room are, without making them."""
    found = set()
    for module in modules(room):
        tree = ast.parse(path_of(module).read_text("utf-8"))
        known = {name for name, _ in mutate.defined(tree.body) if f"{module}.{name}" in functions}
        found |= {f"{module}.{what}" for _, _, what in mutate.changed(tree, known.__contains__)}
    return found


class Marking(ast.NodeTransformer):
    """Puts before every statement of functions one that notes that it runs."""

    def __init__(self, module: str, places: list[str]) -> None:
        self.module, self.places, self.inside = module, places, False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        outside, self.inside = self.inside, self.inside or isinstance(node, mutate.Function)
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if self.inside and isinstance(body, list) and not isinstance(node, ast.ClassDef):
                setattr(node, name, [new for one in body for new in self.marked(one)])
        self.inside = outside
        return node

    def marked(self, statement: ast.stmt) -> list[ast.stmt]:
        """Return the statement after one that notes it; the text of a docstring alone."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return [statement]
        self.places.append(f"{self.module}:{statement.lineno}")
        note = ast.parse(f"{HITS}[{len(self.places) - 1}] = 1").body
        return [*note, statement]


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield the code of the functions of a module and of the methods of its classes, in their order."""
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            if inner.co_flags & 2:  # its names are locals: a function
                yield inner
            else:
                yield from codes(inner)


def functions() -> Known:
    """Return the functions of this process by file, qualified name and first line."""
    found: Known = {}
    gc.unfreeze()  # what a server has frozen is not among the objects
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType:  # a proxy whose object is gone has no class
            code = thing.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(thing)
    return found


def pairs(path: Path, text: str) -> Iterator[tuple[types.CodeType, types.CodeType]]:
    """Yield the code of every function of a file, with that in a changed text of the file."""
    texts = path.read_text("utf-8"), text
    return zip(*(codes(compile(one, path, "exec")) for one in texts), strict=True)


def put_in(mutant: mutate.Mutant, known: Known) -> bool:
    """Give the functions of this process the code of the mutant; return whether that was possible."""
    path = path_of(mutant.module)
    name = mutant.what.partition(":")[0].removeprefix(f"{mutant.module}.")
    same = [
        (old, new)
        for old, new in pairs(path, mutant.source)
        if old.co_qualname == name and old.co_firstlineno <= mutant.line
    ]
    old, new = max(same, key=lambda pair: pair[0].co_firstlineno)  # a property and its setter have one name
    living = known.get((str(path), name, old.co_firstlineno), [])
    if old.co_freevars != new.co_freevars:  # without its super() a method has no class
        return False
    for function in living:
        function.__code__ = new
    return bool(living)


UNLIKE = 77  # the exit code of a fork that could not take a mutant


class Runner:
    """A pytest plugin that runs the collected tests in forks: to measure them, then with one mutant each."""

    def __init__(
        self, room: str, chosen: list[mutate.Mutant], budget: float, marks: str, folder: Path
    ) -> None:
        self.room, self.chosen, self.budget, self.marks, self.folder = room, chosen, budget, marks, folder
        self.verdicts: list[tuple[mutate.Mutant, str]] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        """Know a mark of xdist, which is left out."""
        config.addinivalue_line("markers", "xdist_group(name): runs beside others of the group")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure what has not been measured, and test every mutant."""
        if session.testsfailed:
            sys.exit("These tests cannot be collected.")
        for module in (module for room in TESTS for module in modules(room)):
            with contextlib.suppress(Exception):  # a migration runs only in a database
                importlib.import_module(f"paddock.{module}")
        if threading.active_count() > 1:
            sys.exit(f"A fork would lose {threading.enumerate()[1:]}")
        seen = self.seen(session)
        failed = {name: reason for one in seen for name, reason in one.failed.items()}
        for name, reason in failed.items():
            print(f"fails without a mutant, and is left out: {name}: {reason[-300:]}")
        seconds = {name: both for one in seen for name, both in one.seconds.items()}
        lines: dict[str, list[str]] = {}
        for one in seen:
            for line, names in one.lines.items():
                lines.setdefault(line, []).extend(names)
        items = {item.nodeid: item for item in session.items}
        known = functions()
        gc.freeze()
        began = time.monotonic()
        for n, mutant in enumerate(self.chosen, 1):
            verdict = self.verdict(mutant, lines, {*items} - {*failed}, seconds, items, known, session)
            self.verdicts.append((mutant, verdict))
            print(
                f"{n}/{len(self.chosen)} {time.monotonic() - began:.0f} s: {verdict}: {mutant.what}",
                flush=True,
            )
        return True

    def verdict(
        self,
        mutant: mutate.Mutant,
        lines: dict[str, list[str]],
        usable: set[str],
        seconds: dict[str, tuple[float, float]],
        items: dict[str, pytest.Item],
        known: dict[tuple[str, str, int], list[types.FunctionType]],
        session: pytest.Session,
    ) -> str:
        """Test one mutant; return «dead», «alive after N of M tests» or why it was not tested."""
        reach = usable.intersection(lines.get(f"{mutant.module}:{mutant.line}", ()))
        if not reach:
            return "runs in none"
        chosen, total = [], 0.0
        for name in sorted(reach, key=lambda name: (seconds[name], name)):
            total += seconds[name][0]
            if chosen and total > self.budget:
                break
            chosen.append(name)
        source = self.folder / f"mutant/paddock.{mutant.module}"
        source.parent.mkdir(exist_ok=True)
        source.write_text(mutant.source, "utf-8")
        os.environ["PADDOCK_SOURCES"] = str(source.parent)
        limit = 10 + 5 * sum(seconds[name][1] for name in chosen)

        def run() -> int:
            if not put_in(mutant, known):
                return UNLIKE
            exec(SITE, {})  # a test may load the module again
            for name in chosen:
                items[name].add_marker(pytest.mark.timeout(10 + 10 * seconds[name][1], method="thread"))
            return self.run(session, [items[name] for name in chosen])

        code = fork(run, limit)
        source.unlink()
        if code == UNLIKE:
            return "cannot be put in"
        if code == 0:
            return f"alive after {len(chosen)} of {len(reach)}"
        return "dead"

    def run(self, session: pytest.Session, items: list[pytest.Item]) -> int:
        """Run tests until one fails, in a fork; return how many failed."""
        return min(loop(session, items, 1), 1)

    def seen(self, session: pytest.Session) -> list[Seen]:
        """Return what each test file shows; measure those that have changed, all in one fork."""
        source = [*PADDOCK.rglob("*.py")]
        shared = [path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_")]
        base, kept = digest([*source, *shared]), platformdirs.user_cache_path("paddock") / "mutate"
        kept.mkdir(parents=True, exist_ok=True)
        files = sorted({item.path for item in session.items})
        marks = self.marks.replace(" ", "_")
        answers = {path: kept / f"{base}-{digest([path])}-{marks}.json" for path in files}
        missing = [path for path in files if not answers[path].exists()]
        if missing:
            items = [item for item in session.items if item.path in missing]
            print(f"{self.room}: measuring {len(items)} tests of {len(missing)} files", flush=True)
            fork(lambda: measure(session, items, self.folder), 3600)
            found = json.loads((self.folder / "seen.json").read_text("utf-8"))
            for path in missing:
                answers[path].write_text(json.dumps(found[str(path.relative_to(ROOT))]), "utf-8")
        return [Seen(**json.loads(answers[path].read_text("utf-8"))) for path in files]


def fork(run: Callable[[], int], limit: float) -> int:
    """Call a function in a fork, without its output; return its code, or −1 if it took too long."""
    child = os.fork()
    if not child:
        code = 1
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))
            silence = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(silence, stream)
            code = run()
        finally:
            os._exit(code)

    def late(number: int, frame: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    signal.alarm(math.ceil(limit))
    try:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except TimeoutError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        code = -1
    signal.alarm(0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what a test has left behind
    return code


def loop(session: pytest.Session, items: list[pytest.Item], most: int) -> int:
    """Run tests in this fork until so many have failed, all for 0; return how many failed."""
    for plugin in ("costs-summary", "costs-worker", "terminalreporter"):
        session.config.pluginmanager.unregister(name=plugin)
    session.items[:] = items
    session.config.option.maxfail = most
    with contextlib.suppress(session.Failed):
        pytest_runtestloop(session)
    return session.testsfailed


class Measuring:
    """A pytest plugin that notes what each test costs, what it runs, and whether it fails."""

    def __init__(self, places: list[str], hits: mmap.mmap) -> None:
        self.places, self.hits, self.seen = places, hits, dict[str, Seen]()

    def file(self, nodeid: str) -> Seen:
        """Return what is known of the file of a test."""
        return self.seen.setdefault(nodeid.partition("::")[0], Seen())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Run a test, and note what it took and ran."""
        self.hits[:] = bytes(CAPACITY)
        clock, used = time.monotonic(), sum(os.times()[:4])
        result = yield
        seen, took = self.file(item.nodeid), (sum(os.times()[:4]) - used, time.monotonic() - clock)
        seen.seconds[item.nodeid] = (round(took[0], 3), round(took[1], 3))
        for line in {place for place, hit in zip(self.places, self.hits[:], strict=False) if hit}:
            seen.lines.setdefault(line, []).append(item.nodeid)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the reason of a failure."""
        if report.failed:
            self.file(report.nodeid).failed[report.nodeid] = str(report.longrepr)


def measure(session: pytest.Session, items: list[pytest.Item], folder: Path) -> int:
    """Run tests in this fork, every statement of the rooms marked; write what is seen to ``seen.json``."""
    places: list[str] = []
    sources = folder / "marked"
    sources.mkdir()
    (sources / "hits").write_bytes(bytes(CAPACITY))
    known = functions()
    for module in (module for room in TESTS for module in modules(room)):
        path = path_of(module)
        tree = Marking(module, places).visit(ast.parse(path.read_text("utf-8")))
        text = ast.unparse(ast.fix_missing_locations(tree))
        (sources / f"paddock.{module}").write_text(text, "utf-8")
        for old, new in pairs(path, text):
            for function in known.get((str(path), old.co_qualname, old.co_firstlineno), []):
                function.__code__ = new
    os.environ["PADDOCK_SOURCES"] = str(sources)
    exec(SITE, {})
    measuring = Measuring(places, getattr(builtins, HITS))
    session.config.pluginmanager.register(measuring)
    loop(session, items, 0)
    seen = {file: vars(one) for file, one in measuring.seen.items()}
    (folder / "seen.json").write_text(json.dumps(seen), "utf-8")
    return 0


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Mutation testing of a room.")
    parser.add_argument("room", choices=TESTS)
    parser.add_argument("--only", metavar="NAME", help="mutate only what begins so: web.api.routes")
    parser.add_argument("--sample", type=int, metavar="N", help="test a random sample of N mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--budget", type=float, default=5, help="processor seconds of tests for one mutant")
    marks = parser.add_mutually_exclusive_group()
    marks.add_argument("--marks", default=WITHOUT, help="of the tests, as for pytest -m")
    marks.add_argument("--light", dest="marks", action="store_const", const=LIGHT, help="those of make check")
    parser.add_argument("--at-least", type=float, default=80.0, metavar="PERCENT")
    chosen = parser.parse_args()
    every = [one for module in modules(chosen.room) for one in mutants(module, chosen.only)]
    sample = mutate.some_of(every, chosen.sample, chosen.seed)
    print(f"{chosen.room}: {len(sample)} of {len(every)} mutants")
    del every
    os.environ["PADDOCK_HYPOTHESIS"] = "mutate"
    with tempfile.TemporaryDirectory(prefix="paddock-mutate-", dir=MEMORY) as name:
        folder = Path(name)
        (folder / "site").mkdir()
        (folder / "site/sitecustomize.py").write_text(SITE, "utf-8")
        os.environ["PYTHONPATH"] = os.pathsep.join([str(folder / "site"), str(PADDOCK.parent)])
        sys.path.insert(0, str(PADDOCK.parent))
        runner = Runner(chosen.room, sample, chosen.budget, chosen.marks, folder)
        words = [
            "-q",
            "--assert=plain",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-m",
            chosen.marks,
        ]
        os.chdir(ROOT)
        code = pytest.main([*words, f"--basetemp={folder / 'tests'}", *TESTS[chosen.room]], [runner])
    return report(chosen.room, runner.verdicts, chosen.at_least) or int(code)


def report(room: str, verdicts: list[tuple[mutate.Mutant, str]], at_least: float) -> int:
    """Print the survivors and what no test runs; return 1 if too few died."""
    known = mutate.reasons(ROOT / f"tests/{room}/survivors.txt")
    for mutant, verdict in verdicts:
        if verdict != "dead":
            place = f"{path_of(mutant.module).relative_to(ROOT)}:{mutant.line}"
            print(f"{place}: {verdict}: {mutant.what}  # {known.get(mutant.what, 'no reason yet')}")
    died = sum(verdict == "dead" for _, verdict in verdicts)
    none = sum(not verdict.startswith(("dead", "alive")) for _, verdict in verdicts)
    score = 100 * died / max(1, len(verdicts))
    print(
        f"{room}: {died} of {len(verdicts)} mutants died, {score:.1f} %; required: {at_least:g} %. "
        f"{none} are run by none of these tests."
    )
    return int(score < at_least)


if __name__ == "__main__":
    sys.exit(main())
