"""``paddock check``: tries everything that a title promises, and says which room to look into.

Each module has trials of one kind. ``tried`` runs them one after another, those that take a moment first.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.core.title import Title
from paddock.trials.compiled import COMPILED
from paddock.trials.dealing import DEALING
from paddock.trials.languages import LANGUAGES
from paddock.trials.lists import LISTS
from paddock.trials.page import PAGES
from paddock.trials.playing import PLAYING
from paddock.trials.secrets import SECRETS
from paddock.trials.trial import Outcome, Trial, outcome
from paddock.trials.words import WORDS

TRIALS: tuple[Trial, ...] = (*LISTS, *PLAYING, *SECRETS, *DEALING, *WORDS, *LANGUAGES, *COMPILED, *PAGES)


def tried(title: Title, seed: int) -> Iterator[Outcome]:
    """Yield what each trial has found. Equal seeds try the same games."""
    for trial in TRIALS:
        yield outcome(trial, title, seed)
