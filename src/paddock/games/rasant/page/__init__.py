"""Rasant: what pages show and ask."""
