"""Tasks: what is frozen stays, scores repeat, and a score that was tampered with is found."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paddock import records
from paddock.core.errors import BadOption, PaddockError
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.kernel.source import Seeded
from paddock.lab.match import match
from paddock.lab.plan import Plan
from paddock.lab.play import BotTeam, play_deal
from paddock.lab.results import make_match
from paddock.lab.rows import GameRow
from paddock.tasks import TASKS, Score, score, task, verify
from paddock.tasks.agent import read_agent
from paddock.tasks.pool import CHECKOUT, POOL, level_of
from paddock.tasks.record_file import sha256, texts
from paddock.tasks.score import GAMES, LINE, RECORDS, digest, plan_of, reached

LAST = (Path(__file__).parents[2] / "examples" / "agent.py").read_text("utf-8")
TIRED = LAST.replace("return moves[-1]", "return 'nothing' if seat else moves[-1]")


def agent(folder: Path, source: str = LAST) -> str:
    file = folder / "agent.py"
    file.write_text(source)
    return str(file)


def here(
    plan: Plan, deals: range, processes: int, team: Callable[[Plan], BotTeam] = BotTeam
) -> Iterator[list[GameRow]]:
    """Play deals in this process, where it does not matter that workers do: each costs a second."""
    with team(plan) as bots:
        for deal in deals:
            yield bots(range(deal, deal + 1))[0]


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["paddock.lab.match"], "play_deals", here)


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a score of a program, with six games."""
    folder = tmp_path_factory.mktemp("scored")
    score("rasant-2-v1", agent(folder), folder / "score", games=6, processes=1)
    return folder / "score"


@pytest.mark.parametrize("name", TASKS)
def test_nothing_that_a_task_depends_on_has_changed(name: str) -> None:
    """If this fails, a score of today is another one than that of yesterday: give the task a new number."""
    assert digest(TASKS[name]) == TASKS[name].digest


def test_the_pool_is_frozen_and_small() -> None:
    files = {file.stem: file for file in CHECKOUT.glob("*.npz")}
    assert {name: sha256(file) for name, file in files.items()} == POOL
    assert sum(file.stat().st_size for file in files.values()) <= 1_000_000
    assert {name for each in TASKS.values() for name in each.opponents} - {"rookie", "club"} == set(POOL)


def test_the_catalogue_is_whole() -> None:
    for name, each in TASKS.items():
        assert name == each.name and each.name.rpartition("-v")[2].isdecimal()
        assert each.options.players == each.training_options.players == each.players
        assert each.options.rounds == 1 and each.games % each.players == 0
    assert len(
        {each.test_seed for each in TASKS.values()} | {each.training_seed for each in TASKS.values()}
    ) == (2 * len(TASKS))
    assert {name for name, each in TASKS.items() if each.options != each.training_options} == {
        "lacorsa-shift-4-v1"
    }


@pytest.mark.usefixtures("_here")
def test_a_match_that_keeps_records_has_the_results_of_any_other() -> None:
    chosen = task("rasant-4-v1")
    plan = plan_of(chosen, read_agent(chosen, "rookie"), None)
    with BotTeam(plan) as team:
        rows = [row for deal in range(3) for row in play_deal(plan, deal, team)]
    line_up = ["rookie", "club", "club", "club"]
    other = match("rasant", line_up, 12, chosen.test_seed, options={"players": 4}, processes=1)
    assert (make_match(plan, rows).points == other.points).all()
    assert all(row.record.startswith("paddock record") for row in rows)
    assert reached(chosen, plan, rows)[0] == pytest.approx(other.figures[0].points_over, abs=1e-6)


def test_the_points_of_partners_count_together() -> None:
    chosen = task("lacorsa-pairs-4-v1")
    assert chosen.in_pairs and not task("lacorsa-2-v1").in_pairs and not task("lacorsa-4-v1").in_pairs
    plan = plan_of(chosen, read_agent(chosen, "club"), None)
    with BotTeam(plan) as team:
        row = play_deal(plan, 0, team)[0]
    rows = [row._replace(bots=(0, 1, 1, 1), points=(9, 4, 1, 2), forfeits=("",) * 4)]
    assert reached(chosen, plan, rows * 4)[0] == 10 - 8  # seats 1 and 3 together, less the mean of two pairs


@pytest.mark.slow("three processes")
def test_two_processes_give_the_same_records_as_one(scored: Path, tmp_path: Path) -> None:
    program = agent(tmp_path)
    two = tmp_path / "two"
    score("rasant-2-v1", program, two, games=2, processes=2)
    score("rasant-2-v1", program, two, games=6, processes=2)  # makes it longer
    assert (two / RECORDS).read_bytes() == (scored / RECORDS).read_bytes()
    one, other = Score.read(scored / LINE), Score.read(two / LINE)
    assert (one.points, one.error, one.records, one.files) == (
        other.points, other.error, other.records, other.files
    )  # fmt: skip


@pytest.mark.usefixtures("_here")
def test_a_score_is_right_and_says_what_played(scored: Path) -> None:
    made = verify(scored, processes=1)
    assert verify(scored / LINE, processes=1) == made == Score.read(scored / LINE)
    assert (made.task, made.agent, made.games, made.forfeits) == ("rasant-2-v1", "agent", 6, 0)
    assert made.files == {"agent.py": sha256(scored.parent / "agent.py")}
    assert made.records == sha256(scored / RECORDS)
    assert made.line.count("\n") == 0 and json.loads(made.line)["paddock"]


def played_on(game: Game, text: str) -> str:
    """Return a file of records whose first game is played on to the end, by the rules."""
    lots = Seeded(3)
    while not game.over:
        for seat in game.deciders:
            legal = game.legal(seat).ids
            game.append(Entry(seat, legal[lots.below(len(legal))]))
        if game.chance_due:
            game.append(game.draw(lots))
    names = re.findall(r"^player \d: bot (\w+)$", text, re.MULTILINE)[:2]
    _first, *others = text.split("paddock record 1\n")[1:]
    forged = records.write(game, date="2026-11-30", players=[(name, "bot") for name in names])
    return forged + "\n" + "".join(f"paddock record 1\n{other}" for other in others)


def other_cards(text: str) -> str:
    """The first game has other cards."""
    return played_on(Game(task("rasant-2-v1").title, task("rasant-2-v1").options), text)


def other_move(text: str) -> str:
    """In the first game, the opponent makes another move than it would."""
    record = next(records.read_all(text))
    game, seat = record.game(), [name for name, _level in record.players].index("club")
    for at in reversed(range(len(game.log))):
        before = game.at(at)
        if game.log[at].by == seat and len(legal := before.legal(seat).ids) > 1:
            before.append(Entry(seat, next(id for id in legal if id != game.log[at].what)))
            return played_on(before, text)
    raise AssertionError("it never had a choice")


def illegal_move(text: str) -> str:
    """The first player of the first game makes a move that nobody has."""
    unchecked = re.sub(r"^checksum: .*\n", "", text, count=1, flags=re.MULTILINE)
    return re.sub(r"^(\d): .*$", r"\1: r40 r40", unchecked, count=1, flags=re.MULTILINE)


def line(change: Callable[[dict[str, object]], object]) -> Callable[[Path], None]:
    """Change the line."""

    def tamper(folder: Path) -> None:
        values = json.loads((folder / LINE).read_text())
        change(values)
        (folder / LINE).write_text(json.dumps(values))

    return tamper


def file(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    """Change a file."""

    def tamper(folder: Path) -> None:
        before = (folder / name).read_text()
        after = change(before)
        assert before != after
        (folder / name).write_text(after)

    return tamper


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (line(lambda values: values.update(points=9.9)), "the line says 9.9 points, but the games give"),
        (line(lambda values: values.update(records="0" * 64)), "the hash of other records"),
        (line(lambda values: values.update(games=5)), "5 games are no whole deals"),
        (line(lambda values: values.update(games=4)), "more games than the line says"),
        (line(lambda values: values.update(games=8)), "game 7 has no record"),
        (line(lambda values: values.update(revision=7)), "revision 7 of the rules"),
        (line(lambda values: values.pop("points")), "is not a line that"),
        (line(lambda values: values.update(task=["rasant-2-v1"])), "is not a line that"),
        (line(lambda values: values.update(games="6")), "is not a line that"),
        (line(lambda values: values.update(games=2 * 10**30)), "is not a line that"),
        (line(lambda values: values.update(agent="\x1b[2J")), "is not a line that"),
        (line(lambda values: values.update(points=float("nan"))), "is not a line that"),
        (line(lambda values: values.update(task="rasant-9-v1")), "there is no task “rasant-9-v1”"),
        (file(RECORDS, other_move), "game 1: the record says “.: .*”, but the deals and opponents"),
        (file(RECORDS, other_cards), "game 1: the record says “line: .*”, but the deals and opponents"),
        (file(RECORDS, illegal_move), "game 1: line 1.: "),
        (file(RECORDS, lambda text: text.replace("2026-11-30", "2026-12-01", 1)), "“date: 2026-12-01”"),
        (file(GAMES, lambda text: text.replace(",1,", ",2,", 1)), "game 1: its line in games.csv does not"),
        (file(GAMES, lambda text: text.replace("bot_1", "bot")), "is not the file of results"),
        (file(GAMES, lambda text: text.replace(",1,", f",{'1' * 200_000},")), "is not the file of results"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(
    scored: Path, tmp_path: Path, tamper: Callable[[Path], None], said: str
) -> None:
    folder = tmp_path / "score"
    shutil.copytree(scored, folder)
    tamper(folder)
    with pytest.raises(PaddockError, match=said):
        verify(folder, processes=1)


@pytest.mark.usefixtures("_here")
def test_forfeits_are_counted_and_verified(tmp_path: Path) -> None:
    made = score("rasant-2-v1", agent(tmp_path, TIRED), tmp_path / "score", games=4, processes=1)
    assert made.forfeits == 2, "it plays each seat twice, and fails on the second"
    assert verify(tmp_path / "score", processes=1) == made


@pytest.mark.usefixtures("_here")
def test_a_score_is_resumed_after_a_kill_and_not_with_another_agent(scored: Path, tmp_path: Path) -> None:
    folder = tmp_path / "score"
    shutil.copytree(scored, folder)
    results = (folder / GAMES).read_text().splitlines(keepends=True)
    (folder / GAMES).write_text("".join(results[:5]))  # the records of the last deal were written before
    program = scored.parent / "agent.py"
    again = score("rasant-2-v1", str(program), folder, games=6, processes=1)
    assert again.records == sha256(scored / RECORDS)
    with pytest.raises(PaddockError, match="has other contents"):
        score("rasant-2-v1", "rookie", folder, games=6, processes=1)
    (folder / RECORDS).write_text("\n".join(list(texts(folder / RECORDS))[:3]))
    with pytest.raises(PaddockError, match="has 3 records, but 6 games are finished"):
        score("rasant-2-v1", str(program), folder, games=6, processes=1)


def test_what_cannot_be_scored_or_verified_is_refused(scored: Path, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="there is no task “chess”: choose lacorsa-4-v1, "):
        score("chess", "club", tmp_path)
    with pytest.raises(PaddockError, match="there is no such file"):
        score("rasant-2-v1", "./nobody.py", tmp_path)
    with pytest.raises(BadOption, match="there is no bot level “clubb”"):
        score("rasant-2-v1", "clubb", tmp_path)
    text = tmp_path / "agent.txt"
    text.write_text("move")
    with pytest.raises(PaddockError, match="is not executable, and no Python file"):
        score("rasant-2-v1", str(text), tmp_path)
    with pytest.raises(BadOption, match="games=0"):
        score("rasant-2-v1", "club", tmp_path, games=0)
    shutil.copy(scored / LINE, tmp_path)
    with pytest.raises(
        PaddockError, match=r"score the agent again \(paddock tasks score rasant-2-v1 .*--games 6"
    ):
        verify(tmp_path)
    (tmp_path / LINE).write_text("{}")
    with pytest.raises(PaddockError, match="not a line that"):
        verify(tmp_path)


def test_the_pool_is_looked_for_and_checked(tmp_path: Path) -> None:
    assert level_of("club", tmp_path) == "club"
    with pytest.raises(PaddockError, match="copy the folder benchmark/pool"):
        level_of("lacorsa-4", tmp_path)
    (tmp_path / "lacorsa-4.npz").write_bytes(b"another network")
    with pytest.raises(PaddockError, match="is not the frozen network “lacorsa-4”"):
        level_of("lacorsa-4", tmp_path)


def test_agents_are_named_by_their_files() -> None:
    chosen = task("lacorsa-4-v1")
    champion, net = read_agent(chosen, "champion"), read_agent(chosen, f"net:{CHECKOUT / 'lacorsa-4.npz'}")
    assert (champion.name, set(champion.files)) == ("champion", {"4.npz"})
    assert (net.name, net.files) == ("lacorsa-4", {"lacorsa-4.npz": POOL["lacorsa-4"]})
    command = read_agent(chosen, f"cmd:{sys.executable} -u {__file__}")
    assert (command.name, set(command.files)) == ("test_tasks", {"test_tasks.py"})
