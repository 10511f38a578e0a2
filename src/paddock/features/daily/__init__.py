"""The race of the day: one deal for each title and day, the same for everybody."""
