"""LACORSA: who plays without hands, and what a laboratory measures."""
