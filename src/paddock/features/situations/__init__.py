"""Situations: what players choose in moments that come again, beside what the strongest bot does."""
