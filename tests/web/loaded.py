"""What servers of tests have loaded before they are forked: ``ready.py`` imports it where that is done."""

from __future__ import annotations

import asyncio

import templates
from paddock import cli
from paddock.server.app import create_app
from paddock.server.warm import ask, warm

__all__ = ["cli"]

templates.remember()
_app = create_app("sqlite://")  # never opened
asyncio.run(ask(_app))
warm(_app)
