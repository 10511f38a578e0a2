"""The pages of tasks: what is fixed in each, and the leaderboard, made from the lines in ``benchmark/``."""

from __future__ import annotations

import json

import cited
from paddock.core.wording import number
from paddock.tasks import TASKS, Score, Task
from paddock.tasks.page import facts

SCORES, TRAINED = cited.ROOT / "benchmark" / "scores", cited.ROOT / "benchmark" / "trained"
METHODS = {"ppo": "PPO", "deep-monte-carlo": "Deep Monte Carlo"}  # that references.py trains, by file

TRAIN = """```python
from paddock.envs import vector
from paddock.tasks import task

chosen = task("{name}")
env = vector(chosen.title, chosen.training_set_up, 64, seed=chosen.training_seed)
print(env.batch.observations.shape, env.batch.masks.shape)
```"""


def scores() -> list[Score]:
    """Return the scores that the repository keeps, the best of each task first."""
    read = [Score.read(file) for file in sorted(SCORES.glob("*.json"))]
    return sorted(read, key=lambda score: (list(TASKS).index(score.task), -score.points))


def task_page(task: Task) -> str:
    """Return the page of a task."""
    title = task.title
    numbers = sum(block.size for block in title.features.FIELDS)
    in_short = title.short_features.SHORT_FEATURES
    rows = "\n".join(f"| {label} | {_code(value)} |" for label, value in facts(task))
    return f"""# {task.name}

{task.says}

| | |
| --- | --- |
{rows}

## Rules, observation, actions

[{title.label}: the rules](../rules/{title.name}.md). An [observation](../observations.md) has {numbers:,}
numbers, in short {in_short:,}. There are {title.rules.ACTIONS:,} actions; a mask says which are legal. The
agent sees what its seat sees, and nothing else.

## Train

{TRAIN.format(name=task.name)}

## Scores

{_table(task)}

The [leaderboard](../tasks.md#the-leaderboard) says how they were made.
"""


def leaderboard() -> str:
    """Return the scores of all tasks."""
    return "\n\n".join(f"### [{name}](tasks/{name}.md)\n\n{_table(task)}" for name, task in TASKS.items())


def _table(task: Task) -> str:
    """Return the table of the scores of a task."""
    lines = ["| agent | points over the fair share | games | forfeits | what played | SHA-256 | Paddock |"]
    lines.append("| --- " * 7 + "|")
    for made in scores():
        if made.task == task.name:
            hashes = " ".join(f"`{digest[:12]}`" for digest in made.files.values())
            kind, colon, rest = made.words.rpartition(":")
            played = f"`{kind}{colon}{rest.rpartition('/')[2]}`"  # a file without its folders
            cells = made.agent, made.figures, number(made.games, ","), str(made.forfeits), played
            lines.append(f"| {' | '.join(cells)} | {hashes} | {made.paddock} |")
    return "\n".join(lines)


def _code(value: str) -> str:
    """Return a value as a table shows it: a hash, a seed and options as code."""
    code = "=" in value or value.startswith("paddock ") or len(value.removeprefix("SHA-256 ")) == 64
    return f"`{value}`" if code else value


def curves() -> str:
    """Return how the networks of the leaderboard learned: a row for each moment."""
    files = [TRAINED / f"lacorsa-4-v1-{name}.jsonl" for name in METHODS]
    learned = [[json.loads(line) for line in file.read_text("utf-8").splitlines()] for file in files]
    lines = ["| seconds | " + " | ".join(f"{label}: races | points" for label in METHODS.values()) + " |"]
    lines.append("| --- " * (1 + 2 * len(METHODS)) + "|")
    for points in zip(*learned, strict=False):
        cells = [f"{point['games']:,} | {point['points']:+.3f} ± {point['error']:.3f}" for point in points]
        lines.append(f"| {points[0]['seconds']:.0f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Return the page of each task, by its path in the site."""
    return {f"tasks/{name}.md": task_page(task) for name, task in TASKS.items()}


FILLED = {"leaderboard": leaderboard, "curves": curves}


def filled(markdown: str) -> str:
    """Write what a page asks for in its place: <!-- leaderboard -->."""
    for name, made in FILLED.items():
        if (place := f"<!-- {name} -->") in markdown:
            markdown = markdown.replace(place, made())
    return markdown
