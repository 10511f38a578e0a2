"""Tasks to publish on: fixed options, opponents and deals, and scores that can be checked (docs/tasks.md)."""

from paddock.tasks.catalogue import TASKS, task
from paddock.tasks.score import Score, score
from paddock.tasks.task import Task
from paddock.tasks.verify import verify

__all__ = ["TASKS", "Score", "Task", "score", "task", "verify"]
