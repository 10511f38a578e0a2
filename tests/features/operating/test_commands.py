"""``paddock admin``: features add commands to what every server needs."""

from __future__ import annotations

from paddock.admin import admin
from paddock.features import commands


def names_of_commands() -> set[str]:
    """Return the names of all commands below ``paddock admin``."""
    named = {one.name or one.callback.__name__ for one in admin.registered_commands if one.callback}
    return named | {str(group.name) for group in admin.registered_groups}


def test_the_commands_of_the_operator_stand_beside_those_that_every_server_needs() -> None:
    assert [name for name, _commands in commands("admin")] == ["operating", "situations"]
    house, features = {"backup", "restore", "replay", "doctor"}, {"forget", "purge", "situations", "tables"}
    assert names_of_commands() == house | features
