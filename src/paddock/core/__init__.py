"""The shared words: titles, options, games, moves, chance, refusals, results."""
