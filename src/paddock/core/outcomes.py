"""The outcomes that chance may have now, with their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paddock.core.errors import BadMove, brief
from paddock.core.i18n import _
from paddock.core.notebook import table
from paddock.core.title import Title


class Outcomes(dict[int, int]):
    """The possible chance outcomes: id → integer weight. ``names`` has their notation, as in records.

    ``heading`` is what chance decides (``deal 1``); it is empty, as the whole, if no chance is due.
    """

    def __init__(self, weights: Mapping[int, int], title: Title, setup: Any, heading: str) -> None:
        super().__init__(weights)
        self.heading = heading
        self._title, self._setup = title, setup

    @property
    def names(self) -> dict[int, str]:
        """The notation of every outcome: id → word."""
        return {id: self._title.text.outcome(self._setup, id) for id in self}

    def id_of(self, name: str) -> int:
        """Return the id of the outcome with this notation; raise ``BadMove`` if it is not possible."""
        for id, word in self.names.items():
            if word == name:
                return id
        raise BadMove(
            _("“{outcome}” is not possible here: next is {due}").format(
                outcome=brief(str(name)), due=self.heading or _("no chance")
            )
        )

    def _repr_html_(self) -> str:
        """The name and the weight of each outcome as a table, for a notebook."""
        names = self.names
        return table((_("Outcome"), _("Weight")), [(names[id], str(self[id])) for id in self])
