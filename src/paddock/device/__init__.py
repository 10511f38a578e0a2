"""Paddock in a browser without a server: ``pack`` writes the files, ``root`` runs in the browser's Python."""
