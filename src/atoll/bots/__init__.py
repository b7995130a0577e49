"""Players that choose a move from a view: they know no game, only the contract and each game's advice."""

from atoll.bots.bot import Bot, SeatedBot
from atoll.bots.catalogue import DEFAULT_BOT, LEVELS, RECORDED_BOT, bot_names, find_bot

__all__ = ["DEFAULT_BOT", "LEVELS", "RECORDED_BOT", "Bot", "SeatedBot", "bot_names", "find_bot"]
