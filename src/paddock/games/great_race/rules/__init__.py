"""The Great Race: what may happen now, and what follows."""
