"""Riders: a race with hidden hands, in which all choose at the same time."""
