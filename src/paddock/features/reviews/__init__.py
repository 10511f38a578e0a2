"""Review finished games: notes on their moments, alone or together with friends."""
