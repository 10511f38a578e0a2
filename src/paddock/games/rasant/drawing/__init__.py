"""Rasant: what it looks like."""
