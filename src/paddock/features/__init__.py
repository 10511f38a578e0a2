"""What can be done at Paddock besides playing at a table: a package for each feature, and the list of them.

They never import each other, and nothing else in Paddock names one of them. Each has its ``FEATURE`` in the
module ``feature``, and its commands, if it has any, in the light module ``commands``: its own as ``app``, and
those of the operator of a server, which stand below ``paddock admin``, as ``admin``. What proves its cards
afterwards is ``proof`` of the light module ``fair``. Features are loaded when
they are asked for: a command that needs no server does without.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from paddock.core.errors import PaddockError
from paddock.core.extras import installed, need
from paddock.core.i18n import _

if TYPE_CHECKING:
    from typer import Typer

    from paddock.bots.fair import Proof
    from paddock.core.settings import Settings
    from paddock.web.feature import Feature

# In the order of the home page
NAMES = (
    "analyses", "clubs", "coach", "daily", "mygames", "offline", "operating", "pairing", "puzzles", "reach",
    "reviews", "situations", "watching"
)  # fmt: skip
FEATURES: tuple[Feature, ...]


def __getattr__(name: str) -> Any:
    """Load the features that are there, and return those whose packages are installed."""
    if name != "FEATURES":
        raise AttributeError(name)
    modules = [f"{__name__}.{package}" for package in NAMES]
    known = [import_module(f"{module}.feature").FEATURE for module in modules if find_spec(module)]
    features = tuple(feature for feature in known if all(map(installed, feature.needs)))
    globals()[name] = features
    return features


def operated() -> Settings:
    """Return the settings of a server for a command of its operator, from the environment, and load the
    features: else nobody would know their rows, which are backed up, restored, deleted and forgotten, too.

    Raises ``PaddockError`` if what a server needs is not installed.
    """
    need("serve", "paddock admin")
    from paddock.core.settings import Settings

    __getattr__("FEATURES")
    return Settings.read()


def commands(group: str = "app") -> Iterator[tuple[str, Typer]]:
    """Yield the commands of features, by the names of their packages: those below it, or below ``admin``."""
    for name in NAMES:
        if find_spec(f"{__name__}.{name}.commands"):
            module = import_module(f"{__name__}.{name}.commands")
            if group in vars(module):
                yield name, vars(module)[group]


def proof(told: Mapping[str, Any]) -> Proof:
    """Return what a server tells of a day or an evening as a proof of its cards.

    Raises ``PaddockError`` if no feature knows what it is about, or if it is not over.
    """
    for name in NAMES:
        if find_spec(f"{__name__}.{name}.fair"):
            found: Proof | None = import_module(f"{__name__}.{name}.fair").proof(told)
            if found is not None:
                return found
    raise PaddockError(_("nothing here knows how the cards of this follow: is it a day or an evening?"))
