"""A bot for Atoll that takes the first legal move: `atoll arena GAME --bots "random,cmd:python first_bot.py"`."""

import json
import sys


def choose(view, legal):
    """The move to play: one of `legal`. `view` is what this seat may know."""
    return legal[0]


for line in sys.stdin:
    message = json.loads(line)
    answer = None
    if message["say"] == "hello":
        answer = {"say": "ready"}
    elif message["say"] == "move":
        answer = {"id": message["id"], "move": choose(message["view"], message["legal"])}
    if answer:
        print(json.dumps(answer), flush=True)
