"""Training players: games between the networks of `bots/network.py`, and PyTorch to learn from them.

Only `atoll train` imports this; playing a trained network needs none of it.
"""
