"""The command line: one file a command, named as it. A new command is a file and a line in `main`."""
