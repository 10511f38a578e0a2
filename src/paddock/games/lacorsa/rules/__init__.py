"""LACORSA: what may happen now, and what follows."""
