"""LACORSA: what it looks like."""
