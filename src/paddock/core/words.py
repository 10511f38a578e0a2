"""Constants that all packages share."""

CHANCE = 31  # the seat number of chance in logs; its bit in ``who`` is 1 << CHANCE
NOBODY = -1  # instead of a seat, where nobody makes a move
HIDDEN = -1  # replaces a number that the viewer must not know
PUBLIC = -1  # ``Event.eyes`` of an event that everybody saw
LINK = "; "  # between the moves of one submission, in notation
NAMELESS = "name of a person who gives none"  # the context of a title's word for players as a name
