"""Tables: what is played there, by whom, and their bots."""
