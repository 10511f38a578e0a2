"""Riders: why moves are refused."""

from paddock.core.i18n import mark

REASONS = ("", ""), ("RI-2.1", mark("you have no such card"))
