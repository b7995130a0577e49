"""A site in one thread on a virtual clock, with a simulated store and network (`python -m tests.soak simulation`)."""
