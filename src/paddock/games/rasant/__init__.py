"""Rasant, a card game of overtaking: nobody owns a car, everybody moves them all."""
