"""What the kernel does for titles in core, which imports nothing from here."""

from __future__ import annotations

from typing import Any, cast

from paddock.core.rooms.rules import WholeRules
from paddock.core.title import Seen, Title


class Serving:
    """The kernel, as ``paddock.core.rooms.above`` has it."""

    def whole_rules(self, title: Title) -> WholeRules:
        """Return the last module of a title's rules, with defaults for what it leaves out."""
        from paddock.kernel.loader import whole_rules  # imported late: only defaults need it

        return cast(WholeRules, whole_rules(title))

    def broken(self, title: Title, s: Any, g: Any) -> int:
        """Return the index of an invariant of the title that a state breaks; 0 if there is none."""
        from paddock.kernel.loader import load_kernel  # imported late: only defaults need it

        return int(load_kernel(title, compiled=False).broken(s, g))

    def sample(self, seen: Seen, rng: Any) -> Any:
        """Return a game that the eyes of ``seen`` may be in."""
        from paddock.kernel.sampling import sample  # imported late: not needed to play

        return sample(seen, rng)
