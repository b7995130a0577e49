"""Let a language model play a whole game by the Model Context Protocol, and grade its decisions.

    make mcp                                       installs what this needs
    .venv/bin/python examples/play_by_mcp.py --game karuba --players 2 --bots greedy

`choose` stands for the model: put a call of yours there. It is given the table in words, what is asked, and the legal
moves with their texts; it answers with one of them. As it is, it takes any.
"""

import argparse
import asyncio
import random
import sys

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters

CHANCE = random.Random(1)


def choose(text, asked, moves):
    """The move to play: one of `moves`, or a part of one where they are many."""
    return CHANCE.choice(moves)["move"]


async def play(game, players, seat, bots, seed):
    """Play a whole game; returns how it ended and what its decisions cost."""
    command = ["-m", "atoll", "mcp"] + ([] if seed is None else ["--seed", str(seed)])
    async with Client(StdioServerParameters(command=sys.executable, args=command)) as server:

        async def call(tool, **arguments):
            answer = await server.call_tool(tool, arguments)
            if answer.is_error:
                sys.exit(answer.content[0].text)
            return answer.structured_content

        seen = await call("new_game", game=game, players=players, seat=seat, bots=bots)
        game_id = seen["game_id"]
        while not seen["over"]:
            listed = seen
            while "parts" in listed:
                part = choose(seen["text"], seen["asked"], listed["parts"])
                listed = await call("legal_moves", game_id=game_id, part=part)
            seen = await call(
                "play", game_id=game_id, move=choose(seen["text"], seen["asked"], listed["moves"])
            )
        return seen, await call("grade", game_id=game_id)


def main():
    parser = argparse.ArgumentParser(description="Play a game by the Model Context Protocol.")
    parser.add_argument("--game", default="costa-ruana")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seat", type=int, default=0)
    parser.add_argument("--bots", default="greedy")
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    end, grade = asyncio.run(play(**vars(options)))
    print(f"points {end['points']}, won by {end['winners']}")
    print(f"{len(grade['decisions'])} decisions, regret {grade['mean_regret']:.4f} of the win each")
    for one in grade["decisions"]:
        if one["kind"] != "fine":
            print(f"decision {one['decision']}: {one['kind']}, {one['move']}; better {one['best_other']}")


if __name__ == "__main__":
    main()
