"""Play with whoever comes next."""
