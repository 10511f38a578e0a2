"""Rasant: what may happen now, and what follows."""
