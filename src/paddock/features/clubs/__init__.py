"""Clubs: evenings at which every table plays the same cards, and seasons that survive people who leave."""
