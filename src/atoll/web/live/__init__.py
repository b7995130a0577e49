"""What changes while pages are open: spectators, bots that move, clocks that run out, games that load."""
