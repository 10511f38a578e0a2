"""Paddock in a terminal: interactive games, scorepads, stories."""
