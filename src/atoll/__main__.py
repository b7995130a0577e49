"""The command line as a program: `atoll`, or `python -m atoll`."""

import sys

from atoll.engine.garbage import loaded_for_good


def main() -> None:
    """Run it; Ctrl-C ends it with status 130 and no word, also while it is still loaded."""
    try:
        with loaded_for_good():
            from atoll.commands import main as commands
        commands.main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
