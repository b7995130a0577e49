"""The games that come with Atoll, one folder each; a game knows `core`, `engine` and `text`, and no other game."""
