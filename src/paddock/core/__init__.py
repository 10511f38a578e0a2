"""What every package shares: titles, options, games, moves, chance, errors, results."""
