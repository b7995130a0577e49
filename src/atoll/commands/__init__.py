"""The command line: a command is the function in the file of its name, and two lines in `main.py`.

`restore` stands beside `backup`; files without a command help the others. After a change `python -m tests.reference`
writes docs/commands.md.
"""
