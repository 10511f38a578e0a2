"""Rules of several modules: each mode has its own copies, and the cache is named by all of them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from textwrap import dedent
from types import FunctionType

import pytest

from paddock.core.title import Title
from paddock.core.words import CHANCE, PUBLIC
from paddock.kernel.bulk import Bench, play, secrecy_checks
from paddock.kernel.chance import below, stream
from paddock.kernel.events import events_of
from paddock.kernel.loader import cache_folder, load_kernel
from paddock.kernel.mode import loading, rule
from paddock.kernel.watch import watch
from sampling import some

from .tiny import SOURCES, Maker, Options, maker, tiny

__all__ = ["tiny"]

# One is compiled once. The compiler takes 200 MB, so it is where the least time is left for other tests.
pytestmark = pytest.mark.xdist_group("browser")
OPTIONS = Options()
# Faults of the tiny rules
FORESEEN, STEPPED, TURNED, _TOLD_MORE, TOO_FAR = (Options(fault=n) for n in range(1, 6))


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Title]:
    """The tiny title as it is."""
    with pytest.MonkeyPatch.context() as patched:
        yield maker(tmp_path_factory.mktemp("usual"), patched).title("usual")


def plain_walk(title: Title) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the state after a step of the plain rules, and its events."""
    rules, g = title.rules, title.setup_of(OPTIONS)
    s = rules.State()
    rules.start(s, g)
    rules.apply(s, g, CHANCE, 3)
    rules.apply(s, g, CHANCE, 1)
    s.events = []
    rules.apply(s, g, 0, 0)
    return s.at, s.events


def compiled_walk(
    title: Title, tell: bool, options: Options = OPTIONS
) -> tuple[list[int], list[tuple[int, ...]]]:
    """The same, compiled."""
    bench = Bench(title, options, tell=tell)
    kernel = bench.kernel
    kernel.one_start(bench.ss, bench.gg)
    kernel.one_apply(bench.ss, bench.gg, CHANCE, 3)
    kernel.one_apply(bench.ss, bench.gg, CHANCE, 1)
    kernel.one_apply(bench.ss, bench.gg, 0, 0)
    return bench.ss[0]["at"].tolist(), events_of(bench.ss[0]) if tell else []


WITHOUT_LIST = """def why_not(s: State, g: Setup, seat: int, move: int) -> int:
    return legal(s, g, seat, 0)

@rule
def other(s: State, g: Setup, seat: int, out: Row) -> int:
    out[0]"""
TOLD = [(1, 0, 2, 0, PUBLIC), (1, 0, 1, 0, 1), (1, 0, 1, 0, 1)]


@pytest.mark.slow("a title of its own is compiled")
@pytest.mark.parametrize("first", some(["plain", "compiled"], 1))
def test_no_mode_leaks_into_the_other(tiny: Maker, first: str) -> None:
    """In any loading order, functions, records and TELL of a sibling are those of the mode.

    One of them is imported whole, beside a module that is no kernel code: each mode finds its own copy.
    """
    name = f"leaks_{first}"
    title = tiny.title(
        name,
        ("rules", f"from {name}.ground import walk", f"from {name} import ground, numbers"),
        ("rules", "    walk(s, seat)", "    ground.walk(s, seat)"),
        ("rules", "s.turn = 0\n    s.left = MOST", "s.turn = 0\n    s.left = numbers.MOST"),
    )
    if first == "plain":
        assert plain_walk(title) == ([2, 0], TOLD)
    assert compiled_walk(title, tell=False) == ([2, 0], [])
    assert compiled_walk(title, tell=True) == ([2, 0], TOLD)
    assert plain_walk(title) == ([2, 0], TOLD)
    ground = sys.modules[f"{name}.ground"]
    assert isinstance(ground.walk, FunctionType)
    copy = sys.modules[f"{name}.rules__{name}_compiled"]
    assert copy.ground is sys.modules[f"{name}.ground__{name}_compiled"]
    assert copy.ground is not ground
    assert title.rules.State is sys.modules[f"{name}.state"].State
    assert load_kernel(title, compiled=False).State is title.rules.State
    for tell in (False, True):
        kernel = load_kernel(title, compiled=True, tell=tell)
        assert kernel.State is not title.rules.State
        assert kernel.apply is not title.rules.apply
        assert not hasattr(kernel, "walk")  # no name of the contract: it stays in its module
        assert ("n_events" in kernel.State.dtype.names) is tell
    assert "n_events" not in title.rules.State.dtype.names


def test_another_thread_loads_the_plain_mode_meanwhile() -> None:
    def one() -> None:
        """Some kernel function."""

    made: list[object] = []
    with loading(lambda function: "compiled"):
        assert rule(one) == "compiled"
        thread = threading.Thread(target=lambda: made.append(rule(one)))
        thread.start()
        thread.join()
    assert made == [one]
    assert rule(one) is one


def test_a_policy_runs_in_both_lives_and_only_random_play_without_one(tiny: Maker) -> None:
    title, none = tiny.title("with_policy", policy=True), tiny.title("without_policy")
    rules, g = title.rules, title.setup_of(OPTIONS)
    for card, wish in ((3, 0), (1, 2)):  # a step is worth 2.5 with the card 3, else 1.5; a draw 2
        s, out = rules.State(), [0] * 4
        rules.start(s, g)
        rules.apply(s, g, CHANCE, card)
        rules.apply(s, g, CHANCE, 0)
        n = rules.legal(s, g, 0, out)
        assert load_kernel(title, compiled=False).policy(s, g, 0, out, n, [1]) == wish
        bench = Bench(title, OPTIONS)
        s.store(bench.ss[0])
        assert bench.kernel.one_policy(bench.ss, bench.gg, 0, bench.out, bench.rng) == wish
        rng = [1]
        chosen = {load_kernel(none, compiled=False).policy(s, g, 0, out, n, rng) for _ in range(50)}
        assert chosen == set(out[:n])


@pytest.mark.slow("a title of its own is compiled")
def test_what_is_derived_uses_the_title_s_own_functions_and_no_helper(tiny: Maker, usual: Title) -> None:
    """Without ``run_chance``, chance is drawn from the title's ``outcomes``, in both modes.

    A helper of another room may be called like a function of the rules: a module's names are its own.
    """
    source = SOURCES["rules"]
    begin, end = (
        source.index("        @rule\n        def run_chance"),
        source.index("        @rule\n        def hide"),
    )
    derived = tiny.title("without_run_chance", ("rules", *(dedent(part) for part in (source[begin:end], ""))))
    with tiny.path("without_run_chance", "invariants").open("a") as invariants:
        invariants.write("@rule\ndef scores(s: State, g: Setup) -> int:\n    return 7\nGOAL = 3\n")
    assert not hasattr(import_module("without_run_chance.rules"), "run_chance")
    for compiled in (True, False):
        one, two = (play(title, OPTIONS, 30, 1, compiled=compiled) for title in (usual, derived))
        assert one.scores.tolist() == two.scores.tolist() and one.scores.max() >= 10


@pytest.mark.parametrize("compiled", [True, False])
def test_two_modules_of_the_rules_with_one_name_of_the_contract_are_refused(
    tiny: Maker, compiled: bool
) -> None:
    """The sentence names both."""
    title = tiny.title(f"clash_{compiled}")
    with tiny.path(title.name, "ground").open("a") as source:
        source.write("@rule\ndef scores(s: State) -> int:\n    return 7\n")
    names = rf"{title.name}\.ground and {title.name}\.rules mean different things by scores"
    with pytest.raises(ImportError, match=names):
        load_kernel(title, compiled=compiled)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "    s.turn = 0\n",
            "    clear(s)\n",
            r"start calls clear, which .* lacks: write clear = clearing\(State\)",
        ),
        (
            "def legal(s: State, g: Setup, seat: int, out: Row) -> int:\n    out[0]",
            WITHOUT_LIST,
            r"why_not calls legal, which .* lacks: write legal = listing\(why_not, ACTIONS\)",
        ),
        ("def legal(", "def lists(", "needs legal or why_not: see docs/kernel.md"),
        ("    MAX_SEATS = 2\n", "", "needs MAX_SEATS: see docs/kernel.md"),
        ("def who(", "def whose(", "needs who: see docs/kernel.md"),
    ],
    ids=["clear", "legal", "no list", "no bound", "no function"],
)
def test_a_name_that_the_rules_lack_is_told_when_they_are_loaded(
    tiny: Maker, old: str, new: str, said: str
) -> None:
    """What is missing was a ``NameError`` in the middle of a game: now the loader says what to write."""
    title = tiny.title(f"lacks_{abs(hash(old))}", ("rules", dedent(old), dedent(new)))
    with pytest.raises(ImportError, match=said):
        load_kernel(title, compiled=False)


@pytest.mark.slow("a title of its own is compiled")
def test_an_overflow_is_the_same_error_in_both_modes(usual: Title, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled, it is checked with events. ``paddock invariants`` names the game."""
    said = "a number does not fit into the field at: declare it larger"
    rules, g = usual.rules, usual.setup_of(TOO_FAR)
    s = rules.State()
    rules.start(s, g)
    for card in (3, 1):
        rules.apply(s, g, CHANCE, card)
    rules.apply(s, g, 0, 0)
    bench = Bench(usual, TOO_FAR, tell=True)
    for step in (s.tobytes, lambda: s.store(bench.ss[0]), lambda: compiled_walk(usual, True, TOO_FAR)):
        with pytest.raises(OverflowError) as error:
            step()
        assert str(error.value) == said
    monkeypatch.setattr("paddock.kernel.watch.random_options", lambda *_: TOO_FAR)
    (watched,) = watch(usual, 1000, seed=3, threads=1)
    assert watched.broken.startswith(f"{said}: game ")


WRONG = (
    ("rules", "from {}.ground import walk", "import {}.ground", "write from {} import ground"),
    ("rules", "from {}.ground import walk", "from .ground import walk", "by full names"),
    ("state", "from {}.numbers import MOST", "from {}.ground import AHEAD", "earlier in Title.kernel"),
    ("state", "from {}.numbers import MOST", "from {} import ground", "earlier in Title.kernel"),
    ("ground", "AHEAD = 1", "from {}.more import AHEAD, far", "needs far of {}.more, kernel code"),
    ("ground", "AHEAD = 1", "from {}.more import AHEAD, Far", "needs Far of {}.more, kernel code"),
)


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_what_cannot_be_imported_is_refused(tiny: Maker, case: int) -> None:
    """The error names the module, and says what to write instead."""
    name = f"wrong_{case}"
    module, before, after, said = (text.format(name) for text in WRONG[case])
    title = tiny.title(name, (module, before, after))
    tiny.path(name, "more").write_text(
        "from paddock.kernel import i8, record, rule\n"
        "AHEAD = 1\n"
        "@rule\ndef far() -> int:\n    return 2\n"
        "@record\nclass Far:\n    a: i8\n"
    )
    with pytest.raises(ImportError, match=f"{name}.{module}.*{said}"):
        load_kernel(title, compiled=True)
    assert not [loaded for loaded in sys.modules if loaded.startswith(f"{name}.{module}__")]


def test_a_module_that_is_named_in_the_kernel_may_be_imported(tiny: Maker) -> None:
    title = tiny.title("named", kernel=("state", "more", "ground", "rules"))
    tiny.path("named", "more").write_text(
        "from paddock.kernel import rule\n@rule\ndef far() -> int:\n    return 2\n"
    )
    tiny.edit("named", "ground", "AHEAD = 1", "from named.more import far")
    tiny.edit("named", "ground", "AHEAD +", "far() +")
    assert compiled_walk(title, tell=False) == ([3, 0], [])


def test_the_cache_is_named_by_packages_that_the_rules_read(tiny: Maker) -> None:
    """Directly or not; their own packages are not imported for that."""
    title = tiny.title("third", ("ground", "AHEAD = 1", "from harbour.table import AHEAD"))
    (tiny.folder / "harbour").mkdir()
    sources = {"__init__": "raise ImportError\n", "table": "from .deep import AHEAD\n", "deep": "AHEAD = 1\n"}
    for name, text in sources.items():
        tiny.path("harbour", name).write_text(text)
    before = cache_folder(title, tell=False)
    tiny.path("harbour", "deep").write_text("AHEAD = 2\n")
    assert cache_folder(title, tell=False) != before
    assert "harbour" not in sys.modules


def test_the_cache_is_named_by_all_that_the_rules_are_made_of(tiny: Maker) -> None:
    """Also by a module that is only imported for its constants."""
    title = tiny.title("cached", policy=True)
    before = cache_folder(title, tell=False)
    assert before == cache_folder(title, tell=False)
    assert before != cache_folder(title, tell=True)
    tiny.path("cached", "text").write_text("# no part of the rules\n")
    tiny.edit("cached", "setup", "g.cards = 2", "g.cards = 3")
    assert cache_folder(title, tell=False) == before
    seen = {before}
    modules = ("numbers", "state", "ground", "rules", "invariants", "worth", "policy")
    for module in modules:
        with tiny.path("cached", module).open("a") as source:
            source.write("# edited\n")
        seen.add(cache_folder(title, tell=False))
    assert len(seen) == 1 + len(modules)


def test_games_are_played_in_bulk(usual: Title) -> None:
    bulk = play(usual, OPTIONS, 200, seed=1)
    assert (bulk.scores.max(axis=1) >= 10).all()
    assert bulk.decisions.min() > 3


@pytest.mark.slow("a title of its own is compiled")
def test_the_secrecy_theorem_holds_for_chains(usual: Title) -> None:
    """Every link adds a check to those of the steps."""
    kernel, g, steps = load_kernel(usual, compiled=False), usual.setup_of(OPTIONS), 0
    for game in range(300):
        s, rng, out = kernel.State(), [0], [0] * 8
        stream(3, game, rng)
        kernel.start(s, g)
        while waiting := kernel.who(s, g):
            steps += 1
            if waiting >> CHANCE:
                kernel.take_chance(s, g, rng, out, [0] * 8)
            else:
                seat = kernel.first_of(waiting)
                kernel.apply(s, g, seat, out[below(rng, kernel.legal(s, g, seat, out))])
    assert secrecy_checks(usual, OPTIONS, seed=3, games=300) > 1.5 * steps > 0


@pytest.mark.slow("a title of its own is compiled")
@pytest.mark.parametrize("fault", [FORESEEN, STEPPED, TURNED])
def test_a_chain_that_cannot_be_foreseen_breaks_the_theorem(usual: Title, fault: Options) -> None:
    """``foreseen``, the result, or the next decider depends on what the seat cannot see."""
    assert secrecy_checks(usual, fault, seed=3, games=300) < 0
