"""Values of forms and addresses, checked."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException

from paddock.core.i18n import _


def number(values: Mapping[str, str], name: str, *, most: int = 10**9) -> int:
    """Return a whole number from a form or an address; raise a 400 that names the field."""
    text = values.get(name, "")
    if text.isascii() and text.isdigit() and len(text) < 12 and int(text) <= most:
        return int(text)
    raise HTTPException(
        400, _("“{name}” must be a whole number from 0 to {most}.").format(name=name, most=most)
    )


def short(values: Mapping[str, str], name: str, most: int) -> str:
    """Return a text of a form or an address; raise a 400 if it is longer: a part may mean something else."""
    text = values.get(name, "").strip()
    if len(text) > most:
        raise HTTPException(400, _("“{name}” has at most {most} characters.").format(name=name, most=most))
    return text
