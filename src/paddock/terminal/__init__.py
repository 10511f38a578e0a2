"""Paddock in a terminal: races in plain numbered lines, scorepads, stories."""
