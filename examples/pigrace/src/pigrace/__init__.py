"""Pig race, a title for Paddock."""
