"""«My games»: the running and finished games of a browser, and what they add up to."""
