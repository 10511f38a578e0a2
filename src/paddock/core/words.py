"""Three numbers that every room shares."""

CHANCE = 31  # the seat number of chance in logs; its bit in ``who`` is 1 << CHANCE
HIDDEN = -1  # what stands where the eyes cannot see
PUBLIC = -1  # the eyes of an event that everybody saw
