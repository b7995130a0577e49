"""The bots by name; importing this does not import Numba."""

import re
from pathlib import Path

from atoll.bots.bot import QUICK_BOTS, Bot, SearchBot, TrainedBot
from atoll.bots.restricted import NO_LOOK_AHEAD, ONLY_POINTS, RestrictedBot
from atoll.text.errors import UnknownBot
from atoll.text.messages import Message, quoted

RECORDED_BOT = "bot: "
"""What records and results call a bot begins so; its name follows."""

LEVELS = (
    SearchBot("easy", iterations=30, milliseconds=250, samples=True, guided=False),
    SearchBot("normal", iterations=300, milliseconds=250),
    SearchBot("hard", iterations=2000, milliseconds=800),
    SearchBot("expert", iterations=60000, milliseconds=1700, trees=2),
)
"""What people choose, the weakest first. No network guides the weakest, which would play as well as the next."""

BOTS: tuple[Bot, ...] = (*QUICK_BOTS, TrainedBot("trained"), *LEVELS)
"""All bots that have a name of their own."""

EXPLOITER = TrainedBot("exploiter", shipped="exploiter.npz")
"""Learnt to beat `trained`, for the benchmark: nobody that people would choose."""

DEFAULT_BOT = "normal"
"""Who plays where nothing else is said."""

_SEARCH = re.compile(r"search:(?P<number>[1-9][0-9]{0,8})(?P<unit>ms)?")
_RESTRICTED = re.compile(
    rf"restrict:(?P<bot>[^,]+)(?P<rules>(,(never|always|without|taste)=[^,]+|,{NO_LOOK_AHEAD}|,{ONLY_POINTS})+)"
)


def bot_names() -> tuple[str, ...]:
    """What the bots are called, the simplest first."""
    return tuple(bot.name for bot in BOTS)


def find_bot(name: str) -> Bot:
    """The bot of that name, or a search with the budget, or a bot with the restrictions, that it names; raises
    UnknownBot, which says what there is.
    """
    for bot in (*BOTS, EXPLOITER):
        if bot.name == name:
            return bot
    if name.startswith("trained:") and name != "trained:":
        return TrainedBot(name, Path(name.removeprefix("trained:")))
    if name.startswith("restrict:"):
        return restricted_bot(name)
    budget = _SEARCH.fullmatch(name)
    if budget is None:
        raise UnknownBot(
            Message(
                "there is no bot called %(name)s; there are: %(known)s, trained:FILE, search:ITERATIONS, "
                "search:TIMEms, restrict:BOT,never=MOVES",
                name=quoted(name),
                known=", ".join(bot_names()),
            )
        )
    number = int(budget["number"])
    if budget["unit"]:
        return SearchBot(name, milliseconds=number)
    return SearchBot(name, iterations=number)


def restricted_bot(name: str) -> RestrictedBot:
    """The bot of a name `restrict:...`; raises UnknownBot, which says what would be right."""
    match = _RESTRICTED.fullmatch(name)
    if match is None:
        raise UnknownBot(
            Message(
                "%(name)s is no restricted bot; it would be restrict:BOT and after it one or more of ,never=MOVES "
                ",always=MOVES ,without=HABIT ,taste=HABIT ,ahead=0 and ,only=points, such as "
                "restrict:greedy,never=discard",
                name=quoted(name),
            )
        )
    if match["bot"].startswith(("cmd:", "restrict:")):
        raise UnknownBot(
            Message(
                "%(name)s restricts %(bot)s, but only the program's own bots can be restricted",
                name=quoted(name),
                bot=quoted(match["bot"]),
            )
        )
    rules = [rule.partition("=")[::2] for rule in match["rules"][1:].split(",")]
    fields = {"never": "never", "always": "always", "without": "without", "taste": "tastes"}
    keys = {name: tuple(value for rule, value in rules if rule == word) for word, name in fields.items()}
    return RestrictedBot(
        name,
        find_bot(match["bot"]),
        **keys,
        blind=NO_LOOK_AHEAD in match["rules"].split(","),
        points=ONLY_POINTS in match["rules"].split(","),
    )


def held_to(bot: Bot, rule: str) -> Bot:
    """A bot with one more restriction; raises UnknownBot for a program of one's own."""
    restricted = bot.name if isinstance(bot, RestrictedBot) else f"restrict:{bot.name}"
    return restricted_bot(f"{restricted},{rule}")
