"""The people at the tables: what they are called, how they come together, and what they say to each other."""
