"""Other libraries' environments beside ours, in one run: `make bench-peers`."""
