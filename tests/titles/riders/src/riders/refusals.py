"""Riders: why moves are refused."""

REASONS = ("", ""), ("RI-2.1", "you do not have {move}")
