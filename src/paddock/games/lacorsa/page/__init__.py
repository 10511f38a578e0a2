"""LACORSA: what pages show and ask."""
