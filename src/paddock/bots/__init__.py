"""Who plays without hands: levels by name, and worker processes that think for a table."""

from paddock.bots.interface import Bot
from paddock.bots.registry import Level, bot, levels
from paddock.bots.workers import BotPool

__all__ = ["Bot", "BotPool", "Level", "bot", "levels"]
