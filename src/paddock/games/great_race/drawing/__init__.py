"""The Great Race: what it looks like."""
