"""Mutation testing of the rules: change them in one place at a time, and check that the clause tests fail.

The modules of each title's kernel are mutated function by function. A mutant dies if a test under
``tests/rules/<title>/`` fails or hangs. ``--sample`` tests a random sample of that size, the same for the
same ``--seed``. The script exits 1 if fewer than ``--at-least`` percent die. It prints the survivors. Those
that behave like the original are listed with the reason in ``tests/rules/<title>/survivors.txt``.

Existing tools do not fit: mutmut skips decorated functions, and every kernel function is decorated;
cosmic-ray starts a process for each mutant. Here each worker has a copy of the source and imports everything
but the title once; each mutant is written into the copy and tested in a fork.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import importlib.metadata
import math
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import textwrap
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "src/paddock/games"

COMPARE: dict[type, tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
BINARY: dict[type, type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}


Function = ast.FunctionDef | ast.AsyncFunctionDef
OUTSIDE = (
    "annotation",
    "returns",
    "decorator_list",
    "defaults",
    "kw_defaults",
)  # run when a module is loaded


@dataclass(frozen=True)
class Mutant:
    module: str  # a module of the title, or of a room
    line: int
    what: str  # function: the statement before -> after
    source: str


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every mutation of this node, without its children."""
    new = copy.copy(node)
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in COMPARE.get(type(op), ()):
                yield ast.Compare(node.left, [*node.ops[:i], other(), *node.ops[i + 1 :]], node.comparators)
    elif isinstance(new, (ast.BinOp, ast.AugAssign)) and type(new.op) in BINARY:
        new.op = BINARY[type(new.op)]()
        yield new
    elif isinstance(new, ast.BoolOp):
        new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
        yield new
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(new, (ast.If, ast.While)) and not isinstance(new.test, (ast.Compare, ast.UnaryOp)):
        new.test = ast.UnaryOp(ast.Not(), new.test)
        yield new
    elif isinstance(node, (ast.Break, ast.Continue)):
        yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()
    if isinstance(node, (ast.Assign, ast.AugAssign)) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    ):
        yield ast.Pass()


def short(statement: ast.AST) -> str:
    """Return the first line of a statement."""
    head = copy.copy(statement)
    if hasattr(head, "body"):  # as long as a function: what comes after the first line costs most
        head.body = [ast.Pass()]
    if hasattr(head, "orelse"):
        head.orelse = []
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(head))).partition("\n")[0]


def defined(body: list[ast.stmt], inside: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the functions of a module and the methods of its classes, with their qualified names."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from defined(node.body, f"{inside}{node.name}.")
        elif isinstance(node, Function):
            yield inside + node.name, node


def changed(tree: ast.Module, wanted: Callable[[str], bool]) -> Iterator[tuple[Function, int, str]]:
    """Change the functions that are wanted in one place after the other, in the order of the source.

    Yields the function as long as it is changed, the line, and what the change is.
    """

    def visit(node: ast.AST, statement: ast.stmt, name: str) -> Iterator[tuple[int, str]]:
        for field, value in ast.iter_fields(node):
            if field in OUTSIDE:
                continue
            children = value if isinstance(value, list) else [value]
            for i, child in enumerate(children):
                if not isinstance(child, ast.AST):
                    continue
                inside = child if isinstance(child, ast.stmt) else statement
                before = ""
                for other in changes(child):
                    before = before or short(inside)
                    if isinstance(value, list):
                        value[i] = other
                    else:
                        setattr(node, field, other)
                    after = short(other if isinstance(child, ast.stmt) else statement)
                    yield inside.lineno, f"{name}: {before} -> {after}"
                    if isinstance(value, list):
                        value[i] = child
                    else:
                        setattr(node, field, child)
                yield from visit(child, inside, name)

    for name, function in defined(tree.body):
        if wanted(name):
            for line, what in visit(function, function, name):
                yield function, line, what


def begin(function: Function) -> int:
    """Return the first line of a function, with its decorators."""
    return min(one.lineno for one in (function, *function.decorator_list))


def path_of(folder: Path, module: str) -> Path:
    """Return the file of a module, whose name is relative to the package in this folder."""
    return folder.joinpath(*module.split(".")).with_suffix(".py")


def mutants(folder: Path, module: str, only: str | None) -> Iterator[Mutant]:
    """Yield every mutant of a module's functions, in the order of the source."""
    text = path_of(folder, module).read_text("utf-8")
    lines = text.splitlines(keepends=True)
    for function, line, what in changed(
        ast.parse(text), lambda name: only in (None, module, module.rpartition(".")[2], name)
    ):
        mutated = textwrap.indent(ast.unparse(ast.fix_missing_locations(function)), " " * function.col_offset)
        begins = begin(function)
        source = "".join([*lines[: begins - 1], mutated, "\n", *lines[function.end_lineno :]])
        yield Mutant(module, line, what, source)


def names(folder: Path, module: str, functions: Container[str]) -> set[str]:
    """Return what the mutants of these functions are, without making them."""
    tree = ast.parse(path_of(folder, module).read_text("utf-8"))
    return {what for _function, _line, what in changed(tree, functions.__contains__)}


def tested(tests: str, limit: float) -> tuple[str, float]:
    """Run the tests in a fork for at most ``limit`` CPU seconds; return the verdict and the seconds.

    The verdict is ``alive``, ``dead`` or ``hung``.
    """
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        import pytest

        code = 1
        try:
            code = pytest.main(
                ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", tests]
            )
        finally:
            os._exit(int(code))
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    verdict = "alive" if code == 0 else "hung" if code in (-signal.SIGXCPU, -signal.SIGKILL) else "dead"
    return verdict, used.ru_utime + used.ru_stime


def prepare(title: str, folder: Path) -> Path:
    """Copy the source to ``folder`` for this process, and import everything that does not change.

    Returns the folder of the copied title.
    """
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    sys.path.insert(0, str(folder / "src"))
    sys.dont_write_bytecode = True
    os.environ["PADDOCK_HYPOTHESIS"] = "mutate"
    os.chdir(ROOT)
    import pytest  # noqa: F401

    for plugin in importlib.metadata.entry_points(group="pytest11"):
        plugin.load()

    import paddock.core.game
    import paddock.kernel

    where = Path(paddock.kernel.__file__)
    assert folder in where.parents, f"the tests would see {where}, not the mutants"
    early = [name for name in sys.modules if name.startswith(f"paddock.games.{title}.")]
    for name in early:
        del sys.modules[name]
    return folder / f"src/paddock/games/{title}"


def work(
    title: str,
    tests: str,
    limit: float,
    todo: multiprocessing.Queue[Mutant | None],
    done: multiprocessing.Queue[tuple[Mutant, str]],
) -> None:
    """Run a worker process: test mutants until there are no more."""
    with tempfile.TemporaryDirectory(prefix="paddock-mutate-") as folder:
        rules = prepare(title, Path(folder))
        while (mutant := todo.get()) is not None:
            path = path_of(rules, mutant.module)
            before = path.read_bytes()
            path.write_text(mutant.source, "utf-8")
            done.put((mutant, tested(tests, limit)[0]))
            path.write_bytes(before)


def baseline(title: str, tests: str) -> tuple[float, list[str]]:
    """Run the tests on the unchanged rules; return their seconds and the kernel modules of the title.

    Exits if the tests fail.
    """
    reader, writer = os.pipe()
    if not os.fork():
        with tempfile.TemporaryDirectory(prefix="paddock-mutate-") as folder:
            prepare(title, Path(folder))
            verdict, used = tested(tests, 600)
            kernel = importlib.import_module(f"paddock.games.{title}.rulebook").TITLE.kernel
        os.write(writer, " ".join([verdict, str(used), *kernel]).encode())
        os._exit(0)
    os.wait()
    verdict, seconds, *modules = os.read(reader, 1000).decode().split()
    if verdict != "alive":
        sys.exit(f"{tests}: the tests fail on the unchanged rules")
    return float(seconds), modules


def some_of(every: list[Mutant], sample: int | None, seed: int) -> list[Mutant]:
    """Return a random sample of the mutants, in order; all of them if there are not more."""
    if sample is None or sample >= len(every):
        return every
    return [every[i] for i in sorted(random.Random(seed).sample(range(len(every)), sample))]


def mutate(
    title: str, jobs: int, only: str | None, sample: int | None, seed: int
) -> tuple[int, list[tuple[Mutant, str]]]:
    """Test a title; return the number of mutants, and the survivors with their reasons."""
    tests = f"tests/rules/{title}"
    seconds, modules = baseline(title, tests)
    every = [mutant for module in modules for mutant in mutants(GAMES / title, module, only)]
    all_of_them = some_of(every, sample, seed)
    limit = 2 + 4 * seconds
    count = f"{len(all_of_them)} of {len(every)}" if len(all_of_them) < len(every) else str(len(every))
    print(f"{title}: {count} mutants, tests of {seconds:.1f} s, {jobs} at a time.", flush=True)
    todo: multiprocessing.Queue[Mutant | None] = multiprocessing.Queue()
    done: multiprocessing.Queue[tuple[Mutant, str]] = multiprocessing.Queue()
    for mutant in [*all_of_them, *[None] * jobs]:
        todo.put(mutant)
    workers = [
        multiprocessing.Process(target=work, args=(title, tests, limit, todo, done)) for _ in range(jobs)
    ]
    for worker in workers:
        worker.start()
    survivors, hung = [], 0
    for n in range(1, len(all_of_them) + 1):
        mutant, verdict = done.get()
        if verdict == "alive":
            survivors.append(mutant)
        hung += verdict == "hung"
        if sys.stdout.isatty() or n % 100 == 0 or n == len(all_of_them):
            print(f"\r{n}/{len(all_of_them)}, {len(survivors)} survive, {hung} hung", end="", flush=True)
    print()
    for worker in workers:
        worker.join()
    known = reasons(ROOT / tests / "survivors.txt")
    survivors.sort(key=lambda mutant: (modules.index(mutant.module), mutant.line))
    return len(all_of_them), [(mutant, known.get(mutant.what, "")) for mutant in survivors]


def reasons(path: Path) -> dict[str, str]:
    """Parse ``survivors.txt``, with ``mutant  # reason`` on each line."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    pairs = (line.partition("  # ") for line in lines)
    return {what.strip(): why.strip() for what, _, why in pairs if why}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Mutation testing of the rules by their clause tests.")
    parser.add_argument("titles", nargs="*", help="default: all that have clause tests")
    parser.add_argument("--only", metavar="NAME", help="mutate only this function or module")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="test a random sample of N mutants of each title"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--at-least", type=float, default=90.0, metavar="PERCENT")
    chosen = parser.parse_args()
    multiprocessing.set_start_method("fork")
    titles = chosen.titles or sorted(
        path.parent.name
        for path in GAMES.glob("*/rulebook.py")
        if (ROOT / "tests/rules" / path.parent.name).is_dir()
    )
    failed, found = False, False
    for title in titles:
        total, survivors = mutate(title, chosen.jobs, chosen.only, chosen.sample, chosen.seed)
        if not total:
            continue
        found = True
        for mutant, reason in survivors:
            place = f"{path_of(Path('src/paddock/games') / title, mutant.module)}:{mutant.line}"
            print(f"{place}: {mutant.what}  # {reason or 'no reason yet'}")
        died = total - len(survivors)
        score = 100 * died / total
        failed |= score < chosen.at_least
        print(f"{title}: {died} of {total} mutants died, {score:.1f} %; required: {chosen.at_least:g} %.")
    if not found:
        sys.exit(f"no function or module {chosen.only} in the rules of {', '.join(titles) or 'any title'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
