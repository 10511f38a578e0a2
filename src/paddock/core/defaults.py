"""Default numbers of functions and of commands. They are here so that help does not import the work."""

SECONDS: float = 30  # for each decision of a program in a match
STUDY_GAMES = 20_000  # of the main line-up of a study
WORLDS = 1000  # for one decision of an analysis, at most: half choose the best move, half measure the cost
ARENA_WORLDS = 64  # for one decision of an arena, at most
TRIES = 3  # answers to one decision of an arena
ASKS = 16  # half the answers of a bot in every information state of a solved game
HISTORIES = 1_000_000  # of a game that is solved, at most: more would take gigabytes
SLIPS = 20  # in an analysis, one in so many moves of a Club that slips is random
