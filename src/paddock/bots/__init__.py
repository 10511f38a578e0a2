"""Bots: levels by name, and worker processes that choose their moves."""

from paddock.bots.interface import Bot
from paddock.bots.registry import Level, bot, label_of, levels, thirds, usual
from paddock.bots.workers import BotPool

__all__ = ["Bot", "BotPool", "Level", "bot", "label_of", "levels", "thirds", "usual"]
