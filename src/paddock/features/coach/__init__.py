"""The coach: hints for whoever plays against bots alone."""
