"""The games that come with Atoll, one folder each; a game knows `atoll.core` and nothing else."""
