"""The pages of tasks and the leaderboard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import task_pages
from paddock.tasks import TASKS, score


@pytest.mark.slow("compiles the rules where no kernel is cached")
def test_a_page_has_what_is_fixed_and_its_code_runs() -> None:
    chosen = TASKS["lacorsa-4-v1"]
    page = task_pages.task_page(chosen)
    for part in (chosen.digest, chosen.test_seed, chosen.says, "1 × lacorsa-4-works", "2,000"):
        assert part in page
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert code
    exec(code[1], {})


def test_the_leaderboard_is_made_from_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_pages, "SCORES", tmp_path)
    for agent in ("rookie", "club"):
        made = score("rasant-tiny-2-v1", agent, tmp_path / agent, games=2, name=agent.upper(), processes=1)
        (tmp_path / f"{agent}.json").write_text(made.line)
    table = task_pages.leaderboard().partition("rasant-tiny-2-v1.md)")[2]
    best, other = sorted(task_pages.scores(), key=lambda made: -made.points)
    assert table.index(f"| {best.agent} | {best.figures} |") < table.index(f"| {other.agent} |")


def test_every_task_has_its_place_in_the_menu_and_every_line_is_of_a_task() -> None:
    menu = (Path(__file__).parents[2] / "mkdocs.yml").read_text("utf-8")
    assert all(f"- {name}: {path}" in menu for name, path in zip(TASKS, task_pages.pages(), strict=True))
    for made in task_pages.scores():
        assert made.task in TASKS and made.revision == TASKS[made.task].title.revision


def test_the_curves_of_both_methods_rise() -> None:
    head, _rule, *rows = task_pages.curves().splitlines()
    assert all(f"{label}: races | points" in head for label in task_pages.METHODS.values())
    first, *_, last = [
        [float(cell.split()[0].replace(",", "")) for cell in row.split("|")[1:-1]] for row in rows
    ]
    assert len(rows) >= 5 and all(before < after for before, after in zip(first, last, strict=True))
