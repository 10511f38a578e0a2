"""Change the rules of a title three times under open tables; exit 1 if one of them cannot go on.

A server of each revision is a process of its own, as after an upgrade, where the system can fork. It replays
every table, plays one move at each, and begins more of them. At the last one, a bot and a page are asked for
too. The title is the example ``examples/pigrace``. Its revisions, each from the one before:

2. An option has another name. ``of_revision`` converts it, and the rules are the same.
3. A rule is another one, and a state has one more field. The package ``revision2`` has the rules before that.
4. The moves have other numbers, and there is one more. The package ``revision3`` has the rules before that.

At the end revision 4 runs without these packages. Then the tables stop and say why: none goes on with rules
that would have led elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

PIGRACE = Path(__file__).parents[1] / "examples/pigrace/src/pigrace"
NEWEST = 4
TABLES = 1000  # together, if nothing else is said
MOST = 12  # moves that are played at a table to begin with
PIECE = 16  # tables that are played at the same time: a busy machine answers no more in time
HOLDER = "a" * 64


def change(folder: Path, file: str, *pairs: tuple[str, str]) -> None:
    """Replace texts in a file, or in all of them."""
    for path in [folder / file] if file else sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8")
        for old, new in pairs:
            if file and old not in text:
                raise ValueError(f"{path} has no {old!r}")
            text = text.replace(old, new)
        path.write_text(text, "utf-8")


def keep(folder: Path, revision: int) -> None:
    """Keep the modules as they are now as the package ``revisionN``: what an author does before a change."""
    there = folder / f"revision{revision}"
    there.mkdir()
    for path in folder.glob("*.py"):
        shutil.copy(path, there)
    change(there, "", ("from pigrace.", f"from pigrace.revision{revision}."))


def make(root: Path, revision: int, *, kept: bool = True) -> Path:
    """Write the title as it is at a revision, with earlier ones if they are ``kept``; return its folder."""
    folder = root / f"{revision}{'' if kept else '-alone'}"
    pigs = folder / "pigrace"
    shutil.copytree(PIGRACE, pigs, ignore=shutil.ignore_patterns("__pycache__"))
    info = folder / "pigrace-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pigrace\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[paddock.titles]\npigrace = pigrace.rulebook:TITLE\n", "utf-8")
    if revision > 1:
        convert = '''

    @classmethod
    def of_revision(cls, revision, values):
        """In revision 1 the track was called so."""
        if revision > 1:
            return values
        return {("length" if name == "track" else name): value for name, value in values.items()}


TITLE'''
        change(pigs, "rulebook.py", ("    track:", "    length:"), ("\n\n\nTITLE", convert))
        change(pigs, "rules.py", ("    track:", "    length:"), ("g.track", "g.length"))
        change(pigs, "draw.py", ('"track"', '"length"'))
        change(pigs, "rulebook.py", ("PigOptions)", "PigOptions, revision=2)"))
    if revision > 2:
        if kept:
            keep(pigs, 2)
        change(
            pigs,
            "rules.py",
            ("    over: i8\n", "    over: i8\n    falls: i8\n"),
            ("one > 1 and other > 1", "one + other > 3"),
            ("    s.steps = 0\n", "    s.falls += int(s.steps == 0)\n    s.steps = 0\n"),
        )
        change(pigs, "rulebook.py", ("revision=2", "revision=3"))
    if revision > 3:
        if kept:
            keep(pigs, 3)
        change(
            pigs,
            "rules.py",
            ("MAX_SCORE = 4, 2,", "MAX_SCORE = 4, 3,"),
            ("ROLL, HOLD = range(2)", "HOLD, ROLL, RISK = range(3)"),
            ("    out[0], out[1] = ROLL, HOLD\n    return 1 + int(s.steps > 0)",
             "    out[0], out[1], out[2] = RISK, ROLL, HOLD\n    return 2 + int(s.steps > 0)"),
            ("move == ROLL", "move != HOLD"),
        )  # fmt: skip
        change(pigs, "text.py", ('"roll", "hold"', '"hold", "roll", "risk"'))
        change(pigs, "rulebook.py", ("revision=3", "revision=4"))
    return folder


async def serve(url: str, revision: int, count: int, seed: int) -> int:
    """Be a server of one revision; return how many tables cannot go on."""
    from paddock.tables import Tables
    from paddock.tables.kept import SAME, KeptTables, counted

    choose, frozen, played = random.Random(seed), 0, 0
    names = ("length",) if revision > 1 else ("track",)
    async with Tables.open(url) as tables:
        async with KeptTables.open(url) as stored:
            found = [again async for again in stored.replay()]
        for line in counted((f"{one.kept.row.title}/{one.kept.row.revision}", one.verdict) for one in found):
            print(f"  {line}")
        for reason in sorted({one.reason for one in found if one.verdict != SAME}):
            print(f"  {reason}")

        async def play(id: str) -> bool:
            """Play one move; return whether it was acknowledged and stored."""
            table = await tables.table(id)
            if not table.running:
                return False
            seat, moves = table.moves(table.awaited()[0])[0]
            before = table.rows
            _id, move, _label = choose.choice(moves)
            await tables.submit(id, HOLDER, seat, move, table.decision, f"{revision}.{before}")
            return (await tables.table(id)).rows > before

        async def begin(moves: int) -> None:
            options = {"players": choose.randint(2, 4), names[0]: choose.randint(90, 100)}
            seats = ["me"] * options["players"]
            table = await tables.making.create("pigrace", options, seats, holder=HOLDER)
            for _ in range(moves):
                await play(table.id)

        ids = [one.kept.row.id for one in found if one.kept.status == "running"]
        for start in range(0, len(ids), PIECE):
            went = await asyncio.gather(*map(play, ids[start : start + PIECE]))
            played += sum(went)
            frozen += sum([bool((await tables.table(id)).frozen) for id in ids[start : start + PIECE]])
        if revision == NEWEST and not frozen:
            await look(tables, ids[:: max(1, len(ids) // 5)][:5])
        for start in range(0, count, PIECE):
            await asyncio.gather(
                *(begin(choose.randrange(MOST + 1)) for _ in range(min(PIECE, count - start)))
            )
        print(f"  open before: {len(ids):,}; a move played at {played:,}; frozen: {frozen:,}; new: {count:,}")
    return frozen


async def look(tables: object, ids: Sequence[str]) -> None:
    """Ask a bot in another process, and look at the page, at some tables."""
    import httpx

    from paddock.bots.workers import BotPool
    from paddock.server.app import create_app
    from paddock.tables import Tables

    assert isinstance(tables, Tables)
    app = create_app(None)
    app.state.tables = tables
    transport, pool = httpx.ASGITransport(app), BotPool(1)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for id in ids:
                table = await tables.table(id)
                answer = await client.get(f"/t/{id}")
                told = f"follows revision {table.title.revision} of the rules" in answer.text
                if answer.status_code != 200 or told != (table.title.revision < NEWEST):
                    raise RuntimeError(f"/t/{id} answers {answer.status_code}, and speaks of rules: {told}")
                if table.running:
                    seat = table.game.deciders[0]
                    legal = table.title.legal(table.game._state, table.game.setup, seat)
                    await pool.choose("club", table.game.seen(1 << seat), seat, legal, 1)
    finally:
        pool.close()


def run(folder: Path, url: str, revision: int, count: int, seed: int) -> int:
    """Run ``serve`` in a process that finds the title in this folder; return how it ended.

    It is a fork, because each process of its own would take seconds to import all that is no title.
    """
    process = get_context("fork").Process(target=be, args=(folder, url, revision, count, seed))
    process.start()
    process.join()
    if process.exitcode not in (0, 3):
        raise SystemExit(f"the server of {folder.name} failed")
    return process.exitcode


def be(folder: Path, url: str, revision: int, count: int, seed: int) -> None:
    """Be that process; end with 3 if tables are frozen."""
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    sys.exit(3 if asyncio.run(serve(url, revision, count, seed)) else 0)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=TABLES, help="open tables, over all revisions")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    # Loaded once, before the forks
    for module in ("paddock.tables.kept", "paddock.bots.workers", "paddock.server.app", "httpx"):
        import_module(module)
    with tempfile.TemporaryDirectory(prefix="paddock-revisions-") as made:
        url = f"sqlite:///{Path(made) / 'tables.sqlite3'}"
        broken = False
        for revision in range(1, NEWEST + 1):
            count = (asked.tables + NEWEST - 2) // (NEWEST - 1) if revision < NEWEST else 0
            print(f"revision {revision}:", flush=True)
            broken |= run(make(Path(made), revision), url, revision, count, asked.seed + revision) != 0
        print(f"revision {NEWEST}, without the earlier ones:", flush=True)
        told = run(make(Path(made), NEWEST, kept=False), url, NEWEST, 0, asked.seed) != 0
    print("tables are frozen" if broken else "no table is frozen")
    if not told:
        print("without the packages of earlier revisions, some must be: this run proves nothing")
    return int(broken or not told)


if __name__ == "__main__":
    sys.exit(main())
