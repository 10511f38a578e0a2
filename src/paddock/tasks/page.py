"""What is fixed in a task, as lines for the terminal and for its page."""

from __future__ import annotations

from collections import Counter

from paddock.core.i18n import _, pgettext
from paddock.core.options import Options, value_text
from paddock.core.wording import listed, number
from paddock.tasks.pool import POOL
from paddock.tasks.task import Task


def facts(task: Task) -> list[tuple[str, str]]:
    """Return what is fixed in a task: a label and a text each."""
    metric = (
        _("points of the agent and its partner over the fair share")
        if task.in_pairs
        else _("points over the fair share")
    )
    training = [(_("options to train with"), _options(task, task.training_options))]
    return [
        (
            pgettext("of a task", "title"),
            f"{task.title_name}, " + _("revision {n} of its rules").format(n=task.title.revision),
        ),
        (_("options"), _options(task, task.options)),
        *(training if task.training_values else []),
        (_("opponents"), listed(f"{n} × {name}" for name, n in Counter(task.opponents).items())),
        *((name, f"SHA-256 {POOL[name]}") for name in dict.fromkeys(task.opponents) if name in POOL),
        (_("metric"), metric),
        (_("games of a score"), number(task.games, ",")),
        (_("seed of the test"), task.test_seed),
        (_("seed of training"), task.training_seed),
        (_("training"), _("at most {n} decisions of the agent").format(n=number(task.training, ","))),
        (_("frozen"), task.frozen),
        (_("digest"), task.digest),
    ]


def _options(task: Task, options: Options) -> str:
    """Return the options that differ from the title's, and the number of players."""
    usual = task.title.options.read({})
    own = {
        name: value
        for name in type(options).model_fields
        if (value := getattr(options, name)) != getattr(usual, name) or name == task.title.players_option
    }
    return " ".join(f"{name}={value_text(value)}" for name, value in own.items())
