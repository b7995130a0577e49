"""A network that learnt from the search of Cast Away guides it (`bots/guidance.py`)."""

NETWORK = "guide.npz"
